// Start of the page of a fit: the server sends it in place of the page of lists where the model has a board.
import { h, render } from "preact";
import { announcer } from "./app/announce";
import { keyboard } from "./votes/keys";
import { go, load } from "./votes/load";
import { store, type Shown } from "./votes/state";
import { Votes } from "./votes/page";

function measure(): void {
  const width: Shown["width"] = matchMedia("(min-width: 1101px)").matches ? "wide" : matchMedia("(min-width: 768px)").matches ? "middle" : "phone";
  if (width !== store.state.width) store.set({ width });
}

const systemDark = matchMedia("(prefers-color-scheme: dark)");
store.set({ systemDark: systemDark.matches });
measure();
announcer();
go();
render(<Votes />, document.getElementById("app")!);
keyboard();
addEventListener("resize", measure);
addEventListener("hashchange", go);
systemDark.addEventListener("change", () => store.set({ systemDark: systemDark.matches }));
load();
