// Files with lists in them: the page's own JSON read and written, and CSV written. The server reads all others.
import type { List } from "../types";
import { writeCSV } from "./csv";
import { cut, longestName, longestTitle } from "./list";

export interface ReadFile {
  title: string;
  tiers: { name: string; colour: string; items: string[] }[];
  never: string[];
  hidden: string[];
}

/** No list is larger than this. */
export const largest = 16_000_000; // bytes
export const mostRows = 5_000; // items, wherever they stand; the server ranks for no longer list
const mostTiers = 50;
const tooLong = `a list has at most ${mostRows.toLocaleString("en-GB")} items`;
const tooMany = `a list has at most ${mostTiers} tiers`;

const asked = 'a tiers file is {"tiers":[{"name":"S","items":["id"]}]}';

export function checkSize(name: string, bytes: number): void {
  if (bytes > largest) throw new Error(`${name} has ${Math.round(bytes / 1e6)} MB; a list has at most ${largest / 1e6} MB`);
}

/** readOwn reads the page's own JSON, with names, colours and hidden items; null for another file, which the server reads. */
export function readOwn(name: string, text: string): ReadFile | null {
  const start = text.replace(/^\ufeff/, "").trimStart();
  return /^\{\s*"(note|title|tiers|unranked)"\s*:/.test(start) && start.includes('"tiers"') ? readTiers(name, start) : null;
}

function readTiers(file: string, text: string): ReadFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const at = /position (\d+)/.exec(String(error))?.[1];
    const line = at ? text.slice(0, Number(at)).split("\n").length : text.split("\n").length;
    throw new Error(`${file}, line ${line}: this is not JSON; ${asked}`);
  }
  let rows = 0;
  const ids = (what: unknown, where: string): string[] => {
    if (what === undefined || what === null) return [];
    if (!Array.isArray(what)) throw new Error(`${file}: ${where} is not a list of ids; ${asked}`);
    return what.map((id, i) => {
      if (typeof id !== "string" && typeof id !== "number") throw new Error(`${file}: ${where}[${i}] is not an id; ids are texts like "ramen"`);
      if (++rows > mostRows) throw new Error(`${file}: ${where}[${i}] is one item too many; ${tooLong}`);
      return String(id);
    });
  };
  const object = value as Record<string, unknown>;
  if (!Array.isArray(object.tiers)) throw new Error(`${file}: "tiers" is missing; ${asked}`);
  if (object.tiers.length > mostTiers) throw new Error(`${file}: tiers[${mostTiers}] is one tier too many; ${tooMany}`);
  const tiers = object.tiers.map((tier: unknown, i) => {
    if (Array.isArray(tier)) return { name: "", colour: "", items: ids(tier, `tiers[${i}]`) };
    if (typeof tier !== "object" || tier === null) throw new Error(`${file}: tiers[${i}] is not a tier; ${asked}`);
    const { name, colour, items } = tier as Record<string, unknown>;
    return {
      name: typeof name === "string" ? cut(name, longestName) : "",
      colour: typeof colour === "string" ? colour : "",
      items: ids(items, `tiers[${i}].items`),
    };
  });
  return { title: typeof object.title === "string" ? cut(object.title, longestTitle) : "", tiers, never: ids(object.never, "never"), hidden: ids(object.hidden, "hidden") };
}

/** tiersJSON is the tiers file of the command line, with what the page knows beside. */
export function tiersJSON(list: List, note: string): string {
  const body = {
    ...(note ? { note } : {}),
    title: list.title,
    tiers: list.tiers.map(({ name, colour, items }) => ({ name, colour, items })),
    never: list.never,
    hidden: list.hidden,
  };
  return JSON.stringify(body, null, 2) + "\n";
}

export function tiersCSV(list: List, nameOf: (item: string) => string): string {
  const rows = list.tiers.flatMap((tier, i) => tier.items.map((item) => [item, nameOf(item), i + 1, tier.name]));
  return writeCSV([["item", "name", "tier", "tier_name"], ...rows]);
}
