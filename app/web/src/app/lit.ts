// The linked highlight: what the pointer rests on is marked on the board, in Try next and on the map.
import { soon } from "./paint";
import { store } from "./store";

let wanted = "";

const show = soon(() => {
  if (!store.state.held && store.state.lit !== wanted) store.set({ lit: wanted });
});

/** light marks an item, or none, once the frame under way is drawn: a drop brings a tile under the pointer, and goes first. */
export function light(item: string): void {
  wanted = item;
  show();
}

/** unlight takes the mark off an item that the pointer leaves, unless its why card is open. */
export function unlight(item: string): void {
  if (!store.state.why && (wanted === item || store.state.lit === item)) light("");
}
