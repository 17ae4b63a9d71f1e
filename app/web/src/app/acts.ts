// What a person does: every change to the list goes through here, with its undo step and its sentence.
import { remember, redo as redoStep, undo as undoStep } from "../logic/history";
import { perform, tierOf, type Act } from "../logic/list";
import { likeliest, percentsOf, percentText, percentWords, placeOnBoard, placesOf, type Place } from "../logic/odds";
import { placeWords, plain, shortTier } from "../logic/names";
import { note, type Entry } from "../logic/record";
import { actWords } from "../logic/words";
import type { Guess, List } from "../types";
import { noNews, say } from "./announce";
import { before as beforeMove } from "./slide";
import { persist } from "./lists";
import { ask, fresh } from "./live";
import { readOnly, type Target } from "./state";
import { nameOf, store } from "./store";
import { keep } from "./storage";
import { toast } from "./toast";

const seen = new Set<string>(); // items whose odds were opened, or that were taken from a guess

export const sawWhy = (item: string): void => void seen.add(item);

/** isBlind says whether a placement of this item would be made without our guess: it lies in the tray, unopened. */
export const isBlind = (item: string): boolean => tierOf(store.state.list, item) < 0 && !seen.has(item);

/** act changes the list. It returns false where nothing changed. */
export function act(a: Act, sentence?: string): boolean {
  const { list, history } = store.state;
  if (readOnly(store.state)) return false;
  const next = perform(list, a);
  if (next === list) return false;
  const words = actWords(list, next, a, nameOf);
  noNews();
  store.set({ list: next, history: remember(history, list, words.label, words.back) });
  ask(); // first: the server answers while we draw
  beforeMove();
  say(sentence ?? `${words.label}.`);
  if (["removeTier", "emptyTier", "clear", "hide", "never", "replace"].includes(a.kind)) toast(`${words.label}.`, true);
  persist();
  return true;
}

/** guessFor is what we say of an item right now, if what we say is about the list as it is. */
export function guessFor(item: string): { guess: Guess; places: Place[] } | null {
  const { advice } = store.state;
  const guess = advice?.items.find((g) => g.item === item);
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
  const unplaced = tierOf(list, item) < 0;
  const had = unplaced && fresh(store.state) ? guessFor(item) : null;
  const row = target.kind === "tier" ? target.tier : target.before;
  const put = target.kind === "tier" ? shortTier(list.tiers[row].name) : "a new tier";
  const change: Act = target.kind === "tier" ? { kind: "place", item, tier: list.tiers[row].id, at: target.at } : { kind: "between", item, before: row };
  if (!had || !blind) {
    act(change, `${name} dropped in ${put}.`);
    return;
  }
  const best = likeliest(had.places);
  const said = placeWords(had.places[best], list.tiers);
  const percent = percentsOf(had.places)[best];
  const right = placeOnBoard(had.places, row, target.kind === "gap") === best;
  if (!act(change, `${name} dropped in ${put}. We had said ${said}, ${percentWords(percent)}.`)) return;
  const entry: Entry = { item, name, put, said, p: had.places[best].p, right };
  const record = note(store.state.record, entry);
  store.set({ record, said: `${name}: you put ${put}. We had said ${said}, ${percentText(percent)}.` });
  keep("record", record);
}

function restore(list: List): void {
  const placed = new Set(list.tiers.flatMap((tier) => tier.items));
  const record = store.state.record.filter((entry) => placed.has(entry.item) || tierOf(store.state.list, entry.item) < 0);
  noNews();
  store.set({ list, record, said: "", toast: null });
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
