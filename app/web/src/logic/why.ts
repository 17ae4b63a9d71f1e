// The rows of a why card, in whole hundredths, so that they add up to the printed score.
import type { Explanation, List } from "../types";
import { plain, shortTier } from "./names";
import { count } from "./words";

export interface WhyRow {
  key: string;
  item: string; // empty for rows that are not about one item
  text: string;
  hundredths: number;
}

/** So many placements get a row of their own. */
export const own = 4;

/** whyRows lists the largest effects first; the row of the others takes up what rounding leaves. */
export function whyRows(e: Explanation, list: List, nameOf: (item: string) => string): { rows: WhyRow[]; score: number } {
  const whole = (x: number): number => Math.round(x * 100);
  const score = whole(e.sum);
  const parts = [...e.parts].sort((a, b) => Math.abs(b.part) - Math.abs(a.part) || (a.item < b.item ? -1 : 1));
  // The name stands between isolates, so that one written from right to left does not turn the row around.
  const rows: WhyRow[] = parts.slice(0, own).map((part) => {
    const tier = list.tiers.find((t) => t.items.includes(part.item));
    const where = tier ? ` in ${shortTier(tier.name)}` : "";
    return { key: part.item, item: part.item, text: `\u2068${plain(nameOf(part.item))}\u2069${where}`, hundredths: whole(part.part) };
  });
  const base: WhyRow = { key: " base", item: "", text: "What most people think", hundredths: whole(e.base) };
  const ties: WhyRow = { key: " ties", item: "", text: "How you tie things", hundredths: whole(e.ties) };
  const tail = ties.hundredths === 0 ? [base] : [ties, base];
  const rest = parts.length - rows.length;
  const left = score - [...rows, ...tail].reduce((sum, row) => sum + row.hundredths, 0);
  if (rest > 0) rows.push({ key: " rest", item: "", text: count(rest, "other placement"), hundredths: left });
  else base.hundredths += left;
  return { rows: [...rows, ...tail], score };
}
