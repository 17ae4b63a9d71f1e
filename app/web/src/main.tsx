// Start: the kept list is on screen before the first request is answered.
import { h, render } from "preact";
import { announcer } from "./app/announce";
import { beginFirst } from "./app/first";
import { dragging } from "./app/drag";
import { fileDrops } from "./app/files";
import { newest } from "./app/job";
import { keyboard } from "./app/keys";
import { askKey } from "./app/key";
import { keepHistory, load, visit } from "./app/lists";
import { ask } from "./app/live";
import { knowOwn } from "./app/own";
import type { Route, State } from "./app/state";
import { start } from "./app/start";
import { keep, recall } from "./app/storage";
import { store } from "./app/store";
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
  if (page === "operator") return { page: "learning", job: "", operator: true };
  if (page === "together") return { page: "together", ids: id ? id.split(",") : (recall<string[]>("together") ?? []) };
  if (page === "list" && id) return { page: "list", id };
  return { page: "board" };
}

function go(): void {
  const route = routeOf(location.hash);
  const was = store.state.route;
  store.set({ route, visit: route.page === "list" ? store.state.visit : null, missing: false, why: null, dialog: null, fileMenu: false, tierMenu: "" });
  if (route.page === "list") void visit(route.id);
  else if (store.state.net === "locked") askKey();
  else if (was.page === "list" || route.page === "board") ask();
  if (route.page === "together") keep("together", route.ids);
  scrollTo(0, 0);
}

function measure(): void {
  const flat = matchMedia("(max-height: 480px) and (orientation: landscape) and (min-width: 560px)").matches;
  const width: State["width"] = flat ? "flat" : matchMedia("(min-width: 1181px)").matches ? "wide" : matchMedia("(min-width: 768px)").matches ? "middle" : "phone";
  const height: State["height"] = innerHeight < 820 ? "low" : innerHeight < 1000 ? "middle" : "high";
  if (width !== store.state.width || height !== store.state.height) store.set({ width, height });
}

// A link to a list is a path, so that other sites can show what it leads to; the page has all its places behind the #.
const linked = /^\/list\/([\w-]+)$/.exec(location.pathname);
if (linked) history.replaceState(null, "", `/#/list/${linked[1]}`);

const systemDark = matchMedia("(prefers-color-scheme: dark)");
store.set({ systemDark: systemDark.matches });
measure();
load();
announcer();
knowOwn();
render(<App />, document.getElementById("app")!);
dragging();
keyboard();
fileDrops();
addEventListener("resize", measure);
addEventListener("hashchange", go);
addEventListener("pagehide", keepHistory);
systemDark.addEventListener("change", () => store.set({ systemDark: systemDark.matches }));
go();
beginFirst();
start();
// The page is kept for a time without its server, once it is shown. A browser that has no workers, or a page on a plain address, goes without.
addEventListener("load", () => void navigator.serviceWorker?.register("/worker.js").catch(() => undefined));
