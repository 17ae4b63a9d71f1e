// The rows of a why card, in whole hundredths, so that they add up to what is printed.
import type { Explanation, List, Part } from "../types";
import { plain, shortTier } from "./names";
import { count } from "./words";

export interface WhyRow {
  key: string;
  item: string; // empty for rows that are not about one item
  text: string;
  hundredths: number;
}

/** So many placements get a row of their own: in the table of the score, and in the smaller one of the pick. */
export const own = 4;
export const ownOfPick = 3;

type NameOf = (item: string) => string;

const largestFirst = (parts: Part[]): Part[] => [...parts].sort((a, b) => Math.abs(b.part) - Math.abs(a.part) || (a.item < b.item ? -1 : 1));

const sum = (rows: WhyRow[]): number => rows.reduce((total, row) => total + row.hundredths, 0);

/** rowOf is the row of a placement. The name stands between isolates, so that one written from right to left does not turn the row around. */
function rowOf({ item }: Part, hundredths: number, list: List, nameOf: NameOf): WhyRow {
  const tier = list.tiers.find((t) => t.items.includes(item));
  const where = tier ? ` in ${shortTier(tier.name)}` : "";
  return { key: item, item, text: `\u2068${plain(nameOf(item))}\u2069${where}`, hundredths };
}

const restOf = (n: number, hundredths: number): WhyRow => ({ key: " rest", item: "", text: count(n, "other placement"), hundredths });

/** whyRows lists the largest effects first; the row of the others takes up what rounding leaves. */
export function whyRows(e: Explanation, list: List, nameOf: NameOf): { rows: WhyRow[]; score: number } {
  const whole = (x: number): number => Math.round(x * 100);
  const score = whole(e.sum);
  const rows = largestFirst(e.parts).slice(0, own).map((part) => rowOf(part, whole(part.part), list, nameOf));
  const base: WhyRow = { key: " base", item: "", text: "What most people think", hundredths: whole(e.base) };
  const ties: WhyRow = { key: " ties", item: "", text: "How you tie things", hundredths: whole(e.ties) };
  const tail = ties.hundredths === 0 ? [base] : [ties, base];
  const rest = e.parts.length - rows.length;
  const left = score - sum([...rows, ...tail]);
  if (rest > 0) rows.push(restOf(rest, left));
  else base.hundredths += left;
  return { rows: [...rows, ...tail], score };
}

/** pickRows are the shares of placements in what speaks for a pick, in percent, and add up to 100. There are none where nothing speaks for it on the whole, or no placement by itself. */
export function pickRows(parts: Part[], list: List, nameOf: NameOf): WhyRow[] {
  const total = parts.reduce((all, { part }) => all + part, 0);
  if (!(total > 0)) return [];
  const percent = (x: number): number => Math.round((x / total) * 100);
  const shown = largestFirst(parts).slice(0, ownOfPick).filter(({ part }) => percent(part) !== 0);
  if (shown.length === 0) return [];
  const rows = shown.map((part) => rowOf(part, percent(part.part), list, nameOf));
  const others = total - shown.reduce((all, { part }) => all + part, 0);
  if (parts.length > rows.length) rows.push(restOf(parts.length - rows.length, percent(others)));
  rows[0].hundredths += 100 - sum(rows); // what rounding leaves
  return rows;
}
