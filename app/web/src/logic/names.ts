// How tiers, places and items are called.
import type { TierLook } from "../types";
import type { Place } from "./odds";

/** plain takes out soft hyphens, which are for line breaks only. */
export const plain = (name: string): string => name.replaceAll("\u00ad", "");

/** dated takes the year off a film's name: "Rain (2001)" is "Rain" and "2001". */
export function dated(name: string): { title: string; year: string } {
  const found = /^(.*\S)\s*\((\d{4})\)$/s.exec(name);
  return found ? { title: found[1], year: found[2] } : { title: name, year: "" };
}

const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : null; // one for all: making it takes longer than drawing a row

const graphemes = (text: string): string[] => (segmenter ? Array.from(segmenter.segment(text), (s) => s.segment) : Array.from(text));

/** tierLabel splits a tier's name: a first word of at most 3 characters is drawn large, the rest below it. */
export function tierLabel(name: string): { big: string; rest: string } {
  const trimmed = name.trim();
  const [first = "", ...others] = trimmed.split(/\s+/);
  if (first !== "" && (first.length <= 3 || graphemes(first).length <= 3)) return { big: first, rest: others.join(" ") };
  return { big: "", rest: trimmed };
}

/** shortTier fits the narrowest spine: the large part, or else the first 2 characters. */
export function shortTier(name: string): string {
  const { big, rest } = tierLabel(name);
  return big || graphemes(rest).slice(0, 2).join("") || "?";
}

/** spokenTier is a tier in a sentence: "S, Every day". */
export function spokenTier(name: string): string {
  const { big, rest } = tierLabel(name);
  return big && rest ? `${big}, ${rest}` : big || rest || "no name";
}

/** rowTier is a tier in a table: "S · Every day". */
export function rowTier(name: string): string {
  const { big, rest } = tierLabel(name);
  return big && rest ? `${big} · ${rest}` : big || rest || "no name";
}

/** placeWords names a place in a sentence: "S", "above S", "between S and A", "below A". */
export function placeWords(place: Place, tiers: TierLook[]): string {
  const short = (i: number): string => shortTier(tiers[i]?.name ?? "");
  if (place.kind === "tier") return short(place.above);
  if (place.above < 0) return `above ${short(place.below)}`;
  if (place.below < 0) return `below ${short(place.above)}`;
  return `between ${short(place.above)} and ${short(place.below)}`;
}

/** placeTag is the same in a small box: "S", "↑S", "S/A", "↓A". */
export function placeTag(place: Place, tiers: TierLook[]): string {
  const short = (i: number): string => shortTier(tiers[i]?.name ?? "");
  if (place.kind === "tier") return short(place.above);
  if (place.above < 0) return `↑${short(place.below)}`;
  if (place.below < 0) return `↓${short(place.above)}`;
  return `${short(place.above)}/${short(place.below)}`;
}
