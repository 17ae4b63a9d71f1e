// From probabilities to what is drawn: whole percents that sum to 100, and 20 dots.
import type { Guess } from "../types";

/** Place is one of the 2T+1 places for T used tiers: gaps at even positions, tiers at odd ones, best first. */
export interface Place {
  kind: "gap" | "tier";
  /** of a tier: its number on the board, from 0; of a gap: the used tier above it, or -1 at the top */
  above: number;
  /** of a gap: the used tier below it, or -1 at the bottom; of a tier: the same as above */
  below: number;
  p: number;
}

/** shareOut splits `total` into whole shares by largest remainder; the first of equal remainders wins. */
export function shareOut(weights: number[], total: number): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  if (!(sum > 0)) return weights.map(() => 0);
  const exact = weights.map((w) => (w / sum) * total);
  const shares = exact.map(Math.floor);
  const order = exact.map((_, i) => i).sort((a, b) => exact[b] - shares[b] - (exact[a] - shares[a]) || a - b);
  const left = total - shares.reduce((a, b) => a + b, 0);
  for (let i = 0; i < left; i++) shares[order[i]]++;
  return shares;
}

/** placesOf lines a guess's odds up with the board. It is empty where the server sent no odds. */
export function placesOf(guess: Pick<Guess, "tier_probs" | "gap_probs">, used: number[]): Place[] {
  const tiers = guess.tier_probs ?? [];
  const gaps = guess.gap_probs ?? [];
  if (tiers.length === 0 || tiers.length !== used.length || gaps.length !== tiers.length + 1) return [];
  const places: Place[] = [];
  for (let i = 0; i <= tiers.length; i++) {
    places.push({ kind: "gap", above: i > 0 ? used[i - 1] : -1, below: i < used.length ? used[i] : -1, p: gaps[i] });
    if (i < tiers.length) places.push({ kind: "tier", above: used[i], below: used[i], p: tiers[i] });
  }
  return places;
}

export const percentsOf = (places: Place[]): number[] => shareOut(places.map((place) => place.p), 100);
export const dotsOf = (places: Place[]): number[] => shareOut(places.map((place) => place.p), 20);

/** percentText never claims certainty: 0 becomes "<1%", 100 ">99%". */
export function percentText(percent: number): string {
  return percent <= 0 ? "<1%" : percent >= 100 ? ">99%" : `${percent}%`;
}

/** percentWords is the same, to be read out. */
export function percentWords(percent: number): string {
  return percent <= 0 ? "less than 1 percent" : percent >= 100 ? "more than 99 percent" : `${percent} percent`;
}

/** likeliest is the place with the largest probability, the better one of equals, or -1. */
export function likeliest(places: Place[]): number {
  let best = -1;
  places.forEach((place, i) => {
    if (best < 0 || place.p > places[best].p) best = i;
  });
  return best;
}

/** atTop is the percent of the best tier in use, or of a new one above it: what Try next prints and goes by. */
export function atTop(places: Place[]): number {
  const percents = percentsOf(places);
  return (percents[0] ?? 0) + (percents[1] ?? 0);
}

/** chanceAtTop is the same, not rounded. */
export const chanceAtTop = (places: Place[]): number => (places[0]?.p ?? 0) + (places[1]?.p ?? 0);

/** pickWords says in words whether the person would pick an item at all. */
export function pickWords(p: number): string {
  const tenths = Math.round(p * 10);
  const odds = tenths >= 1 ? `${tenths} in 10` : p >= 0.005 ? `${Math.round(p * 100)} in 100` : "less than 1 in 200";
  const words = p >= 0.85 ? "You'd very likely pick it" : p >= 0.6 ? "You'd probably pick it" : p >= 0.35 ? "You might pick it" : p >= 0.15 ? "Perhaps not tonight" : "Hardly your pick";
  return `${words}, ${odds}`;
}

/** placeOnBoard finds where among the places a drop fell: into tier `tier` of the board, or a new one before it. */
export function placeOnBoard(places: Place[], tier: number, between: boolean): number {
  return places.findIndex((place) =>
    place.kind === "tier"
      ? !between && place.above === tier
      : between
        ? place.above < tier && (place.below < 0 || place.below >= tier)
        : place.above < tier && (place.below < 0 || place.below > tier),
  );
}

/** phrase says a percent in words. */
export function phrase(percent: number): string {
  if (percent >= 90) return "Almost sure.";
  if (percent >= 70) return "Likely.";
  if (percent >= 55) return "More likely than not.";
  if (percent >= 45) return "About as likely as not.";
  if (percent >= 30) return "Best of several guesses.";
  return "Hardly more than a guess.";
}
