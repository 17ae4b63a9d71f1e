// The drawn picture of an item that has none: paper and one motif, by its group.
import type { Item } from "../types";

/** Motifs, anchored at the bottom of 70 by 78. They tell groups apart without hue. */
const motifs = {
  animation: "M4 74a12 12 0 1 0 24 0a12 12 0 1 0-24 0ZM26 62a17 17 0 1 0 34 0a17 17 0 1 0-34 0ZM54 76a8 8 0 1 0 16 0a8 8 0 1 0-16 0Z",
  western: "M0 78V66h10V54h16v12h12V44h20v22h12v12Z",
  horror: "M0 78V60l7 9 6-15 8 13 7-19 8 20 7-13 7 12 8-18 6 12 6-9v26Z",
  scifi: "M33 60a14 14 0 1 0 28 0a14 14 0 1 0-28 0ZM10 69q30 6 60-25l0 7q-28 28-60 24ZM9 50a3 3 0 1 0 6 0a3 3 0 1 0-6 0ZM19 39a2 2 0 1 0 4 0a2 2 0 1 0-4 0Z",
  musical: "M6 78V58h8v20ZM20 78V46h8v32ZM34 78V62h8v16ZM48 78V40h8v38ZM62 78V54h8v24Z",
  crime: "M0 78 44 34h12L12 78ZM24 78 68 34h2v10L36 78ZM48 78 70 56v12L60 78Z",
  mystery: "M26 60a26 26 0 1 0 52 0a26 26 0 1 0-52 0ZM34 60a18 18 0 1 1 36 0a18 18 0 1 1-36 0ZM43 60a9 9 0 1 0 18 0a9 9 0 1 0-18 0Z",
  adventure: "M0 78 20 50l11 15L48 42l22 30v6Z",
  action: "M0 58 70 42v9L0 67ZM0 73 70 57v9L9 78H0ZM40 78l30-7v7Z",
  comedy: "M9 78a26 26 0 0 1 52 0Z",
  romance: "M12 62a14 14 0 1 0 28 0a14 14 0 1 0-28 0ZM30 62a14 14 0 1 1 28 0a14 14 0 1 1-28 0Z",
  war: "M0 62 35 46 70 62v9L35 55 0 71ZM0 78 35 62 70 78H50L35 71 20 78Z",
  fantasy: "M58 36a22 22 0 1 0 8 34a26 26 0 0 1-8-34ZM22 42l2 5 5 2-5 2-2 5-2-5-5-2 5-2Z",
  drama: "M0 78V64q17-12 35-3t35-5v22Z",
} as const;

export type Paper = keyof typeof motifs;

/** order is which group of an item decides; names are those of MovieLens and IMDb. */
const order: [string, Paper][] = [
  ["Animation", "animation"], ["Western", "western"], ["Horror", "horror"], ["Sci-Fi", "scifi"], ["Musical", "musical"], ["Music", "musical"],
  ["Crime", "crime"], ["Film-Noir", "crime"], ["Mystery", "mystery"], ["Adventure", "adventure"], ["Action", "action"], ["Comedy", "comedy"],
  ["Romance", "romance"], ["War", "war"], ["Fantasy", "fantasy"], ["Thriller", "mystery"], ["Children", "animation"], ["Children's", "animation"],
  ["Family", "animation"], ["Drama", "drama"],
];

const papers = Object.keys(motifs) as Paper[];

/** paperOf is an item's paper: its first group in the order above; of other catalogues by the group's name; "" where it has no group. */
export function paperOf(item: Pick<Item, "group" | "groups"> | undefined): Paper | "" {
  const groups = item?.groups ?? (item?.group ? [item.group] : []);
  if (groups.length === 0) return "";
  const found = order.find(([group]) => groups.includes(group));
  if (found) return found[1];
  let sum = 0;
  for (const letter of groups[0]) sum = (sum * 31 + letter.codePointAt(0)!) % 9973;
  return papers[sum % papers.length];
}

export const motifOf = (paper: Paper): string => motifs[paper];
