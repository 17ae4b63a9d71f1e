// How tiers, places and items are called.
import type { Item, TierLook } from "../types";
import type { Place } from "./odds";
import { isOwn, ownName } from "./own";

/** linkOf is where more is said of an item: the catalogue's own link, or its page at a catalogue it has an id of. */
export function linkOf(item: Pick<Item, "link" | "ids"> | undefined): { href: string; where: string } | null {
  const id = (kind: string): string => item?.ids?.find((one) => one.startsWith(`${kind}:`))?.slice(kind.length + 1) ?? "";
  if (item?.link && /^https?:\/\//.test(item.link)) return { href: item.link, where: new URL(item.link).host };
  if (id("imdb")) return { href: `https://www.imdb.com/title/${encodeURIComponent(id("imdb"))}/`, where: "IMDb" };
  if (id("tmdb")) return { href: `https://www.themoviedb.org/movie/${encodeURIComponent(id("tmdb"))}`, where: "TMDB" };
  if (id("isbn")) return { href: `https://openlibrary.org/isbn/${encodeURIComponent(id("isbn"))}`, where: "Open Library" };
  return null;
}

/** plain takes out soft hyphens, which are for line breaks only. */
export const plain = (name: string): string => name.replaceAll("\u00ad", "");

/** dated takes the year off a film's name and writes the rest as people do: "Matrix, The (1999)" is "The Matrix" and "1999". Other titles in brackets go, unless nothing is left. */
export function dated(name: string): { title: string; year: string } {
  const found = /^(.*\S)\s*\((\d{4})\)$/s.exec(name);
  if (!found) return { title: name, year: "" };
  const bare = found[1].replace(/\s*\([^()]*\)$/, "").replace(/\s*\([^()]*\)$/, "") || found[1];
  return { title: turned(bare), year: found[2] };
}

/** turned puts an article that stands behind a comma in front: "Bout de souffle, À" and "Seventh Seal, The". */
function turned(title: string): string {
  const found = /^(.+), (The|A|An|La|Le|Les|L'|Il|Lo|Gli|I|El|Los|Las|Un|Una|Une|Der|Die|Das|Ein|Eine|De|Het|En|Den|Det|À|O|Os|As)$/.exec(title);
  return found ? `${found[2]}${found[2].endsWith("'") ? "" : " "}${found[1]}` : title;
}

/** soft lets long words break between a vowel with a consonant and the next syllable: the narrowest tiles hold about seven letters. A name that has breaks of its own keeps to them. */
export function soft(title: string): string {
  if (title.includes("\u00ad")) return title;
  const halved = (word: string): string => word.slice(0, Math.ceil(word.length * 0.6)) + "\u00ad" + word.slice(Math.ceil(word.length * 0.6));
  return title.replace(/\p{L}{7,}/gu, (word) => {
    if (word.length < 10) return once(word) || (word.length < 9 ? word : halved(word));
    const broken = word.replace(/(?<=\p{L}{2}[aeiouyäöüáéíóúèà])([b-df-hj-np-tv-z]??)(?=(?:[tscp]h|[bcdfgkp][lr]|[b-dfgj-np-tv-z])[aeiouyäöüáéíóúèà]\p{L})/giu, "$1\u00ad");
    return broken === word ? halved(word) : broken;
  });
}

/** once lets a word of seven to nine letters break in one place, before a consonant and a vowel: after another consonant if there is such a place, and near the middle; "" if there is none. */
function once(word: string): string {
  let [at, best] = [0, -9];
  for (let i = 3; i <= word.length - 3; i++) {
    const pair = word.slice(i - 1, i + 1);
    if (!/^[b-df-hj-np-tv-z][aeiouy]/i.test(word.slice(i)) || /^([tscp]h|[bcdfgkpt][lr])$/i.test(pair)) continue;
    const worth = (/^[aeiouy]/i.test(pair) ? 0 : 2) - Math.abs(i - word.length / 2);
    if (worth > best) [at, best] = [i, worth];
  }
  return at ? `${word.slice(0, at)}\u00ad${word.slice(at)}` : "";
}

/** parted takes the number off the end of a title, which tells the parts of a series apart where there is room for little: "Back to the Future Part", " II". */
export function parted(title: string): [stem: string, tail: string] {
  const tail = /[^\d\s] +(?=([IVX]{1,4}|\d{1,2})$)/.exec(title);
  return tail && tail.index > 8 ? [title.slice(0, tail.index + 1), title.slice(tail.index + 1)] : [title, ""];
}

/** titleOf is what an item is called, and its year where it has one: "The Matrix", "1999". */
export function titleOf(item: Pick<Item, "name" | "emoji" | "year"> | undefined, id: string): { title: string; year: string } {
  const name = item?.name ?? (isOwn(id) ? ownName(id) : id);
  if (item?.emoji) return { title: name, year: "" };
  const { title, year } = dated(name);
  return { title: year ? title : turned(title), year: year || (item?.year ? String(item.year) : "") };
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
