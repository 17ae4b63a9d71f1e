// What the page of a fit knows. Nothing of the fit can be changed: only what is shown.
import { firstRows, nameOf, type BoardItem, type Marks, type PairReport, type Pairs, type Report, type ScaleName } from "../logic/board";
import { matches } from "../logic/fold";
import { groups } from "../logic/pairs";
import type { ModelFacts } from "../types";
import { say } from "../app/announce";
import { Store } from "../app/state";
import { keep, recall } from "../app/storage";

export type View = "board" | "pairs" | "fit";

interface Settings {
  theme?: "" | "light" | "dark";
  letters?: boolean;
}

export interface Shown extends Marks {
  view: View;
  report: Report | null;
  level: number; // asked for; 0 for that of the fit
  scale: ScaleName;
  pair: PairReport | null; // of the two marks, in either order
  pairs: Pairs | null;
  noPairs: string; // why there are none
  model: ModelFacts | null;
  net: "first" | "ok" | "updating" | "error" | "none" | "locked"; // none: the server has no board
  all: boolean; // all rows, not only the first tiers
  query: string;
  at: string; // of what is found, the one that the search stands on
  taste: number; // which taste stands beside the first; 0 for none
  theme: "" | "light" | "dark";
  systemDark: boolean;
  width: "wide" | "middle" | "phone";
  letters: boolean;
  menu: boolean;
  dialog: "" | "keys" | "key";
  refused: boolean; // the key of this tab is good no longer
  toast: string;
}

const settings = recall<Settings>("settings") ?? {};

export const store = new Store<Shown>({
  view: "board", report: null, level: 0, scale: "worth", a: "", b: "", pair: null, pairs: null, noPairs: "", model: null, net: "first", all: false, query: "", at: "", taste: 0,
  theme: settings.theme ?? "", systemDark: false, width: "wide", letters: settings.letters ?? true, menu: false, dialog: "", refused: false, toast: "",
});

/** changeSettings changes what the device remembers, beside what the page of lists keeps there. */
export function changeSettings(change: Settings): void {
  store.set(change);
  keep("settings", { ...recall<object>("settings"), ...change });
}

export const percent = (share: number): string => `${Number((100 * share).toFixed(2))}%`;

export const tiersIn = (report: Report): number => report.items.at(-1)?.tier ?? 0;

export const itemOf = (s: Shown, id: string): BoardItem | undefined => s.report?.items.find((item) => item.item === id);

/** shownRows is how many rows are drawn. */
export const shownRows = (s: Shown): number => (s.all ? s.report!.items.length : firstRows(s.report!.items));

export const found = (s: Shown): BoardItem[] => (s.query.trim() ? s.report!.items.filter((item) => matches(nameOf(item), s.query)) : []);

/** warning says what votes alone leave open, and the remedy; "" if nothing, or where it is not known. */
export function warning(s: Shown): string {
  if (!s.pairs || !s.report || s.report.items.length > 400) return "";
  const { groups: apart, met } = groups(s.report.items.length, s.pairs.counted);
  if (apart.length < 2) return "";
  const named = (group: number[]): string => `${group.slice(0, 2).map((i) => nameOf(s.report!.items[i])).join(", ")}${group.length > 2 ? ` and ${group.length - 2} more` : ""}`;
  const list = `${apart.slice(0, 3).map(named).join("; ")}${apart.length > 3 ? `; and ${apart.length - 3} more groups` : ""}`;
  return met
    ? `Votes do not say how far these groups are apart, because one always won: ${list}. The prior says it. Remedy: more votes between the groups.`
    : `No vote compares these groups: ${list}. Only the prior puts them on one scale. Remedy: votes between the groups; until then, read each on its own.`;
}

let toasts = 0;

export function toast(text: string): void {
  store.set({ toast: text });
  say(text);
  clearTimeout(toasts);
  toasts = window.setTimeout(() => store.set({ toast: "" }), 6000);
}

/** follow writes what is shown into the address, so that a link to the page shows the same. */
export function follow(): void {
  const { view, level, scale, a, b } = store.state;
  const query = new URLSearchParams();
  if (level) query.set("level", String(level));
  if (scale !== "worth") query.set("scale", scale);
  if (b) {
    query.set("a", a);
    query.set("b", b);
  }
  history.replaceState(null, "", `#/${view === "board" ? "" : view}${query.size ? `?${query}` : ""}`);
}
