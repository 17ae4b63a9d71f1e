// Sentences: one for each act, shown or read out.
import type { List } from "../types";
import { placedCount, tierOf, type Act } from "./list";
import { plain, shortTier, spokenTier } from "./names";

export const demoLabel = "Demo world: synthetic people";

const digits = new Intl.NumberFormat("en-GB"); // one for all: toLocaleString looks for it anew each time

/** withCommas writes a number with commas. */
export const withCommas = (n: number): string => digits.format(n);
export const count = (n: number, one: string, many = `${one}s`): string => `${withCommas(n)} ${n === 1 ? one : many}`;

/** actWords says what an act did, and what taking it back does. */
export function actWords(before: List, after: List, act: Act, nameOf: (item: string) => string): { label: string; back: string } {
  const named = "item" in act ? plain(nameOf(act.item)) : "";
  const from = "item" in act ? tierOf(before, act.item) : -1;
  const home = from >= 0 ? shortTier(before.tiers[from].name) : "the tray";
  const tier = "tier" in act ? before.tiers.find((t) => t.id === act.tier) : undefined;
  const short = tier ? shortTier(tier.name) : "";
  const items = (n: number): string => `${count(n, "item")} in the tray`;
  const own = (label: string): { label: string; back: string } => ({ label, back: label.charAt(0).toLowerCase() + label.slice(1) });
  switch (act.kind) {
    case "place":
      return { label: `${named} dropped in ${short}`, back: `${named} back in ${home}` };
    case "between":
      return { label: `${named} dropped in a new tier`, back: `${named} back in ${home}` };
    case "tray":
      return { label: `${named} back in the tray`, back: `${named} back in ${home}` };
    case "never":
      return { label: `${named} set aside as never tried`, back: `${named} back in ${home}` };
    case "hide":
      return { label: `${named} hidden`, back: `${named} back in ${home}` };
    case "unhide":
      return { label: `${named} shown again`, back: `${named} hidden` };
    case "want":
      return { label: `${named} on the want-to-try list`, back: `${named} off the want-to-try list` };
    case "unwant":
      return { label: `${named} off the want-to-try list`, back: `${named} on the want-to-try list` };
    case "addTier":
      return own(`Tier ${shortTier(after.tiers[act.before].name)} added`);
    case "rename":
      return { label: `Tier renamed ${spokenTier(act.name)}`, back: `tier named ${spokenTier(tier?.name ?? "")}` };
    case "colour":
      return own(`Colour of ${short} changed`);
    case "moveTier":
      return own(`Tier ${short} moved ${act.by < 0 ? "up" : "down"}`);
    case "emptyTier":
      return own(`Tier ${short} emptied, ${items(tier?.items.length ?? 0)}`);
    case "removeTier":
      return own(`Tier ${short} removed, ${items(tier?.items.length ?? 0)}`);
    case "title":
      return { label: "List renamed", back: `list named ${before.title}` };
    case "clear":
      return own(`List cleared, ${items(placedCount(before))}`);
    case "replace":
      return own(act.why);
  }
}

export const pickedUp = (name: string, home: string): string =>
  `${plain(name)} picked up from ${home}. Up and down choose a place, Space drops, Escape puts it back.`;

export const overTier = (list: List, tier: number): string =>
  `${spokenTier(list.tiers[tier].name)}. Tier ${tier + 1} of ${list.tiers.length}, ${count(list.tiers[tier].items.length, "item")}.`;

export function overGap(list: List, before: number): string {
  const short = (i: number): string => shortTier(list.tiers[i].name);
  if (before === 0) return `New tier above ${short(0)}.`;
  if (before === list.tiers.length) return `New tier below ${short(before - 1)}.`;
  return `New tier between ${short(before - 1)} and ${short(before)}.`;
}

export const youFirst = (name: string): string => `You first: our guess for ${plain(name)} shows after you drop it.`;

/** signed writes a part of a score with its sign, a real minus, and two places. */
export function signed(value: number): string {
  const text = Math.abs(value).toFixed(2);
  return text === "0.00" ? "0.00" : (value < 0 ? "−" : "+") + text;
}

/** signedPercent writes a share with a real minus. */
export const signedPercent = (share: number): string => `${share < 0 ? "−" : ""}${Math.abs(share)}%`;

/** seconds writes a time as people say it: "6.8 s", "2 min 5 s". */
export function seconds(time: number): string {
  if (time < 60) return `${time < 9.95 && !Number.isInteger(time) ? time.toFixed(1) : Math.round(time)} s`;
  const rounded = Math.round(time);
  return `${Math.floor(rounded / 60)} min${rounded % 60 ? ` ${rounded % 60} s` : ""}`;
}

/** listed joins parts of a sentence: "a, b and c". */
export const listed = (parts: string[]): string => (parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`);
