// What lies in the tray, in which order. A drop leaves the order as it is: what was taken is filled from beyond what is seen,
// and everything else stays under the hand. The order is made anew when the person changes it, filters, or asks for it.
import { fold, matches } from "../logic/fold";
import { titleOf } from "../logic/names";
import { isOwn } from "../logic/own";
import { likeliest, placesOf } from "../logic/odds";
import { fill } from "../logic/still";
import * as api from "./api";
import { askView } from "./live";
import { byOdds, mostSorted, shownList, type State } from "./state";
import { store } from "./store";
import { lookAt } from "./wanted";

const firstPage = 200;
const page = 2000; // items in each of the next
const small = 600; // a catalogue up to this size is recommended from as a whole
export const whole = 12_000; // and up to this size it is loaded as a whole; search in a larger one is the server's

let paging = false;
let searching: AbortController | null = null;

/** loadCatalogue fetches the items: the first page at once, and all the others too unless they are very many. */
export async function loadCatalogue(): Promise<void> {
  const first = await api.items({ limit: firstPage });
  addItems(first.items);
  const large = first.total > small;
  const look = lookOf(first.items);
  let ids = first.items.map((item) => item.item);
  let next = first.next;
  const complete = (): boolean => next === "";
  const show = (): void => store.set({ catalogue: ids, total: first.total, large, ...look, next, known: ids.slice(0, firstPage * 2), groups: groupsOf(first.groups ?? []), complete: complete(), loaded: true });
  if (large) show();
  while (next && first.total <= whole) {
    const more = await api.items({ limit: page, cursor: next });
    addItems(more.items);
    ids = [...ids, ...more.items.map((item) => item.item)];
    next = more.next;
  }
  if (!large || complete()) show();
  if (!complete()) void fillNames();
}

/** lookOf says how items are shown: with emoji, on paper by their group, or as words alone. */
export function lookOf(items: { emoji?: string; group?: string; groups?: string[] }[]): Pick<State, "worded" | "posters"> {
  const emoji = items.some((item) => item.emoji);
  const posters = items.length > 0 && !emoji && items.some((item) => item.group || item.groups?.length);
  return { posters, worded: items.length > 0 && !emoji && !posters };
}

/** groupsOf are the groups that items have, the server's where an item has but one. */
function groupsOf(groups: string[]): string[] {
  const all = new Set(groups);
  for (const item of store.state.items.values()) for (const group of item.groups ?? []) all.add(group);
  return [...all].sort();
}

function addItems(items: State["items"] extends Map<string, infer I> ? I[] : never): void {
  const all = new Map(store.state.items);
  for (const item of items) all.set(item.item, item);
  store.set({ items: all });
}

/** together is how many items a large catalogue is asked for at once. */
export const together = 8;

/** fillNames looks up items, the placed ones if none are named, that the loaded part of a large catalogue does not hold. */
export async function fillNames(items = shownList(store.state).tiers.flatMap((tier) => tier.items)): Promise<void> {
  if (store.state.complete) return;
  const missing = items.filter((item) => !store.state.items.has(item));
  for (let i = 0; i < missing.length; i += together) {
    const found = await Promise.all(missing.slice(i, i + together).map((id) => api.item(id).catch(() => null)));
    addItems(found.filter((item) => item !== null));
  }
}

/** morePages loads on when the tray of a very large catalogue is scrolled to its end. */
export async function morePages(): Promise<void> {
  const { complete, total, next, query, group } = store.state;
  if (complete || total <= whole || !next || paging) return;
  paging = true;
  try {
    const more = await api.items({ q: query, group, limit: firstPage, cursor: next });
    if (query !== store.state.query || group !== store.state.group) return;
    addItems(more.items);
    store.set({ catalogue: [...store.state.catalogue, ...more.items.map((item) => item.item)], next: more.next });
  } catch {
    // the next scroll asks again
  } finally {
    paging = false;
  }
}

const mostHits = 200;
let answered: Promise<void> = Promise.resolve();

/** search finds items over everything, placed or not. The server's index of titles answers; without it, what is loaded here is looked through. */
export function search(query: string, group: string): void {
  const asked = query.trim();
  const had = store.state.hits;
  store.set({ query, group, folded: query || group ? false : store.state.folded, hits: had?.query === asked ? had : null });
  searching?.abort();
  const mine = new AbortController();
  searching = mine;
  if (!asked && store.state.complete) return;
  answered = new Promise((done) => {
    mine.signal.addEventListener("abort", () => done());
    setTimeout(() => {
      if (mine.signal.aborted) return;
      const { complete } = store.state;
      void (asked ? api.find(asked, mostHits, complete ? "" : group, mine.signal) : api.items({ group, limit: firstPage }, mine.signal))
        .then((found) => {
          if (mine.signal.aborted) return;
          addItems(found.items);
          const ids = found.items.map((item) => item.item);
          if (!complete) store.set({ catalogue: ids, next: found.next });
          if (asked) store.set({ hits: { query: asked, items: ids, close: found.close ?? false } });
        })
        .catch(() => undefined)
        .finally(done);
    }, 120);
  });
}

/** firstHit waits for the answer to the search, and is the best match, or "". */
export async function firstHit(): Promise<string> {
  const asked = answered;
  await asked;
  return asked === answered ? (trayItems(store.state)[0] ?? "") : firstHit(); // typed on meanwhile
}

/** orderOf is the order of the tray; of a large catalogue the best known come first unless the person says otherwise. */
export const orderOf = (s: State): Exclude<State["order"], ""> => {
  if ((s.order === "unsure" || s.order === "best") && s.large && s.total > mostSorted) return "known";
  return s.order || (s.large ? "known" : "unsure");
};

const hasGroup = (s: State, item: string): boolean => {
  const known = s.items.get(item);
  return known?.groups?.includes(s.group) ?? known?.group === s.group;
};

const yearOf = (s: State, item: string): number => Number(titleOf(s.items.get(item), item).year) || 0;

/** yearsOf is the first and the last year of the catalogue; null where it has none. */
export function yearsOf(s: State): [number, number] | null {
  if (yearsFor !== s.catalogue) {
    yearsFor = s.catalogue;
    const all = s.catalogue.map((item) => yearOf(s, item)).filter((year) => year > 0);
    years = all.length > s.catalogue.length / 2 ? [Math.min(...all), Math.max(...all)] : null;
  }
  return years;
}
let yearsFor: string[] | null = null;
let years: [number, number] | null = null;

let still: string[] = []; // the tray as it stands
let stillFor: unknown[] = []; // what its order and filters were made for
let sortedFor = ""; // the question that they were made by
let sorts = 0;
let beyond = 0; // index of the first item that is not seen

/** inWindow notes which part of the tray is seen. */
export function inWindow(first: number, until: number): void {
  beyond = until;
  lookAt(still.slice(first, until));
  askView();
}

/** sortAgain makes the order anew. */
export function sortAgain(): void {
  sorts++;
  sortedFor = store.state.adviceFor;
  store.set({ trayAdvice: store.state.trayAdvice && { ...store.state.trayAdvice } });
}

/** outOfOrder says whether we know better by now than when the order was made. */
export const outOfOrder = (s: State): boolean => s.touched && byOdds(s) && s.trayAdvice !== null && !s.trayAdvice.general && sortedFor !== s.adviceFor;

/** found are the items that the search finds, placed or not, the best match first: those of the server, and before them those that only this device has. */
function found(s: State): string[] {
  const { hits } = s;
  const asked = s.query.trim();
  const here = (item: string): boolean => matches(titleOf(s.items.get(item), item).title, asked) || matches(s.items.get(item)?.name ?? item, asked);
  if (hits?.query !== asked) return s.catalogue.filter(here);
  const there = new Set(hits.items);
  return [...s.items.keys()].filter((item) => isOwn(item) && !there.has(item) && here(item)).concat(hits.items);
}

/** trayItems is the tray as it is shown: what is not placed, or what a search finds. */
export function trayItems(s: State): string[] {
  const searched = s.query.trim() !== "";
  const away = new Set([...s.list.tiers.flatMap((tier) => tier.items), ...s.list.never, ...s.list.hidden]);
  let ids = searched ? found(s) : s.catalogue.filter((item) => !away.has(item));
  if (s.among) ids = searched ? ids : s.among.items.filter((item) => !away.has(item));
  if (s.complete) {
    if (s.group) ids = ids.filter((item) => hasGroup(s, item));
    if (s.years) ids = ids.filter((item) => yearOf(s, item) >= s.years![0] && yearOf(s, item) <= s.years![1]);
  }
  const now = [searched ? s.hits : orderOf(s), s.query, s.group, s.years, s.among, s.complete ? s.total : s.catalogue, sorts, s.touched ? stillFor.at(-1) : s.trayAdvice?.items];
  if (now.some((value, i) => value !== stillFor[i])) {
    if (!searched) ids = inOrder(s, ids);
    stillFor = now;
    sortedFor = s.adviceFor;
  } else ids = fill(still, ids, beyond);
  still = ids;
  return ids;
}

const collator = new Intl.Collator("en", { sensitivity: "base", numeric: true });

function inOrder(s: State, ids: string[]): string[] {
  const order = orderOf(s);
  if (order === "name") {
    const key = new Map(ids.map((item) => [item, fold(titleOf(s.items.get(item), item).title)]));
    return [...ids].sort((a, b) => collator.compare(key.get(a)!, key.get(b)!));
  }
  if (order === "year") return [...ids].sort((a, b) => yearOf(s, b) - yearOf(s, a));
  const advice = s.trayAdvice;
  if (!advice || order === "known" || (advice.general && order === "unsure")) return ids;
  const worth = new Map(
    advice.items.map((guess) => {
      if (order === "best") return [guess.item, -guess.score];
      const places = placesOf(guess, advice.tiers_used);
      return [guess.item, places[likeliest(places)]?.p ?? 1];
    }),
  );
  return [...ids].sort((a, b) => (worth.get(a) ?? Infinity) - (worth.get(b) ?? Infinity) || 0);
}
