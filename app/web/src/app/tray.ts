// What lies in the tray, in which order. The order holds still while the pointer or the keyboard is in it.
import { fold, matches } from "../logic/fold";
import { likeliest, placesOf } from "../logic/odds";
import * as api from "./api";
import { shownList, type State } from "./state";
import { store } from "./store";

const firstPage = 200;
const small = 600; // a catalogue up to this size is loaded whole

let still: string[] = [];
let paging = false;
let searching: AbortController | null = null;

/** loadCatalogue fetches the items: all of a small catalogue, the first page of a large one. */
export async function loadCatalogue(): Promise<void> {
  const page = await api.items({ limit: firstPage });
  addItems(page.items);
  const large = page.total > small;
  let ids = page.items.map((item) => item.item);
  let next = page.next;
  while (!large && next) {
    const more = await api.items({ limit: firstPage, cursor: next });
    addItems(more.items);
    ids = [...ids, ...more.items.map((item) => item.item)];
    next = more.next;
  }
  const worded = ids.length > 0 && !page.items.some((item) => item.emoji);
  store.set({ catalogue: ids, total: page.total, large, worded, next, groups: page.groups ?? [], loaded: true });
  if (large) void fillNames();
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
  const missing = items.filter((item) => !store.state.items.has(item));
  for (let i = 0; i < missing.length; i += together) {
    const found = await Promise.all(missing.slice(i, i + together).map((id) => api.item(id).catch(() => null)));
    addItems(found.filter((item) => item !== null));
  }
}

/** morePages loads on when a large catalogue's tray is scrolled to its end. */
export async function morePages(): Promise<void> {
  const { large, next, query, group } = store.state;
  if (!large || !next || paging) return;
  paging = true;
  try {
    const page = await api.items({ q: query, group, limit: firstPage, cursor: next });
    if (query !== store.state.query || group !== store.state.group) return;
    addItems(page.items);
    store.set({ catalogue: [...store.state.catalogue, ...page.items.map((item) => item.item)], next: page.next });
  } catch {
    // the next scroll asks again
  } finally {
    paging = false;
  }
}

/** search filters a small catalogue here, and a large one on the server. */
export function search(query: string, group: string): void {
  still = [];
  store.set({ query, group });
  if (!store.state.large) return;
  searching?.abort();
  const mine = new AbortController();
  searching = mine;
  setTimeout(() => {
    if (mine.signal.aborted) return;
    void api
      .items({ q: query, group, limit: firstPage }, mine.signal)
      .then((page) => {
        addItems(page.items);
        store.set({ catalogue: page.items.map((item) => item.item), next: page.next });
      })
      .catch(() => undefined);
  }, 120);
}

/** trayItems is the tray as it is shown. */
export function trayItems(s: State): string[] {
  const away = new Set([...s.list.tiers.flatMap((tier) => tier.items), ...s.list.never, ...s.list.hidden]);
  let ids = s.catalogue.filter((item) => !away.has(item));
  if (!s.large) {
    if (s.group) ids = ids.filter((item) => s.items.get(item)?.group === s.group);
    if (s.query) ids = ids.filter((item) => matches(s.items.get(item)?.name ?? item, s.query));
  }
  const busy = document.querySelector(".trayTiles:hover, .trayTiles :focus") !== null || s.held !== null;
  if (busy && still.length > 0) {
    const place = new Map(still.map((item, i) => [item, i]));
    ids = [...ids].sort((a, b) => (place.get(a) ?? Infinity) - (place.get(b) ?? Infinity) || 0);
  } else ids = inOrder(s, ids);
  still = ids;
  return ids;
}

function inOrder(s: State, ids: string[]): string[] {
  if (s.order === "name") {
    const key = new Map(ids.map((item) => [item, fold(s.items.get(item)?.name ?? item)]));
    return [...ids].sort((a, b) => key.get(a)!.localeCompare(key.get(b)!));
  }
  const advice = s.trayAdvice;
  if (!advice || (advice.general && s.order === "unsure")) return ids;
  const worth = new Map(
    advice.items.map((guess) => {
      if (s.order === "best") return [guess.item, -guess.score];
      const places = placesOf(guess, advice.tiers_used);
      return [guess.item, places[likeliest(places)]?.p ?? 1];
    }),
  );
  return [...ids].sort((a, b) => (worth.get(a) ?? Infinity) - (worth.get(b) ?? Infinity) || 0);
}
