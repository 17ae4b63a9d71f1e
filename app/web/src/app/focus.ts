// Where the keyboard is: one tab stop per area, and focus that follows an item when it moves.

import { afterPaint, soon } from "./paint";

/** An area is a part of the page with one tab stop; its stops carry data-stop and a key. */
const areas = ["board", "tray", "next", "filters"];

const last = new Map<string, string>(); // area: key of the stop that has its tab stop

const all = (area: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(`[data-area="${area}"] [data-stop]`)];

const seen = (element: HTMLElement): boolean => element.offsetParent !== null || element.getClientRects().length > 0;

const stops = (area: string): HTMLElement[] => all(area).filter(seen);

/** rove gives each area exactly one tab stop; it runs after every render, and before Tab is followed. */
export function rove(): void {
  for (const area of areas) {
    const among = all(area);
    const wanted = last.get(area);
    const stop = among.find((element) => element.dataset.stop === wanted && seen(element)) ?? among.find(seen);
    for (const element of among) {
      const index = element === stop ? "0" : "-1";
      if (element.getAttribute("tabindex") !== index) element.setAttribute("tabindex", index);
    }
  }
}

/** roveSoon does so once what was changed is drawn: it looks at the page, which would be laid out in between. */
export const roveSoon = soon(rove);

/** entered remembers the stop that has focus. */
export function entered(element: Element | null): void {
  const stop = element?.closest<HTMLElement>("[data-stop]");
  const area = stop?.closest<HTMLElement>("[data-area]")?.dataset.area;
  if (!stop || !area || last.get(area) === stop.dataset.stop) return;
  last.set(area, stop.dataset.stop ?? "");
  rove();
}

/** focusItem puts focus on an item's tile once it is drawn in its new place. */
export function focusItem(item: string): void {
  requestAnimationFrame(() => {
    const tile = document.querySelector<HTMLElement>(`.board .tile[data-item="${CSS.escape(item)}"]`) ?? document.querySelector<HTMLElement>(`.tray .tile[data-item="${CSS.escape(item)}"]`);
    tile?.focus();
  });
}

/** stay keeps the focus where it is over a change: on the same item wherever that goes, else in the same area. */
export function stay(): void {
  const was = document.activeElement as HTMLElement | null;
  const item = was?.dataset.item ?? "";
  const area = was?.closest<HTMLElement>("[data-area]")?.dataset.area ?? "";
  if (!area) return;
  afterPaint(() => {
    if (document.activeElement && document.activeElement !== document.body) return;
    const tile = document.querySelector<HTMLElement>(`.board .tile[data-item="${CSS.escape(item)}"]`) ?? document.querySelector<HTMLElement>(`.tray .tile[data-item="${CSS.escape(item)}"]`);
    (tile ?? stops(area)[0])?.focus();
  });
}

/** walk moves focus inside an area and says whether there was somewhere to go. */
export function walk(from: HTMLElement, key: string): boolean {
  const area = from.closest<HTMLElement>("[data-area]")?.dataset.area;
  if (!area) return false;
  const among = stops(area);
  const here = among.indexOf(from);
  let to: HTMLElement | undefined;
  if (key === "Home") to = among[0];
  else if (key === "End") to = among.at(-1);
  else if (key === "ArrowLeft") to = among[here - 1];
  else if (key === "ArrowRight") to = among[here + 1];
  else if (key === "ArrowUp" || key === "ArrowDown") to = beside(among, from, key === "ArrowUp");
  if (!to) return false;
  to.focus();
  to.scrollIntoView({ block: "nearest", inline: "nearest" });
  return true;
}

/** beside finds the nearest stop in the line above or below, wrapped lines of a tier included. */
function beside(all: HTMLElement[], from: HTMLElement, up: boolean): HTMLElement | undefined {
  const own = from.getBoundingClientRect();
  const middle = own.left + own.width / 2;
  let best: HTMLElement | undefined;
  let bestScore = Infinity;
  for (const stop of all) {
    const box = stop.getBoundingClientRect();
    const away = up ? own.top - box.bottom : box.top - own.bottom;
    if (stop === from || away < -own.height / 2) continue;
    const score = Math.max(0, away) * 4 + Math.abs(box.left + box.width / 2 - middle);
    if ((up ? box.top < own.top - 2 : box.top > own.top + 2) && score < bestScore) {
      best = stop;
      bestScore = score;
    }
  }
  return best;
}

/** opener remembers what had focus before a card or sheet opened; back returns it there. */
let opener: { element: HTMLElement; item: string } | null = null;

export function opened(): void {
  const element = document.activeElement;
  if (element instanceof HTMLElement && element !== document.body && !element.closest(".floats")) opener = { element, item: element.dataset.item ?? "" };
}

export function back(): void {
  const was = opener;
  opener = null;
  if (!was) return;
  requestAnimationFrame(() => {
    if (document.activeElement && document.activeElement !== document.body && document.activeElement.isConnected && !document.activeElement.closest(".floats")) return;
    if (was.element.isConnected) was.element.focus();
    else if (was.item) focusItem(was.item);
  });
}
