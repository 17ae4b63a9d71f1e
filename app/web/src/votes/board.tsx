// The board: a row an item, tiers as bands, one axis for all intervals.
import { Fragment, h, type JSX } from "preact";
import { axisOf, bands, nameOf, rankText, reaching, scales, type Axis, type BoardItem, type Report, type Scale, type ScaleName } from "../logic/board";
import { same } from "../view/part";
import { Icon } from "../view/icons";
import { markNext, search, searchOn } from "./acts";
import { loadBoard } from "./load";
import { follow, found, percent, shownRows, store, type Shown } from "./state";

/** Row is what a row is drawn from. */
interface RowProps {
  item: BoardItem;
  other: number | null; // where another taste puts it, if that is elsewhere
  letter: string; // A, B or none
  hit: boolean; // the search has found it
  here: boolean; // and stands on it
  first: boolean;
  tier: number; // how many rows its tier has, in the tier's first row; else 0
  scale: Scale;
  axis: Axis;
  phone: boolean;
}

export function BoardPanel({ s, report }: { s: Shown; report: Report }): JSX.Element {
  const scale = scales[s.scale];
  const phone = s.width === "phone";
  const n = shownRows(s);
  const items = report.items.slice(0, n);
  const taste = s.taste > 0 ? report.tastes?.groups[s.taste] : undefined;
  const other = (i: number): number | null => (taste?.worths[i]?.apart ? taste.worths[i].worth : null);
  const axis = axisOf(items.flatMap((item, i) => [item.low, item.high, ...(other(i) === null ? [] : [other(i)!])]).map(scale.at), phone ? 5 : 6);
  const rows = new Map(bands(report.items, n).map((band) => [band.from, band.rows]));
  const hits = new Set(found(s).map((item) => item.item));
  const short = scale.name.split(" ")[0];
  const over = reaching(report.items, n);
  return (
    <section class="panel votePanel" aria-label="Board">
      <Bar s={s} report={report} hits={hits.size} />
      <table class="voteTable">
        <caption class="unseen">Items by worth, best first, with tiers, ranks and intervals of {percent(report.level)}</caption>
        <colgroup><col class="tierCol" /><col class="rankCol" /><col class="nameCol" />{!phone && <Fragment><col class="plotCol" /><col class="worthCol" /></Fragment>}</colgroup>
        <thead>
          <tr>
            <th scope="col">Tier</th>
            <th scope="col">Rank</th>
            <th scope="col">{phone ? <Fragment><span class="nameLine"><span>Item</span><span>{short}</span></span><AxisLabels axis={axis} scale={scale} /></Fragment> : "Item"}</th>
            {!phone && <th scope="col"><span class="unseen">Interval</span><AxisLabels axis={axis} scale={scale} /></th>}
            {!phone && <th scope="col">{short}</th>}
          </tr>
        </thead>
        <tbody data-area="board">
          {items.map((item, i) => <Row key={item.item} item={item} other={other(i)} letter={item.item === s.a ? "A" : item.item === s.b ? "B" : ""} hit={hits.has(item.item)} here={item.item === s.at} first={i === 0} tier={rows.get(i) ?? 0} scale={scale} axis={axis} phone={phone} />)}
        </tbody>
      </table>
      <footer class="voteFoot">
        <p>
          {n} of {report.items.length}. {n < report.items.length ? <button type="button" class="link" onClick={() => store.set({ all: true })}>Show all</button> : s.all && <button type="button" class="link" onClick={() => store.set({ all: false })}>Show fewer</button>}
          {over && <span class="caption"> A rank may reach over a tier: {rankText(over.rank_low, over.rank_high)} for <span class="name" dir="auto">{nameOf(over)}</span>.</span>}
        </p>
        <p class="caption legends">
          <span><svg viewBox="-6 -6 12 12" width="12" height="12" aria-hidden="true"><circle class="worthDot" r="4.5" /></svg> {s.scale === "worth" ? "worth" : scale.name}, {percent(report.level)}</span>
          {taste && <span><svg viewBox="-6 -6 12 12" width="12" height="12" aria-hidden="true"><path class="diamond" d={diamond} /></svg> {tasteNames[s.taste] ?? `taste ${s.taste + 1}`}, where it differs</span>}
        </p>
      </footer>
    </section>
  );
}

export const tasteNames = ["first taste", "second taste", "third taste"];

const diamond = "M0-5 5 0 0 5-5 0Z";

function Bar({ s, report, hits }: { s: Shown; report: Report; hits: number }): JSX.Element {
  const levels = [...new Set([0.8, 0.9, 0.95, 0.99, report.level])].sort((x, y) => x - y);
  const tastes = report.tastes?.groups ?? [];
  const step = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && s.query) {
      event.preventDefault();
      search("");
    } else if (event.key === "Enter") searchOn();
  };
  return (
    <div class="voteBar">
      <div class="search">
        <Icon name="search" />
        <input id="search" type="search" placeholder="Find an item" aria-label="Find an item" autoComplete="off" value={s.query} onInput={(event) => search(event.currentTarget.value)} onKeyDown={step} />
        {!s.query && s.width !== "phone" && <kbd aria-hidden="true">/</kbd>}
      </div>
      {s.query.trim() && <span class="caption">{hits} found</span>}
      <label class="select framed">
        <span class="unseen">Level of intervals</span>
        <select value={String(report.level)} onChange={(event) => { store.set({ level: Number(event.currentTarget.value) }); void loadBoard(); }}>{levels.map((level) => <option key={level} value={String(level)}>Level {percent(level)}</option>)}</select>
        <Icon name="down" />
      </label>
      <label class="select framed">
        <span class="unseen">Scale</span>
        <select value={s.scale} onChange={(event) => { store.set({ scale: event.currentTarget.value as ScaleName }); follow(); }}>{Object.entries(scales).map(([name, scale]) => <option key={name} value={name}>{scale.name}</option>)}</select>
        <Icon name="down" />
      </label>
      {tastes.length > 1 && <button type="button" class="switch" role="switch" aria-checked={s.taste > 0} onClick={() => store.set({ taste: s.taste > 0 ? 0 : 1 })}>Second taste<span class="knob" aria-hidden="true" /></button>}
    </div>
  );
}

function AxisLabels({ axis, scale }: { axis: Axis; scale: Scale }): JSX.Element {
  return <svg class="axisLabels" aria-hidden="true">{axis.ticks.map((tick) => <text key={tick} x={`${axis.percent(tick)}%`} y="12" text-anchor={axis.percent(tick) > 96 ? "end" : axis.percent(tick) < 4 ? "start" : "middle"}>{scale.tick(tick, axis.step)}</text>)}</svg>;
}

const Row = same(function Row({ item, other, letter, hit, here, first, tier, scale, axis, phone }: RowProps): JSX.Element {
  const [at, low, high] = [item.worth, item.low, item.high].map(scale.at);
  const plot = <Plot at={at} low={low} high={high} other={other === null ? null : scale.at(other)} axis={axis} />;
  const worth = <span class="worth"><b>{scale.text(at)}</b> <small>{scale.error((high - low) / 2)}</small></span>;
  return (
    <tr class={`voteRow${letter ? " marked" : ""}${hit ? " hit" : ""}${here ? " here" : ""}${tier ? " tierTop" : ""}`} data-item={item.item} data-worth={item.worth} onClick={() => markNext(item.item)}>
      {tier > 0 && <th scope="rowgroup" class="tierCell" rowSpan={tier}>{item.tier}</th>}
      <td class="rankCell">{rankText(item.rank_low, item.rank_high)}</td>
      <th scope="row" class="nameCell">
        <div class="nameLine">
          <button type="button" data-stop={item.item} tabIndex={first ? 0 : -1} aria-pressed={letter !== ""} onClick={(event) => { event.stopPropagation(); markNext(item.item); }}>{letter && <b class="ab">{letter}</b>}<span class="itemName" dir="auto" title={nameOf(item)}>{nameOf(item)}</span></button>
          {phone && worth}
        </div>
        {phone && plot}
      </th>
      {!phone && <td class="plotCell">{plot}<span class="unseen">{scale.text(low)} to {scale.text(high)}{other === null ? "" : `, other taste ${scale.text(scale.at(other))}`}</span></td>}
      {!phone && <td class="worthCell">{worth}</td>}
    </tr>
  );
});

/** Plot is the interval and the point of one row, in percents of the axis. */
function Plot({ at, low, high, other, axis }: { at: number; low: number; high: number; other: number | null; axis: Axis }): JSX.Element {
  const x = (value: number): string => `${axis.percent(value)}%`;
  return (
    <svg class="plot" aria-hidden="true">
      {axis.ticks.map((tick) => <line key={tick} class="grid" x1={x(tick)} x2={x(tick)} y1="0" y2="100%" />)}
      {other !== null && <line class="dotted" x1={x(other)} x2={x(at)} y1="50%" y2="50%" />}
      <line class="whisker" x1={x(low)} x2={x(high)} y1="50%" y2="50%" />
      {[low, high].map((end, side) => <svg key={side} x={x(end)} y="50%" class="point"><line class="whisker" y1="-4.5" y2="4.5" /></svg>)}
      <circle class="worthDot" cx={x(at)} cy="50%" r="3.6" />
      {other !== null && <svg x={x(other)} y="50%" class="point"><path class="diamond" d={diamond} /></svg>}
    </svg>
  );
}

