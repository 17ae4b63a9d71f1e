// The keyboard, section by section of the list of keys (`?` shows it).
import { tierOf } from "../logic/list";
import { act, drop, isBlind, redo, undo } from "./acts";
import { say } from "./announce";
import { cancel } from "./drag";
import { firstKey } from "./first";
import { back, entered, focusItem, opened, rove, walk } from "./focus";
import { boardFirst } from "./follow";
import { heldKey, pickUp, putBack } from "./hold";
import { saveNow } from "./lists";
import { readOnly, small } from "./state";
import { changeSettings, store } from "./store";
import { closeWhy, pinWhy } from "./why";

export function keyboard(): void {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Tab") rove(); // what was drawn a moment ago may not have its stops yet
    if (event.isComposing || event.defaultPrevented) return;
    if (handle(event)) event.preventDefault();
  });
  document.addEventListener("focusin", (event) => {
    entered(event.target as Element);
    const { held } = store.state;
    if (held?.by === "key" && (event.target as HTMLElement).dataset?.item !== held.item) putBack();
  });
}

const typing = (element: Element | null): boolean => element !== null && element.matches("input:not([type=checkbox]):not([type=radio]), textarea, select");

function handle(event: KeyboardEvent): boolean {
  const command = event.ctrlKey || event.metaKey;
  const key = event.key;
  if (command && !event.altKey) return commandKey(key.toLowerCase(), event.shiftKey);
  if (key === "Escape") return escape();
  const { held, dialog } = store.state;
  if (held?.by === "key") {
    if (key === "Tab") {
      putBack();
      return false;
    }
    return heldKey(key);
  }
  const target = event.target as HTMLElement;
  if (typing(target)) return false;
  if (dialog || target.closest(".floats")) return false; // cards, sheets and menus have their own keys
  if (event.altKey) return target.matches(".spine") && (key === "ArrowUp" || key === "ArrowDown") && moveTier(target, key === "ArrowUp" ? -1 : 1);
  if (store.state.first && store.state.route.page === "board" && firstKey(key, target.matches("button, a"))) return true;
  if (anywhere(key)) return true;
  const stop = target.closest<HTMLElement>("[data-stop]");
  if (!stop) return false;
  if (["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(key)) return walk(stop, key) || key.startsWith("Arrow");
  if (stop.matches(".spine")) return headingKey(stop, key);
  if (stop.dataset.item && !readOnly(store.state)) return itemKey(stop, stop.dataset.item, key);
  return false;
}

function commandKey(key: string, shift: boolean): boolean {
  if (typing(document.activeElement) && key !== "s") return false;
  if (key === "z") shift ? redo() : undo();
  else if (key === "y" && !shift) redo();
  else if (key === "s") saveNow();
  else return false;
  return true;
}

function escape(): boolean {
  const s = store.state;
  if (s.held?.by === "pointer") cancel();
  else if (s.held) putBack();
  else if (s.dialog) closeDialog();
  else if (s.tierMenu || s.fileMenu || s.listMenu) {
    store.set({ tierMenu: "", fileMenu: false, listMenu: false });
    back();
  } else if (s.why) closeWhy();
  else return false;
  return true;
}

export function closeDialog(): void {
  store.set({ dialog: null });
  back();
}

function anywhere(key: string): boolean {
  if (!store.state.letters) return false;
  if (key === "/") {
    if (small(store.state)) store.set({ dock: { tab: "tray", open: true } });
    requestAnimationFrame(() => {
      const field = document.querySelector<HTMLInputElement>("#search");
      field?.focus();
      field?.select();
    });
    return true;
  }
  if (key === "?") {
    opened();
    store.set({ dialog: { kind: "keys" } });
    return true;
  }
  if (key === "g" || key === "G") {
    changeSettings({ guesses: !store.state.guesses });
    say(store.state.guesses ? "Guesses shown." : "Guesses hidden.");
    return true;
  }
  return false;
}

function moveTier(spine: HTMLElement, by: -1 | 1): boolean {
  const id = spine.dataset.tier ?? "";
  act({ kind: "moveTier", tier: id, by });
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`.spine[data-tier="${CSS.escape(id)}"]`)?.focus());
  return true;
}

function headingKey(spine: HTMLElement, key: string): boolean {
  if (readOnly(store.state)) return false;
  if (key === "F2") {
    opened();
    store.set({ tierMenu: spine.dataset.tier ?? "", renaming: spine.dataset.tier ?? "" });
    return true;
  }
  return false; // Enter is a click on the button
}

function itemKey(stop: HTMLElement, item: string, key: string): boolean {
  const guess = stop.dataset.drag === "guess";
  const { list } = store.state;
  if (key === " ") pickUp(item, guess);
  else if (key === "Enter" && guess) pinWhy(item, stop);
  else if (key === "Enter") openPicker(item);
  else if (/^[1-9]$/.test(key) && Number(key) <= list.tiers.length) {
    boardFirst();
    drop(item, { kind: "tier", tier: Number(key) - 1, at: Infinity }, isBlind(item) && !guess);
    focusItem(item);
  } else if ((key === "0" || key === "Delete") && tierOf(list, item) >= 0) {
    act({ kind: "tray", item });
    focusItem(item);
  } else if ((key === "h" || key === "H") && guess) {
    walk(stop, "ArrowRight");
    act({ kind: "hide", item });
  } else return false;
  return true;
}

/** openPicker is the way to place without dragging. */
export function openPicker(item: string): void {
  opened();
  store.set({ dialog: { kind: "picker", item, blind: isBlind(item), gaps: false }, why: null, lit: "" });
}
