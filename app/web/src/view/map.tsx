// The taste map: items where the model puts them, the person among them.
import { Fragment, h, type JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { placedCount } from "../logic/list";
import { plain } from "../logic/names";
import { shownList, type State } from "../app/state";
import type { TasteMap } from "../types";
import { mutedItem } from "./board";
import { part, same } from "./part";

const wide = 350;
const low = 236; // its height beside Try next
const high = 330; // and where Try next has folded away
const margin = 18;

/** scale fits items and person into the picture, one unit for both axes, so that distances mean the same both ways. */
function scale(map: TasteMap, height: number): (p: { x: number; y: number }) => { x: number; y: number } {
  const points = [...map.items, map.person];
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const unit = unitOf(map, height);
  const mid = { x: (left + right) / 2, y: (top + bottom) / 2 };
  return (p) => ({ x: wide / 2 + (p.x - mid.x) * unit, y: height / 2 - (p.y - mid.y) * unit });
}

function unitOf(map: TasteMap, height: number): number {
  const points = [...map.items, map.person];
  const range = (values: number[]): number => Math.max(Math.max(...values) - Math.min(...values), 1e-9);
  return Math.min((wide - 2 * margin) / range(points.map((p) => p.x)), (height - 2 * margin) / range(points.map((p) => p.y)));
}

export const TasteMapPanel = part(function TasteMapPanel({ s, tall = false }: { s: State; tall?: boolean }): JSX.Element {
  const [asList, setAsList] = useState(false);
  const known = placedCount(shownList(s)) > 0;
  return (
    <section class="panel map" aria-labelledby="map-title">
      <header>
        <h2 id="map-title">Taste map</h2>
        <button type="button" class="link caption" onClick={() => setAsList(!asList)}>{asList ? "Show as map" : "Show as list"}</button>
      </header>
      {!s.map ? <div class="mapBox empty"><p class="caption">{s.net === "offline" || s.net === "locked" ? "The map waits for the server." : "Nothing on the map yet."}</p></div> : asList ? <Lists s={s} map={s.map} /> : <Picture s={s} map={s.map} known={known} height={tall ? high : low} />}
      {s.map && (
        <p class="caption legend">
          <span class="key"><svg width="12" height="12" aria-hidden="true"><circle class="ringMark" cx="6" cy="6" r="4" /></svg> Try next</span>
          {known && <span class="key"><svg width="20" height="12" aria-hidden="true"><ellipse class="sure" cx="10" cy="6" rx="9" ry="5" /></svg> 80% sure you are in here</span>}
          <span class="whole">A flat view: {s.map.directions} of {s.map.of} directions, {Math.round(s.map.kept * 100)}% of the differences</span>
        </p>
      )}
    </section>
  );
});

function Picture({ s, map, known, height }: { s: State; map: TasteMap; known: boolean; height: number }): JSX.Element {
  const { at, unit } = useMemo(() => ({ at: scale(map, height), unit: unitOf(map, height) }), [map, height]);
  const list = shownList(s);
  const placed = new Set(list.tiers.flatMap((tier) => tier.items));
  const muted = mutedItem(s);
  const next = new Set((s.advice?.items ?? []).filter((g) => !placed.has(g.item) && g.item !== muted).slice(0, 6).map((g) => g.item));
  const lit = s.lit || s.why?.item || "";
  const layer = (item: string): number => (placed.has(item) ? 2 : next.has(item) ? 1 : 0); // dots below, the person's own on top
  const inOrder = [...map.items].sort((a, b) => layer(a.item) - layer(b.item));
  const you = at(map.person);
  const ring = at(map.ring);
  return (
    <svg class={`mapBox${height === high ? " tall" : ""}`} viewBox={`0 0 ${wide} ${height}`} role="img" aria-label={`Map of tastes. ${placed.size} placed items, ${next.size} to try next, and you.`}>
      {inOrder.map(({ item, ...p }) => {
        const { x, y } = at(p);
        return <Spot key={item} x={x} y={y} emoji={s.items.get(item)?.emoji ?? ""} placed={placed.has(item)} next={next.has(item)} lit={lit === item} />;
      })}
      {known && (
        <Fragment>
          <ellipse class="sure" cx={ring.x} cy={ring.y} rx={Math.min(map.ring.rx * unit, wide)} ry={Math.min(map.ring.ry * unit, height)} transform={`rotate(${-map.ring.angle} ${ring.x} ${ring.y})`} />
          <polyline class="trail" points={s.trail.map((p) => { const q = at(p); return `${q.x},${q.y}`; }).join(" ")} />
          {s.trail.slice(0, -1).map((p, i) => { const q = at(p); return <circle key={i} class="trailStop" cx={q.x} cy={q.y} r="2" />; })}
          <You x={you.x} y={you.y} />
        </Fragment>
      )}
      {lit && map.items.some((m) => m.item === lit) && <LitLabel map={map} item={lit} name={plain(s.items.get(lit)?.name ?? "")} at={at} pencil={!placed.has(lit)} />}
    </svg>
  );
}

interface SpotProps {
  x: number;
  y: number;
  emoji: string;
  placed: boolean;
  next: boolean;
  lit: boolean;
}

const Spot = same(function Spot({ x, y, emoji, placed, next, lit }: SpotProps): JSX.Element {
  if (placed && emoji) return <text class={`mapEmoji${lit ? " lit" : ""}`} x={x} y={y}>{emoji}</text>;
  if (next) return <circle class={`ringMark${lit ? " full" : ""}`} cx={x} cy={y} r="4.2" />;
  return <circle class={placed ? "placedDot" : "dot"} cx={x} cy={y} r={placed ? 3 : 1.8} />;
});

const label = (x: number): { x: number; anchor: "start" | "end" } => (x > wide - 90 ? { x: x - 12, anchor: "end" } : { x: x + 12, anchor: "start" });

/** You travels to its new place in 320 ms, unless motion is not wanted. */
function You({ x, y }: { x: number; y: number }): JSX.Element {
  const dot = useRef<SVGGElement>(null);
  const was = useRef({ x, y });
  useEffect(() => {
    const { x: ox, y: oy } = was.current;
    was.current = { x, y };
    if ((ox === x && oy === y) || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    dot.current?.animate([{ transform: `translate(${ox}px, ${oy}px)` }, { transform: `translate(${x}px, ${y}px)` }], { duration: 320, easing: "ease-out" });
  }, [x, y]);
  const text = label(x);
  return (
    <g ref={dot} transform={`translate(${x} ${y})`}>
      <circle class="you" r="6.5" />
      <text class="youText" x={text.x - x} y="4" text-anchor={text.anchor}>you</text>
    </g>
  );
}

function LitLabel({ map, item, name, at, pencil }: { map: TasteMap; item: string; name: string; at: ReturnType<typeof scale>; pencil: boolean }): JSX.Element {
  const { x, y } = at(map.items.find((m) => m.item === item)!);
  const text = label(x);
  return <text class={`litText${pencil ? " pencil" : ""}`} x={text.x} y={y + 4} text-anchor={text.anchor}>{name}</text>;
}

function Lists({ s, map }: { s: State; map: TasteMap }): JSX.Element {
  const far = (p: { x: number; y: number }): number => Math.hypot(p.x - map.person.x, p.y - map.person.y);
  const sorted = [...map.items].sort((a, b) => far(a) - far(b)).map((m) => m.item);
  const column = (title: string, ids: string[]): JSX.Element => (
    <div>
      <h3 class="caption">{title}</h3>
      <ol>{ids.map((item) => <li key={item}><span class="emoji" aria-hidden="true">{s.items.get(item)?.emoji}</span> {s.items.get(item)?.name ?? item}</li>)}</ol>
    </div>
  );
  return <div class="mapLists">{column("Nearest to you", sorted.slice(0, 8))}{column("Farthest", sorted.slice(-8).reverse())}</div>;
}
