// The taste map as numbers: from places to the picture, what is under the pointer, what lies in the ring, and which names have room.
import type { TasteMap } from "../types";

export interface Spot {
  x: number;
  y: number;
}

/** View is a part of the map: how many times it is enlarged, and what stands in its middle, in units of the picture at its full size. */
export interface View extends Spot {
  times: number;
}

export const whole: View = { times: 1, x: 0, y: 0 };
export const most = 12; // times

/** scale fits items and person into a picture, one unit for both axes, so that distances mean the same both ways. The picture's middle is 0, 0. */
export function scale(map: TasteMap, width: number, height: number, margin: number): { unit: number; at: (p: Spot) => Spot } {
  const points = [...map.items, map.person];
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.min(bottom, y);
    top = Math.max(top, y);
  }
  const unit = Math.min((width - 2 * margin) / Math.max(right - left, 1e-9), (height - 2 * margin) / Math.max(top - bottom, 1e-9));
  return { unit, at: (p) => ({ x: (p.x - (left + right) / 2) * unit, y: ((bottom + top) / 2 - p.y) * unit }) };
}

/** held keeps a view inside the picture. */
export function held(view: View, width: number, height: number): View {
  const times = Math.min(most, Math.max(1, view.times));
  const room = (size: number): number => (size / 2) * (1 - 1 / times);
  const within = (v: number, limit: number): number => Math.min(limit, Math.max(-limit, v)) + 0;
  return { times, x: within(view.x, room(width)), y: within(view.y, room(height)) };
}

/** zoomed enlarges a view by a factor so that what is under a point of the picture stays there. */
export function zoomed(view: View, factor: number, under: Spot, width: number, height: number): View {
  const times = Math.min(most, Math.max(1, view.times * factor));
  const stays = (at: number, middle: number): number => middle + at / view.times - at / times;
  return held({ times, x: stays(under.x, view.x), y: stays(under.y, view.y) }, width, height);
}

/** inView is where a place of the whole picture is seen in a view. */
export const inView = (p: Spot, view: View): Spot => ({ x: (p.x - view.x) * view.times, y: (p.y - view.y) * view.times });

/** inRing says whether a place lies in the ring. */
export function inRing(p: Spot, ring: TasteMap["ring"]): boolean {
  const angle = (ring.angle * Math.PI) / 180;
  const [x, y] = [p.x - ring.x, p.y - ring.y];
  return Math.hypot((x * Math.cos(angle) + y * Math.sin(angle)) / (ring.rx || 1e-9), (y * Math.cos(angle) - x * Math.sin(angle)) / (ring.ry || 1e-9)) <= 1;
}

/** nearest is the item closest to a point, within a reach. */
export function nearest<T extends Spot>(spots: T[], to: Spot, reach: number): T | null {
  let best: T | null = null;
  let least = reach * reach;
  for (const spot of spots) {
    const far = (spot.x - to.x) ** 2 + (spot.y - to.y) ** 2;
    if (far <= least) [best, least] = [spot, far];
  }
  return best;
}

export interface Named extends Spot {
  item: string;
  name: string;
}

export interface Label extends Named {
  anchor: "start" | "end";
}

/** labels gives names a place beside their spots, in order, where they fit into the picture and cover neither each other nor what is kept free. */
export function labels(wanted: Named[], width: number, height: number, free: Spot[], letter = 6.2): Label[] {
  const boxes = free.map(({ x, y }) => ({ left: x - 9, right: x + 9, top: y - 9, bottom: y + 9 }));
  const done: Label[] = [];
  for (const one of wanted) {
    const long = one.name.length * letter;
    for (const anchor of ["start", "end"] as const) {
      const left = anchor === "start" ? one.x + 7 : one.x - 7 - long;
      const box = { left, right: left + long, top: one.y - 8, bottom: one.y + 8 };
      const fits = box.left >= -width / 2 + 2 && box.right <= width / 2 - 2 && box.top >= -height / 2 && box.bottom <= height / 2;
      if (!fits || boxes.some((b) => b.left < box.right && b.right > box.left && b.top < box.bottom && b.bottom > box.top)) continue;
      boxes.push(box, { left: one.x - 4, right: one.x + 4, top: one.y - 4, bottom: one.y + 4 });
      done.push({ ...one, anchor });
      break;
    }
  }
  return done;
}

/** meanOf is the mean of some numbers, or null for fewer than five: too few to say anything of. */
export const meanOf = (values: number[]): number | null => (values.length < 5 ? null : values.reduce((a, b) => a + b, 0) / values.length);
