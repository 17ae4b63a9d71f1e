import type { TasteMap } from "../types";
import { equal, holds, test } from "./check";
import { held, inRing, labels, meanOf, nearest, inView, scale, whole, zoomed } from "./mapview";

const map: TasteMap = {
  person: { x: 0, y: 0 },
  ring: { x: 1, y: 2, rx: 2, ry: 1, angle: 90 },
  items: [{ item: "a", x: -2, y: 1 }, { item: "b", x: 6, y: -3 }],
  kept: 1,
  directions: 2,
  of: 2,
};

test("one unit for both axes, all within the picture", () => {
  const { unit, at } = scale(map, 100, 80, 10);
  equal(unit, 10);
  equal(at(map.items[0]), { x: -40, y: -20 });
  equal(at(map.items[1]), { x: 40, y: 20 });
});

test("what is under the pointer stays there while the view is enlarged", () => {
  const under = { x: 30, y: -20 };
  const before = { x: under.x / whole.times + whole.x, y: under.y / whole.times + whole.y };
  let view = whole;
  for (const factor of [2, 2, 1.5]) view = zoomed(view, factor, under, 100, 80);
  equal(view.times, 6);
  const now = inView(before, view);
  holds(Math.abs(now.x - under.x) < 1e-9 && Math.abs(now.y - under.y) < 1e-9, `${now.x}, ${now.y}`);
  equal(zoomed(view, 0.01, under, 100, 80), whole);
  equal(held({ times: 2, x: 999, y: -999 }, 100, 80), { times: 2, x: 25, y: -20 });
});

test("the ring is turned", () => {
  holds(inRing({ x: 1, y: 3.9 }, map.ring), "along its long axis");
  holds(!inRing({ x: 2.5, y: 2 }, map.ring), "beyond its short one");
});

test("the nearest within reach", () => {
  equal(nearest(map.items, { x: -1, y: 1 }, 2)?.item, "a");
  equal(nearest(map.items, { x: 2, y: 0 }, 2), null);
});

test("names cover neither each other nor what is kept free", () => {
  const three = labels([{ item: "a", name: "Alien", x: 0, y: 0 }, { item: "b", name: "Heat", x: 10, y: 3 }, { item: "c", name: "Up", x: 170, y: 50 }], 350, 236, []);
  equal(three.map(({ item, anchor }) => `${item} ${anchor}`), ["a start", "c end"]);
  equal(labels([{ item: "a", name: "Alien", x: 0, y: 0 }], 350, 236, [{ x: 20, y: 0 }])[0]?.anchor, "end");
});

test("a mean of few says nothing", () => {
  equal(meanOf([1, 1, 1, 1]), null);
  equal(meanOf([1, 2, 3, 4, 5]), 3);
});
