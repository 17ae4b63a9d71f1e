// The track record: what we had said about items before the person placed them blind.
import { percentText } from "./odds";

export interface Entry {
  item: string;
  name: string;
  put: string; // where the person put it
  said: string; // our most likely place
  p: number; // the probability we gave it
  right: boolean;
}

/** Said is what we had said of an item that was just placed; it counts if our guess had not been on the screen. */
export interface Said extends Entry {
  percent: number;
  counts: boolean;
}

/** saidWords is that in a sentence. */
export const saidWords = ({ name, put, said, percent, counts }: Said): string =>
  `${name}: you put ${put}. We had said ${said}, ${percentText(percent)}.${counts ? "" : " You had seen it, so it does not count."}`;

/** kept is how many the device remembers; shown is how many ticks there are. */
export const kept = 500;
export const shown = 20;

export function summary(entries: Entry[]): { right: number; of: number; expected: number } {
  return {
    right: entries.filter((entry) => entry.right).length,
    of: entries.length,
    expected: entries.reduce((sum, entry) => sum + entry.p, 0),
  };
}

/** note adds an entry; an item counts once, with its newest. */
export function note(entries: Entry[], entry: Entry): Entry[] {
  return [...entries.filter((old) => old.item !== entry.item), entry].slice(-kept);
}
