// What the page asks of the server when it starts, and again once it has a key.
import * as api from "./api";
import { takeKey } from "./key";
import { ownWorld, persist } from "./lists";
import { ask, asksAgain, loadModel } from "./live";
import { wrongKey } from "./request";
import { store } from "./store";
import { loadCatalogue } from "./tray";

let retry = 0;

/** start fetches the catalogue and what is said of the model. */
export function start(): void {
  void catalogue();
  void loadModel();
}

/** catalogue loads the items, again and again with longer pauses while the server does not answer. */
async function catalogue(wait = 1000): Promise<void> {
  clearTimeout(retry);
  try {
    await loadCatalogue();
    if (store.state.route.page !== "list") ownWorld();
    if (store.state.route.page === "board") ask(asksAgain(store.state));
  } catch (error) {
    if (!(error instanceof api.Failure)) throw error;
    if (error.status === 401) return; // a key will start it again
    store.set({ net: error.status === 0 ? "offline" : "error" });
    retry = window.setTimeout(() => void catalogue(Math.min(30_000, wait * 2)), Math.max(wait, error.after * 1000));
  }
}

/** unlock tries a key, and starts the page with it if the server takes it. It returns what is wrong, or "". */
export async function unlock(key: string): Promise<string> {
  const wrong = await wrongKey(key);
  if (wrong) return wrong;
  takeKey(key);
  store.set({ net: "first" });
  start();
  if (store.state.route.page === "board" || store.state.visit?.guesses) ask(true);
  if (store.state.share && store.state.save === "not") persist();
  return "";
}
