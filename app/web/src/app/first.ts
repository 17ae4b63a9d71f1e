// The first minute: a well-known item at a time, chosen to teach us most, until our guesses are worth a look.
import { placedCount, question } from "../logic/list";
import { titleOf } from "../logic/names";
import { saidWords } from "../logic/record";
import * as api from "./api";
import { act, drop, undo } from "./acts";
import { say } from "./announce";
import { afterPaint } from "./paint";
import { keep, keysOf, recall } from "./storage";
import type { FirstMinute } from "./state";
import { store } from "./store";

const more = 10; // answers that "Ten more" asks for
const patience = 4; // times that a busy server is asked again
const longest = 4000; // ms between two of them
const newest = 3; // answers by which the end is judged

/** beginFirst begins, for somebody who has no list on this device. Whoever has one, has skipped it before, cannot keep anything or follows a link goes to the board. */
export function beginFirst(): void {
  if (store.state.route.page !== "board" || keysOf("list.").length > 0 || recall<boolean>("skipped") || !keep("probe", 1)) return;
  store.set({ first: { card: "", people: 0, enough: false, goal: 0, past: [] } });
  void dealNext();
}

/** dealNext asks the server for the next card, a few times where it is busy. Where there is none to be had, the board is shown. */
async function dealNext(tries = 0): Promise<void> {
  const { first, list } = store.state;
  if (!first) return;
  if (first.goal > 0 && placedCount(list) >= first.goal) return enough(first);
  const { tiers } = question(list);
  try {
    const dealt = await api.deal(tiers, [...list.never, ...list.hidden, ...first.past.filter(({ how }) => how === "another").map(({ item }) => item)], first.past.filter(({ how }) => how === "placed").slice(-newest).map(({ item }) => item));
    const now = store.state.first;
    if (!now || store.state.list !== list) return;
    const card = dealt.items[0];
    if (dealt.enough && now.goal === 0) return enough(now);
    if (!card) return leaveFirst(false);
    store.set({ first: { ...now, card: card.item, people: dealt.people }, items: new Map(store.state.items).set(card.item, card) });
    const { said } = store.state;
    say(`${titleOf(card, card.item).title}.${said ? ` ${saidWords(said)}` : ""}`);
  } catch (error) {
    const wait = error instanceof api.Failure && [429, 503].includes(error.status) && tries < patience ? Math.min(longest, error.after * 1000 || 500 * 2 ** tries) : 0;
    if (!wait) return leaveFirst(false);
    window.setTimeout(() => {
      const now = store.state.first;
      if (now && !now.card && !now.enough && store.state.list === list) void dealNext(tries + 1); // nothing was done meanwhile
    }, wait);
  }
}

function enough(first: FirstMinute): void {
  store.set({ first: { ...first, card: "", enough: true } });
  say("Enough for a start. See what we think.");
}

function past(how: "placed" | "never" | "another"): string {
  const first = store.state.first!;
  const item = first.card;
  store.set({ first: { ...first, card: "", past: [...first.past, { item, how }] } });
  return item;
}

/** answer puts the card into a tier. */
export function answer(tier: number): void {
  if (!store.state.first?.card || tier >= store.state.list.tiers.length) return;
  drop(past("placed"), { kind: "tier", tier, at: Infinity }, true);
  void dealNext();
}

/** never says that the person does not know it. */
export function neverTried(): void {
  if (!store.state.first?.card) return;
  act({ kind: "never", item: past("never") });
  store.set({ toast: null });
  void dealNext();
}

/** another puts the card aside for now. */
export function another(): void {
  if (!store.state.first?.card) return;
  past("another");
  void dealNext();
}

/** backOne takes the last answer back and shows its card again. */
export function backOne(): void {
  const first = store.state.first;
  const last = first?.past.at(-1);
  if (!first || !last) return;
  store.set({ first: { ...first, card: last.item, enough: false, past: first.past.slice(0, -1) } });
  if (last.how !== "another") undo();
  else say(`${titleOf(store.state.items.get(last.item), last.item).title}.`);
}

/** tenMore goes on. */
export function tenMore(): void {
  const first = store.state.first!;
  store.set({ first: { ...first, enough: false, goal: placedCount(store.state.list) + more } });
  void dealNext();
}

/** leaveFirst shows the board; a person's own word for it is remembered. */
export function leaveFirst(chosen: boolean): void {
  if (chosen) keep("skipped", true);
  store.set({ first: null });
  if (chosen) afterPaint(() => document.querySelector<HTMLElement>(".board [data-stop], .trayTiles [data-stop]")?.focus());
}

/** firstKey: 1 to 9 place, 0 never tried, Space another, Backspace one back. */
export function firstKey(key: string, onButton: boolean): boolean {
  if (/^[1-9]$/.test(key)) answer(Number(key) - 1);
  else if (key === "0") neverTried();
  else if (key === " " && !onButton) another();
  else if (key === "Backspace") backOne();
  else return false;
  return true;
}
