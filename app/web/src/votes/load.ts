// What the page of a fit asks of the server, with the API key of this tab if there is one.
import { scales, type PairReport, type Pairs, type Report, type ScaleName } from "../logic/board";
import type { ModelFacts } from "../types";
import { say } from "../app/announce";
import { bearer, Failure, send, wrongKey } from "../app/request";
import { tabValue } from "../app/storage";
import { follow, percent, store, tiersIn, toast } from "./state";

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
    return;
  }
  const { report } = store.state;
  store.set({ net: error.status === 404 && !report ? "none" : "error" });
  if (!report) return; // the page says it
  store.set({ level: report.level }); // what is still shown
  toast("The server does not answer. What you see is from before.");
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
    else if (!store.state.b) store.set({ a: report.items[0].item, b: report.items[1]?.item ?? "" });
    if (store.state.b && !store.state.pair) void loadPair();
    if (report.prior) void loadPairs(); // without one, votes alone have put everything on one scale
    follow();
  } catch (error) {
    failed(error);
  }
}

/** loadPair fetches the pair that is marked. */
export async function loadPair(): Promise<void> {
  const { a, b } = store.state;
  store.set({ pair: null });
  if (!a || !b) return;
  try {
    const pair = await get<PairReport>(`/v1/board/pair?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`);
    if (store.state.a === a && store.state.b === b) store.set({ pair, net: "ok" });
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
  }), expected: pairs.expected?.map(([wins, ties, losses], k) => {
    const [old, other] = pairs.counted[k];
    return place.get(old)! < place.get(other)! ? [wins, ties, losses] : [losses, ties, wins];
  }) };
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

