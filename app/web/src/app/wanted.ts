// Whose odds are asked for in a catalogue too large to ask for all: what is in view, what may fill the lanes, and what was
// never asked about, the best known first.
import { lanesOf, most } from "../logic/lanes";
import { placesOf, type Place } from "../logic/odds";
import type { Advice, Guess, List, Tier } from "../types";

const inSight = 40; // items of the tray
const perPlace = 4; // candidates for each place among the tiers
const spread = 10; // items over the whole range of scores: they find the place that no candidate is known for
const atLeast = 44; // items in a question
export const pool = 300; // so many of the best known are asked about in time

/** said is what we said of an item last, whatever the list was then. */
interface Said {
  score: number;
  places: Map<string, number>;
}

const said = new Map<string, Said>();
let sight: string[] = [];

/** placeKey names a place by the tiers around it, which may move. */
const placeKey = (place: Place, tiers: Tier[]): string => `${place.kind} ${tiers[place.above]?.id ?? ""} ${tiers[place.below]?.id ?? ""}`;

/** lookAt notes which items of the tray are in view. */
export function lookAt(items: string[]): void {
  sight = items;
}

export const inView = (): string[] => sight;

/** forget is for a new model. */
export const forget = (): void => said.clear();

/** rememberOdds notes an answer, for the choice of the next question. */
export function rememberOdds(guesses: Guess[], used: number[], tiers: Tier[]): void {
  for (const guess of guesses) {
    const places = new Map(placesOf(guess, used).map((place) => [placeKey(place, tiers), place.p]));
    said.delete(guess.item); // the newest stand last
    said.set(guess.item, { score: guess.score, places });
  }
}

/** wanted chooses the items of a question about a list. `known` are the items of the catalogue, the best known first. */
export function wanted(list: List, known: string[]): string[] {
  const away = new Set([...list.tiers.flatMap((tier) => tier.items), ...list.hidden]);
  const out = new Set(sight.filter((item) => !away.has(item)).slice(0, inSight));
  const there = [...said].filter(([item]) => !away.has(item));
  const keys = new Set(there.slice(-1).flatMap(([, { places }]) => [...places.keys()]));
  for (const key of keys) {
    const best = there.filter(([, { places }]) => places.has(key)).sort(([, a], [, b]) => b.places.get(key)! - a.places.get(key)!);
    for (const [item] of best.slice(0, perPlace)) out.add(item);
  }
  const byScore = there.sort(([, a], [, b]) => b.score - a.score);
  for (let i = 0; i < spread && byScore.length > 0; i++) out.add(byScore[Math.floor((i * (byScore.length - 1)) / (spread - 1))][0]);
  for (const item of unasked(known, away)) {
    if (out.size >= atLeast) break;
    out.add(item);
  }
  return [...out];
}

const unasked = (known: string[], away: Set<string>): string[] => known.slice(0, pool).filter((item) => !away.has(item) && !said.has(item));

/** more are items to ask about next, while a lane has room and well-known items were never asked about; else none. */
export function more(list: List, advice: Advice, odds: Map<string, Guess>, known: string[]): string[] {
  const lanes = lanesOf(list.tiers, { ...advice, items: [...odds.values()] }, new Set());
  if (lanes.every((lane) => lane.ghosts.length >= most)) return [];
  return unasked(known, new Set([...list.tiers.flatMap((tier) => tier.items), ...list.hidden])).slice(0, atLeast);
}
