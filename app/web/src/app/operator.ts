// What whoever runs the server asks of it. Their key, with the scope admin, is typed into the page, stays in its memory, and is kept nowhere.
import type { Advice, Bin, Explanation, Item, SavedList } from "../types";
import { bearer, send } from "./request";
import type { Imported, Job } from "./api";

export interface Status {
  version: string;
  model: string;
  loaded: string;
  ready: boolean;
  trouble: string;
  in_flight: number;
  waiting: number;
  turned_away: number;
  panics: number;
  memory_bytes: number;
  routes: { route: string; count: number; failed: number; p50_ms: number; p95_ms: number }[];
}

export interface JobRow extends Job {
  kind: string;
  created: string;
  progress?: { epoch: number; epochs: number };
}

export interface Held {
  periods: { from: string; lists: number; placed: number; ece: number; events: number; even: Bin[] | null; bins: Bin[] }[];
  lists: number;
  left: boolean;
}

const read = async <T>(path: string, init: RequestInit): Promise<T> => (await (await send(path, init)).json()) as T;
const post = <T>(path: string, key: string, body: unknown): Promise<T> => {
  const init = bearer(key);
  return read(path, { ...init, method: "POST", headers: { ...(init.headers as Record<string, string>), "Content-Type": "application/json" }, body: JSON.stringify(body) });
};

export const status = (key: string): Promise<Status> => read("/v1/status", bearer(key));
export const jobs = async (key: string): Promise<JobRow[]> => (await read<{ jobs: JobRow[] }>("/v1/jobs?limit=10", bearer(key))).jobs;
export const calibration = (key: string, period: string): Promise<Held> => read(`/v1/calibration?period=${period}`, bearer(key));
export const find = async (key: string, words: string): Promise<Item[]> => (await read<{ items: Item[] }>(`/v1/items?limit=8&q=${encodeURIComponent(words)}`, bearer(key))).items;
export const neighbours = async (key: string, item: string): Promise<{ item: string; name: string; similarity: number }[]> => (await read<{ items: { item: string; name: string; similarity: number }[] }>(`/v1/items/${encodeURIComponent(item)}/similar?limit=10`, bearer(key))).items;
export const recommend = (key: string, tiers: string[][]): Promise<Advice> => post("/v1/recommend", key, { tiers, n: 10 });
export const explain = (key: string, tiers: string[][], item: string): Promise<Explanation> => post("/v1/explain", key, { tiers, item });

/** Person is somebody's list, as far as it is known here. */
export interface Person {
  title: string;
  tiers: { name: string; items: string[] }[];
}

/** person finds a list by its link or its id; other text is read as a list itself, such as "S: Alien, Heat". */
export async function person(key: string, text: string): Promise<Person> {
  const id = /#\/list\/([^/\s?#]+)/.exec(text)?.[1] ?? (/^[\w-]{22,64}$/.test(text.trim()) ? text.trim() : "");
  if (id) {
    const list = await read<SavedList>(`/v1/lists/${id}`, bearer(key));
    return { title: list.title, tiers: list.tiers };
  }
  const init = bearer(key);
  const found = await read<Imported>("/v1/import?name=list.txt", { ...init, method: "POST", headers: { ...(init.headers as Record<string, string>), "Content-Type": "application/octet-stream" }, body: text });
  return { title: "The list as typed", tiers: found.people[0]?.tiers ?? [] };
}
