// Keeping the list: on the device after every change, and with its link once it is shared.
import { palette, type Colour, type Item, type List, type SavedList } from "../types";
import type { History } from "../logic/history";
import { noHistory, remember } from "../logic/history";
import { cut, emptyList, isList, longestName, longestTitle, placedCount } from "../logic/list";
import * as api from "./api";
import { ask } from "./live";
import { say } from "./announce";
import { worldOf, type Share, type State } from "./state";
import { store } from "./store";
import { forget, keep, keysOf, onAnyOther, recall, tabValue } from "./storage";
import { toast } from "./toast";
import { fillNames, lookOf } from "./tray";

interface Kept {
  rev: string; // changes with every write, so that a tab sees another's
  base?: string; // the rev that this one was made from
  at?: number; // when, in ms
  world?: string; // the catalogue that it is about
  list: List;
  share: Share | null;
}

/** OwnList is a list on this device, as the switcher shows it. */
export interface OwnList {
  id: string;
  title: string;
  placed: number;
  at: number;
  world: string;
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
  open(tabValue.get("current") || recall<string>("current") || "main");
  onAnyOther((key) => key === `list.${id}` && otherTab());
}

/** open puts a list of this device on the board. */
function open(list: string): void {
  id = list;
  rev = "";
  const kept = recall<Kept>(`list.${id}`);
  if (kept && !isList(kept.list)) keep(`broken.${id}`, kept); // not ours to throw away
  else if (kept) {
    rev = kept.rev;
    const history = recall<History>(`history.${id}`) ?? noHistory;
    const names = recall<[string, Omit<Item, "item">][]>("names") ?? [];
    const items = new Map(store.state.items);
    for (const [item, known] of names) if (!items.has(item)) items.set(item, { item, ...known });
    const look = store.state.loaded ? {} : lookOf(names.map(([, known]) => known));
    store.set({ list: kept.list, history, share: kept.share ?? null, save: kept.share ? "link" : "device", items, ...look });
  }
}

/** ownLists are the lists of this device, the one changed last first. Whatever was saved is found, however it came there. */
export function ownLists(): OwnList[] {
  const out: OwnList[] = [];
  for (const key of keysOf("list.")) {
    const kept = recall<Kept>(key);
    if (!kept || !isList(kept.list)) continue;
    out.push({ id: key.slice("list.".length), title: kept.list.title, placed: placedCount(kept.list), at: kept.at ?? 0, world: kept.world ?? "" });
  }
  return out.sort((a, b) => b.at - a.at);
}

export const currentList = (): string => id;

/** switchTo puts another list on the board; the one before stays as it is. */
export function switchTo(other: string): void {
  if (other === id) return;
  flush();
  store.set({ ...blank(), list: emptyList() });
  open(other);
  keep("current", id);
  tabValue.set("current", id);
  say(`${store.state.list.title} opened.`);
  ask();
  void fillNames();
}

/** startList begins one beside the others, empty or with what it is given. */
export function startList(list: List = emptyList(), title = freeTitle(list.title)): void {
  flush();
  id = randomId();
  rev = "";
  tabValue.set("current", id);
  store.set({ ...blank(), list: { ...list, title } });
  persist();
  say(`${title} started.`);
  ask();
}

/** ownWorld looks whether the list on the board is about this catalogue. A list of another one stays on the device, and one of this catalogue is opened in its place. */
export function ownWorld(): void {
  const { list, catalogue, complete } = store.state;
  const placed = list.tiers.flatMap((tier) => tier.items);
  const here = new Set(catalogue);
  if (!complete || placed.length === 0 || placed.some((item) => here.has(item))) return;
  const { title } = list;
  const own = ownLists().find((one) => one.id !== id && (recall<Kept>(`list.${one.id}`)?.list.tiers ?? []).some((tier) => tier.items.some((item) => here.has(item))));
  if (own) switchTo(own.id);
  else startList(emptyList(), freeTitle(emptyList().title));
  toast(`"${title}" is about another catalogue. It is safe, in the switcher beside the title.`);
}

/** removeList takes the list on the board off this device; what it was can be had back by undo of the toast. */
export function removeList(): void {
  const gone = recall<Kept>(`list.${id}`);
  const from = id;
  const next = ownLists().find((one) => one.id !== id);
  forget(`list.${id}`);
  forget(`history.${id}`);
  if (next) {
    id = next.id;
    store.set({ ...blank(), list: emptyList() });
    open(id);
    keep("current", id);
    tabValue.set("current", id);
    ask();
  } else startList(emptyList(), emptyList().title);
  if (gone) toast(`${gone.list.title} removed from this device.`, () => {
    keep(`list.${from}`, gone);
    switchTo(from);
  });
}

/** blank is what belongs to one list alone. */
const blank = (): Partial<State> => ({ history: noHistory, share: null, conflict: null, said: null, why: null, save: "device", trail: [], renaming: "", tierMenu: "" });

/** flush writes what waits to be written of the list on the board. */
function flush(): void {
  keepHistory();
  clearTimeout(linkTimer);
  if (store.state.share && store.state.save === "saving") void sendShared();
}

/** freeTitle adds a number where a list of that name is there already. */
function freeTitle(title: string): string {
  const taken = new Set(ownLists().map((one) => one.title));
  for (let n = 1; ; n++) {
    const end = n === 1 ? "" : ` ${n}`;
    const tried = cut(title, longestTitle - end.length) + end;
    if (!taken.has(tried)) return tried;
  }
}

/**
 * otherTab hears that the list was written elsewhere. What was made from ours goes on from there, quietly; and so does all
 * else where nothing was done in this tab. `ahead`: there is something here that is not written, and the person is asked.
 */
function otherTab(ahead = false): void {
  const theirs = recall<Kept>(`list.${id}`);
  if (!theirs || theirs.rev === rev || !isList(theirs.list)) return;
  const { conflict, touched, held, list, history } = store.state;
  if (!ahead && !conflict && (theirs.base === rev || !touched)) {
    if (held) return void setTimeout(() => otherTab(), 200); // not under the hand
    rev = theirs.rev;
    store.set({ list: theirs.list, share: theirs.share ?? null, save: theirs.share ? "link" : "device", history: touched ? remember(history, list, "Changes of another tab taken", "list as it was in this tab") : (recall<History>(`history.${id}`) ?? noHistory), said: null });
    void fillNames();
    return ask();
  }
  store.set({ conflict: { where: "device", theirs: theirs.rev }, save: "not" });
  say("Changed in another tab.");
}

/** persist keeps the list after a change. */
export function persist(): void {
  if (write() && store.state.share) sendLater(800);
}

/** write puts the list on the device. It never writes over what another tab has written: then it asks, and says false. */
function write(base = rev): boolean {
  const { list, share, conflict } = store.state;
  if (conflict) return false;
  const there = recall<Kept>(`list.${id}`);
  if (there && there.rev !== rev) {
    otherTab(true);
    return false;
  }
  const next = randomId();
  const ok = keep(`list.${id}`, { rev: next, base, at: Date.now(), world: worldOf(store.state), list, share } satisfies Kept);
  if (ok) rev = next;
  keep("current", id);
  store.set({ save: !ok ? "not" : share ? "saving" : "device" });
  clearTimeout(historyTimer);
  historyTimer = window.setTimeout(keepHistory, 250);
  return true;
}

/** keepHistory writes what can be had again where it is lost: the names of placed items, and the undo steps; where the device is full, the oldest give way. */
export function keepHistory(): void {
  clearTimeout(historyTimer);
  const { list, items } = store.state;
  const placed = list.tiers.flatMap((tier) => tier.items).filter((item) => items.has(item));
  if (placed.length > 0) keep("names", placed.map((item) => [item, { ...items.get(item)!, item: undefined, ids: undefined, support: undefined }]));
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
  if (write("") && store.state.share) sendLater(800); // it was not made from theirs: the other tab is asked
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

/** saveCopy keeps the list on the board beside the other version, which the switcher has. */
export function saveCopy(): void {
  const { list, history } = store.state;
  id = randomId();
  rev = "";
  tabValue.set("current", id);
  store.set({ conflict: null, share: null, history, list: { ...list, title: copyTitle(list.title) } });
  persist();
}

/** copyShared keeps a list that somebody shared as one of one's own, beside the others. */
export function copyShared(list: List): void {
  store.set({ visit: null, route: { page: "board" } });
  location.hash = "#/";
  startList(list);
  toast("Copied. Your other lists are in the switcher beside the title.");
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

/** listByLink reads a list that somebody shared. */
export async function listByLink(link: string): Promise<List> {
  const list = fromSaved((await api.readList(link)).list);
  void fillNames(list.tiers.flatMap((tier) => tier.items));
  return list;
}

/** sortTheSame shows the board, with a tray of what somebody else has placed. */
export function sortTheSame(list: List): void {
  store.set({ among: { title: list.title, items: list.tiers.flatMap((tier) => tier.items) }, first: null, folded: false });
  location.hash = "#/";
}

/** visit opens somebody's link. */
export async function visit(list: string): Promise<void> {
  store.set({ visit: null, missing: false });
  try {
    const { list: saved } = await api.readList(list);
    store.set({ visit: { list: fromSaved(saved), guesses: saved.guesses ?? false } });
    if (saved.guesses) ask();
    if (store.state.loaded) void fillNames();
  } catch (error) {
    if (error instanceof api.Failure && (error.status === 404 || error.status === 422)) store.set({ missing: true }); // no such list, or no id of one
    else store.set({ net: error instanceof api.Failure && error.status === 0 ? "offline" : "error" });
  }
}
