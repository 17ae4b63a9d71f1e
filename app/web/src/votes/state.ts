// What the page of a fit knows, and what changes it. Nothing of the fit can be changed: only what is shown.
import { firstRows, groups, marked, nameOf, rankText, scales, type BoardItem, type Marks, type PairReport, type Pairs, type Report, type ScaleName } from "../logic/board";
import { matches } from "../logic/fold";
import type { ModelFacts } from "../types";
import { say } from "../app/announce";
import { bearer, Failure, send, wrongKey } from "../app/request";
import { Store } from "../app/state";
import { keep, recall, tabValue } from "../app/storage";

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

const key = (): string => tabValue.get("key");

async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const mine = key();
  return (await (await send(path, mine ? bearer(mine, signal) : { signal })).json()) as T;
}

/** unlock tries a key, and starts the page with it if the server takes it. It returns what is wrong, or "". */
export async function unlock(given: string): Promise<string> {
  const wrong = await wrongKey(given);
  if (wrong) return wrong;
  tabValue.set("key", given);
  load();
  return "";
}

export const keyed = (): boolean => key() !== "";

export function forgetKey(): void {
  tabValue.remove("key");
  location.reload();
}

function failed(error: unknown): void {
  if (!(error instanceof Failure)) return; // given up for a newer question
  if (error.status === 401) {
    store.set({ net: "locked", dialog: "key", refused: keyed() });
    tabValue.remove("key");
  } else store.set({ net: error.status === 404 ? "none" : "error" });
}

/** load fetches everything that the page shows at first. */
export function load(): void {
  void get<ModelFacts>("/v1/model").then((model) => store.set({ model }), () => undefined); // the board says what is wrong
  void loadBoard();
}

let asking: AbortController | null = null;

/** loadBoard fetches the board at the level asked for; an older question is given up. */
export async function loadBoard(): Promise<void> {
  asking?.abort();
  const mine = (asking = new AbortController());
  const { level, report: before } = store.state;
  if (before) store.set({ net: "updating" });
  try {
    const report = await get<Report>(`/v1/board${level ? `?level=${level}` : ""}`, mine.signal);
    const known = new Set(report.items.map((item) => item.item));
    const { a, b } = store.state;
    const taste = before ? store.state.taste : report.tastes && report.tastes.groups.length > 1 && !report.tastes.one_board_is_enough ? 1 : 0;
    store.set({ report, net: "ok", taste, a: known.has(a) ? a : "", b: known.has(b) ? b : "" });
    if (before) say(`Level ${percent(report.level)}. ${tiersIn(report)} tiers.`);
    else if (!a) mark({ a: report.items[0].item, b: report.items[1]?.item ?? "" });
    if (store.state.b && !store.state.pair) void loadPair();
    if (report.prior) void loadPairs(); // without one, votes alone have put everything on one scale
    follow();
  } catch (error) {
    failed(error);
  }
}

export const percent = (share: number): string => `${Number((100 * share).toFixed(2))}%`;

export const tiersIn = (report: Report): number => report.items.at(-1)?.tier ?? 0;

async function loadPair(): Promise<void> {
  const { a, b } = store.state;
  store.set({ pair: null });
  if (!a || !b) return;
  try {
    const pair = await get<PairReport>(`/v1/board/pair?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`);
    if (store.state.a === a && store.state.b === b) store.set({ pair });
  } catch (error) {
    failed(error);
  }
}

let pairsAsked = false;

/** loadPairs fetches every pair, once. */
export async function loadPairs(): Promise<void> {
  if (pairsAsked) return;
  pairsAsked = true;
  store.set({ noPairs: "" });
  try {
    const got = await get<Pairs>("/v1/board/pairs");
    store.set({ pairs: inOrder(got, store.state.report!) });
  } catch (error) {
    pairsAsked = false;
    if (error instanceof Failure && error.status !== 401) store.set({ noPairs: error.status === 0 ? "The server does not answer." : `${error.message}.` });
    else failed(error);
  }
}

/** inOrder puts the items of all pairs into the order of the board. */
function inOrder(pairs: Pairs, report: Report): Pairs {
  const from = new Map(pairs.items.map((item, i) => [item, i]));
  const order = report.items.map(({ item }) => from.get(item)!);
  const place = new Map(order.map((old, i) => [old, i]));
  const n = pairs.items.length;
  const moved = (values: number[]): number[] => order.flatMap((i) => order.map((j) => values[i * n + j]));
  return { items: report.items.map(({ item }) => item), win: moved(pairs.win), tie: moved(pairs.tie), counted: pairs.counted.map(([old, other, wins, ties, losses]) => {
    const [i, j] = [place.get(old)!, place.get(other)!];
    return i < j ? [i, j, wins, ties, losses] : [j, i, losses, ties, wins]; // the better one first
  }) };
}

/** mark chooses a pair. */
export function mark(to: Marks): void {
  store.set(to);
  void loadPair();
  follow();
}

export const itemOf = (s: Shown, id: string): BoardItem | undefined => s.report?.items.find((item) => item.item === id);

/** markNext puts the next mark on an item, and says which. */
export function markNext(id: string): void {
  const s = store.state;
  const to = marked(s, id);
  mark(to);
  const name = (item: string): string => nameOf(itemOf(s, item)!);
  say(to.b ? `${name(to.a)} is A, ${name(to.b)} is B.` : to.a ? `${name(to.a)} is A. Choose B.` : "No pair chosen.");
}

export function swap(): void {
  const { a, b } = store.state;
  if (!b) return;
  mark({ a: b, b: a });
  say(`Swapped: ${nameOf(itemOf(store.state, b)!)} is A, ${nameOf(itemOf(store.state, a)!)} is B.`);
}

/** shownRows is how many rows are drawn. */
export const shownRows = (s: Shown): number => (s.all ? s.report!.items.length : firstRows(s.report!.items));

export const found = (s: Shown): BoardItem[] => (s.query.trim() ? s.report!.items.filter((item) => matches(nameOf(item), s.query)) : []);

/** search marks what is found, without leaving anything out, and scrolls to the first. */
export function search(query: string): void {
  store.set({ query, at: "" });
  if (!query.trim()) return;
  const hits = found(store.state);
  if (hits.length === 0) say("Nothing found.");
  else stand(hits[0], `${hits.length} found. `);
}

/** searchOn goes to the next that is found. */
export function searchOn(): void {
  const hits = found(store.state);
  const next = hits[(hits.findIndex((item) => item.item === store.state.at) + 1) % hits.length];
  if (next) stand(next, "");
}

function stand(on: BoardItem, before: string): void {
  store.set({ at: on.item });
  say(`${before}${nameOf(on)}, rank ${rankText(on.rank_low, on.rank_high)}, tier ${on.tier}.`);
  show(on.item);
}

/** show scrolls to a row, which is drawn if it was not. */
function show(id: string): void {
  const s = store.state;
  if (!s.all && s.report!.items.findIndex((item) => item.item === id) >= shownRows(s)) store.set({ all: true });
  requestAnimationFrame(() => {
    document.querySelector(`.voteRow[data-item="${CSS.escape(id)}"]`)?.scrollIntoView({ block: "center" });
  });
}

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

/** go shows what the address says. */
export function go(): void {
  const [path, text = ""] = location.hash.replace(/^#\//, "").split("?");
  const query = new URLSearchParams(text);
  const level = Number(query.get("level"));
  const scale = query.get("scale") ?? "";
  const was = store.state;
  store.set({ view: path === "pairs" || path === "fit" ? path : "board", menu: false });
  if (query.size > 0) {
    store.set({ level: level > 0 && level < 1 ? level : 0, scale: scale in scales ? (scale as ScaleName) : "worth" });
    const [a, b] = [query.get("a") ?? "", query.get("b") ?? ""];
    if (b && a !== b && (a !== was.a || b !== was.b)) {
      store.set({ a, b, pair: null });
      if (was.report) void loadPair();
    }
    if (was.report && store.state.level !== was.level) void loadBoard();
  }
  if (was.report) follow();
  if (store.state.view !== was.view) scrollTo(0, 0);
}

