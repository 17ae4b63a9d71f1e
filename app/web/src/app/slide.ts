// Tiles slide to their new place. Positions are taken before a change and compared after it.

const time = 160; // ms
const dense = 100; // tiles of a board on which only the one that goes furthest slides, which is what was dropped: each that slides is a layer of its own
let places: Map<string, DOMRect> | null = null;
let lifted: { item: string; rect: DOMRect } | null = null;

const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

const keyOf = (tile: HTMLElement): string => (tile.dataset.item !== undefined ? `item ${tile.dataset.item}` : `tier ${tile.dataset.tier}`);

/** look calls back for every tile that is seen or next to what is seen, with its place; most of a long board or tray is out of sight. */
function look(call: (tile: HTMLElement, rect: DOMRect) => void): void {
  for (const spine of document.querySelectorAll<HTMLElement>(".board .spine")) call(spine, spine.getBoundingClientRect());
  const screen = new DOMRect(0, 0, innerWidth, innerHeight);
  for (const lane of document.querySelectorAll(".board .lane")) lookIn(lane, screen, call);
  const tray = document.querySelector(".trayTiles");
  if (tray) lookIn(tray, tray.getBoundingClientRect(), call);
}

/** lookIn does so for the tiles of a lane or of the tray that are seen through a window. */
function lookIn(area: Element, seen: DOMRect, call: (tile: HTMLElement, rect: DOMRect) => void): void {
  const box = area.getBoundingClientRect();
  if (box.bottom < seen.top || box.top > seen.bottom) return; // hundreds of tiles that nobody sees
  for (const tile of area.querySelectorAll<HTMLElement>(".tile")) {
    const rect = tile.getBoundingClientRect();
    if (rect.top > seen.bottom + rect.height || rect.left > seen.right + rect.width) break; // they stand in order
    if (rect.bottom > seen.top - rect.height && rect.right > seen.left - rect.width) call(tile, rect);
  }
}

/** before notes where everything is. */
export function before(): void {
  if (still()) return;
  const noted = new Map<string, DOMRect>();
  look((tile, rect) => noted.set(keyOf(tile), rect));
  if (lifted) noted.set(`item ${lifted.item}`, lifted.rect);
  lifted = null;
  places = noted;
}

/** from says that the item's way starts where it was let go, not where it was picked up. */
export function from(item: string, rect: DOMRect): void {
  lifted = { item, rect };
}

/** after lets what has moved slide from where it was. */
export function after(): void {
  const old = places;
  places = null;
  if (!old) return;
  const moves: [HTMLElement, number, number][] = [];
  look((tile, is) => {
    const was = old.get(keyOf(tile));
    if (!was || was.width === 0 || tile.matches(".lifted")) return; // what is still lifted has not come to its new place
    const x = was.left - is.left;
    const y = was.top - is.top;
    if (Math.abs(x) > 1 || Math.abs(y) > 1) moves.push([tile, x, y]);
  });
  if (document.querySelectorAll(".board .tile").length > dense) moves.sort(([, ax, ay], [, bx, by]) => Math.hypot(bx, by) - Math.hypot(ax, ay)).splice(1);
  for (const [tile, x, y] of moves)
    tile.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: time, easing: "ease-out" });
}
