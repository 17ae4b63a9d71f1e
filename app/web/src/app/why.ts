// Opening and closing the why card: by hover, by focus, or pinned.
import { sawWhy } from "./acts";
import { back, opened } from "./focus";
import { explainItem } from "./live";
import { small } from "./state";
import { store } from "./store";

const wait = 300; // ms of hover that open the card
let timer = 0;
let hush = ""; // the item whose card was just closed: focus that returns to it does not open it again

/** anchor is where the card stands: "next", or the row of a lane. */
const anchorOf = (element: HTMLElement): string => (element.closest(".next") ? "next" : "lane");

/** focusWhy opens the card for who comes by keyboard. */
export function focusWhy(item: string, element: HTMLElement): void {
  if (item !== hush && element.matches(":focus-visible")) hoverWhy(item, element);
}

export function blurWhy(): void {
  hush = "";
  leaveWhy();
}

export function hoverWhy(item: string, element: HTMLElement): void {
  clearTimeout(timer);
  if (store.state.why?.pinned || store.state.held || small(store.state)) return;
  timer = window.setTimeout(() => {
    const { dialog, tierMenu, fileMenu } = store.state;
    if (!dialog && !tierMenu && !fileMenu) open(item, element, false); // what a person opened is not closed by a hover
  }, wait);
}

/** leaveWhy closes a card that is not pinned, unless the pointer goes into it within a moment. */
export function leaveWhy(): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    if (store.state.why && !store.state.why.pinned) store.set({ why: null });
  }, 200);
}

export const stayWhy = (): void => clearTimeout(timer);

export function pinWhy(item: string, element: HTMLElement): void {
  clearTimeout(timer);
  opened();
  open(item, element, true);
}

function open(item: string, element: HTMLElement, pinned: boolean): void {
  if (store.state.held) return;
  sawWhy(item);
  store.set({ why: { item, pinned, from: anchorOf(element) }, lit: item, dialog: null });
  void explainItem(item);
}

export function closeWhy(): void {
  clearTimeout(timer);
  const pinned = store.state.why?.pinned;
  hush = store.state.why?.item ?? "";
  store.set({ why: null, lit: "" });
  if (pinned) back();
}
