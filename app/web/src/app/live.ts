// Recommendations: the newest question is the only one that counts.
import { question } from "../logic/list";
import { isOwn } from "../logic/own";
import { likeliest, percentsOf, percentWords, placesOf } from "../logic/odds";
import { placeWords, plain } from "../logic/names";
import type { Advice, Explanation, Guess, Item, List } from "../types";
import * as api from "./api";
import { news } from "./announce";
import { afterPaint, wellAfterPaint } from "./paint";
import { byOdds, shownList, type State } from "./state";
import { nameOf, store } from "./store";
import { keep } from "./storage";
import { toast } from "./toast";
import { forget, inView, more, rememberOdds, wanted } from "./wanted";

const slow = 150; // ms before the pencil line shows that an answer is on its way
const longest = 30_000; // ms between two tries
const first = 150; // items asked for before it is known how many there are
const few = 12; // and of a large catalogue: Try next shows fewer

export const asksAgain = (s: State): boolean => s.advice !== null && s.advice.items.length >= first;

let running: AbortController | null = null;
let runningFor = ""; // its question
let retry = 0;
let tries = 0;
let lateTimer = 0;
let drawing = false; // an answer that is not on the screen yet
let rest: (() => void) | null = null; // what waits for it
let mapRunning: AbortController | null = null;
let mapOf = ""; // the model whose items are on the map
const explained = new Map<string, Explanation>();
let told = ""; // the question, model and order whose answer was last announced

let asked: { list: List; key: string } | null = null;

/** keyOf writes the question that a list asks, once for each list. */
function keyOf(list: List): string {
  if (asked?.list !== list) asked = { list, key: JSON.stringify(question(list)) };
  return asked.key;
}

const questionKey = (): string => keyOf(shownList(store.state));

/** fresh says whether what is shown answers the list as it is now. */
export const fresh = (s: State): boolean => s.advice !== null && s.adviceFor === keyOf(shownList(s));

/** behind says that what is shown answers an older list, and that nothing newer is on its way. */
export const behind = (s: State): boolean => s.advice !== null && (s.net === "error" || s.net === "offline" || s.net === "locked") && !fresh(s);

/** aimOf is what the best items are asked by: a model of taste and interest has both. */
const aimOf = (s: State): api.Question["aim"] => (s.model?.facts.interest && s.model.facts.taste !== false ? s.aim : undefined);

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

type Asked = { tiers: string[][]; exclude: string[] };

async function send(key: string, mine: AbortController): Promise<void> {
  const { tiers, exclude } = JSON.parse(key) as Asked;
  const { large, loaded, total, known } = store.state;
  const n = !loaded ? first : large && !byOdds(store.state) ? few : Math.max(total, 1);
  const only = large && !byOdds(store.state) && tiers.some((tier) => tier.length > 0) ? wanted(shownList(store.state), known) : [];
  try {
    const [advice, beside] = await Promise.all([
      api.recommend({ tiers, exclude, n, aim: aimOf(store.state) }, mine.signal),
      only.length > 0 ? api.recommend({ tiers, exclude, n: only.length, only }, mine.signal) : null,
    ]);
    if (running !== mine) return;
    tries = 0;
    take(advice, beside?.items ?? [], key);
    afterPaint(() => { // the answer first
      if (store.state.adviceFor !== key) return;
      void askMap(tiers);
      void explore(key);
    });
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

function take(advice: Advice, beside: Guess[], key: string): void {
  const before = store.state.advice;
  learn([...advice.items, ...beside]);
  const odds = new Map([...beside, ...advice.items].map((guess) => [guess.item, guess]));
  if (before && before.model !== advice.model) forget();
  if (!advice.general) rememberOdds([...odds.values()], advice.tiers_used, shownList(store.state).tiers);
  store.set({ advice, odds, adviceFor: key, net: "ok" });
  drawing = true;
  wellAfterPaint(() => {
    drawing = false;
    rest?.();
    store.set({ trayAdvice: store.state.advice });
  });
  if (!before) store.set({ trayAdvice: advice });
  if (before && before.model !== advice.model) {
    explained.clear();
    store.set({ record: [], said: null });
    toast("A new model is in. Guesses refreshed.");
    keep("record", []);
    void loadModel();
  }
  const best = advice.items[0];
  const telling = `${advice.model} ${store.state.aim} ${key}`; // an answer that is fetched again is no news
  const silent = !before || telling === told;
  told = telling;
  if (!silent && best) {
    const places = placesOf(best, advice.tiers_used);
    const most = advice.general ? -1 : likeliest(places);
    const odds = most < 0 ? "" : `, most likely ${placeWords(places[most], shownList(store.state).tiers)}, ${percentWords(percentsOf(places)[most])}`;
    news(`Try next: ${plain(nameOf(best.item))}${odds}.`, () => store.state.held !== null || store.state.first !== null);
  }
}

/** learn keeps the names of items that the loaded part of a catalogue does not hold. */
function learn(guesses: Guess[]): void {
  const unknown = guesses.filter((guess) => !store.state.items.has(guess.item));
  if (unknown.length > 0) store.set({ items: new Map([...store.state.items, ...unknown.map(({ item, name }): [string, Item] => [item, { item, name }])]) });
}

/** about asks for the odds of some items under the question on screen, and adds them if it still is the question. */
async function about(key: string, only: string[]): Promise<Guess[]> {
  const { tiers, exclude } = JSON.parse(key) as Asked;
  const answer = await api.recommend({ tiers, exclude, n: only.length, only });
  if (store.state.adviceFor === key && answer.model === store.state.advice?.model) {
    learn(answer.items);
    rememberOdds(answer.items, answer.tiers_used, shownList(store.state).tiers);
    store.set({ odds: new Map([...store.state.odds, ...answer.items.map((guess): [string, Guess] => [guess.item, guess])]) });
  }
  return answer.items;
}

/** explore asks about more of the best known items while a lane has room, a handful at a time. */
async function explore(key: string): Promise<void> {
  for (;;) {
    const { advice, odds, large, known } = store.state;
    if (!large || !advice || advice.general || store.state.adviceFor !== key) return;
    const only = more(shownList(store.state), advice, odds, known).filter((item) => !odds.has(item));
    if (only.length === 0) return;
    try {
      await about(key, only);
    } catch {
      return; // the next question fills the lanes
    }
  }
}

let viewTimer = 0;

/** askView asks for the odds of what has come into view, once the tray rests. */
export function askView(): void {
  clearTimeout(viewTimer);
  viewTimer = window.setTimeout(() => {
    const { advice, odds, large, adviceFor, net } = store.state;
    if (!large || !advice || advice.general || net !== "ok" || !fresh(store.state)) return;
    const only = inView().filter((item) => !odds.has(item));
    if (only.length > 0) void about(adviceFor, only).catch(() => undefined);
  }, 150);
}

let aboutTimer = 0;

/** askAbout asks for the odds of one item that is looked at, once the pointer rests. */
export function askAbout(item: string): void {
  clearTimeout(aboutTimer);
  aboutTimer = window.setTimeout(() => {
    const { advice, odds, adviceFor, net } = store.state;
    if (advice && !advice.general && net === "ok" && fresh(store.state) && !odds.has(item)) void about(adviceFor, [item]).catch(() => undefined);
  }, 120);
}

/** guessBefore is what we say of an item under the list as it is now: at once where it is known, and otherwise asked for. Null: nothing is placed, or no answer came. */
export function guessBefore(item: string): { now: Guess | null; later: Promise<{ guess: Guess; used: number[] } | null> } {
  const s = store.state;
  if (fresh(s) && s.odds.has(item)) return { now: s.odds.get(item)!, later: Promise.resolve(null) };
  const { tiers, exclude } = question(shownList(s));
  if (isOwn(item) || tiers.every((tier) => tier.length === 0) || s.net === "offline" || s.net === "locked") return { now: null, later: Promise.resolve(null) };
  return { now: null, later: asBefore({ tiers, exclude, n: 1, only: [item] }) };
}

/** asBefore asks under a list as it was, and again a few times where the server is busy: every placement is to have its sentence. */
async function asBefore(question: api.Question, failed = 0): Promise<{ guess: Guess; used: number[] } | null> {
  try {
    const { items, general, tiers_used } = await api.recommend(question);
    return items[0] && !general ? { guess: items[0], used: tiers_used } : null;
  } catch (error) {
    if (!(error instanceof api.Failure) || (error.status !== 429 && error.status < 500) || failed >= 4) return null;
    await new Promise((go) => setTimeout(go, Math.max(error.after, 2 ** failed) * 1000));
    return asBefore(question, failed + 1);
  }
}

async function askMap(tiers: string[][]): Promise<void> {
  mapRunning?.abort();
  const mine = new AbortController();
  mapRunning = mine;
  try {
    const model = store.state.advice?.model ?? "";
    const had = mapOf === model ? (store.state.map?.items ?? []) : []; // items stand still while the model stays
    const there = new Set(had.map(({ item }) => item));
    const answer = await api.embed(tiers, had.length > 0 ? 0 : 2000, tiers.some((tier) => tier.some((item) => !there.has(item) && store.state.items.has(item))), mine.signal);
    if (mapRunning !== mine) return;
    const more = answer.items.filter(({ item }) => !there.has(item));
    const regions = had.length > 0 ? store.state.map?.regions : answer.regions;
    const map = { ...answer, regions, items: more.length > 0 ? [...had, ...more] : had };
    mapOf = model;
    const trail = tiers.some((tier) => tier.length > 0) ? [...store.state.trail, map.person].slice(-6) : [];
    store.set({ map, trail });
  } catch {
    // the map keeps its last picture; Try next says what is wrong
  }
}

let reasonsTimer = 0;

/** explainItem fetches the reasons behind one guess, once for each list, and asks again while its card is open and no answer came. */
export async function explainItem(item: string, failed = 0): Promise<void> {
  clearTimeout(reasonsTimer);
  const key = `${questionKey()} ${item}`;
  const known = explained.get(key);
  if (known) return store.set({ explanation: known, unexplained: "" });
  if (store.state.explanation?.item !== item) store.set({ explanation: null });
  if (failed === 0) store.set({ unexplained: "" });
  try {
    const answer = await api.explain(question(shownList(store.state)).tiers, item);
    if (explained.size > 500) explained.clear();
    explained.set(key, answer);
    if (store.state.why?.item === item) store.set({ explanation: answer, unexplained: "" });
  } catch (error) { // the card stays open with the odds, which it has already
    if (store.state.why?.item !== item || !(error instanceof api.Failure) || error.status === 401) return;
    store.set({ unexplained: item });
    clearTimeout(reasonsTimer);
    reasonsTimer = window.setTimeout(() => {
      if (store.state.why?.item === item) void explainItem(item, failed + 1);
    }, error.after > 0 ? error.after * 1000 : Math.min(longest, 1000 * 2 ** failed));
  }
}

/** loadModel asks what is served; the demo label hangs on it, and by what Try next can be in order. */
export async function loadModel(): Promise<void> {
  const before = aimOf(store.state);
  try {
    store.set({ model: await api.model(), modelError: false });
  } catch {
    store.set({ modelError: true });
  }
  if (store.state.large && store.state.advice && aimOf(store.state) !== before) ask(true);
}

addEventListener("online", () => ask(true));
addEventListener("offline", () => store.set({ net: "offline" }));
