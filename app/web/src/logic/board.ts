// The board of a fit to votes: what is drawn of it, computed without a browser. The server has fitted everything; here
// it is put on a scale, on an axis, and into words.
import { shareOut } from "./odds";

/** BoardItem is a row of the board, best first. */
export interface BoardItem {
  item: string;
  name: string | null;
  worth: number;
  std_err: number;
  low: number;
  high: number;
  quasi: number;
  rank: number;
  rank_low: number;
  rank_high: number;
  tier: number;
  tie?: number;
  tie_std_err?: number;
}

export interface Taste {
  share: number;
  raters: number;
  worths: { worth: number; std_err: number; apart: boolean }[]; // in the order of the items
}

export interface Influence {
  top: number;
  moved: number;
  first: string;
  second: string;
  votes: number | null;
  fewest: boolean; // one less would not turn them
  lists: { tiers: string[][]; weight: number; effect: number }[] | null;
}

/** Report is a fitted board, as GET /v1/board sends it. */
export interface Report {
  source?: string;
  items: BoardItem[];
  nu: number | null;
  log_likelihood: number | null;
  mean_nll: number | null;
  slot_nll?: number;
  likelihood: string;
  mean_nll_std_err?: number;
  lists: number;
  weight: number;
  tied: number;
  ties: string;
  space: string;
  parameters: number;
  deviance?: number;
  degrees?: number;
  ties_observed: number;
  ties_expected: number;
  errors: string;
  level: number;
  critical: number;
  prior?: number;
  coefficients: { name: string; value: number; std_err: number }[];
  raters?: { rater: string; reliability: number; std_err?: number }[];
  tastes?: { groups: Taste[]; gain: number; std_err: number; one_board_is_enough: boolean } | null;
  influence?: Influence | null;
}

/** PairReport is two items against one another. */
export interface PairReport {
  a: string;
  b: string;
  fitted: [number, number, number]; // A above B, a tie, B above A, in a vote on the two alone
  difference: number;
  std_err: number;
  apart: boolean;
  counted?: [number, number, number] | null;
  expected?: [number, number, number] | null; // of counted, in the same votes; files of older programs have none
  p?: number | null;
}

/** Pairs is every pair: fitted probabilities of a vote on the two alone, row by row, and the votes of those that met. */
export interface Pairs {
  items: string[];
  win: number[];
  tie: number[];
  counted: [number, number, number, number, number][]; // i, j, wins of i, ties, losses of i
  expected?: [number, number, number][]; // in the same votes, in the order of counted
}

/** elsewhere is whether what is expected in the votes that were counted has other shares than a vote on the two alone. */
export function elsewhere(expected: readonly number[], fitted: readonly number[]): boolean {
  const sum = expected.reduce((x, y) => x + y, 0);
  return expected.some((v, side) => Math.abs(v / sum - fitted[side]) > 0.005);
}

export const nameOf = (item: BoardItem): string => item.name || item.item;

/** A Scale is how worths are shown. All of them keep the order. */
export interface Scale {
  name: string;
  at: (worth: number) => number; // where a worth lies on the axis
  text: (value: number) => string; // a place on the axis in words
  error: (half: number) => string; // half an interval on the axis
  tick: (value: number, step: number) => string;
}

export type ScaleName = "worth" | "elo" | "chance";

const minus = (text: string): string => text.replace("-", "−");
const fixed = (value: number, digits: number): string => minus(value.toFixed(digits).replace(/^-(0\.?0*)$/, "$1"));
const decimals = (step: number): number => Math.max(0, -Math.floor(Math.log10(step) + 1e-9));

/**
 * scales are the three of the page. Elo's has 400 points for odds of 10 to 1 and a mean of 1000; the chance is that of a win
 * rather than a loss against an item of mean worth, which is 0.
 */
export const scales: Record<ScaleName, Scale> = {
  worth: { name: "Worth", at: (w) => w, text: (v) => fixed(v, 2), error: (h) => `±${h.toFixed(2)}`, tick: (v, step) => fixed(v, decimals(step)) },
  elo: { name: "Elo", at: (w) => 1000 + (400 / Math.LN10) * w, text: (v) => fixed(v, 0), error: (h) => `±${h.toFixed(0)}`, tick: (v, step) => fixed(v, decimals(step)) },
  chance: { name: "Chance against the middle", at: (w) => 100 / (1 + Math.exp(-w)), text: (v) => `${v.toFixed(1)}%`, error: (h) => `±${h.toFixed(1)}`, tick: (v, step) => `${fixed(v, decimals(step))}%` },
};

/** rankText is the interval of a rank: "3", "5–8". */
export const rankText = (low: number, high: number): string => (low === high ? String(low) : `${low}–${high}`);

/** firstRows is how many rows are shown at first: whole tiers, about a screen of them. */
export function firstRows(items: BoardItem[], most = 19): number {
  if (items.length <= most + 4) return items.length; // the rest would not be worth a button
  for (let n = most; n > most / 2; n--) if (items[n - 1].tier !== items[n].tier) return n;
  return most;
}

/** bands are the tiers among the first n rows: where each begins, and how many rows it has there. */
export function bands(items: BoardItem[], n: number): { tier: number; from: number; rows: number }[] {
  const out: { tier: number; from: number; rows: number }[] = [];
  for (let i = 0; i < n; i++) {
    const last = out.at(-1);
    if (last?.tier === items[i].tier) last.rows++;
    else out.push({ tier: items[i].tier, from: i, rows: 1 });
  }
  return out;
}

/** reaching is the first of n rows whose rank may lie outside the ranks of its tier, or none. */
export function reaching(items: BoardItem[], n: number): BoardItem | undefined {
  for (const band of bands(items, items.length)) {
    if (band.from >= n) break;
    for (let i = band.from; i < Math.min(n, band.from + band.rows); i++) if (items[i].rank_low < band.from + 1 || items[i].rank_high > band.from + band.rows) return items[i];
  }
  return undefined;
}

/** Axis is one for all rows: percents of its length for values, and round ticks. */
export interface Axis {
  percent: (value: number) => number;
  ticks: number[];
  step: number;
}

export function axisOf(values: number[], most: number): Axis {
  let low = Math.min(...values);
  let high = Math.max(...values);
  if (!(high > low)) [low, high] = [low - 0.5, high + 0.5];
  const margin = (high - low) * 0.04;
  low -= margin;
  high += margin;
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * (1 - 1e-9)) ?? 10 * power;
  const ticks: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) ticks.push(k * step);
  return { percent: (value) => (100 * (value - low)) / (high - low), ticks, step };
}

/** Marks are the two items of a pair; "" where one is not chosen. */
export interface Marks {
  a: string;
  b: string;
}

/** marked puts the next mark on an item: A first, then B, then A anew. A mark alone is taken off by its own item. */
export function marked({ a, b }: Marks, item: string): Marks {
  if (a === item && !b) return { a: "", b: "" };
  if (a && !b) return { a, b: item };
  return { a: item, b: "" };
}

/** shares are whole percents that add up to 100. */
export const shares = (parts: readonly number[]): number[] => shareOut([...parts], 100);

/** probability writes the p of a test. */
export const probability = (p: number): string => (p < 0.001 ? "p below 0.001" : `p ${p < 0.1 ? p.toPrecision(1) : p.toFixed(2)}`);

/** farOff is below which p a pair counts as off: one pair in a hundred of a true fit is. */
export const farOff = 0.01;

/** titleOf makes a title of the name of a file. */
export function titleOf(source: string | undefined): string {
  const words = (source ?? "").replace(/^.*[/\\]/, "").replace(/(\.[A-Za-z0-9]{1,5}){1,2}$/, "").replace(/[_-]+/g, " ").trim();
  return words && words.toLowerCase() !== "votes" ? `${words[0].toUpperCase()}${words.slice(1)}, ranked by votes` : "Ranked by votes";
}
