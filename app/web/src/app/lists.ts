// Keeping the list: on the device after every change, and with its link once it is shared.
import { palette, type Colour, type List, type SavedList } from "../types";
import type { History } from "../logic/history";
import { noHistory } from "../logic/history";
import { cut, isList, longestName, longestTitle } from "../logic/list";
import * as api from "./api";
import { ask } from "./live";
import { say } from "./announce";
import type { Share } from "./state";
import { store } from "./store";
import { keep, onOtherTab, recall, tabValue } from "./storage";
import { toast } from "./toast";
import { fillNames } from "./tray";

interface Kept {
  rev: string; // changes with every write, so that a tab sees another's
  list: List;
  share: Share | null;
}

let id = "";
let rev = "";
let historyTimer = 0;
let linkTimer = 0;
let sending = false;

/** randomId has 24 characters safe in links: 144 random bits. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

/** load puts the kept list on the board, at once. */
export function load(): void {
  id = tabValue.get("current") || recall<string>("current") || "main";
  const kept = recall<Kept>(`list.${id}`);
  if (kept && !isList(kept.list)) keep(`broken.${id}`, kept); // not ours to throw away
  else if (kept) {
    rev = kept.rev;
    const history = recall<History>(`history.${id}`) ?? noHistory;
    const names = recall<[string, { name: string; emoji?: string }][]>("names") ?? [];
    const items = new Map(store.state.items);
    for (const [item, known] of names) if (!items.has(item)) items.set(item, { item, ...known });
    const worded = names.length > 0 && !names.some(([, known]) => known.emoji);
    store.set({ list: kept.list, history, share: kept.share ?? null, save: kept.share ? "link" : "device", items, worded });
  }
  onOtherTab(`list.${id}`, otherTab);
}

function otherTab(): void {
  const theirs = recall<Kept>(`list.${id}`);
  if (!theirs || theirs.rev === rev) return;
  store.set({ conflict: { where: "device", theirs: theirs.rev }, save: "not" });
  say("Changed in another tab.");
}

/** persist keeps the list after a change. */
export function persist(): void {
  if (write() && store.state.share) sendLater(800);
}

/** write puts the list on the device. It never writes over what another tab has written: then it asks, and says false. */
function write(): boolean {
  const { list, share, items, conflict } = store.state;
  if (conflict) return false;
  const there = recall<Kept>(`list.${id}`);
  if (there && there.rev !== rev) {
    otherTab();
    return false;
  }
  const next = randomId();
  const ok = keep(`list.${id}`, { rev: next, list, share } satisfies Kept);
  if (ok) rev = next;
  keep("current", id);
  const placed = list.tiers.flatMap((tier) => tier.items).filter((item) => items.has(item));
  keep("names", placed.map((item) => [item, { name: items.get(item)!.name, emoji: items.get(item)!.emoji }]));
  store.set({ save: !ok ? "not" : share ? "saving" : "device" });
  clearTimeout(historyTimer);
  historyTimer = window.setTimeout(keepHistory, 250);
  return true;
}

/** keepHistory writes the undo steps; where the device is full, the oldest give way. */
export function keepHistory(): void {
  clearTimeout(historyTimer);
  let { past, future } = store.state.history;
  while (!keep(`history.${id}`, { past, future }) && past.length + future.length > 0) {
    past = past.slice(Math.ceil(past.length / 2));
    future = future.length > 1 ? future.slice(Math.ceil(future.length / 2)) : [];
  }
}

/**
 * keepMine, takeTheirs and saveCopy answer "Changed in another tab". Mine is kept on the device and under the link, whose
 * id and secret belong to both lists; the other tab is asked in its turn.
 */
export function keepMine(): void {
  const { conflict, share } = store.state;
  const theirs = recall<Kept>(`list.${id}`);
  rev = theirs?.rev ?? "";
  const link = theirs ? (theirs.share ?? null) : share;
  store.set({ conflict: null, share: link && conflict?.where === "link" ? { ...link, etag: conflict.etag } : link });
  persist();
}

export async function takeTheirs(change: (list: List) => void): Promise<void> {
  const { conflict, share } = store.state;
  if (conflict?.where === "link" && share) {
    try {
      const { list, etag } = await api.readList(share.id);
      if (store.state.conflict !== conflict) return; // answered otherwise meanwhile
      store.set({ conflict: null, share: { ...share, etag } });
      change(fromSaved(list));
    } catch (error) {
      if (!(error instanceof api.Failure)) throw error;
      toast("Couldn't fetch their list. Both versions are still safe; try again in a moment.");
    }
    return;
  }
  const theirs = recall<Kept>(`list.${id}`);
  if (!theirs || !isList(theirs.list)) return toast("Their list is no longer on this device. Keep yours, or save it as a copy.");
  rev = theirs.rev;
  store.set({ conflict: null, share: theirs.share ?? null });
  change(theirs.list);
}

/** copyTitle keeps to the limit for the end's sake. */
function copyTitle(title: string): string {
  const end = " (copy)";
  return cut(title, longestTitle - end.length) + end;
}

export function saveCopy(): void {
  id = randomId();
  rev = "";
  tabValue.set("current", id);
  store.set({ conflict: null, share: null, list: { ...store.state.list, title: copyTitle(store.state.list.title) } });
  onOtherTab(`list.${id}`, otherTab);
  persist();
}

/** toSaved and fromSaved stand between the page's list and the server's. Items never tried travel as unranked; names of an older page may be too long. */
function toSaved(list: List, guesses: boolean): SavedList {
  const tiers = list.tiers.map(({ name, colour, items }) => ({ name: cut(name, longestName), colour, items }));
  return { title: cut(list.title, longestTitle), tiers, unranked: list.never, hidden: list.hidden, guesses };
}

export const asColour = (name: string, i: number): Colour => palette.find((colour) => colour === name) ?? palette[i % palette.length];

function fromSaved(saved: SavedList): List {
  const tiers = (saved.tiers ?? []).map((tier, i) => ({ id: `t${i + 1}`, name: tier.name, colour: asColour(tier.colour, i), items: tier.items ?? [] }));
  return { title: saved.title, tiers, never: saved.unranked ?? [], hidden: saved.hidden ?? [] };
}

/** share saves the list under a new link. */
export async function startSharing(): Promise<void> {
  if (store.state.share) return;
  if (store.state.conflict) throw new Error("another tab has changed the list: choose one of the two first");
  store.set({ save: "saving" });
  const fresh: Share = { id: randomId(), secret: randomId(), etag: "", guesses: false };
  try {
    fresh.etag = await api.writeList(fresh.id, fresh.secret, "", toSaved(store.state.list, false));
  } catch (error) {
    store.set({ save: "device" });
    throw error;
  }
  store.set({ share: fresh });
  if (persistShare()) return;
  store.set({ share: null }); // its secret could be lost with the answer to the conflict, and nobody could take the list back
  await api.deleteList(fresh.id, fresh.secret);
  throw new Error("another tab has changed the list meanwhile");
}

/** persistShare keeps what the server has just said about the link, unless another tab has written first. */
function persistShare(): boolean {
  if (!write()) return false;
  store.set({ save: store.state.share ? "link" : "device" });
  return true;
}

export async function includeGuesses(guesses: boolean): Promise<void> {
  if (!store.state.share) return;
  store.set({ share: { ...store.state.share, guesses } });
  await sendShared();
}

export async function stopSharing(): Promise<void> {
  const { share } = store.state;
  if (!share) return;
  try {
    await api.deleteList(share.id, share.secret);
  } catch (error) {
    if (!(error instanceof api.Failure) || error.status !== 404) throw error; // gone is what was wanted
  }
  store.set({ share: null });
  persistShare();
}

function sendLater(ms: number): void {
  clearTimeout(linkTimer);
  linkTimer = window.setTimeout(() => void sendShared(), ms);
}

/** sendShared brings the server's copy up to date; a version we do not know of is never written over. */
async function sendShared(): Promise<void> {
  const { share, list, conflict } = store.state;
  if (!share || sending || conflict) return;
  sending = true;
  store.set({ save: "saving" });
  try {
    const etag = await api.writeList(share.id, share.secret, share.etag, toSaved(list, share.guesses));
    const now = store.state.share;
    if (now?.id === share.id) store.set({ share: { ...now, etag } });
    persistShare();
    if (store.state.list !== list || now?.guesses !== share.guesses) sendLater(800); // changed while it was on its way
  } catch (error) {
    if (!(error instanceof api.Failure)) throw error;
    refused(share.id, error);
  } finally {
    sending = false;
  }
}

/** refused answers a write that failed. Only what may pass by itself is tried again; the next change tries in any case. */
function refused(link: string, error: api.Failure): void {
  const { status } = error;
  if (store.state.share?.id !== link || store.state.conflict) return; // nobody waits for it any more
  if (status === 412) return store.set({ conflict: { where: "link", etag: error.etag }, save: "not" });
  if (status === 404) {
    store.set({ share: null });
    write();
    toast("Not saved: the link is gone. The list stays on this device; Share makes a new link.");
  } else if (status >= 400 && status < 500 && status !== 408 && status !== 429) toast(`Not saved with its link: ${error.message}`);
  else sendLater(Math.max(5, error.after) * 1000);
  store.set({ save: "not" });
}

/** saveNow is Ctrl S. */
export function saveNow(): void {
  persist();
  if (store.state.share) void sendShared();
  say({ device: "Saved on this device", saving: "Saving…", link: "Saved with a link", not: "Not saved" }[store.state.save]);
}

/** visit opens somebody's link. */
export async function visit(list: string): Promise<void> {
  store.set({ visit: null, missing: false });
  try {
    const { list: saved } = await api.readList(list);
    store.set({ visit: { list: fromSaved(saved), guesses: saved.guesses ?? false } });
    if (saved.guesses) ask();
    if (store.state.large) void fillNames();
  } catch (error) {
    if (error instanceof api.Failure && (error.status === 404 || error.status === 422)) store.set({ missing: true }); // no such list, or no id of one
    else store.set({ net: error instanceof api.Failure && error.status === 0 ? "offline" : "error" });
  }
}
