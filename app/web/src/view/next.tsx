// Try next: what we would recommend, each with its whole distribution.
import { Fragment, h, type JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { placedCount } from "../logic/list";
import { placeWords, shortTier, titleOf } from "../logic/names";
import { atTop, chanceAtTop, dotsOf, likeliest, percentsOf, percentText, pickWords, placesOf, type Place } from "../logic/odds";
import { count } from "../logic/words";
import { onScreen } from "../app/acts";
import { askKey } from "../app/key";
import { ask, behind, fresh } from "../app/live";
import { light, unlight } from "../app/lit";
import { shownList, type State } from "../app/state";
import { changeSettings, store } from "../app/store";
import type { Guess, Item, Tier, TierLook } from "../types";
import { blurWhy, focusWhy, hoverWhy, leaveWhy, pinWhy } from "../app/why";
import { mutedItem } from "./board";
import { Icon } from "./icons";
import { part, same } from "./part";
import { Thumb } from "./poster";

/** So many rows are shown. */
const most = 6;

export const TryNext = part(function TryNext({ s }: { s: State }): JSX.Element | null {
  const list = shownList(s);
  const placed = placedCount(list);
  const used = list.tiers.filter((tier) => tier.items.length > 0).length;
  const inTiers = new Set(list.tiers.flatMap((tier) => tier.items));
  const muted = mutedItem(s);
  const general = s.advice?.general ?? true;
  const rows = nextRows(s).filter((guess) => !inTiers.has(guess.item) && guess.item !== muted && !list.hidden.includes(guess.item)).slice(0, most);
  const tiers = useLooks(list.tiers);
  const top = shortTier(tiers[s.advice?.tiers_used?.[0] ?? 0]?.name ?? "");
  const both = !general && rows.some((guess) => guess.interest != null);
  useEffect(() => {
    if (!general) onScreen(rows.map((guess) => guess.item));
  }, [rows.map((guess) => guess.item).join("\n"), general]);
  const current = fresh(s); // what is shown answers the list as it is
  const stale = behind(s);
  if (nothingLeft(s))
    return (
      <section class="panel next folded" aria-label="Try next">
        <h2>Try next</h2>
        <p class="caption">Everything is placed.</p>
      </section>
    );
  return (
    <section class={`panel next${stale ? " stale" : ""}`} id="next" tabIndex={-1} aria-labelledby="next-title" aria-busy={!current} data-area="next">
      {s.net === "updating" && <div class="running" aria-hidden="true" />}
      <header>
        <h2 id="next-title">{placed === 0 ? "Everyone's favourites" : "Try next"}</h2>
        {placed > 0 && <span class="caption">{stale ? "from before your last change" : `from your ${count(placed, "placement")}`}</span>}
      </header>
      <Notice s={s} />
      {!general && rows.length > 0 && (
        <p class="sorted caption">
          <span>Sorted by {both ? <Aim s={s} top={top} /> : `odds of ${top} or above`}</span>
          {both && <span>Dots: your taste. Bars: your interest.</span>}
        </p>
      )}
      {placed > 0 && placed <= 2 && <p class="note">{placed} placed: mostly what everyone likes. A few more and it becomes yours.</p>}
      {placed > 2 && used === 1 && <p class="note">All tied: we can't tell better from worse yet. Move one up or down.</p>}
      {s.advice === null ? (
        <ol class="still" aria-hidden="true">{Array.from({ length: most }, (_, i) => <li key={i}><span /><span /></li>)}</ol>
      ) : (
        <ol>
          {rows.map((guess, i) => (
            <li key={guess.item}>
              <NextRow
                guess={guess}
                known={s.items.get(guess.item)}
                rank={i + 1}
                tiers={tiers}
                used={general ? null : s.advice!.tiers_used}
                wordy={s.worded}
                lit={s.lit === guess.item || s.why?.item === guess.item}
                held={s.held?.item === guess.item}
                byKey={s.held?.by === "key"}
              />
            </li>
          ))}
        </ol>
      )}
      {!general && rows.length > 0 && <Legend tiers={tiers} used={s.advice?.tiers_used ?? []} />}
    </section>
  );
});

/** nextRows are the items of the last answer by what is printed of them: odds of the best tier, or interest; by both together the server has put them in order. */
function nextRows(s: State): Guess[] {
  const { advice } = s;
  if (!advice || advice.general) return advice?.items ?? [];
  const aim = advice.items.some((guess) => guess.interest != null) ? s.aim : "taste";
  if (aim === "balanced") return advice.items;
  const worth = (guess: Guess): number => (aim === "interest" ? (guess.interest ?? 0) : atTop(placesOf(guess, advice.tiers_used)) + chanceAtTop(placesOf(guess, advice.tiers_used)) / 1000);
  return advice.items
    .map((guess) => ({ guess, worth: worth(guess) }))
    .sort((a, b) => b.worth - a.worth)
    .map(({ guess }) => guess);
}

/** Aim chooses what Try next is sorted by. */
function Aim({ s, top }: { s: State; top: string }): JSX.Element {
  return (
    <label class="select aim">
      <span class="unseen">Sorted by</span>
      <select
        value={s.aim}
        onChange={(event) => {
          changeSettings({ aim: event.currentTarget.value as State["aim"] });
          ask(true);
        }}
      >
        <option value="taste">odds of {top} or above</option>
        <option value="interest">interest</option>
        <option value="balanced">both together</option>
      </select>
      <Icon name="down" />
    </label>
  );
}

/** useLooks gives the tiers' names and colours, the same array while these stay: then no row is drawn again. */
function useLooks(tiers: Tier[]): TierLook[] {
  const last = useRef<TierLook[]>([]);
  const now = last.current;
  if (now.length !== tiers.length || now.some(({ name, colour }, i) => name !== tiers[i].name || colour !== tiers[i].colour)) last.current = tiers;
  return last.current;
}

/** nothingLeft says that every item is placed or hidden. */
export function nothingLeft(s: State): boolean {
  const list = shownList(s);
  const away = new Set([...list.tiers.flatMap((tier) => tier.items), ...list.hidden]);
  return s.loaded && (!s.large || s.complete) && placedCount(list) > 0 && away.size >= s.total && s.catalogue.every((item) => away.has(item));
}

function Notice({ s }: { s: State }): JSX.Element | null {
  if (s.net === "offline") return <p class="notice" role="status">Offline: sorting still works, guesses wait.</p>;
  if (s.net === "locked") return <p class="notice" role="status">This server asks for an API key. <button type="button" class="link" onClick={() => askKey()}>Enter the key</button></p>;
  if (s.net !== "error") return null;
  return (
    <p class="notice bad" role="status">
      Couldn't update. Your list is safe.{" "}
      <button type="button" class="link" onClick={() => ask(true)}>
        Retry
      </button>
    </p>
  );
}

interface RowProps {
  guess: Guess;
  known: Item | undefined;
  rank: number;
  tiers: TierLook[];
  used: number[] | null; // null: everyone's favourites, without odds
  wordy: boolean;
  lit: boolean;
  held: boolean;
  byKey: boolean;
}

const NextRow = same(function NextRow({ guess, known, rank, tiers, used, wordy, lit, held, byKey }: RowProps): JSX.Element {
  const { item } = guess;
  const { title: name, year } = titleOf(known ?? { name: guess.name }, item);
  const places = used ? placesOf(guess, used) : [];
  const best = likeliest(places);
  const percents = percentsOf(places);
  return (
    <button
      class={`row${lit ? " lit" : ""}${held ? " lifted" : ""}${wordy ? " wordy" : ""}`}
      type="button"
      data-item={item}
      data-stop={`next ${item}`}
      data-drag="guess"
      role={held && byKey ? "application" : undefined}
      onClick={(event) => pinWhy(item, event.currentTarget)}
      onFocus={(event) => used && focusWhy(item, event.currentTarget)}
      onBlur={blurWhy}
      onPointerEnter={(event) => {
        if (event.pointerType !== "mouse" || store.state.held) return;
        light(item);
        if (used) hoverWhy(item, event.currentTarget);
      }}
      onPointerLeave={() => {
        unlight(item);
        leaveWhy();
      }}
    >
      <Thumb item={known} />
      <span class="what">
        <span class="head"><span class="itemName" dir="auto">{name}</span> {year && <span class="year">{year}</span>} {best >= 0 && <span class="why">why</span>}</span>
        {best >= 0 && <Dots places={places} tiers={tiers} />}
        {best >= 0 && <span class="unseen">. {placesText(places, percents, tiers)}. Most likely {placeWords(places[best], tiers)}. </span>}
        {best >= 0 && <span class="unseen">. Odds of this tier or above: </span>}
      </span>
      {best >= 0 ? (
        <Fragment>
          <span class="tag">{shortTier(tiers[used![0]]?.name ?? "")}</span>{" "}
          <span class="percent">{percentText(atTop(places))}</span>
        </Fragment>
      ) : (
        <span class="rank">{rank}</span>
      )}
      {best >= 0 && guess.interest != null && <Interest p={guess.interest} />}
    </button>
  );
});

/** Interest is ten bars and words: whether the person would pick it at all, whatever they would make of it. */
export function Interest({ p }: { p: number }): JSX.Element {
  const full = Math.round(p * 10);
  return (
    <span class="interest">
      <span class="pickBars" aria-hidden="true">{Array.from({ length: 10 }, (_, i) => <i key={i} class={i < full ? "full" : ""} />)}</span>
      <span class="pickWords">{pickWords(p)}</span>
    </span>
  );
}

/** placesText is the distribution in words: "S 24%, between S and A 5%, …". */
const placesText = (places: Place[], percents: number[], tiers: TierLook[]): string =>
  places
    .map((place, i) => (percents[i] > 0 ? `${placeWords(place, tiers)} ${percents[i]}%` : ""))
    .filter(Boolean)
    .join(", ");

function Dots({ places, tiers }: { places: Place[]; tiers: TierLook[] }): JSX.Element {
  const dots = dotsOf(places);
  return (
    <span class="dots" aria-hidden="true">
      {places.map((place, i) => (
        dots[i] > 0 && (
          <span class={`group ${place.kind === "tier" ? `shape-${place.above % 5} mark-${tiers[place.above]?.colour}` : "hollow"}`} key={i}>
            {Array.from({ length: dots[i] }, (_, k) => <i key={k} />)}
          </span>
        )
      ))}
    </span>
  );
}

function Legend({ tiers, used }: { tiers: TierLook[]; used: number[] }): JSX.Element {
  return (
    <p class="legend dots">
      <span>Each dot: 1 chance in 20</span>
      {used.map((t) => (
        <span class={`group shape-${t % 5} mark-${tiers[t]?.colour}`} key={t}><i />{shortTier(tiers[t]?.name ?? "")}</span>
      ))}
      <span class="group hollow"><i />{used.length === 1 ? "a new tier above or below" : "a tier of its own between two, above or below"}</span>
    </p>
  );
}
