// The list and everything a person can do to it. Nothing here changes its input.
import { isOwn } from "./own";
import { palette, type Colour, type List, type Tier } from "../types";

/** The server's limits, in characters. */
export const longestName = 100; // of a tier
export const longestTitle = 200;

/** cut shortens a text to so many characters, and splits none. */
export const cut = (text: string, most: number): string => [...text.slice(0, 2 * most)].slice(0, most).join("");

export type Act =
  | { kind: "place"; item: string; tier: string; at?: number }
  | { kind: "between"; item: string; before: number }
  | { kind: "tray"; item: string }
  | { kind: "never"; item: string }
  | { kind: "hide"; item: string }
  | { kind: "unhide"; item: string }
  | { kind: "want"; item: string }
  | { kind: "unwant"; item: string }
  | { kind: "addTier"; before: number }
  | { kind: "rename"; tier: string; name: string }
  | { kind: "colour"; tier: string; colour: Colour }
  | { kind: "moveTier"; tier: string; by: -1 | 1 }
  | { kind: "emptyTier"; tier: string }
  | { kind: "removeTier"; tier: string }
  | { kind: "title"; title: string }
  | { kind: "clear" }
  | { kind: "replace"; list: List; why: string };

export function emptyList(): List {
  const tier = (id: string, name: string, colour: Colour): Tier => ({ id, name, colour, items: [] });
  return {
    title: "My tier list",
    tiers: [
      tier("t1", "S Favourites", "beet"),
      tier("t2", "A Great", "tomato"),
      tier("t3", "B Good", "apricot"),
      tier("t4", "C So-so", "sage"),
      tier("t5", "D Not for me", "stone"),
    ],
    never: [],
    hidden: [],
  };
}

/** without takes an item out of wherever it is. */
function without(list: List, item: string): List {
  const drop = (ids: string[]): string[] => (ids.includes(item) ? ids.filter((id) => id !== item) : ids);
  return {
    ...list,
    tiers: list.tiers.map((tier) => (tier.items.includes(item) ? { ...tier, items: drop(tier.items) } : tier)),
    never: drop(list.never),
    hidden: drop(list.hidden),
  };
}

const letters = [..."SABCDEFGHIJKLMNOPQRTUVWXYZ"];

/** letterAt is a free name for a tier above the one at `before`: A+ above A, and the next letter below the last, so that letters stay in order. */
function letterAt(tiers: Tier[], before: number): string {
  const names = tiers.map((tier) => tier.name.trim().split(/\s+/)[0]);
  const free = (name: string): boolean => !names.includes(name);
  const below = names[before];
  if (below === undefined) return letters.slice(letters.indexOf(names.at(-1) ?? "") + 1).find(free) ?? letters.find(free) ?? "New";
  if (/^[A-Z]\+?$/.test(below)) return free(`${below}+`) ? `${below}+` : "New";
  return letters.find(free) ?? "New";
}

/** newTier is an empty one with a free id, a name that suits its place, and the least used colour. */
function newTier(tiers: Tier[], before: number): Tier {
  const ids = tiers.map((tier) => Number(tier.id.slice(1)) || 0);
  const uses = (colour: Colour): number => tiers.filter((tier) => tier.colour === colour).length;
  const colour = [...palette].sort((a, b) => uses(a) - uses(b))[0];
  return { id: `t${Math.max(0, ...ids) + 1}`, name: letterAt(tiers, before), colour, items: [] };
}

const insert = <T>(array: T[], at: number, value: T): T[] => [...array.slice(0, at), value, ...array.slice(at)];

/** perform does one act; an act without effect gives the same list back. */
export function perform(list: List, act: Act): List {
  const mapTier = (id: string, change: (tier: Tier) => Tier): List => ({
    ...list,
    tiers: list.tiers.map((tier) => (tier.id === id ? change(tier) : tier)),
  });
  const index = "tier" in act ? list.tiers.findIndex((tier) => tier.id === act.tier) : -1;
  if ("tier" in act && index < 0) return list;
  switch (act.kind) {
    case "place": {
      const bare = without(list, act.item);
      const at = Math.min(act.at ?? Infinity, bare.tiers[index].items.length);
      const next = {
        ...bare,
        tiers: bare.tiers.map((tier, i) => (i === index ? { ...tier, items: insert(tier.items, at, act.item) } : tier)),
      };
      return sameList(next, list) ? list : next;
    }
    case "between": {
      const bare = without(list, act.item);
      const fresh = { ...newTier(list.tiers, act.before), items: [act.item] };
      return { ...bare, tiers: insert(bare.tiers, act.before, fresh) };
    }
    case "tray": {
      const next = without(list, act.item);
      return sameList(next, list) ? list : next;
    }
    case "never":
    case "hide": {
      const key = act.kind === "never" ? "never" : "hidden";
      if (list[key].includes(act.item)) return list;
      const bare = without(list, act.item);
      return { ...bare, [key]: [...bare[key], act.item] };
    }
    case "unhide":
      return without(list, act.item);
    case "want":
      return list.want?.includes(act.item) ? list : { ...list, want: [...(list.want ?? []), act.item] };
    case "unwant":
      return list.want?.includes(act.item) ? { ...list, want: list.want.filter((item) => item !== act.item) } : list;
    case "addTier":
      return { ...list, tiers: insert(list.tiers, act.before, newTier(list.tiers, act.before)) };
    case "rename":
      return list.tiers[index].name === act.name ? list : mapTier(act.tier, (tier) => ({ ...tier, name: act.name }));
    case "colour":
      return list.tiers[index].colour === act.colour ? list : mapTier(act.tier, (tier) => ({ ...tier, colour: act.colour }));
    case "moveTier": {
      const to = index + act.by;
      if (to < 0 || to >= list.tiers.length) return list;
      const rest = list.tiers.filter((_, i) => i !== index);
      return { ...list, tiers: insert(rest, to, list.tiers[index]) };
    }
    case "emptyTier":
      return list.tiers[index].items.length === 0 ? list : mapTier(act.tier, (tier) => ({ ...tier, items: [] }));
    case "removeTier":
      return list.tiers.length === 1 ? list : { ...list, tiers: list.tiers.filter((_, i) => i !== index) };
    case "title":
      return list.title === act.title ? list : { ...list, title: act.title };
    case "clear":
      return placedCount(list) === 0 ? list : { ...list, tiers: list.tiers.map((tier) => ({ ...tier, items: [] })) };
    case "replace":
      return act.list;
  }
}

/** isList tells a list from whatever else may lie in storage. */
export function isList(value: unknown): value is List {
  const texts = (x: unknown): boolean => Array.isArray(x) && x.every((id) => typeof id === "string");
  const list = value as List | null;
  return (
    typeof list === "object" && list !== null && typeof list.title === "string" && texts(list.never) && texts(list.hidden) && (list.want === undefined || texts(list.want)) && Array.isArray(list.tiers) && list.tiers.length > 0 &&
    list.tiers.every((tier) => typeof tier?.id === "string" && typeof tier.name === "string" && palette.includes(tier.colour) && texts(tier.items))
  );
}

export const sameList = (a: List, b: List): boolean => JSON.stringify(a) === JSON.stringify(b);
export const placedCount = (list: List): number => list.tiers.reduce((n, tier) => n + tier.items.length, 0);

/** tierOf is the number of the tier that holds the item, or -1. */
export const tierOf = (list: List, item: string): number => list.tiers.findIndex((tier) => tier.items.includes(item));

/** question is what the model would be asked; the order inside a tier is not part of it, for a tier is a tie, and neither are items of the person's own. */
export function question(list: List): { tiers: string[][]; exclude: string[] } {
  return { tiers: list.tiers.map((tier) => tier.items.filter((item) => !isOwn(item)).sort()), exclude: [...list.hidden].sort() };
}

/**
 * merged puts what was read on top of what is there: tiers of the same name join, others follow, and an item goes to the
 * end of the tier that names it last. It looks at each item once: a file may hold many.
 */
export function merged(list: List, read: List): List {
  const tiers = [...list.tiers];
  const byName = new Map<string, number>();
  tiers.forEach((tier, i) => byName.has(tier.name.trim()) || byName.set(tier.name.trim(), i));
  const goes = new Map<string, number>(); // item: number of its tier, in the order of the file
  for (const { name, items } of read.tiers) {
    let to = byName.get(name.trim());
    if (to === undefined) {
      to = tiers.length;
      tiers.push({ ...newTier(tiers, tiers.length), name });
      byName.set(name.trim(), to);
    }
    for (const item of items) {
      goes.delete(item); // a second mention moves it to the end
      goes.set(item, to);
    }
  }
  const stays = (items: string[]): string[] => items.filter((item) => !goes.has(item));
  const joined = tiers.map((tier) => ({ ...tier, items: stays(tier.items) }));
  for (const [item, to] of goes) joined[to].items.push(item);
  return { ...list, tiers: joined, never: stays(list.never), hidden: stays(list.hidden) };
}
