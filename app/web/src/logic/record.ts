// The track record: what we had said about items before the person placed them blind.

export interface Entry {
  item: string;
  name: string;
  put: string; // where the person put it
  said: string; // our most likely place
  p: number; // the probability we gave it
  right: boolean;
}

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
