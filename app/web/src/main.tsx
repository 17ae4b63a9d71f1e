// Start: the kept list is on screen before the first request is answered.
import { h, render } from "preact";
import { announcer } from "./app/announce";
import { Failure } from "./app/api";
import { dragging } from "./app/drag";
import { fileDrops } from "./app/files";
import { newest } from "./app/job";
import { keyboard } from "./app/keys";
import { keepHistory, load, visit } from "./app/lists";
import { ask, loadModel } from "./app/live";
import type { Route, State } from "./app/state";
import { store } from "./app/store";
import { loadCatalogue } from "./app/tray";
import { App } from "./view/app";

/** decoded takes the text as it is where its percent signs mean nothing: then it names nothing either. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function routeOf(hash: string): Route {
  const [, page = "", id = "", more = ""] = hash.split("/").map(decoded);
  if (page === "learning") return { page: "learning", job: id === "job" ? more || newest : "" };
  if (page === "list" && id) return { page: "list", id };
  return { page: "board" };
}

function go(): void {
  const route = routeOf(location.hash);
  const was = store.state.route;
  store.set({ route, visit: route.page === "list" ? store.state.visit : null, missing: false, why: null, dialog: null, fileMenu: false, tierMenu: "" });
  if (route.page === "list") void visit(route.id);
  else if (was.page === "list" || route.page === "board") ask();
  scrollTo(0, 0);
}

function measure(): void {
  const width: State["width"] = matchMedia("(min-width: 1181px)").matches ? "wide" : matchMedia("(min-width: 768px)").matches ? "middle" : "phone";
  if (width !== store.state.width) store.set({ width });
}

/** catalogue loads the items, again and again with longer pauses while the server does not answer. */
async function catalogue(wait = 1000): Promise<void> {
  try {
    await loadCatalogue();
    if (store.state.route.page === "board") ask(store.state.advice !== null && store.state.advice.items.length >= 500);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    store.set({ net: error.status === 0 ? "offline" : "error" });
    setTimeout(() => void catalogue(Math.min(30_000, wait * 2)), Math.max(wait, error.after * 1000));
  }
}

const systemDark = matchMedia("(prefers-color-scheme: dark)");
store.set({ systemDark: systemDark.matches });
measure();
load();
announcer();
render(<App />, document.getElementById("app")!);
dragging();
keyboard();
fileDrops();
addEventListener("resize", measure);
addEventListener("hashchange", go);
addEventListener("pagehide", keepHistory);
systemDark.addEventListener("change", () => store.set({ systemDark: systemDark.matches }));
go();
void catalogue();
void loadModel();
