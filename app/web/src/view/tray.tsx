// The tray: everything not placed, near the board, with its own scroll; only what is seen is drawn.
import { h, type JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../app/live";
import { afterPaint } from "../app/paint";
import { firstHit, inWindow, morePages, orderOf, outOfOrder, search, sortAgain, trayItems, yearsOf } from "../app/tray";
import { isDense, mostSorted, small, thing, type State } from "../app/state";
import { changeSettings, store } from "../app/store";
import { Icon } from "./icons";
import { shortTier, spokenTier } from "../logic/names";
import { withCommas } from "../logic/words";
import { part } from "./part";
import { Tile } from "./tile";

const orders: [State["order"], string][] = [
  ["known", "Best known first"],
  ["unsure", "Least sure first"],
  ["best", "Likely best first"],
  ["name", "A–Z"],
  ["year", "Newest first"],
];

/** ordersOf are the orders that make sense for the catalogue: every one is over all of it. */
const ordersOf = (s: State): typeof orders =>
  orders.filter(([order]) => (order === "year" ? yearsOf(s) !== null : order === "known" ? s.large : order === "name" ? !s.loaded || s.complete : !(s.large && s.total > mostSorted)));

export function leftCount(s: State): number {
  const away = s.list.tiers.reduce((n, tier) => n + tier.items.length, 0) + s.list.never.length + s.list.hidden.length;
  return Math.max(0, s.total - away);
}

export const Tray = part(function Tray({ s }: { s: State }): JSX.Element {
  return (
    <section class={`tray${s.folded ? " folded" : ""}${s.held?.target?.kind === "tray" ? " aimed" : ""}`} aria-labelledby="tray-title">
      <header>
        <h2 id="tray-title">{s.query.trim() ? "Found" : "Not placed"} <span class="caption">{s.query.trim() ? trayItems(s).length : s.loaded ? withCommas(leftCount(s)) : ""}</span></h2>
        <Search s={s} />
        {s.among && <button type="button" class="outlined fold" onClick={() => store.set({ among: null })}>{s.among.words ?? `Only those of ${s.among.title}`} ✕</button>}
        <Filters s={s} />
        <Years s={s} />
        <Order s={s} />
        <button type="button" class="outlined fold" aria-expanded={!s.folded} onClick={() => changeSettings({ folded: !s.folded })}>{s.folded ? "Unfold" : "Fold"}</button>
      </header>
      {!s.folded && <Tiles s={s} strip={false} />}
    </section>
  );
});

/** toFirstHit goes to the best match, where a digit places it. */
async function toFirstHit(): Promise<void> {
  const item = await firstHit();
  afterPaint(() => document.querySelector<HTMLElement>(item ? `.trayTiles [data-item="${CSS.escape(item)}"]` : "#search")?.focus());
}

export function Search({ s }: { s: State }): JSX.Element {
  return (
    <label class="search">
      <Icon name="search" />
      <span class="unseen">Find {thing(s)}</span>
      <input
        id="search"
        type="search"
        placeholder={`Find ${thing(s)}`}
        value={s.query}
        autoComplete="off"
        onInput={(event) => search(event.currentTarget.value, s.group)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && s.query) search("", s.group);
          else if (event.key === "Escape") event.currentTarget.blur();
          else if (event.key === "ArrowDown") document.querySelector<HTMLElement>(".trayTiles [data-stop]")?.focus();
          else if (event.key === "Enter") void toFirstHit();
          else return;
          event.preventDefault();
        }}
      />
      {!small(s) && <kbd aria-hidden="true">/</kbd>}
    </label>
  );
}

/** Filters are chips where they fit in a line, and a select where they do not. */
export function Filters({ s }: { s: State }): JSX.Element | null {
  if (s.groups.length === 0) return null;
  const length = s.groups.join("").length + 6 * s.groups.length;
  if (s.width !== "wide" || length > 64)
    return (
      <label class="select">
        <span class="unseen">Group</span>
        <select value={s.group} onChange={(event) => search(s.query, event.currentTarget.value)}>
          <option value="">{s.posters && s.model?.facts.title?.startsWith("Film") ? "All genres" : "All groups"}</option>
          {s.groups.map((group) => <option key={group} value={group}>{capital(group)}</option>)}
        </select>
        <Icon name="down" />
      </label>
    );
  return (
    <div class="chips" role="group" aria-label="Groups" data-area="filters">
      {["", ...s.groups].map((group) => (
        <button key={group} type="button" data-stop={`group ${group}`} aria-pressed={s.group === group} onClick={() => search(s.query, group)}>{group ? capital(group) : "All"}</button>
      ))}
    </div>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function Order({ s }: { s: State }): JSX.Element {
  return (
    <span class="order">
    <SortAgain s={s} />
    <label class="select">
      <span class="unseen">Order</span>
      <select
        value={orderOf(s)}
        onChange={(event) => {
          changeSettings({ order: event.currentTarget.value as State["order"] });
          if (s.large) ask(true); // an order by odds needs those of all
        }}
      >
        {ordersOf(s).map(([value, text]) => <option key={value} value={value}>{text}</option>)}
      </select>
      <Icon name="down" />
    </label>
    </span>
  );
}

/** SortAgain is there when we know better than when the order was made: nothing moves by itself. */
function SortAgain({ s }: { s: State }): JSX.Element | null {
  return outOfOrder(s) ? <button type="button" class="link caption again" onClick={sortAgain}>Sort again</button> : null;
}

/** Years has two thumbs on one track, for the first year and the last. */
export function Years({ s }: { s: State }): JSX.Element | null {
  const range = s.complete ? yearsOf(s) : null;
  if (!range || range[0] === range[1]) return null;
  const [from, until] = s.years ?? range;
  const set = (a: number, b: number): void => store.set({ years: a <= range[0] && b >= range[1] ? null : [a, b] });
  return (
    <div class="years" role="group" aria-label="Years">
      <span aria-hidden="true">{from}</span>
      <span class="thumbs">
        <input type="range" aria-label="From" min={range[0]} max={range[1]} value={from} onInput={(event) => set(Math.min(Number(event.currentTarget.value), until), until)} />
        <input type="range" aria-label="Until" min={range[0]} max={range[1]} value={until} onInput={(event) => set(from, Math.max(Number(event.currentTarget.value), from))} />
      </span>
      <span aria-hidden="true">{until}</span>
    </div>
  );
}

const spare = 3; // lines drawn above and below what is seen

/** sizeOf is a tile of the tray with the gap beside it, as the style sheets have it. */
function sizeOf(s: State): { w: number; h: number; gap: number } {
  if (s.width === "flat") return s.posters ? { w: 67, h: 83, gap: 5 } : { w: s.worded ? 100 : 67, h: 71, gap: 5 };
  if (s.width === "phone") return s.posters ? { w: 71, h: 83, gap: 5 } : { w: s.worded ? 109 : 66, h: 68, gap: 5 };
  if (s.posters) return isDense(s) ? { w: 75, h: 83, gap: 5 } : { w: 102, h: 118, gap: 6 };
  if (isDense(s) && !s.worded) return { w: 68, h: 66, gap: 6 };
  return s.width === "middle" ? { w: s.worded ? 120 : 80, h: 84, gap: 6 } : { w: s.worded ? 132 : 88, h: 82, gap: 6 };
}

/** Tiles draws a window of the items; the rest is empty space of the right height. */
export function Tiles({ s, strip }: { s: State; strip: boolean }): JSX.Element {
  const items = trayItems(s);
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, left: 0, height: 800, width: 1000 });
  const look = (): void => {
    const e = box.current;
    if (!e) return;
    const next = { top: e.scrollTop, left: e.scrollLeft, height: e.clientHeight, width: e.clientWidth };
    setView((old) => (old.top === next.top && old.left === next.left && old.height === next.height && old.width === next.width ? old : next));
    if (e.scrollTop + e.clientHeight > e.scrollHeight - 400) void morePages();
  };
  useEffect(() => {
    look();
    const observer = new ResizeObserver(look);
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  useEffect(look, [items.length, s.next]); // a page that was all placed already leaves room for the next
  const size = sizeOf(s);
  const pad = s.width === "flat" ? 16 : s.width === "phone" ? 20 : 24;
  const columns = strip ? 1 : Math.max(1, Math.floor((view.width - pad + size.gap) / size.w));
  const lines = strip ? items.length : Math.ceil(items.length / columns);
  const [step, scrolled, seen] = strip ? [s.worded ? 114 : s.posters ? 72 : 70, view.left, view.width] : [size.h, view.top, view.height];
  const all = items.length <= 150; // few enough to draw them all: nothing pops in
  const first = all ? 0 : Math.max(0, Math.floor(scrolled / step) - spare);
  const until = all ? lines : Math.min(lines, Math.ceil((scrolled + seen) / step) + spare);
  const part = items.slice(first * columns, until * columns);
  const space = { before: first * step, after: Math.max(0, lines - until) * step };
  const sight = [Math.floor(scrolled / step) * columns, Math.min(items.length, Math.ceil((scrolled + seen) / step) * columns)];
  useEffect(() => inWindow(sight[0], sight[1]), [items, sight[0], sight[1], s.adviceFor]);
  return (
    <div class={`trayTiles${strip ? " strip" : ""}`} ref={box} data-area="tray" onScroll={look}>
      {s.hits?.close && s.hits.query === s.query.trim() && items.length > 0 && <p class="caption none" role="status">Nothing is called "{s.hits.query}". These come closest:</p>}
      <ul style={strip ? { paddingLeft: `${space.before}px`, paddingRight: `${space.after}px` } : { paddingTop: `${space.before}px`, paddingBottom: `${space.after}px` }}>
        {part.map((item) => (
          <li key={item}>
            <Tile item={item} known={s.items.get(item)} {...whereIs(s, item)} held={s.held?.item === item} byKey={s.held?.by === "key"} lit={s.lit === item} mark={false} />
          </li>
        ))}
      </ul>
      {items.length === 0 && <p class="caption none" role="status">{nothingWords(s)}</p>}
    </div>
  );
}

/** whereIs says where an item of the tray stands: those that a search finds may be placed already, or put away. */
function whereIs(s: State, item: string): { where: string; tag?: string; colour?: string } {
  const tier = s.query && s.list.tiers.find((one) => one.items.includes(item));
  if (tier) return { where: `placed in ${spokenTier(tier.name)}`, tag: shortTier(tier.name), colour: tier.colour };
  if (s.query && s.list.never.includes(item)) return { where: "never tried", tag: "Never tried" };
  if (s.query && s.list.hidden.includes(item)) return { where: "hidden", tag: "Hidden" };
  return { where: "not placed" };
}

/** nothingWords says why the tray is empty. */
function nothingWords(s: State): string {
  if (!s.loaded) return s.net === "offline" || s.net === "error" ? "The catalogue cannot be fetched right now. We try again; your list is safe." : s.net === "locked" ? "The catalogue waits for an API key." : "Fetching the catalogue…";
  if (s.query) return `Nothing here is called "${s.query}".`;
  return s.group || s.years ? "Nothing left here: other filters may show more." : "Nothing left to place.";
}
