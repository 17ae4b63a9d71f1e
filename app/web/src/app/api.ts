// The server, as the page calls it. Every request stays on this origin, and has the API key of this tab if there is one.
import type { Advice, Choice, Explanation, Item, ModelFacts, SavedList, TasteMap } from "../types";
import { apiKey, locked } from "./key";
import { bearer, Failure, send } from "./request";

export { Failure };

async function call(path: string, init: RequestInit = {}): Promise<Response> {
  const key = apiKey();
  try {
    return await send(path, key ? { ...init, headers: { ...init.headers, Authorization: `Bearer ${key}` } } : init);
  } catch (error) {
    if (error instanceof Failure && error.status === 401) locked(key);
    throw error;
  }
}

async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
  return (await (await call(path, init)).json()) as T;
}

const get = async <T>(path: string, signal?: AbortSignal): Promise<T> => (await (await call(path, { signal })).json()) as T;

export interface ItemPage {
  items: Item[];
  next: string;
  total: number;
  groups?: string[] | null;
  close?: boolean; // no name has the text: these come closest
}

/** Question is what recommendations hang on; `only` asks about these items and no others. */
export interface Question {
  tiers: string[][];
  exclude: string[];
  n: number;
  aim?: "taste" | "balanced" | "interest";
  only?: string[];
}

export const recommend = (question: Question, signal?: AbortSignal): Promise<Advice> => post("/v1/recommend", question, signal);
export const similar = (id: string): Promise<{ items: { item: string; name: string }[] }> => get(`/v1/items/${encodeURIComponent(id)}/similar?limit=8`);
export const explain = (tiers: string[][], item: string): Promise<Explanation> => post("/v1/explain", { tiers, item });
/** embed is the map: `items` are the most that come, beside those placed unless `placed` is false. */
export const embed = (tiers: string[][], items: number, placed: boolean, signal: AbortSignal): Promise<TasteMap> => post("/v1/embed", { tiers, items, placed }, signal);
/** Group is what the lists of several people are together. */
export interface Group {
  common: { item: string; name: string; at: number; low: number; high: number; said: number[] }[];
  please: { item: string; name: string; each: number[]; all: number }[];
  level: number;
}

export const together = (lists: { tiers: string[][] }[], exclude: string[]): Promise<Group> => post("/v1/together", { lists, exclude, n: 6 });

/** World is a catalogue that people may choose, at a port of its own. */
export interface World {
  name: string;
  title: string;
  state: "off" | "training" | "ready" | "failed";
  port: number;
  here: boolean; // the one that this server has
}

export const worlds = async (): Promise<World[]> => (await get<{ worlds: World[] }>("/v1/worlds")).worlds;
export const startWorld = async (name: string): Promise<World[]> => ((await (await call(`/v1/worlds/${name}`, { method: "POST" })).json()) as { worlds: World[] }).worlds;

/** Dealt is an item to ask a new person about. */
export interface Dealt {
  items: Item[];
  people: number;
  enough: boolean; // the newest answers hardly moved our guesses
}

/** deal chooses what to ask about next: what the person probably knows, and where we are least sure of its place. */
export const deal = (tiers: string[][], exclude: string[], newest: string[]): Promise<Dealt> => post("/v1/deal", { tiers, exclude, newest });
/** Imported is a file as the server has read it: tiers of the catalogue's items, and what became of every name. */
export interface Imported {
  form: string;
  people: { person: string; tiers: { name: string; items: string[] }[]; seen: string[] }[];
  report: {
    read: number;
    guessed: { text: string; line: number; item: string; name: string; score: number }[];
    ambiguous: Choice[];
    not_matched: { text: string; line: number; closest: { item: string; name: string }[] }[];
    skipped: { text: string; line: number; why: string }[];
    counts: { matched: number; guessed: number; ambiguous: number; not_matched: number; twice: number; skipped: number };
  };
}

/** importFile sends a file, or text that was pasted, as it is. */
export async function importFile(name: string, data: Blob | string): Promise<Imported> {
  const init = { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: data };
  return (await (await call(`/v1/import?${new URLSearchParams({ name: name.slice(-100) })}`, init)).json()) as Imported;
}

export const model = (): Promise<ModelFacts> => get("/v1/model");
export const item = (id: string): Promise<Item> => get(`/v1/items/${encodeURIComponent(id)}`);

/** find is the one search: best matches first, typing errors forgiven. */
export const find = (q: string, limit: number, group: string, signal: AbortSignal): Promise<ItemPage> => get(`/v1/items?${new URLSearchParams({ q, typos: "true", limit: String(limit), ...(group ? { group } : {}) })}`, signal);

export function items(query: { q?: string; group?: string; limit: number; cursor?: string }, signal?: AbortSignal): Promise<ItemPage> {
  const search = new URLSearchParams({ limit: String(query.limit) });
  for (const key of ["q", "group", "cursor"] as const) if (query[key]) search.set(key, query[key]);
  return get(`/v1/items?${search}`, signal);
}

/** readList needs no key: the link is enough, and a key that is no longer good would be refused. */
export async function readList(id: string): Promise<{ list: SavedList; etag: string }> {
  const response = await send(`/v1/lists/${encodeURIComponent(id)}`, { cache: "no-store" });
  return { list: (await response.json()) as SavedList, etag: response.headers.get("ETag") ?? "" };
}

/** writeList creates the list when etag is empty, and otherwise changes that very version. It returns the new one's etag. */
export async function writeList(id: string, secret: string, etag: string, list: SavedList): Promise<string> {
  const condition: Record<string, string> = etag ? { "If-Match": etag } : { "If-None-Match": "*" };
  const headers = { "Content-Type": "application/json", "X-List-Secret": secret, ...condition };
  const response = await call(`/v1/lists/${encodeURIComponent(id)}`, { method: "PUT", headers, body: JSON.stringify(list) });
  return response.headers.get("ETag") ?? "";
}

export async function deleteList(id: string, secret: string): Promise<void> {
  await call(`/v1/lists/${encodeURIComponent(id)}`, { method: "DELETE", headers: { "X-List-Secret": secret } });
}

/** Progress is how far training has come; 0 stands for what is not measured. */
export interface Progress {
  epoch: number;
  epochs: number;
  distance: number;
  validation: number;
  log_likelihood: number;
  left_s: number;
}

export interface Job {
  id: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled" | "interrupted";
  failure?: string;
}

/** Jobs are for admins: their key goes with every request, in a header that EventSource cannot set. */
export const jobs = async (key: string, signal: AbortSignal): Promise<Job[]> => ((await (await send("/v1/jobs", bearer(key, signal))).json()) as { jobs: Job[] }).jobs;

export const jobEvents = (id: string, key: string, signal: AbortSignal): Promise<Response> => send(`/v1/jobs/${encodeURIComponent(id)}/events`, bearer(key, signal));
