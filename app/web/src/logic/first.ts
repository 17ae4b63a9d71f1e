// What is shown in the first minute beside the card.
import type { Advice, Guess, List, TasteMap } from "../types";
import { likeliest, percentsOf, placesOf, type Place } from "./odds";

export interface Rough {
  item: string;
  place: Place;
  percent: number;
}

/** roughGuesses are up to three guesses for well-known items whose likeliest places differ, best first; never one of the card. */
export function roughGuesses(advice: Advice | null, odds: Map<string, Guess>, known: string[], card: string): Rough[] {
  if (!advice || advice.general) return [];
  const best = new Map<string, Rough & { at: number }>();
  for (const item of known) {
    const guess = odds.get(item);
    if (!guess || item === card) continue;
    const places = placesOf(guess, advice.tiers_used);
    const at = likeliest(places);
    if (at < 0) continue;
    const found = { item, place: places[at], percent: percentsOf(places)[at], at };
    const had = best.get(String(at));
    if (!had || had.percent < found.percent) best.set(String(at), found);
  }
  const all = [...best.values()].sort((a, b) => a.at - b.at);
  return all.length <= 3 ? all : [all[0], all[Math.floor(all.length / 2)], all[all.length - 1]];
}

/** nearest are the two placed items that the person stands nearest to on the map, and the one farthest away; null while there are fewer than four. */
export function nearest(list: List, map: TasteMap | null): { near: string[]; far: string } | null {
  if (!map) return null;
  const placed = new Set(list.tiers.flatMap((tier) => tier.items));
  const away = ({ x, y }: { x: number; y: number }): number => Math.hypot(x - map.person.x, y - map.person.y);
  const there = map.items.filter(({ item }) => placed.has(item)).sort((a, b) => away(a) - away(b));
  return there.length < 4 ? null : { near: there.slice(0, 2).map(({ item }) => item), far: there[there.length - 1].item };
}
