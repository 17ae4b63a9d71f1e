// The why card: the whole distribution, and which of the person's own placements moved it.
import { h, type JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { placedCount, tierOf } from "../logic/list";
import { linkOf, placeWords, plain, rowTier, shortTier, titleOf } from "../logic/names";
import { likeliest, percentsOf, percentText, phrase, placesOf, type Place } from "../logic/odds";
import { pickRows, whyRows, type WhyRow } from "../logic/why";
import { signed, signedPercent } from "../logic/words";
import { act, drop, guessFor } from "../app/acts";
import { openPicker } from "../app/keys";
import { focusItem } from "../app/focus";
import { readOnly, shownList, small, type State } from "../app/state";
import { moreLike } from "../app/like";
import { closeWhy, leaveWhy, pinWhy, stayWhy } from "../app/why";
import type { Explanation, Tier } from "../types";
import { Bar } from "./ghost";
import { Icon } from "./icons";
import { Interest } from "./next";
import { Thumb } from "./poster";
import { Sheet } from "./sheet";

export function WhyCard({ s }: { s: State }): JSX.Element | null {
  if (!s.why || s.held) return null;
  const body = <Body s={s} item={s.why.item} />;
  if (small(s))
    return (
      <Sheet label={`Why ${plain(s.items.get(s.why.item)?.name ?? "")}`} close={closeWhy}>
        {body}
      </Sheet>
    );
  return (
    <Card s={s} key={s.why.item}>
      {body}
    </Card>
  );
}

/** Card floats beside what it explains: under a ghost, or left of a row of Try next, always inside the window. */
function Card({ s, children }: { s: State; children: JSX.Element }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const why = s.why!;
  const [, again] = useState(0);
  useEffect(() => {
    const move = (): void => again((n) => n + 1);
    addEventListener("resize", move);
    addEventListener("scroll", move, { passive: true });
    return () => {
      removeEventListener("resize", move);
      removeEventListener("scroll", move);
    };
  }, []);
  useLayoutEffect(() => {
    const card = box.current!;
    const where = why.from === "next" ? ".next" : ".guesses";
    const anchor = document.querySelector<HTMLElement>(`${where} [data-item="${CSS.escape(why.item)}"]`) ?? document.querySelector<HTMLElement>(`[data-drag="guess"][data-item="${CSS.escape(why.item)}"]`);
    if (!anchor) return;
    const a = anchor.getBoundingClientRect();
    const c = card.getBoundingClientRect();
    const room = 8;
    const board = document.querySelector(".board")?.getBoundingClientRect();
    let left = why.from === "next" ? a.left - c.width - room : (board?.right ?? a.right) - c.width;
    let top = why.from === "next" ? a.top - 60 : a.bottom + room;
    if (why.from !== "next" && top + c.height > innerHeight - room) {
      top = a.top - c.height - room;
      if (top < room) {
        top = Math.max(room, innerHeight - c.height - room);
        left = a.left - c.width - room;
      }
    }
    left = Math.max(room, Math.min(left, innerWidth - c.width - room));
    top = Math.max(room, Math.min(top, innerHeight - c.height - room));
    card.style.left = `${left}px`;
    card.style.top = `${top}px`;
  });
  useEffect(() => {
    if (why.pinned) box.current?.querySelector<HTMLElement>(".actions button")?.focus({ preventScroll: true });
    const outside = (event: PointerEvent): void => {
      if (!box.current?.contains(event.target as Node) && !(event.target as Element).closest("[data-drag=guess]")) closeWhy();
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [why.pinned]);
  return (
    <div class="whyCard floats" ref={box} role="dialog" aria-label={`Why ${plain(s.items.get(why.item)?.name ?? why.item)}`} onPointerEnter={stayWhy} onPointerLeave={leaveWhy}>
      {children}
    </div>
  );
}

function Body({ s, item }: { s: State; item: string }): JSX.Element {
  const list = shownList(s);
  const known = s.items.get(item);
  const placed = tierOf(list, item) >= 0;
  const e = s.explanation?.item === item ? s.explanation : null;
  // Of a placed item the reasons have the odds: what we would say if it were not placed.
  const places = (placed ? null : guessFor(item)?.places) ?? (e?.tiers_used ? placesOf({ tier_probs: e.tier_probs ?? null, gap_probs: e.gap_probs ?? null }, e.tiers_used) : []);
  const { title, year } = titleOf(known, item);
  const pick = e?.interest?.probability ?? s.odds.get(item)?.interest;
  const link = linkOf(known);
  const wants = list.want?.includes(item) ?? false;
  const percents = percentsOf(places);
  const best = likeliest(places);
  const target = best < 0 ? null : boardTarget(places[best]);
  return (
    <div class="why">
      <header>
        <Thumb item={known} />
        <div>
          <h2 dir="auto">{title}</h2>
          {(year || known?.groups) && <p>{[year, known?.groups?.join(", ")].filter(Boolean).join(" · ")}</p>}
          {best >= 0 ? (
            <p>
              {placed ? "Without your word for it: most likely" : "Most likely"} <b class="pencil">{placeWords(places[best], list.tiers)}, {percentText(percents[best])}</b>. {phrase(percents[best])}
            </p>
          ) : (
            <p>{placedCount(list) > (placed ? 1 : 0) ? "The odds are on their way." : "No odds yet: place a few first."}</p>
          )}
        </div>
        <button type="button" class="iconButton" aria-label="Close" onClick={closeWhy}><Icon name="close" /></button>
      </header>
      {best >= 0 && <Places places={places} percents={percents} best={best} tiers={list.tiers} />}
      <div class="grounds">
        <Reasons s={s} item={item} />
        {pick != null && <p class="pick"><Interest p={pick} /></p>}
        {e && <PickReasons s={s} e={e} />}
      </div>
      <p class="further">
        <button type="button" class="link" aria-expanded={s.like?.item === item} onClick={() => void moreLike(item)}>More like this</button>
        {link && <a class="link" href={link.href} target="_blank" rel="noopener noreferrer">{link.where}</a>}
        {!placed && !readOnly(s) && <button type="button" class="link" aria-pressed={wants} onClick={() => act({ kind: wants ? "unwant" : "want", item })}>{wants ? "On your want-to-try list" : "Want to try"}</button>}
      </p>
      {s.like?.item === item && (
        <ul class="like" aria-label={`Most like ${plain(title)}`}>
          {s.like.items.length === 0 && <li class="caption">Nothing known is like it.</li>}
          {s.like.items.map((near) => (
            <li key={near}>
              <button type="button" class="link" dir="auto" onClick={(event) => pinWhy(near, event.currentTarget)}>{titleOf(s.items.get(near), near).title}</button>
              {tierOf(list, near) >= 0 && <span class="caption"> in {shortTier(list.tiers[tierOf(list, near)].name)}</span>}
            </li>
          ))}
        </ul>
      )}
      {!readOnly(s) && (
        <div class="actions">
          {target && !(placed && target.kind === "tier" && target.tier === tierOf(list, item)) && (
            <button
              type="button"
              class="filled"
              onClick={() => {
                closeWhy();
                drop(item, target, false);
                focusItem(item);
              }}
            >
              {placed ? "Move" : "Put"} {places[best].kind === "tier" ? "in " : ""}{placeWords(places[best], list.tiers)}
            </button>
          )}
          <button type="button" onClick={() => openPicker(item)}>Other tier…</button>
          <button
            type="button"
            class="far"
            onClick={() => {
              closeWhy();
              act({ kind: "hide", item });
            }}
          >
            Hide
          </button>
        </div>
      )}
    </div>
  );
}

/** boardTarget is where "Put in A" drops: the tier itself, or a new one in the gap. */
const boardTarget = (place: Place) =>
  place.kind === "tier"
    ? ({ kind: "tier", tier: place.above, at: Infinity } as const)
    : ({ kind: "gap", before: place.below < 0 ? place.above + 1 : place.below } as const);

function Places({ places, percents, best, tiers }: { places: Place[]; percents: number[]; best: number; tiers: Tier[] }): JSX.Element {
  const name = (place: Place): string => (place.kind === "tier" ? rowTier(tiers[place.above]?.name ?? "") : place.above < 0 || place.below < 0 ? placeWords(place, tiers) : "in between");
  return (
    <table class="odds">
      <caption class="unseen">Chances of each place</caption>
      <colgroup><col class="nameColumn" /><col /><col class="numberColumn" /></colgroup>
      <tbody>
        {places.map((place, i) => (
          percents[i] > 0 && (
            <tr key={i} class={`${place.kind === "gap" ? "oddsGap" : ""}${i === best ? " best" : ""}`}>
              <th scope="row" dir="auto" title={name(place)}><span class="place">{name(place)}</span></th>
              <td class="track"><Bar percent={place.p * 100} mark={place.kind === "tier" ? tiers[place.above]?.colour : "edge"} hollow={place.kind === "gap"} /></td>
              <td class="number">{percentText(percents[i])}</td>
            </tr>
          )
        ))}
      </tbody>
    </table>
  );
}

function Reasons({ s, item }: { s: State; item: string }): JSX.Element | null {
  const e = s.explanation?.item === item ? s.explanation : null;
  if (!e) return <p class="caption wait">{s.net === "offline" || s.net === "error" || s.net === "locked" ? "The reasons wait for the server." : s.unexplained === item ? "Couldn't get the reasons. Asking again." : "Because you put…"}</p>;
  if (e.interest && !e.balanced) return null; // a model without taste
  const { rows, score } = whyRows(e, shownList(s), nameOf(s, e));
  return (
    <table class="reasons">
      <caption class="unseen">Why there</caption>
      <Columns />
      <thead>
        <tr><th scope="col">Because you put</th><th scope="col" colSpan={2} class="number">effect on score</th></tr>
      </thead>
      <Rows s={s} rows={rows} write={(hundredths) => signed(hundredths / 100)} />
      <tfoot>
        <tr><th scope="row" colSpan={2}>{e.approximate ? "Score, about" : "Score"}</th><td class="number">{signed(score / 100)}</td></tr>
      </tfoot>
    </table>
  );
}

/** PickReasons says which placements brought the item up: whether the person would pick it at all, whatever they would make of it. */
function PickReasons({ s, e }: { s: State; e: Explanation }): JSX.Element | null {
  const rows = pickRows(e.interest?.parts ?? [], shownList(s), nameOf(s, e));
  if (rows.length === 0) return null;
  return (
    <table class="reasons lesser">
      <caption class="unseen">Why you would pick it</caption>
      <Columns />
      <thead>
        <tr><th scope="col">What speaks for picking it</th><th scope="col" colSpan={2} class="number">share</th></tr>
      </thead>
      <Rows s={s} rows={rows} write={signedPercent} bars={({ item }) => item !== ""} />
    </table>
  );
}

const nameOf = (s: State, e: Explanation) => (id: string): string => titleOf(s.items.get(id) ?? { name: e.parts.find((part) => part.item === id)?.name ?? id }, id).title;

const Columns = (): JSX.Element => <colgroup><col /><col class="effectColumn" /><col class="numberColumn" /></colgroup>;

/** Rows are those of a table, with bars on those that are asked for. */
function Rows({ s, rows, write, bars = () => true }: { s: State; rows: WhyRow[]; write: (hundredths: number) => string; bars?: (row: WhyRow) => boolean }): JSX.Element {
  const most = Math.max(...rows.filter(bars).map((row) => Math.abs(row.hundredths)), 1);
  return (
    <tbody>
      {rows.map((row) => (
        <tr key={row.key}>
          <th scope="row" title={row.text}><span class="reason">{row.item && <Thumb item={s.items.get(row.item)} />}{row.text}</span></th>
          <td class="effect">{bars(row) && <Effect share={row.hundredths / most} />}</td>
          <td class="number">{write(row.hundredths)}</td>
        </tr>
      ))}
    </tbody>
  );
}

/** Effect is a signed bar around a middle line; a negative one is hatched, so that colour is not needed. */
function Effect({ share }: { share: number }): JSX.Element {
  const zero = 24;
  const width = Math.abs(share) * (share < 0 ? zero - 2 : 100 - zero - 2);
  return (
    <svg class="effectBar" viewBox="0 0 100 12" aria-hidden="true">
      <line class="zero" x1={zero} x2={zero} y1="0" y2="12" />
      {share < 0 ? <rect class="negative" x={zero - Math.max(width, 1)} y="1.5" width={Math.max(width, 1)} height="9" fill="url(#hatch)" /> : <rect class="positive" x={zero} y="1.5" width={Math.max(width, share === 0 ? 0 : 1)} height="9" />}
    </svg>
  );
}
