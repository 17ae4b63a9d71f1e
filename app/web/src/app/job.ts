// Training now: progress events of a job, for as long as its page is open.
import type { Curves } from "../types";
import { loadModel } from "./live";
import { store } from "./store";

interface Progress {
  epoch: number;
  epochs: number;
  distance?: number;
  validation?: number;
  left_s?: number;
}

// 0 stands for a curve that is not measured.

/** follow listens to a job and lets the curves grow; it returns the way to stop. */
export function follow(job: string): () => void {
  const source = new EventSource(`/v1/jobs/${encodeURIComponent(job)}/events`);
  const grown: Curves = { epoch: [], distance: [], ndcg10: [] };
  const progress = (event: MessageEvent<string>): void => {
    let p: Progress;
    try {
      p = JSON.parse(event.data) as Progress;
    } catch {
      return;
    }
    if (typeof p.epoch !== "number") return;
    grown.epoch.push(p.epoch);
    if (p.distance) grown.distance!.push(p.distance);
    if (p.validation) grown.ndcg10!.push(p.validation);
    const { model } = store.state;
    const curves = { ...model?.curves, ...grown, epoch: [...grown.epoch] };
    store.set({ job: { epoch: p.epoch, epochs: p.epochs, left: p.left_s ?? 0 }, model: model && { ...model, curves } });
    if (p.epoch >= p.epochs) stop();
  };
  const stop = (): void => {
    source.close();
    store.set({ job: null });
    void loadModel();
  };
  source.onmessage = progress;
  source.addEventListener("progress", progress as EventListener);
  source.onerror = () => source.readyState === EventSource.CLOSED && stop();
  return () => source.close();
}
