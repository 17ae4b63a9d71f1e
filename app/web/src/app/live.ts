// Recommendations: the newest question is the only one that counts.
import { question } from "../logic/list";
import { likeliest, percentsOf, percentWords, placesOf } from "../logic/odds";
import { placeWords, plain } from "../logic/names";
import type { Advice, Explanation, Item, List } from "../types";
import * as api from "./api";
import { news } from "./announce";
import { wellAfterPaint } from "./paint";
import { shownList, type State } from "./state";
import { nameOf, store } from "./store";
import { keep } from "./storage";
import { toast } from "./toast";

const slow = 150; // ms before the pencil line shows that an answer is on its way
const longest = 30_000; // ms between two tries

let running: AbortController | null = null;
let runningFor = ""; // its question
let retry = 0;
let tries = 0;
let lateTimer = 0;
let drawing = false; // an answer that is not on the screen yet
let rest: (() => void) | null = null; // what waits for it
let mapRunning: AbortController | null = null;
const explained = new Map<string, Explanation>();

let asked: { list: List; key: string } | null = null;

/** keyOf writes the question that a list asks, once for each list. */
function keyOf(list: List): string {
  if (asked?.list !== list) asked = { list, key: JSON.stringify(question(list)) };
  return asked.key;
}

const questionKey = (): string => keyOf(shownList(store.state));

/** fresh says whether what is shown answers the list as it is now. */
export const fresh = (s: State): boolean => s.advice !== null && s.adviceFor === keyOf(shownList(s));

/**
 * whenAnswered calls back when the answer that is on its way has been drawn, or once there will be none; after so many ms
 * without waiting for it any longer.
 */
export function whenAnswered(call: () => void, most: number): void {
  rest?.();
  if (!running && !drawing) return call();
  const now = (): void => {
    clearTimeout(timer);
    if (rest === now) rest = null;
    call();
  };
  const timer = window.setTimeout(now, most);
  rest = now;
}

/** ask sends the question if it is a new one. An older request is given up, so answers never arrive out of order. */
export function ask(again = false): void {
  const key = questionKey();
  if (!again && running && runningFor === key) return;
  running?.abort();
  running = null;
  clearTimeout(retry);
  clearTimeout(lateTimer);
  const { adviceFor, net } = store.state;
  if (net === "locked" && !again) return; // until there is a key
  if (!again && key === adviceFor && (net === "ok" || net === "updating")) return net === "ok" ? undefined : store.set({ net: "ok" }); // taken back: what is shown is right again
  if (!navigator.onLine) return store.set({ net: "offline" });
  const mine = new AbortController();
  running = mine;
  runningFor = key;
  lateTimer = window.setTimeout(() => {
    if (running === mine && store.state.net === "ok") store.set({ net: "updating" });
  }, slow);
  void send(key, mine);
}

async function send(key: string, mine: AbortController): Promise<void> {
  const { tiers, exclude } = JSON.parse(key) as { tiers: string[][]; exclude: string[] };
  const n = store.state.large ? 200 : Math.max(store.state.total, 1);
  try {
    const advice = await api.recommend(tiers, exclude, store.state.loaded ? n : 500, mine.signal);
    if (running !== mine) return;
    tries = 0;
    take(advice, key);
    void askMap(tiers);
  } catch (error) {
    if (running !== mine || !(error instanceof api.Failure) || error.status === 401) return;
    const wait = error.after > 0 ? error.after * 1000 : Math.min(longest, 2000 * 2 ** tries++);
    store.set({ net: error.status === 0 ? "offline" : "error" });
    retry = window.setTimeout(() => ask(true), wait);
  } finally {
    if (running === mine) {
      running = null;
      clearTimeout(lateTimer);
      if (!drawing) rest?.();
    }
  }
}

function take(advice: Advice, key: string): void {
  const before = store.state.advice;
  const unknown = advice.items.filter((guess) => !store.state.items.has(guess.item));
  if (unknown.length > 0) store.set({ items: new Map([...store.state.items, ...unknown.map(({ item, name }): [string, Item] => [item, { item, name }])]) });
  store.set({ advice, adviceFor: key, net: "ok" });
  drawing = true;
  wellAfterPaint(() => {
    drawing = false;
    rest?.();
    store.set({ trayAdvice: store.state.advice });
  });
  if (!before) store.set({ trayAdvice: advice });
  if (before && before.model !== advice.model) {
    explained.clear();
    store.set({ record: [], said: "" });
    toast("A new model is in. Guesses refreshed.");
    keep("record", []);
    void loadModel();
  }
  const first = advice.items[0];
  if (before && first) {
    const places = placesOf(first, advice.tiers_used);
    const best = advice.general ? -1 : likeliest(places);
    const odds = best < 0 ? "" : `, most likely ${placeWords(places[best], shownList(store.state).tiers)}, ${percentWords(percentsOf(places)[best])}`;
    news(`Try next: ${plain(nameOf(first.item))}${odds}.`, () => store.state.held !== null);
  }
}

async function askMap(tiers: string[][]): Promise<void> {
  mapRunning?.abort();
  const mine = new AbortController();
  mapRunning = mine;
  try {
    const map = await api.embed(tiers, mine.signal);
    if (mapRunning !== mine) return;
    const trail = tiers.some((tier) => tier.length > 0) ? [...store.state.trail, map.person].slice(-6) : [];
    store.set({ map, trail });
  } catch {
    // the map keeps its last picture; Try next says what is wrong
  }
}

/** explainItem fetches the reasons behind one guess, once for each list. */
export async function explainItem(item: string): Promise<void> {
  const key = `${questionKey()} ${item}`;
  const known = explained.get(key);
  if (known) return store.set({ explanation: known });
  if (store.state.explanation?.item !== item) store.set({ explanation: null });
  try {
    const answer = await api.explain(question(shownList(store.state)).tiers, item);
    if (explained.size > 500) explained.clear();
    explained.set(key, answer);
    if (store.state.why?.item === item) store.set({ explanation: answer });
  } catch {
    // the card stays open with the odds, which it has already
  }
}

/** loadModel asks what is served; the demo label hangs on it. */
export async function loadModel(): Promise<void> {
  try {
    store.set({ model: await api.model(), modelError: false });
  } catch {
    store.set({ modelError: true });
  }
}

addEventListener("online", () => ask(true));
addEventListener("offline", () => store.set({ net: "offline" }));
