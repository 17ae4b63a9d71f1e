// The tray: everything not placed, near the board, with its own scroll; only what is seen is drawn.
import { h, type JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { morePages, search, trayItems } from "../app/tray";
import { afterPaint } from "../app/paint";
import { thing, type State } from "../app/state";
import { changeSettings } from "../app/store";
import { Icon } from "./icons";
import { part } from "./part";
import { Tile } from "./tile";

const orders: [State["order"], string][] = [
  ["unsure", "Least sure first"],
  ["best", "Likely best first"],
  ["name", "A–Z"],
];

export function leftCount(s: State): number {
  const away = s.list.tiers.reduce((n, tier) => n + tier.items.length, 0) + s.list.never.length + s.list.hidden.length;
  return Math.max(0, s.total - away);
}

export const Tray = part(function Tray({ s }: { s: State }): JSX.Element {
  return (
    <section class={`tray${s.held?.target?.kind === "tray" ? " aimed" : ""}`} aria-labelledby="tray-title">
      <header>
        <h2 id="tray-title">Not placed <span class="caption">{leftCount(s).toLocaleString("en-GB")}</span></h2>
        <Search s={s} />
        <Filters s={s} />
        <Order s={s} />
      </header>
      <Tiles s={s} strip={false} />
    </section>
  );
});

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
          else if (event.key === "ArrowDown" || event.key === "Enter") document.querySelector<HTMLElement>(".trayTiles [data-stop]")?.focus();
          else return;
          event.preventDefault();
        }}
      />
      {s.width !== "phone" && <kbd aria-hidden="true">/</kbd>}
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
          <option value="">All groups</option>
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
    <label class="select order">
      <span class="unseen">Order</span>
      <select value={s.order} onChange={(event) => changeSettings({ order: event.currentTarget.value as State["order"] })}>
        {orders.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
      </select>
      <Icon name="down" />
    </label>
  );
}

const spare = 3; // lines drawn above and below what is seen

/** Tiles draws a window of the items; the rest is empty space of the right height. */
export function Tiles({ s, strip }: { s: State; strip: boolean }): JSX.Element {
  const items = trayItems(s);
  const [, again] = useState(0);
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
  const size = s.width === "phone" ? { w: s.worded ? 109 : 66, h: 68 } : s.width === "middle" ? { w: s.worded ? 120 : 80, h: 84 } : { w: s.worded ? 132 : 88, h: 82 };
  const gap = s.width === "phone" ? 5 : 6;
  const pad = s.width === "wide" ? 24 : s.width === "middle" ? 24 : 20;
  const columns = strip ? 1 : Math.max(1, Math.floor((view.width - pad + gap) / size.w));
  const lines = strip ? items.length : Math.ceil(items.length / columns);
  const [step, scrolled, seen] = strip ? [s.worded ? 114 : 70, view.left, view.width] : [size.h, view.top, view.height];
  const all = items.length <= 150; // few enough to draw them all: nothing pops in
  const first = all ? 0 : Math.max(0, Math.floor(scrolled / step) - spare);
  const until = all ? lines : Math.min(lines, Math.ceil((scrolled + seen) / step) + spare);
  const part = items.slice(first * columns, until * columns);
  const space = { before: first * step, after: Math.max(0, lines - until) * step };
  return (
    <div class={`trayTiles${strip ? " strip" : ""}`} ref={box} data-area="tray" onScroll={look} onPointerLeave={() => s.order !== "name" && afterPaint(() => again((n) => n + 1))}>
      <ul style={strip ? { paddingLeft: `${space.before}px`, paddingRight: `${space.after}px` } : { paddingTop: `${space.before}px`, paddingBottom: `${space.after}px` }}>
        {part.map((item) => (
          <li key={item}>
            <Tile item={item} known={s.items.get(item)} where="not placed" held={s.held?.item === item} byKey={s.held?.by === "key"} lit={s.lit === item} mark={false} />
          </li>
        ))}
      </ul>
      {items.length === 0 && s.loaded && <p class="caption none">{s.query ? `Nothing here is called "${s.query}".` : "Nothing left to place."}</p>}
    </div>
  );
}
