// Which guesses stand beside which rows of the board.
import type { Advice, Tier } from "../types";
import { likeliest, percentsOf, placesOf } from "./odds";
import { placeWords } from "./names";

export interface Ghost {
  item: string;
  percent: number;
  tag: string; // the place in words, for labels
}

/** Lane stands beside rows from..to of the board: one used tier, or a run of empty ones that share their gap. */
export interface Lane {
  from: number;
  to: number;
  heading: string; // of a shared lane: its gap, e.g. "below A"
  ghosts: Ghost[];
  others: string[]; // items that most likely go here too, below the ghosts: the highest odds first
  most: number; // the largest of their odds, where there is no ghost
}

/** Ghosts need at least this chance, and a lane shows at most so many. */
export const least = 0.25;
export const most = 3;

/** lanesOf puts unplaced items beside the place they most likely go to. Items in `mute` are held back. */
export function lanesOf(tiers: Tier[], advice: Advice | null, mute: Set<string>): Lane[] {
  const used = advice && !advice.general ? advice.tiers_used : [];
  const lanes: Lane[] = [];
  for (let row = 0; row < tiers.length; row++) {
    const last = lanes.at(-1);
    if (used.includes(row)) lanes.push({ from: row, to: row, heading: "", ghosts: [], others: [], most: 0 });
    else if (last && !used.includes(last.to)) last.to = row;
    else lanes.push({ from: row, to: row, heading: "", ghosts: [], others: [], most: 0 });
  }
  if (!advice || used.length === 0) return lanes;
  for (const lane of lanes) {
    if (used.includes(lane.from)) continue;
    const above = used.filter((t) => t < lane.from).at(-1) ?? -1;
    const below = used.find((t) => t > lane.to) ?? -1;
    lane.heading = placeWords({ kind: "gap", above, below, p: 0 }, tiers);
  }
  const placed = new Set(tiers.flatMap((tier) => tier.items));
  const found: { lane: Lane; ghost: Ghost; p: number }[] = [];
  for (const guess of advice.items) {
    if (placed.has(guess.item) || mute.has(guess.item)) continue;
    const places = placesOf(guess, used);
    const best = likeliest(places);
    if (best < 0) continue;
    const place = places[best];
    const lane = lanes.find((l) =>
      place.kind === "tier"
        ? l.from === place.above
        : l.heading !== "" && l.from > place.above && (place.below < 0 || l.to < place.below),
    );
    if (lane) found.push({ lane, p: place.p, ghost: { item: guess.item, percent: percentsOf(places)[best], tag: placeWords(place, tiers) } });
  }
  found.sort((a, b) => b.p - a.p);
  for (const { lane, ghost, p } of found) {
    lane.most = Math.max(lane.most, p);
    if (p >= least && lane.ghosts.length < most) lane.ghosts.push(ghost);
    else lane.others.push(ghost.item);
  }
  return lanes;
}
