// What a person does on the page of a fit: mark a pair, swap it, search.
import { marked, nameOf, rankText, type BoardItem, type Marks } from "../logic/board";
import { say } from "../app/announce";
import { loadPair } from "./load";
import { follow, found, itemOf, shownRows, store } from "./state";

/** mark chooses a pair. */
export function mark(to: Marks): void {
  store.set(to);
  void loadPair();
  follow();
}

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
