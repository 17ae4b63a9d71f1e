// Tiles slide to their new place. Positions are taken before a change and compared after it.

const time = 160; // ms
let places: Map<string, DOMRect> | null = null;
let lifted: { item: string; rect: DOMRect } | null = null;

const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

const tiles = (): NodeListOf<HTMLElement> => document.querySelectorAll<HTMLElement>(".board .tile, .tray .tile, .board .spine");

const keyOf = (tile: HTMLElement): string => (tile.dataset.item !== undefined ? `item ${tile.dataset.item}` : `tier ${tile.dataset.tier}`);

const meet = (a: DOMRect, b: DOMRect): boolean => a.right > b.left && a.left < b.right && a.bottom > b.top && a.top < b.bottom;

/** before notes where everything is. */
export function before(): void {
  if (still()) return;
  places = new Map();
  for (const tile of tiles()) places.set(keyOf(tile), tile.getBoundingClientRect());
  if (lifted) places.set(`item ${lifted.item}`, lifted.rect);
  lifted = null;
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
  const tray = document.querySelector(".trayTiles")?.getBoundingClientRect();
  for (const tile of tiles()) {
    const was = old.get(keyOf(tile));
    if (!was || was.width === 0) continue;
    const is = tile.getBoundingClientRect();
    const x = was.left - is.left;
    const y = was.top - is.top;
    if (Math.abs(x) <= 1 && Math.abs(y) <= 1) continue;
    const box = tray && tile.closest(".trayTiles") ? tray : new DOMRect(0, 0, innerWidth, innerHeight);
    if (meet(is, box) || meet(was, box)) moves.push([tile, x, y]); // most of a long tray is out of sight
  }
  for (const [tile, x, y] of moves)
    tile.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: time, easing: "ease-out" });
}
