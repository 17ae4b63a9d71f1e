// The keyboard of the page of a fit. Rows and cells have one tab stop each; arrows walk.
import { swap } from "./acts";
import { store } from "./state";

const typing = (element: Element | null): boolean => element !== null && element.matches("input:not([type=checkbox]), textarea, select");

export function keyboard(): void {
  document.addEventListener("keydown", (event) => {
    if (!event.isComposing && !event.defaultPrevented && handle(event)) event.preventDefault();
  });
  document.addEventListener("focusin", (event) => {
    const stop = (event.target as Element).closest<HTMLElement>("[data-stop]");
    if (stop) rove(stop);
  });
}

/** rove gives an area its one tab stop. */
function rove(to: HTMLElement): void {
  for (const stop of to.closest("[data-area]")?.querySelectorAll<HTMLElement>("[data-stop]") ?? []) stop.tabIndex = stop === to ? 0 : -1;
}

function handle(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const s = store.state;
  const target = event.target as HTMLElement;
  if (event.key === "Escape" && (s.dialog || s.menu)) {
    store.set({ dialog: "", menu: false });
    return true;
  }
  if (typing(target) || s.dialog || target.closest(".floats")) return false;
  if (s.letters && event.key === "/") {
    document.querySelector<HTMLInputElement>("#search")?.select();
    return document.querySelector("#search") !== null;
  }
  if (s.letters && event.key === "?") {
    store.set({ dialog: "keys" });
    return true;
  }
  const stop = target.closest<HTMLElement>("[data-stop]");
  if (!stop) return false;
  if (event.key === "Enter" && event.shiftKey) {
    swap();
    return true;
  }
  return walk(stop, event.key);
}

/** walk moves along the rows of the board, or the cells of a matrix. */
function walk(from: HTMLElement, key: string): boolean {
  const stops = [...from.closest("[data-area]")!.querySelectorAll<HTMLElement>("[data-stop]")];
  const wide = Number(from.closest<HTMLElement>("[data-area]")!.dataset.wide ?? 1);
  const here = stops.indexOf(from);
  const steps: Record<string, number> = { ArrowUp: here - wide, ArrowDown: here + wide, Home: 0, End: stops.length - 1 };
  if (wide > 1) Object.assign(steps, { ArrowLeft: here - 1, ArrowRight: here + 1 });
  const to = stops[steps[key]];
  if (!to) return key in steps;
  to.focus();
  to.scrollIntoView({ block: "nearest", inline: "nearest" });
  return true;
}
