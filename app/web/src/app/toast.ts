// A line at the bottom for 6 seconds, with Undo where there is something to take back.
import { store } from "./store";

const stays = 6000; // ms
let timer = 0;

/** toast shows a line; undo takes the last act back, or does what it is given. */
export function toast(text: string, undo: boolean | (() => void) = false): void {
  store.set({ toast: { text, undo } });
  clearTimeout(timer);
  timer = window.setTimeout(() => store.set({ toast: null }), stays);
}
