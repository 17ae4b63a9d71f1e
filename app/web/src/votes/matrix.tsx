// Pairs: the chance that the item of the row wins against that of the column, with its table.
import { Fragment, h, type JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { bands, nameOf, type Pairs, type Report } from "../logic/board";
import { percentText } from "../logic/odds";
import { say } from "../app/announce";
import { Table } from "../view/charts";
import { Icon } from "../view/icons";
import { mark } from "./acts";
import { loadPairs } from "./load";
import { shownRows, store, type Shown } from "./state";

const fewest = 30; // items beyond which cells are too small for numbers

const oneText = (p: number): string => percentText(Math.round(100 * p));

export function PairsView({ s, report }: { s: Shown; report: Report }): JSX.Element {
  const [asTable, setTable] = useState(false);
  useEffect(() => void loadPairs(), []);
  const n = shownRows(s);
  return (
    <section class="panel pairsPanel" aria-labelledby="pairs-title">
      <header><h2 id="pairs-title">Who wins against whom</h2><button type="button" class="link caption" aria-pressed={asTable} onClick={() => setTable(!asTable)}>{asTable ? "Show as matrix" : "Show as table"}</button></header>
      {!s.pairs ? (
        <p class="lead" role="status">{s.noPairs || "Asking the server…"}</p>
      ) : asTable ? (
        <OneAgainstAll s={s} report={report} pairs={s.pairs} />
      ) : (
        <Fragment>
          <p class="lead">The fitted chance that the item of the row wins against that of the column in a vote on the two alone, in percent. What is missing to 100 is ties and losses.</p>
          {n <= fewest ? <Cells s={s} report={report} pairs={s.pairs} n={n} /> : <Picture s={s} report={report} pairs={s.pairs} />}
        </Fragment>
      )}
      {!asTable && <footer class="voteFoot"><p>{n} of {report.items.length}. {n < report.items.length ? <button type="button" class="link" onClick={() => store.set({ all: true })}>Show all</button> : s.all && <button type="button" class="link" onClick={() => store.set({ all: false })}>Show fewer</button>}</p></footer>}
    </section>
  );
}

interface MatrixProps {
  s: Shown;
  report: Report;
  pairs: Pairs;
}

/** tints is how much pencil a cell has, from the least to the largest chance: never so much that its number cannot be read. */
function tints(chances: number[]): (p: number) => string {
  const [low, high] = [Math.min(...chances), Math.max(...chances)];
  return (p) => `${Math.round(2 + (48 * (p - low)) / Math.max(1e-9, high - low))}%`;
}

const choose = (report: Report, i: number, j: number): void => {
  if (i === j) return;
  mark({ a: report.items[i].item, b: report.items[j].item });
  say(`${nameOf(report.items[i])} is A, ${nameOf(report.items[j])} is B.`);
};

/** Cells is the matrix with a number in every cell. */
function Cells({ s, report, pairs, n }: MatrixProps & { n: number }): JSX.Element {
  const all = pairs.items.length;
  const rows = report.items.slice(0, n);
  const tops = new Set(bands(report.items, n).map((band) => band.from));
  const tint = tints(rows.flatMap((_, i) => rows.flatMap((_, j) => (i === j ? [] : [pairs.win[i * all + j]]))));
  return (
    <div class="matrixBox" tabIndex={0} role="region" aria-label="Matrix of wins">
      <table class="matrix">
        <caption class="unseen">Chance in percent that the item of the row wins against the item of the column</caption>
        <thead><tr><th scope="col"><span class="unseen">Item</span></th>{rows.map((item, j) => <th key={item.item} scope="col" class={tops.has(j) ? "edgeLeft" : ""}><abbr title={nameOf(item)}>{j + 1}</abbr></th>)}</tr></thead>
        <tbody data-area="matrix" data-wide={n}>
          {rows.map((item, i) => (
            <tr key={item.item} class={tops.has(i) ? "tierTop" : ""}>
              <th scope="row"><span class="place">{i + 1}</span> <span class="itemName" dir="auto" title={nameOf(item)}>{nameOf(item)}</span></th>
              {rows.map((other, j) => {
                const p = pairs.win[i * all + j];
                const on = item.item === s.a && other.item === s.b;
                return (
                  <td key={other.item} class={tops.has(j) ? "edgeLeft" : ""}>
                    <button type="button" class={i === j ? "self" : ""} data-stop={`${i} ${j}`} tabIndex={i + j === 0 ? 0 : -1} aria-pressed={on} aria-label={i === j ? `${nameOf(item)} against itself` : `${nameOf(item)} wins against ${nameOf(other)}: ${oneText(p)}`} style={i === j ? undefined : { "--tint": tint(p) }} onClick={() => choose(report, i, j)}>{i === j ? "" : Math.round(100 * p)}</button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Picture is the matrix of many items: a square a pair, with the pair under the pointer or the arrows in words. */
function Picture({ s, report, pairs }: MatrixProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [at, setAt] = useState<[number, number] | null>(null);
  const [wide, setWide] = useState(0);
  const n = pairs.items.length;
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWide(Math.floor(Math.min(entry.contentRect.width, Math.max(320, innerHeight - 260)))));
    watch.observe(canvas.current!.parentElement!);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    if (wide > 0) draw(canvas.current!, wide, report, pairs, at);
  }, [wide, at, s.theme, s.systemDark, report, pairs]);
  const cell = (event: MouseEvent): [number, number] => {
    const box = canvas.current!.getBoundingClientRect();
    const place = (x: number, length: number): number => Math.max(0, Math.min(n - 1, Math.floor((x / length) * n)));
    return [place(event.clientY - box.top, box.height), place(event.clientX - box.left, box.width)];
  };
  const keys = (event: KeyboardEvent): void => {
    const [i, j] = at ?? [0, 1];
    const to: Record<string, [number, number]> = { ArrowUp: [i - 1, j], ArrowDown: [i + 1, j], ArrowLeft: [i, j - 1], ArrowRight: [i, j + 1], Home: [0, 0], End: [n - 1, n - 1] };
    if (event.key === "Enter") choose(report, i, j);
    const next = to[event.key];
    if (!next) return;
    event.preventDefault();
    const inside: [number, number] = [Math.max(0, Math.min(n - 1, next[0])), Math.max(0, Math.min(n - 1, next[1]))];
    setAt(inside);
    say(words(report, pairs, ...inside));
  };
  return (
    <Fragment>
      <p class="readout">{at ? words(report, pairs, ...at) : "Point at a square, or walk with the arrow keys; Enter or a click makes it the pair."}</p>
      <div class="pictureBox"><canvas ref={canvas} tabIndex={0} role="application" aria-label={`Matrix of wins, ${n} by ${n}, best first. Arrow keys walk.`} onPointerMove={(event) => setAt(cell(event))} onClick={(event) => choose(report, ...cell(event))} onKeyDown={keys} /></div>
    </Fragment>
  );
}

function words(report: Report, pairs: Pairs, i: number, j: number): string {
  const n = pairs.items.length;
  const [a, b] = [report.items[i], report.items[j]];
  if (i === j) return `${nameOf(a)} against itself.`;
  return `${nameOf(a)} wins against ${nameOf(b)}: ${oneText(pairs.win[i * n + j])}, tie ${oneText(pairs.tie[i * n + j])}.`;
}

function draw(canvas: HTMLCanvasElement, wide: number, report: Report, pairs: Pairs, at: [number, number] | null): void {
  const n = pairs.items.length;
  const dense = devicePixelRatio || 1;
  canvas.width = canvas.height = Math.round(wide * dense);
  canvas.style.width = canvas.style.height = `${wide}px`;
  const pen = canvas.getContext("2d")!;
  const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const [surface, pencil, line, ink] = ["--surface", "--pencil", "--line", "--ink"].map(token);
  const edge = (k: number): number => Math.round((k * canvas.width) / n);
  pen.fillStyle = surface;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = pencil;
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      if (i === j) continue;
      pen.globalAlpha = pairs.win[i * n + j];
      pen.fillRect(edge(j), edge(i), edge(j + 1) - edge(j), edge(i + 1) - edge(i));
    }
  pen.globalAlpha = 0.5;
  pen.fillStyle = line;
  for (const { from } of bands(report.items, n)) {
    pen.fillRect(edge(from), 0, 1, canvas.height);
    pen.fillRect(0, edge(from), canvas.width, 1);
  }
  pen.globalAlpha = 1;
  if (!at) return;
  pen.strokeStyle = ink;
  pen.lineWidth = 2 * dense;
  pen.strokeRect(edge(at[1]), edge(at[0]), edge(at[1] + 1) - edge(at[1]), edge(at[0] + 1) - edge(at[0]));
}

/** OneAgainstAll is a row of the matrix as a table, with what was counted. */
function OneAgainstAll({ s, report, pairs }: MatrixProps): JSX.Element {
  const n = pairs.items.length;
  const [chosen, setChosen] = useState(s.a || pairs.items[0]);
  const i = pairs.items.indexOf(chosen);
  const counted = new Map<number, number[]>();
  const expected = new Map<number, number[]>();
  pairs.counted.forEach(([x, y, ...votes], k) => {
    for (const [to, parts] of [[counted, votes], [expected, pairs.expected?.[k]]] as const) {
      if (parts && x === i) to.set(y, [...parts]);
      if (parts && y === i) to.set(x, [...parts].reverse());
    }
  });
  const slashed = (parts: number[] | undefined, digits: number): string => parts?.map((v) => v.toLocaleString("en-GB", { maximumFractionDigits: digits })).join(" / ") ?? "";
  const rows = report.items.flatMap((item, j) => {
    if (j === i) return [];
    return [[nameOf(item), oneText(pairs.win[i * n + j]), oneText(pairs.tie[i * n + j]), oneText(pairs.win[j * n + i]), slashed(counted.get(j), 3) || "never met", ...(pairs.expected ? [slashed(expected.get(j), 1)] : [])]];
  });
  return (
    <Fragment>
      <label class="select framed oneSelect">
        <span class="unseen">Item</span>
        <select value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>{report.items.map((item) => <option key={item.item} value={item.item}>{nameOf(item)}</option>)}</select>
        <Icon name="down" />
      </label>
      <Table caption={`${nameOf(report.items[i])} against all others`} head={["Against", "Wins", "Tie", "Loses", "Counted: wins / ties / losses", ...(pairs.expected ? ["Expected in these votes"] : [])]} rows={rows} />
    </Fragment>
  );
}
