// Dragging by mouse, pen and touch, over pointer events. Only what is held moves with the pointer; the board is
// drawn again when the target changes, not with every move.
import { plain, soft, titleOf } from "../logic/names";
import { motifOf, paperOf } from "../logic/poster";
import { drop, isBlind, sawWhy } from "./acts";
import { say } from "./announce";
import { boardFirst } from "./follow";
import { from as slideFrom } from "./slide";
import { readOnly, type Target } from "./state";
import { nameOf, store } from "./store";

const slop = { mouse: 4, touch: 8 }; // px
const hold = 300; // ms of touch that lift
const border = 6; // px on each side of a tier's edge: a zone of 12
const rest = 350; // ms over that zone that open a new tier
const edge = 48; // px from the window's edge where it scrolls

interface Press {
  id: number;
  item: string;
  source: HTMLElement;
  x: number;
  y: number;
  touch: boolean;
  moved: boolean; // further than a finger that rests
  timer: number;
}

let press: Press | null = null;
let copy: HTMLElement | null = null;
let grip = { x: 0, y: 0 };
let at = { x: 0, y: 0 };
let rows: { top: number; bottom: number }[] = [];
let board: DOMRect | null = null;
let gap = -1;
let gapTimer = 0;
let frame = 0;
let swallow = false; // the click that ends a drag is not a click

const vibrate = (): void => void navigator.vibrate?.(12);

export function dragging(): void {
  document.addEventListener("pointerdown", down);
  document.addEventListener("pointermove", move, { passive: true });
  document.addEventListener("pointerup", up);
  document.addEventListener("pointercancel", cancel);
  document.addEventListener("lostpointercapture", (event) => copy && event.pointerId === press?.id && cancel());
  document.addEventListener("touchmove", (event) => copy && event.cancelable && event.preventDefault(), { passive: false });
  document.addEventListener("contextmenu", (event) => (copy || press?.touch) && event.preventDefault());
  document.addEventListener("dragstart", (event) => event.preventDefault());
  document.addEventListener("selectstart", (event) => copy && event.preventDefault());
  addEventListener("blur", cancel);
  addEventListener("scroll", measure, { passive: true, capture: true });
  document.addEventListener(
    "click",
    (event) => {
      if (!swallow || event.detail === 0) return; // keys click too, without a pointer
      swallow = false;
      event.stopPropagation();
      event.preventDefault();
    },
    { capture: true },
  );
}

function down(event: PointerEvent): void {
  swallow = false;
  if (press || event.button !== 0 || readOnly(store.state)) return;
  const source = (event.target as Element).closest<HTMLElement>("[data-drag]");
  if (!source?.dataset.item || (event.target as Element).closest("[data-nodrag]")) return;
  const touch = event.pointerType === "touch";
  press = { id: event.pointerId, item: source.dataset.item, source, x: event.clientX, y: event.clientY, touch, moved: false, timer: 0 };
  at = { x: event.clientX, y: event.clientY };
  if (touch) press.timer = window.setTimeout(lift, hold);
}

function move(event: PointerEvent): void {
  if (!press || event.pointerId !== press.id) return;
  at = { x: event.clientX, y: event.clientY };
  const far = Math.hypot(at.x - press.x, at.y - press.y);
  if (far > slop.touch) press.moved = true;
  if (copy) return follow();
  if (press.touch && far > slop.touch) letGo(); // it scrolls
  else if (!press.touch && far >= slop.mouse) lift();
}

function lift(): void {
  if (!press) return;
  const { source, item, touch } = press;
  const box = source.getBoundingClientRect();
  const guess = source.dataset.drag === "guess";
  if (guess) sawWhy(item);
  const blind = isBlind(item);
  copy = heldTile(item);
  copy.addEventListener("wheel", wheel, { passive: false });
  document.body.append(copy);
  const size = copy.getBoundingClientRect();
  // A tile is held where it was taken; a row or pill is another shape, so its tile hangs by the middle.
  grip = source.classList.contains("tile") ? { x: press.x - box.left, y: press.y - box.top } : { x: size.width / 2, y: size.height / 2 };
  try {
    source.setPointerCapture(press.id);
  } catch {
    // a pointer that is gone already ends by pointerup
  }
  store.set({ held: { item, by: "pointer", blind, target: null }, why: null, dialog: null, tierMenu: "", lit: "" });
  if (touch) vibrate();
  measure();
  follow();
  frame = requestAnimationFrame(scroll);
}

/** heldTile is a copy that follows the pointer; it carries a name and no guess. */
function heldTile(item: string): HTMLElement {
  const tile = document.createElement("div");
  tile.setAttribute("aria-hidden", "true");
  const known = store.state.items.get(item);
  const part = (kind: string, text: string): void => {
    const span = document.createElement("span");
    span.className = kind;
    span.dir = "auto";
    span.textContent = text;
    if (text) tile.append(span);
  };
  const { title, year } = titleOf(known, item);
  const paper = known?.emoji ? "" : paperOf(known);
  tile.className = `tile held${known?.emoji ? "" : " wordy"}${paper && ` paper paper-${paper}`}`;
  if (paper) tile.append(drawing(motifOf(paper)));
  part("emoji", known?.emoji ?? "");
  part("name", soft(title));
  part("year", year);
  return tile;
}

/** drawing is the motif of a paper. */
function drawing(motif: string): SVGElement {
  const make = (name: string, attributes: Record<string, string>): SVGElement => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const svg = make("svg", { class: "motif", viewBox: "0 0 70 78", preserveAspectRatio: "xMidYMax meet" });
  svg.append(make("path", { d: motif }));
  return svg;
}

/** measure notes where the rows are; they move only when the window scrolls. */
function measure(): void {
  if (!copy) return;
  board = document.querySelector(".board")?.getBoundingClientRect() ?? null;
  rows = [...document.querySelectorAll<HTMLElement>(".board .spine")].map((spine) => {
    const { top, bottom } = spine.getBoundingClientRect();
    return { top, bottom };
  });
}

function follow(): void {
  if (!copy) return;
  copy.style.transform = `translate(${at.x - grip.x}px, ${at.y - grip.y}px)`;
  const found = under();
  const before = found?.kind === "gap" ? found.before : -1;
  if (before !== gap) {
    gap = before;
    clearTimeout(gapTimer);
    if (gap >= 0) gapTimer = window.setTimeout(() => aim({ kind: "gap", before: gap }), rest);
  }
  if (found?.kind === "gap") {
    if (store.state.held?.target?.kind === "gap" && store.state.held.target.before === before) return;
    aim(rowAt()); // until the gap opens the row below the pointer stays the target
    return;
  }
  aim(found);
}

function under(): Target | null {
  for (const tier of document.querySelectorAll<HTMLElement>("[data-strip]")) {
    const box = tier.getBoundingClientRect();
    if (at.x >= box.left - 4 && at.x < box.right + 4 && at.y >= box.top - 10 && at.y < box.bottom + 6) return { kind: "tier", tier: Number(tier.dataset.strip), at: Infinity };
  }
  const tray = document.elementsFromPoint(at.x, at.y).some((element) => element.closest(".tray, .dock"));
  if (tray) return { kind: "tray" };
  if (!board || at.x < board.left || at.x > board.right || rows.length === 0) return null;
  for (let i = 0; i <= rows.length; i++) {
    const y = i < rows.length ? rows[i].top : rows[i - 1].bottom;
    if (Math.abs(at.y - y) <= border) return { kind: "gap", before: i };
  }
  return rowAt();
}

function rowAt(): Target | null {
  const tier = rows.findIndex((row) => at.y >= row.top && at.y < row.bottom);
  return tier < 0 ? null : { kind: "tier", tier, at: position(tier) };
}

/** position is where among a tier's tiles the pointer stands; past the last one in its line it is the end of the line. */
function position(tier: number): number {
  const tiles = [...document.querySelectorAll<HTMLElement>(`.lane[data-row="${tier}"] .tile`)].filter((tile) => tile.dataset.item !== press?.item);
  for (let i = 0; i < tiles.length; i++) {
    const box = tiles[i].getBoundingClientRect();
    if (at.y < box.top || (at.y <= box.bottom + 6 && at.x < box.left + box.width / 2)) return i;
  }
  return tiles.length;
}

/** wheel scrolls the tray below what is held, which is in the way of the pointer. */
function wheel(event: WheelEvent): void {
  const tray = document.elementsFromPoint(event.clientX, event.clientY).map((element) => element.closest(".trayTiles")).find(Boolean);
  if (!tray) return;
  event.preventDefault();
  tray.scrollBy(event.deltaX, event.deltaY);
}

function aim(target: Target | null): void {
  const { held } = store.state;
  if (held && JSON.stringify(held.target) !== JSON.stringify(target)) store.set({ held: { ...held, target } });
}

function scroll(): void {
  if (!copy) return;
  const speed = (distance: number): number => (distance < edge ? Math.ceil((edge - Math.max(0, distance)) / 4) : 0);
  const down = speed(innerHeight - at.y);
  const upward = document.querySelector(".tierStrip") ? 0 : speed(at.y); // there the hand is on its way to a tier
  if (down || upward) scrollBy(0, down - upward);
  frame = requestAnimationFrame(scroll);
}

function up(event: PointerEvent): void {
  setTimeout(() => (swallow = false), 50);
  if (!press || event.pointerId !== press.id) return;
  const { held } = store.state;
  if (!copy || !held) return letGo();
  const { touch, moved, source } = press;
  swallow = true;
  if (touch && !moved) { // a slow tap: who presses for long without moving wants what a tap does
    letGo();
    return source.click();
  }
  slideFrom(held.item, copy.getBoundingClientRect());
  letGo();
  if (held.target) {
    if (held.target.kind !== "tray") {
      if (source.closest(".trayTiles")) source.blur(); // it is about to go, and would be laid out once more to lose its focus
      boardFirst();
    }
    drop(held.item, held.target, held.blind);
    if (touch) vibrate();
  }
}

function letGo(): void {
  if (!press) return;
  clearTimeout(press.timer);
  clearTimeout(gapTimer);
  cancelAnimationFrame(frame);
  press = null;
  gap = -1;
  if (!copy) return;
  copy.remove();
  copy = null;
  store.set({ held: null });
}

/** cancel puts the item back: Escape, a lost pointer, or the window losing focus. */
export function cancel(): void {
  if (copy && press) {
    swallow = true; // the button is still down
    say(`${plain(nameOf(press.item))} put back.`);
  }
  letGo();
}
