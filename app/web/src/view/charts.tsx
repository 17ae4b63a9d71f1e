// Charts by hand: direct labels, no legends, every length an SVG attribute. Each has its table.
import { Fragment, h, type JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Bin } from "../types";

/** thin is a count in few characters: 21k. */
export const thin = (n: number): string => (n >= 10_000 ? `${Math.round(n / 1000)}k` : n >= 1000 ? `${(n / 1000).toFixed(1)}k` : String(n));

interface TableProps {
  caption: string;
  head: string[];
  rows: (string | number)[][];
}

export function Table({ caption, head, rows }: TableProps): JSX.Element {
  return (
    <div class="tableBox" tabIndex={0} role="region" aria-label={caption}>
      <table class="plainTable">
        <caption class="unseen">{caption}</caption>
        <thead><tr>{head.map((cell) => <th key={cell} scope="col">{cell}</th>)}</tr></thead>
        <tbody>{rows.map((row, i) => <tr key={i}>{row.map((cell, j) => (j === 0 ? <th key={j} scope="row">{cell}</th> : <td key={j}>{cell}</td>))}</tr>)}</tbody>
      </table>
    </div>
  );
}

/** useTable is the switch between a chart and its table. */
export function useTable(): { asTable: boolean; toggle: JSX.Element } {
  const [asTable, set] = useState(false);
  const toggle = <button type="button" class="link caption" aria-pressed={asTable} onClick={() => set(!asTable)}>{asTable ? "Show as chart" : "Show as table"}</button>;
  return { asTable, toggle };
}

const side = 440; // of the square
const left = 46;
const counts = 64; // height for the counts below

/** PlotWords name the axes of a calibration plot, its diagonal and its bars. */
interface PlotWords {
  said: string;
  happened: string;
  honest: string;
  counts: string;
}

const ourWords: PlotWords = { said: "we said", happened: "it happened", honest: "perfectly honest", counts: "number of predictions" };

/** CalibrationPlot: what we said across, what happened up; the diagonal is honesty, named in the corner where rings are least likely. Even bins are tenths of what was said: their bars fill their tenth. */
export function CalibrationPlot({ bins, even = false, words = ourWords }: { bins: Bin[]; even?: boolean; words?: PlotWords }): JSX.Element {
  const x = (p: number): number => left + p * side;
  const y = (p: number): number => 8 + (1 - p) * side;
  const most = Math.max(...bins.map((bin) => bin.count), 1);
  const base = 8 + side + 18 + counts;
  const width = (side / (even ? 10 : Math.max(bins.length, 10))) * 0.84;
  const middle = (bin: Bin): number => (even ? Math.min(Math.floor(bin.p * 10), 9) / 10 + 0.05 : bin.p);
  return (
    <svg class="chart square" viewBox={`0 0 ${left + side + 8} ${base + 24}`} role="img" aria-label="Calibration: for each size of prediction, how often it happened">
      {[0, 0.25, 0.5, 0.75, 1].map((p) => (
        <Fragment key={p}>
          <line class="grid" x1={left} x2={left + side} y1={y(p)} y2={y(p)} />
          <text class="tick" x={left - 8} y={y(p) + 4} text-anchor="end">{p * 100}%</text>
        </Fragment>
      ))}
      <text class="tick" x={left + 6} y={y(1) + 18}>{words.happened}</text>
      <line class="honest" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
      <text class="tick" x={x(1) - 30} y={y(0) - 8} text-anchor="end">{words.honest}</text>
      <line class="honest" x1={x(1) - 26} y1={y(0) - 12} x2={x(1) - 4} y2={y(0) - 12} />
      {bins.filter((bin) => bin.count > 0).map((bin) => (
        <Fragment key={bin.p}>
          <line class="interval" x1={x(bin.p)} x2={x(bin.p)} y1={y(Math.min(1, bin.high))} y2={y(Math.max(0, bin.low))} />
          <circle class="ringMark" cx={x(bin.p)} cy={y(bin.observed)} r="5" />
        </Fragment>
      ))}
      {bins.map((bin) => {
        const height = (bin.count / most) * (counts - 24);
        return (
          <Fragment key={bin.p}>
            <rect class="countBar" x={x(middle(bin)) - width / 2} y={base - height} width={width} height={Math.max(height, 0.75)} />
            {bin.count > 0 && <text class="tick small" x={x(middle(bin))} y={base - height - 5} text-anchor="middle">{thin(bin.count)}</text>}
          </Fragment>
        );
      })}
      <text class="tick" x={left + side} y={base - counts + 18} text-anchor="end">{words.counts}</text>
      <text class="tick" x={left} y={base + 18} text-anchor="middle">{words.said}</text>
      {[0.2, 0.4, 0.6, 0.8, 1].map((p) => <text key={p} class="tick" x={x(p)} y={base + 18} text-anchor="middle">{p * 100}%</text>)}
    </svg>
  );
}

export interface Line {
  name: string;
  values: number[];
  pencil: boolean;
}

interface LinesProps {
  label: string;
  epochs: number[];
  lines: Line[];
  level?: { name: string; value: number } | null; // a line to compare with
  percent: boolean;
  zero?: boolean; // the axis begins at 0
  wide: number; // of the picture: panels differ in width, letters do not
  until?: number; // the last epoch there will be, while the curve grows: the axis does not move
}

const high = 190;

const minus = (text: string): string => text.replace("-", "−");

/** ticksFor finds three to five round values that hold the range. */
export function ticksFor(low: number, top: number): number[] {
  const raw = (top - low || Math.abs(top) || 1) / 3;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= raw - 1e-12) ?? power * 10;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(top / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** digitsFor is how many decimals tell these values apart and say them exactly. */
export function digitsFor(values: number[]): number {
  for (let digits = 0; digits < 6; digits++) if (values.every((value) => Math.abs(Number(value.toFixed(digits)) - value) < 1e-9)) return digits;
  return 6;
}

export function Lines({ label, epochs, lines, level, percent, zero, wide, until }: LinesProps): JSX.Element {
  const seen = useRef<number[]>([]); // the range so far: an axis that grows along with a curve does not shrink again
  const all = [...lines.flatMap((line) => line.values), ...(level ? [level.value] : []), ...(zero ? [0] : [])].filter(Number.isFinite);
  if (until) seen.current = [Math.min(...all, ...seen.current), Math.max(...all, ...seen.current)];
  const ticks = ticksFor(Math.min(...all, ...seen.current), Math.max(...all, ...seen.current));
  const [low, top] = [ticks[0], ticks.at(-1)!];
  const end = Math.max(until ?? 0, epochs.at(-1) ?? 1);
  const begin = epochs[0] ?? 0;
  const right = wide - 96;
  const x = (epoch: number): number => 42 + ((epoch - begin) / Math.max(end - begin, 1)) * (right - 42);
  const y = (value: number): number => 10 + (1 - (value - low) / (top - low || 1)) * (high - 46);
  const digits = digitsFor(ticks.map((tick) => (percent ? tick * 100 : tick)));
  const show = (value: number): string => (percent ? `${(value * 100).toFixed(lines.length === 1 ? 1 : 0)}%` : minus(value.toFixed(3)));
  const labels = spread(lines.map((line) => y(line.values.at(-1) ?? low)));
  return (
    <svg class="chart" viewBox={`0 0 ${wide} ${high}`} role="img" aria-label={label}>
      {ticks.map((tick) => (
        <Fragment key={tick}>
          <line class="grid" x1="42" x2={right} y1={y(tick)} y2={y(tick)} />
          <text class="tick" x="36" y={y(tick) + 4} text-anchor="end">{percent ? `${(tick * 100).toFixed(digits)}%` : minus(tick.toFixed(digits))}</text>
        </Fragment>
      ))}
      {level && (
        <Fragment>
          <line class="level" x1="42" x2={right} y1={y(level.value)} y2={y(level.value)} />
          <text class="tick" x={right + 6} y={y(level.value) + 4}>{level.name}</text>
        </Fragment>
      )}
      {lines.map((line, i) => (
        <Fragment key={line.name}>
          <polyline class={line.pencil ? "curve" : "curve second"} points={line.values.map((value, k) => `${x(epochs[k] ?? k)},${y(value)}`).join(" ")} />
          <circle class={line.pencil ? "endDot" : "endDot second"} cx={x(epochs[line.values.length - 1] ?? end)} cy={y(line.values.at(-1) ?? low)} r="3" />
          <text class={line.pencil ? "endText" : "endText second"} x={x(epochs[line.values.length - 1] ?? end) + 7} y={labels[i] + 4}>{line.name}{line.name && " "}{show(line.values.at(-1) ?? 0)}</text>
        </Fragment>
      ))}
      {[begin, Math.round((begin + end) / 3), Math.round((2 * (begin + end)) / 3), end].filter((v, i, a) => a.indexOf(v) === i).map((epoch) => (
        <text key={epoch} class="tick" x={x(epoch)} y={high - 8} text-anchor="middle">{epoch}</text>
      ))}
      <text class="tick" x={right + 14} y={high - 8}>epochs</text>
    </svg>
  );
}

/** spread keeps labels 14 px apart, so that two close ends can both be read. */
export function spread(ys: number[]): number[] {
  const order = ys.map((_, i) => i).sort((a, b) => ys[a] - ys[b]);
  const out = [...ys];
  for (let k = 1; k < order.length; k++) out[order[k]] = Math.max(out[order[k]], out[order[k - 1]] + 14);
  return out;
}
