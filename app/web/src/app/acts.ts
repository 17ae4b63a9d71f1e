// What a person does: every change to the list goes through here, with its undo step and its sentence.
import { remember, redo as redoStep, undo as undoStep } from "../logic/history";
import { perform, tierOf, type Act } from "../logic/list";
import { likeliest, percentsOf, percentWords, placeOnBoard, placesOf, type Place } from "../logic/odds";
import { placeWords, plain, shortTier } from "../logic/names";
import { note, type Said } from "../logic/record";
import { actWords } from "../logic/words";
import type { Guess, List } from "../types";
import { noNews, say } from "./announce";
import { before as beforeMove } from "./slide";
import { stay } from "./focus";
import { persist } from "./lists";
import { ask, guessBefore } from "./live";
import { readOnly, type Target } from "./state";
import { nameOf, store } from "./store";
import { keep, recall } from "./storage";
import { toast } from "./toast";

const opened = new Set<string>(); // items whose odds were opened, or that were taken from a guess
const shown = new Set<string>(recall<string[]>("shown") ?? []); // items whose guess was on the screen: they do not count

export const sawWhy = (item: string): void => {
  opened.add(item);
  onScreen([item]);
};

/** onScreen notes that the guesses of items are drawn. */
export function onScreen(items: string[]): void {
  const before = shown.size;
  for (const item of items) shown.add(item);
  if (shown.size > before) keep("shown", [...shown].slice(-3000));
}

/** isBlind says whether our guess is held back while this item is placed: it lies in the tray, unopened. */
export const isBlind = (item: string): boolean => tierOf(store.state.list, item) < 0 && !opened.has(item);

/** act changes the list. It returns false where nothing changed. */
export function act(a: Act, sentence?: string): boolean {
  const { list, history } = store.state;
  if (readOnly(store.state)) return false;
  const next = perform(list, a);
  if (next === list) return false;
  const words = actWords(list, next, a, nameOf);
  noNews();
  store.set({ list: next, history: remember(history, list, words.label, words.back), said: null, touched: true });
  ask(); // first: the server answers while we draw
  beforeMove();
  say(sentence ?? `${words.label}.`);
  if (["removeTier", "emptyTier", "clear", "hide", "never", "replace"].includes(a.kind)) toast(`${words.label}.`, true);
  persist();
  return true;
}

/** guessFor is what we say of an item right now, if what we say is about the list as it is. */
export function guessFor(item: string): { guess: Guess; places: Place[] } | null {
  const { advice, odds } = store.state;
  const guess = odds.get(item);
  if (!advice || !guess || advice.general) return null;
  const places = placesOf(guess, advice.tiers_used);
  return places.length > 0 ? { guess, places } : null;
}

/** drop puts an item where it was let go, and says what we had thought. */
export function drop(item: string, target: Target, blind: boolean): void {
  if (target.kind === "tray") {
    act({ kind: "tray", item });
    return;
  }
  const { list } = store.state;
  const name = plain(nameOf(item));
  const before = tierOf(list, item) < 0 ? guessBefore(item) : null; // asked before the item is on the list
  const used = store.state.advice?.tiers_used ?? [];
  const row = target.kind === "tier" ? target.tier : target.before;
  const put = target.kind === "tier" ? shortTier(list.tiers[row].name) : "a new tier";
  const change: Act = target.kind === "tier" ? { kind: "place", item, tier: list.tiers[row].id, at: target.at } : { kind: "between", item, before: row };
  const verdict = (guess: Guess, tiersUsed: number[]): Said | null => {
    const places = placesOf(guess, tiersUsed);
    const best = likeliest(places);
    if (best < 0) return null;
    const right = placeOnBoard(places, row, target.kind === "gap") === best;
    return { item, name, put, said: placeWords(places[best], list.tiers), percent: percentsOf(places)[best], p: places[best].p, right, counts: blind && !shown.has(item) };
  };
  const had = before?.now ? verdict(before.now, used) : null;
  const sentence = had && blind ? `${name} dropped in ${put}. We had said ${had.said}, ${percentWords(had.percent)}.` : `${name} dropped in ${put}.`;
  if (!act(change, sentence)) return;
  if (had) return tell(had);
  const home = (): string | undefined => store.state.list.tiers[tierOf(store.state.list, item)]?.id;
  const there = home();
  void before?.later.then((late) => {
    const was = late && verdict(late.guess, late.used);
    if (!was || home() !== there || (store.state.said && store.state.said.item !== item)) return; // undone, moved, or over
    tell(was);
    if (blind) say(`We had said ${was.said}, ${percentWords(was.percent)}.`);
  });
}

/** tell says what we had said of an item that was placed, and keeps score if our guess was never on the screen. */
function tell(said: Said): void {
  store.set({ said });
  if (!said.counts) return;
  const { item, name, put, p, right } = said;
  const record = note(store.state.record, { item, name, put, said: said.said, p, right });
  store.set({ record });
  keep("record", record);
}

function restore(list: List): void {
  stay();
  const placed = new Set(list.tiers.flatMap((tier) => tier.items));
  const record = store.state.record.filter((entry) => placed.has(entry.item) || tierOf(store.state.list, entry.item) < 0);
  noNews();
  store.set({ list, record, said: null, touched: true, toast: null });
  ask();
  beforeMove();
  keep("record", record);
  persist();
}

export function undo(): void {
  if (readOnly(store.state)) return;
  const back = undoStep(store.state.history, store.state.list);
  if (!back) return say("Nothing to undo.");
  store.set({ history: back.history });
  restore(back.list);
  say(`Undone: ${back.step.back}.`);
}

export function redo(): void {
  if (readOnly(store.state)) return;
  const next = redoStep(store.state.history, store.state.list);
  if (!next) return say("Nothing to redo.");
  store.set({ history: next.history });
  restore(next.list);
  say(`Redone: ${next.step.label}.`);
}
