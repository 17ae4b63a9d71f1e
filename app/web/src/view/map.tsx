// The taste map: items where the model puts them, the person among them. It answers: what the pointer is on, or a finger
// touches, is named, with what we say of it; it can be enlarged; a region is called after the best known item in its middle.
import { Fragment, h, type JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { placedCount } from "../logic/list";
import { placeWords, plain, shortTier, titleOf } from "../logic/names";
import { held, inRing, inView, labels, meanOf, nearest, scale, whole, zoomed, type Named, type Spot, type View } from "../logic/mapview";
import { chanceAtTop, likeliest, percentsOf, percentText, pickWords, placesOf } from "../logic/odds";
import { withCommas } from "../logic/words";
import { onScreen } from "../app/acts";
import { askAbout } from "../app/live";
import { light, unlight } from "../app/lit";
import { readOnly, shownList, type State } from "../app/state";
import { openPicker } from "../app/keys";
import type { TasteMap } from "../types";
import { mutedItem } from "./board";
import { Icon } from "./icons";
import { part, same } from "./part";

/** Frame is the size of the picture in its own units, about its pixels: letters are as large in each. */
interface Frame {
  wide: number;
  height: number;
  name: string;
}

const low: Frame = { wide: 350, height: 236, name: "" }; // beside Try next
const high: Frame = { wide: 350, height: 330, name: " tall" }; // where Try next has folded away
const narrow: Frame = { wide: 202, height: 202, name: " square" }; // on a phone on its side
const margin = 18;
const reach = 14; // of the pointer, in pixels of the picture

export const TasteMapPanel = part(function TasteMapPanel({ s, tall = false }: { s: State; tall?: boolean }): JSX.Element {
  const [asList, setAsList] = useState(false);
  const known = placedCount(shownList(s)) > 0;
  return (
    <section class="panel map" aria-labelledby="map-title">
      <header>
        <h2 id="map-title">Taste map</h2>
        <button type="button" class="link caption" onClick={() => setAsList(!asList)}>{asList ? "Show as map" : "Show as list"}</button>
      </header>
      {!s.map ? <div class="mapBox empty"><p class="caption">{s.net === "offline" || s.net === "locked" ? "The map waits for the server." : "Nothing on the map yet."}</p></div> : asList ? <Lists s={s} map={s.map} /> : <Picture s={s} map={s.map} known={known} frame={s.width === "flat" ? narrow : tall ? high : low} />}
      {s.map && (
        <p class="caption legend">
          <span class="key"><svg width="12" height="12" aria-hidden="true"><circle class="ringMark" cx="6" cy="6" r="4" /></svg> Try next</span>
          {known && <span class="key"><svg width="20" height="12" aria-hidden="true"><ellipse class="sure" cx="10" cy="6" rx="9" ry="5" /></svg> 80% sure you are in here</span>}
          {known && <RingWords s={s} map={s.map} />}
          <span class="whole">You stand in the middle of what you prefer. A flat view: {s.map.directions} of {s.map.of} directions, {Math.round(s.map.kept * 100)}% of the differences</span>
        </p>
      )}
    </section>
  );
});

/** RingWords says what the odds are of items in the ring, beside those of the others: of all whose odds are here. */
function RingWords({ s, map }: { s: State; map: TasteMap }): JSX.Element | null {
  const list = shownList(s);
  const used = s.advice && !s.advice.general ? s.advice.tiers_used : [];
  const placed = new Set(list.tiers.flatMap((tier) => tier.items));
  const muted = mutedItem(s);
  const chances: [number[], number[]] = [[], []];
  let within = 0;
  for (const spot of map.items) {
    const inside = inRing(spot, map.ring);
    if (inside) within++;
    const guess = s.odds.get(spot.item);
    const places = guess && spot.item !== muted && !placed.has(spot.item) ? placesOf(guess, used) : [];
    if (places.length > 0) chances[inside ? 0 : 1].push(chanceAtTop(places));
  }
  const [inside, outside] = chances.map(meanOf);
  const top = shortTier(list.tiers[used[0] ?? 0]?.name ?? "");
  return (
    <span class="whole ringWords">
      In the ring: {within === 0 ? "nothing" : withCommas(within)}.{inside != null && outside != null && ` Odds of ${top} or above, on average: ${percentText(Math.round(inside * 100))} in it, ${percentText(Math.round(outside * 100))} outside (of ${withCommas(chances[0].length + chances[1].length)} we have odds for).`}
    </span>
  );
}

function Picture({ s, map, known, frame }: { s: State; map: TasteMap; known: boolean; frame: Frame }): JSX.Element {
  const { wide, height } = frame;
  const { at, unit } = useMemo(() => scale(map, wide, height, margin), [map, frame]);
  const spots = useMemo(() => map.items.map(({ item, ...p }) => ({ item, ...at(p) })), [map.items, at]);
  const [view, setView] = useState<View>(whole);
  const [touched, touch] = useState(""); // by a finger or the pointer
  const box = useRef<SVGSVGElement>(null);
  const drag = useRef<{ id: number; from: Spot; view: View; moved: boolean } | null>(null);
  const list = shownList(s);
  const placed = new Set(list.tiers.flatMap((tier) => tier.items));
  const muted = mutedItem(s);
  const next = new Set((s.advice?.items ?? []).filter((g) => !placed.has(g.item) && g.item !== muted).slice(0, 6).map((g) => g.item));
  const lit = s.lit || s.why?.item || touched;
  const seen = (p: Spot): Spot => inView(p, view);
  const title = (item: string): string => plain(titleOf(s.items.get(item), item).title);
  const dots = useMemo(() => spots.map(({ x, y }) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join(""), [spots]);
  const you = seen(at(map.person));
  const ring = seen(at(map.ring));
  const named = useNames(map, spots, next, view, frame, known ? you : null, title);
  const marked = spots.filter(({ item }) => placed.has(item) || next.has(item) || item === lit);
  // The svg's own units: its box may be wider than they are.
  const under = (event: { clientX: number; clientY: number }): Spot => {
    const r = box.current!.getBoundingClientRect();
    return { x: ((event.clientX - r.left) / r.width - 0.5) * wide, y: ((event.clientY - r.top) / r.height - 0.5) * height };
  };
  const find = (event: PointerEvent): string => {
    const p = under(event);
    return nearest(spots, { x: p.x / view.times + view.x, y: p.y / view.times + view.y }, (event.pointerType === "mouse" ? reach : 2 * reach) / view.times)?.item ?? "";
  };
  const point = (item: string): void => {
    if (item === touched) return;
    if (item) light(item);
    else unlight(touched);
    touch(item);
  };
  useEffect(() => {
    const wheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && view.times === 1 && event.deltaY > 0) return; // the page scrolls on
      event.preventDefault();
      setView((was) => zoomed(was, Math.exp(-event.deltaY / 300), under(event), wide, height));
    };
    const svg = box.current!;
    svg.addEventListener("wheel", wheel, { passive: false });
    return () => svg.removeEventListener("wheel", wheel);
  }, [view.times === 1, frame]);
  const zoom = (factor: number) => (): void => setView((was) => zoomed(was, factor, was.times === 1 && known ? { x: you.x, y: you.y } : { x: 0, y: 0 }, wide, height));
  return (
    <div class="mapFrame" onPointerLeave={(event) => event.pointerType === "mouse" && point("")}>
      <svg
        ref={box}
        class={`mapBox${frame.name}${view.times > 1 ? " near" : ""}`}
        viewBox={`${-wide / 2} ${-height / 2} ${wide} ${height}`}
        role="img"
        aria-label={`Map of tastes. ${placed.size} placed items, ${next.size} to try next, and you.`}
        onPointerDown={(event) => {
          drag.current = { id: event.pointerId, from: under(event), view, moved: false };
        }}
        onPointerMove={(event) => {
          const d = drag.current;
          if (d && view.times > 1 && event.buttons > 0) {
            const p = under(event);
            d.moved ||= Math.hypot(p.x - d.from.x, p.y - d.from.y) > 4;
            if (d.moved) setView(held({ ...view, x: d.view.x - (p.x - d.from.x) / view.times, y: d.view.y - (p.y - d.from.y) / view.times }, wide, height));
          } else if (event.pointerType === "mouse") point(find(event));
        }}
        onPointerUp={(event) => {
          if (!drag.current?.moved && event.pointerType !== "mouse") point(find(event));
          drag.current = null;
        }}
        onPointerLeave={() => {
          drag.current = null;
        }}
      >
        <path class="dotPath" d={dots} transform={`scale(${view.times}) translate(${-view.x} ${-view.y})`} />
        {known && <ellipse class="sure" cx={ring.x} cy={ring.y} rx={Math.max(map.ring.rx * unit * view.times, 9)} ry={Math.max(map.ring.ry * unit * view.times, 9)} transform={`rotate(${-map.ring.angle} ${ring.x} ${ring.y})`} />}
        {marked.map(({ item, ...p }) => {
          const { x, y } = seen(p);
          return <Mark key={item} x={x} y={y} emoji={s.items.get(item)?.emoji ?? ""} placed={placed.has(item)} next={next.has(item)} lit={lit === item} />;
        })}
        {named.map(({ item, name, x, y, anchor, region }) => <text key={item} class={region ? "regionText" : "nearText"} x={x + (anchor === "end" ? -7 : 7)} y={y + 4} text-anchor={anchor}>{name}</text>)}
        {known && (
          <Fragment>
            <polyline class="trail" points={s.trail.map((p) => { const q = seen(at(p)); return `${q.x},${q.y}`; }).join(" ")} />
            {s.trail.slice(0, -1).map((p, i) => { const q = seen(at(p)); return <circle key={i} class="trailStop" cx={q.x} cy={q.y} r="2" />; })}
            <You x={you.x} y={you.y} wide={wide} />
          </Fragment>
        )}
        {lit && !named.some(({ item }) => item === lit) && <LitLabel spot={spots.find(({ item }) => item === lit)} name={title(lit)} seen={seen} pencil={!placed.has(lit)} wide={wide} />}
      </svg>
      <div class="mapFoot">
        <span class="zooms" role="group" aria-label="Size of the map">
          <button type="button" aria-label="Enlarge the map" disabled={view.times >= 12} onClick={zoom(2)}><Icon name="plus" /></button>
          <button type="button" aria-label="Show more of the map" disabled={view.times <= 1} onClick={zoom(0.5)}><Icon name="minus" /></button>
        </span>
        {touched ? <About s={s} item={touched} close={() => point("")} /> : <p class="mapAbout caption">Point at a dot, or touch it, to see what it is.</p>}
      </div>
    </div>
  );
}

/** About says what an item under the pointer is, and what we say of it: taste and interest apart. */
function About({ s, item, close }: { s: State; item: string; close: () => void }): JSX.Element {
  const list = shownList(s);
  const { title, year } = titleOf(s.items.get(item), item);
  const tier = list.tiers.findIndex((one) => one.items.includes(item));
  const hidden = item === mutedItem(s);
  const guess = hidden ? undefined : s.odds.get(item);
  const places = guess && s.advice && !s.advice.general ? placesOf(guess, s.advice.tiers_used) : [];
  const best = likeliest(places);
  useEffect(() => {
    if (tier < 0 && best >= 0) onScreen([item]); // its guess has been seen: it does not count for the record
  }, [item, best]);
  useEffect(() => {
    if (tier < 0 && best < 0 && !hidden) askAbout(item);
  }, [item]);
  const words = tier >= 0 ? `You put it in ${shortTier(list.tiers[tier].name)}.` : best >= 0 ? `Taste: most likely ${placeWords(places[best], list.tiers)}, ${percentText(percentsOf(places)[best])}.` : s.advice?.general ?? true ? "Nothing to go on yet." : "No odds for it yet.";
  return (
    <p class="mapAbout caption" role="status">
      <b dir="auto">{plain(title)}</b>{year && ` ${year}`}. {words}{tier < 0 && guess?.interest != null && ` Interest: ${pickWords(guess.interest)}.`}
      {!readOnly(s) && (
        <Fragment>
          {" "}
          <button type="button" class="link" onClick={() => { close(); openPicker(item); }}>Move…</button>
        </Fragment>
      )}
    </p>
  );
}

/** useNames are the names with room on the picture: Try next and what lies in the ring first, then one for each region. */
function useNames(map: TasteMap, spots: { item: string; x: number; y: number }[], next: Set<string>, view: View, { wide, height }: Frame, you: Spot | null, title: (item: string) => string): (ReturnType<typeof labels>[number] & { region: boolean })[] {
  const by = new Map(spots.map((spot) => [spot.item, spot]));
  const regions = new Set((map.regions ?? []).map(({ item }) => item));
  const short = (item: string): string => {
    const name = title(item);
    const most = wide > 300 ? 24 : 16;
    return name.length > most ? `${name.slice(0, most - 1).trimEnd()}…` : name;
  };
  const name = (item: string): Named[] => {
    const spot = by.get(item);
    if (!spot) return [];
    const p = inView(spot, view);
    return Math.abs(p.x) > wide / 2 || Math.abs(p.y) > height / 2 ? [] : [{ item, name: short(item), ...p }];
  };
  const ringed = you ? map.items.filter((spot) => inRing(spot, map.ring)).slice(0, view.times > 1 ? 60 : 6).map(({ item }) => item) : []; // best known first
  const others = view.times > 2 ? map.items.slice(0, 400).map(({ item }) => item) : [];
  const order = [...new Set([...next, ...regions, ...ringed, ...others])];
  const most = Math.round(10 * Math.sqrt(view.times) + (height > 300 ? 4 : wide > 300 ? 0 : -3));
  return labels(order.flatMap(name), wide, height, you ? [you, { x: you.x + 18, y: you.y }] : []).slice(0, most).map((label) => ({ ...label, region: !next.has(label.item) }));
}

interface MarkProps {
  x: number;
  y: number;
  emoji: string;
  placed: boolean;
  next: boolean;
  lit: boolean;
}

const Mark = same(function Mark({ x, y, emoji, placed, next, lit }: MarkProps): JSX.Element {
  if (placed && emoji) return <text class={`mapEmoji${lit ? " lit" : ""}`} x={x} y={y}>{emoji}</text>;
  if (next || (lit && !placed)) return <circle class={`ringMark${lit ? " full" : ""}`} cx={x} cy={y} r="4.2" />;
  return <circle class={`placedDot${lit ? " lit" : ""}`} cx={x} cy={y} r={lit ? 5 : 3} />;
});

const beside = (x: number, wide: number, room: number): { x: number; anchor: "start" | "end" } => (x > wide / 2 - room ? { x: x - 12, anchor: "end" } : { x: x + 12, anchor: "start" });

/** You travels to its new place in 320 ms, unless motion is not wanted. */
function You({ x, y, wide }: { x: number; y: number; wide: number }): JSX.Element {
  const dot = useRef<SVGGElement>(null);
  const was = useRef({ x, y });
  useEffect(() => {
    const { x: ox, y: oy } = was.current;
    was.current = { x, y };
    if ((ox === x && oy === y) || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    dot.current?.animate([{ transform: `translate(${ox}px, ${oy}px)` }, { transform: `translate(${x}px, ${y}px)` }], { duration: 320, easing: "ease-out" });
  }, [x, y]);
  const text = beside(x, wide, 40);
  return (
    <g ref={dot} transform={`translate(${x} ${y})`}>
      <circle class="you" r="6.5" />
      <text class="youText" x={text.x - x} y="4" text-anchor={text.anchor}>you</text>
    </g>
  );
}

function LitLabel({ spot, name, seen, pencil, wide }: { spot: Spot | undefined; name: string; seen: (p: Spot) => Spot; pencil: boolean; wide: number }): JSX.Element | null {
  if (!spot) return null;
  const { x, y } = seen(spot);
  const text = beside(x, wide, 90);
  return <text class={`litText${pencil ? " pencil" : ""}`} x={text.x} y={y + 4} text-anchor={text.anchor}>{name}</text>;
}

function Lists({ s, map }: { s: State; map: TasteMap }): JSX.Element {
  const far = (p: Spot): number => Math.hypot(p.x - map.person.x, p.y - map.person.y);
  const sorted = [...map.items].sort((a, b) => far(a) - far(b)).map((m) => m.item);
  const column = (heading: string, ids: string[]): JSX.Element => (
    <div>
      <h3 class="caption">{heading}</h3>
      <ol>{ids.map((item) => <li key={item}><span class="emoji" aria-hidden="true">{s.items.get(item)?.emoji}</span> {plain(titleOf(s.items.get(item), item).title)}</li>)}</ol>
    </div>
  );
  return <div class="mapLists">{column("Nearest to you", sorted.slice(0, 8))}{column("Farthest", sorted.slice(-8).reverse())}</div>;
}
