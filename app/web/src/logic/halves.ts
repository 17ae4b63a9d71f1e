// Calibration in words: what we said and what happened, below one half and from there up.
import type { Bin } from "../types";

/** Half is all predictions on one side of 50%. */
export interface Half {
  count: number;
  said: number; // mean of the odds
  observed: number; // share that happened
  verdict: "fits" | "high" | "low" | "few"; // few: the difference may be chance
}

const point = 0.01; // a difference that is worth a word

/** halvesOf pools bins below 50% and from 50% up; a side without predictions is null. A bin of tenths has its mean on its own side. */
export function halvesOf(bins: Bin[]): [Half | null, Half | null] {
  return [pool(bins.filter((bin) => bin.p < 0.5)), pool(bins.filter((bin) => bin.p >= 0.5))];
}

function pool(bins: Bin[]): Half | null {
  const count = bins.reduce((n, bin) => n + bin.count, 0);
  if (count === 0) return null;
  const mean = (of: (bin: Bin) => number): number => bins.reduce((sum, bin) => sum + of(bin) * bin.count, 0) / count;
  const said = mean((bin) => bin.p);
  const observed = mean((bin) => bin.observed);
  const off = said - observed;
  // Were the odds true and what happens independent, the share that happens would stray from their mean by this much in 95 of 100 cases.
  const chance = 1.96 * Math.sqrt(mean((bin) => bin.p * (1 - bin.p)) / count);
  const verdict = Math.abs(off) < point ? "fits" : Math.abs(off) <= chance ? "few" : off > 0 ? "high" : "low";
  return { count, said, observed, verdict };
}

/** halfWords is a half in a sentence, after the words that name it. */
export function halfWords(name: string, { count, said, observed, verdict }: Half): string {
  const percent = (p: number): string => `${Math.round(p * 100)}%`;
  const points = Math.abs(Math.round(said * 100) - Math.round(observed * 100)); // of the numbers as they are read
  const off = `${points} point${points === 1 ? "" : "s"}`;
  const end = { fits: "that fits", high: `too high by ${off}`, low: `too low by ${off}`, few: `${off} apart, which may be chance` }[verdict];
  return `${name} we said ${percent(said)} on average and it happened ${percent(observed)} of the time, over ${count.toLocaleString("en-GB")}: ${end}.`;
}
