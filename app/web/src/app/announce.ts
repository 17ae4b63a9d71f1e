// The live region: one sentence per act; news of recommendations wait for their turn.

const pause = 700; // ms between two messages about recommendations

let region: HTMLElement | null = null;
let lastNews = 0;
let waiting = 0;

/** announcer makes the region. It stands outside the page's tree so that no render touches it. */
export function announcer(): void {
  region = document.createElement("div");
  region.id = "live";
  region.className = "unseen";
  region.setAttribute("role", "status");
  region.setAttribute("aria-live", "polite");
  document.body.append(region);
}

/** say reads one sentence out. The same sentence twice gets a no-break space, or it would not be read again. */
export function say(text: string): void {
  if (!region) return;
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** news says the newest message about recommendations, at most once in 700 ms, unless `hush` says an item is held. */
export function news(text: string, hush: () => boolean): void {
  clearTimeout(waiting);
  const wait = Math.max(pause, lastNews + pause - performance.now()); // leave the act's own sentence time to be read
  waiting = window.setTimeout(() => {
    if (hush()) return;
    lastNews = performance.now();
    say(text);
  }, wait);
}

/** noNews drops a message that has not been said: a new act is under way. */
export const noNews = (): void => clearTimeout(waiting);
