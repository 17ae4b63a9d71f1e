// What a drop draws first: the board alone, then the answer to it, and then the rest of the page.
import { whenAnswered } from "./live";
import { afterPaint } from "./paint";
import { before as beforeMove } from "./slide";
import { store } from "./store";

const patience = 100; // ms that the rest of the page waits for the answer to a drop

let drops = 0;

/** boardFirst lets the next frame show the drop alone, and the one after it the answer to it: the rest of the page follows these, or does not wait for an answer any longer. */
export function boardFirst(): void {
  store.set({ boardFirst: true });
  const mine = ++drops;
  const follow = (): void => {
    if (mine !== drops) return; // another drop has come, and what follows that one follows both
    beforeMove();
    store.set({ boardFirst: false });
  };
  afterPaint(() => whenAnswered(follow, patience));
}
