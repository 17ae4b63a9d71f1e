// Training now: how a job goes, for as long as its page is open. Only admins may follow one. Their key is typed into the
// page, stays in its memory, and is kept nowhere.
import { events } from "../logic/events";
import type { Curves } from "../types";
import * as api from "./api";
import { loadModel } from "./live";
import type { Training } from "./state";
import { store } from "./store";

const longest = 30_000; // ms between two tries

/** newest is the name, in the page's address, of whichever job there is. */
export const newest = "now";

/** follow listens to a job until it ends, or the returned function is called. */
export function follow(job: string, key: string): () => void {
  const stop = new AbortController();
  void run(job, key, stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  return () => {
    stop.abort();
    store.set({ training: null });
  };
}

const tell = (training: Training): void => store.set({ training });

async function run(job: string, key: string, signal: AbortSignal): Promise<void> {
  const points: api.Progress[] = [];
  tell({ state: "asking" });
  for (let wait = 1000; ; wait = Math.min(longest, wait * 2)) {
    try {
      const id = job === newest ? ((await api.jobs(key, signal)).find(({ state }) => state === "running" || state === "queued")?.id ?? "") : job;
      if (id === "") return tell({ state: "none" });
      const end = await listen(await api.jobEvents(id, key, signal), points);
      if (end) return finish(end);
      wait = 1000; // it was there, and may be again
    } catch (error) {
      if (!(error instanceof api.Failure)) throw error;
      if (error.status === 401 || error.status === 403) return tell({ state: "refused" });
      if (error.status >= 400 && error.status < 500 && error.status !== 429) return tell({ state: "none" }); // no such job, or no jobs here
    }
    tell({ state: "lost", curves: curvesOf(points) });
    await new Promise((done) => setTimeout(done, wait));
    signal.throwIfAborted();
  }
}

function finish(job: api.Job): void {
  tell({ state: "ended", how: job.state, failure: job.failure });
  void loadModel();
}

/** listen reads a stream to its end; it returns the job once that is told to be over. */
async function listen(response: Response, points: api.Progress[]): Promise<api.Job | null> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  tell({ state: "waiting", curves: curvesOf(points) });
  for (let text = ""; ; ) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: "" })); // cut off: it is asked for again
    if (done) return null;
    const { whole, rest } = events(text + value);
    text = rest;
    for (const { name, data } of whole) {
      if (name === "end") return JSON.parse(data) as api.Job;
      if (name !== "progress") continue;
      const now = JSON.parse(data) as api.Progress;
      if (now.epoch > (points.at(-1)?.epoch ?? -1)) points.push(now);
      tell({ state: "running", epoch: now.epoch, epochs: now.epochs, left: now.left_s, curves: curvesOf(points) });
    }
  }
}

/** curvesOf are what training has measured so far. */
function curvesOf(points: api.Progress[]): Curves {
  const curve = (value: (p: api.Progress) => number): number[] => (points.some((p) => value(p) !== 0) ? points.map(value) : []);
  return { epoch: points.map((p) => p.epoch), distance: curve((p) => p.distance), log_likelihood: curve((p) => p.log_likelihood), ndcg10: curve((p) => p.validation) };
}
