// Two lists side by side.
import type { List } from "../types";

export interface Shared {
  item: string;
  mine: number; // tier, from 0
  theirs: number; // the same, on the scale of mine
}

export interface Comparison {
  shared: Shared[];
  same: number;
  near: number; // one tier apart
  far: number;
  table: number[][]; // mine down, theirs across
  chance: number; // how many would be in the same tier by chance, given how full the tiers are
  scaled: boolean; // the lists have different numbers of tiers: theirs are compared by position
}

/** fewest is how many items two lists must have in common to be compared. */
export const fewest = 5;

/** compare looks at the items that both placed. */
export function compare(mine: List, theirs: List): Comparison {
  const tiers = mine.tiers.length;
  const onMine = (tier: number): number => (theirs.tiers.length === tiers ? tier : theirs.tiers.length < 2 ? 0 : Math.round((tier * (tiers - 1)) / (theirs.tiers.length - 1)));
  const at = new Map(theirs.tiers.flatMap((tier, t) => tier.items.map((item): [string, number] => [item, onMine(t)])));
  const shared = mine.tiers.flatMap((tier, t) => tier.items.filter((item) => at.has(item)).map((item) => ({ item, mine: t, theirs: at.get(item)! })));
  const table = mine.tiers.map(() => mine.tiers.map(() => 0));
  for (const one of shared) table[one.mine][one.theirs]++;
  const count = (which: (apart: number) => boolean): number => shared.filter((one) => which(Math.abs(one.mine - one.theirs))).length;
  const rows = table.map((row) => row.reduce((a, b) => a + b, 0));
  const columns = table.map((_, k) => table.reduce((sum, row) => sum + row[k], 0));
  const chance = shared.length === 0 ? 0 : rows.reduce((sum, row, k) => sum + (row * columns[k]) / shared.length, 0);
  return { shared, same: count((n) => n === 0), near: count((n) => n === 1), far: count((n) => n > 1), table, chance, scaled: theirs.tiers.length !== tiers };
}

/** differing are the items that stand furthest apart, agreed those in the same tier, the best first. */
export const differing = (shared: Shared[]): Shared[] => shared.filter((one) => one.mine !== one.theirs).sort((a, b) => Math.abs(b.mine - b.theirs) - Math.abs(a.mine - a.theirs));
export const agreed = (shared: Shared[]): Shared[] => shared.filter((one) => one.mine === one.theirs).sort((a, b) => a.mine - b.mine);

/** asBoard makes a list of places from 0, the best, to 1. */
export function asBoard(empty: List, title: string, places: { item: string; at: number }[]): List {
  const last = empty.tiers.length - 1;
  return { ...empty, title, tiers: empty.tiers.map((tier, t) => ({ ...tier, items: places.filter(({ at }) => Math.round(at * last) === t).map(({ item }) => item) })) };
}

/** linkedList is the id of a list in a link to it, or in what somebody typed; "" where there is none. */
export const linkedList = (text: string): string => /(?:^|\/list\/)([A-Za-z0-9_-]{22,64})\/?\s*$/.exec(text.trim())?.[1] ?? "";
