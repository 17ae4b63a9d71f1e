// Files with lists in them, read and written. Every complaint says where, and what would be right.
import type { List } from "../types";
import { readCSV, uncalm, writeCSV, type Row } from "./csv";
import { cut, longestName, longestTitle } from "./list";
import { unzip } from "./zip";

/** Wanted is an item as a file names it: by id, by name, or both. */
export interface Wanted {
  id: string;
  name: string;
}

export interface ReadFile {
  title: string;
  tiers: { name: string; colour: string; items: Wanted[] }[];
  never: Wanted[];
  hidden: Wanted[];
}

/** No list is larger than this. */
export const largest = 20_000_000; // bytes
const mostRows = 5_000; // items, wherever they stand; the server ranks for no longer list
const mostTiers = 50;
const tooLong = `a list has at most ${mostRows.toLocaleString("en-GB")} items`;
const tooMany = `a list has at most ${mostTiers} tiers`;

const asked = 'a tiers file is {"tiers":[{"name":"S","items":["id"]}]} or [["id"],["id"]], a CSV has a header with item or name and tier or rating';

export function checkSize(name: string, bytes: number): void {
  if (bytes > largest) throw new Error(`${name} has ${Math.round(bytes / 1e6)} MB; a list has at most ${largest / 1e6} MB`);
}

/** readFile finds out what a file is by looking inside. */
export async function readFile(name: string, data: ArrayBuffer): Promise<ReadFile> {
  checkSize(name, data.byteLength);
  if (data.byteLength === 0) throw new Error(`${name} is empty; ${asked}`);
  const head = new Uint8Array(data, 0, Math.min(4, data.byteLength));
  if (head[0] === 0x50 && head[1] === 0x4b) return readLetterboxd(name, data);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    throw new Error(`${name} is not text; choose a JSON or CSV file, or a Letterboxd zip`);
  }
  if (text.includes("\0")) throw new Error(`${name} is not text; choose a JSON or CSV file, or a Letterboxd zip`);
  const start = text.replace(/^\ufeff/, "").trimStart();
  return start.startsWith("{") || start.startsWith("[") ? readTiers(name, start) : readTable(name, readRows(name, text));
}

const byId = (id: string): Wanted => ({ id, name: "" });

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
  const ids = (what: unknown, where: string): Wanted[] => {
    if (what === undefined || what === null) return [];
    if (!Array.isArray(what)) throw new Error(`${file}: ${where} is not a list of ids; ${asked}`);
    return what.map((id, i) => {
      if (typeof id !== "string" && typeof id !== "number") throw new Error(`${file}: ${where}[${i}] is not an id; ids are texts like "ramen"`);
      if (++rows > mostRows) throw new Error(`${file}: ${where}[${i}] is one item too many; ${tooLong}`);
      return byId(String(id));
    });
  };
  const object = (Array.isArray(value) ? { tiers: value } : value) as Record<string, unknown>;
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

function readRows(file: string, text: string): Row[] {
  try {
    return readCSV(text);
  } catch (error) {
    throw new Error(`${file}, ${(error as Error).message}`);
  }
}

const columns = {
  id: ["item", "item_id", "itemid", "movieid", "id"],
  name: ["name", "title"],
  year: ["year"],
  tier: ["tier"],
  tierName: ["tier_name"],
  rating: ["rating", "score", "value"],
};

/** stars names the tier of a rating; the number comes first, and short, for it is the tier's letter. */
const stars = (level: number): string => `${level > 0 && level % 1 === 0.5 ? `${Math.floor(level) || ""}½` : level} ★`;

/** readTable takes our own CSV (item,name,tier,tier_name) or one with ratings, where higher is better. */
function readTable(file: string, rows: Row[]): ReadFile {
  if (rows.length === 0) throw new Error(`${file} is empty; ${asked}`);
  const header = rows[0].cells.map((cell) => cell.toLowerCase());
  const column = (names: string[]): number => header.findIndex((cell) => names.includes(cell));
  const at = { id: column(columns.id), name: column(columns.name), year: column(columns.year), tier: column(columns.tier), tierName: column(columns.tierName), rating: column(columns.rating) };
  if ((at.id < 0 && at.name < 0) || (at.tier < 0 && at.rating < 0))
    throw new Error(`${file}, line 1: "${rows[0].cells.join(",").slice(0, 60)}" is no header we know; ${asked}`);
  if (rows.length - 1 > mostRows) throw new Error(`${file}, line ${rows[mostRows + 1].line}: one row too many; ${tooLong}`);
  const levels = new Map<number, { name: string; items: Wanted[] }>();
  for (const { line, cells } of rows.slice(1)) {
    if (cells.length < header.length) throw new Error(`${file}, line ${line}: ${cells.length} cells where the header has ${header.length}`);
    const text = cells[at.tier >= 0 ? at.tier : at.rating];
    if (text === "" && at.tier < 0) continue; // watched, not rated
    const level = Number(text);
    if (text === "" || !Number.isFinite(level)) throw new Error(`${file}, line ${line}: "${text}" is not a number; ${at.tier >= 0 ? "tier is 1 for the best" : "a rating is a number"}`);
    const key = at.tier >= 0 ? -level : level;
    const year = at.year >= 0 && cells[at.year] ? ` (${cells[at.year]})` : "";
    const wanted = { id: at.id >= 0 ? uncalm(cells[at.id]) : "", name: at.name >= 0 ? uncalm(cells[at.name]) + year : "" };
    let tier = levels.get(key);
    if (!tier) {
      if (levels.size === mostTiers) throw new Error(`${file}, line ${line}: more than ${mostTiers} different ${at.tier >= 0 ? "tiers" : "ratings"}; ${tooMany}`);
      tier = { name: at.tierName >= 0 ? cut(uncalm(cells[at.tierName]), longestName) : at.tier >= 0 ? "" : stars(level), items: [] };
      levels.set(key, tier);
    }
    tier.items.push(wanted);
  }
  const best = [...levels.keys()].sort((a, b) => b - a);
  return { title: "", tiers: best.map((key) => ({ ...levels.get(key)!, colour: "" })), never: [], hidden: [] };
}

async function readLetterboxd(file: string, data: ArrayBuffer): Promise<ReadFile> {
  const files = await unzip(data, (name) => /(^|\/)ratings\.csv$/.test(name) && !/(^|\/)(deleted|orphaned)\//.test(name)).catch((error: Error) => {
    throw new Error(`${file}: ${error.message}`);
  });
  if (files.length === 0) throw new Error(`${file} holds no ratings.csv; choose the zip that Letterboxd exports under Settings, Data`);
  return readTable("ratings.csv", readRows("ratings.csv", files[0].text));
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
