import { equal, holds, test } from "./check";
import { emptyList } from "./list";
import { agreed, asBoard, compare, differing, linkedList } from "./together";
import type { List } from "../types";

const listed = (...tiers: string[]): List => ({ ...emptyList(), tiers: emptyList().tiers.slice(0, tiers.length).map((tier, t) => ({ ...tier, items: tiers[t].split(" ").filter(Boolean) })) });

test("two lists are compared on what both placed", () => {
  const found = compare(listed("a b", "c", "d", "", "e x"), listed("a", "c b", "", "", "d e y"));
  equal([found.same, found.near, found.far, found.shared.length], [3, 1, 1, 5]);
  equal(found.table.flat().reduce((a, b) => a + b, 0), 5);
  holds(Math.abs(found.chance - (2 * 1 + 1 * 2 + 0 + 0 + 1 * 2) / 5) < 1e-12, `chance ${found.chance}`);
  equal(differing(found.shared).map(({ item }) => item), ["d", "b"]);
  equal(agreed(found.shared).map(({ item }) => item), ["a", "c", "e"]);
});

test("lists with other numbers of tiers are compared by position", () => {
  const found = compare(listed("a", "", "b", "", "c"), listed("a", "b", "c"));
  equal([found.same, found.scaled], [3, true]);
});

test("a common list becomes a board", () => {
  equal(asBoard(emptyList(), "All", [{ item: "a", at: 0.1 }, { item: "b", at: 0.5 }, { item: "c", at: 1 }]).tiers.map((tier) => tier.items.join(" ")), ["a", "", "b", "", "c"]);
});

test("links lead to lists", () => {
  equal(linkedList("http://127.0.0.1:8080/list/abcdefghijklmnopqrstuvwx"), "abcdefghijklmnopqrstuvwx");
  equal(linkedList("http://x/#/list/abcdefghijklmnopqrstuvwx"), "abcdefghijklmnopqrstuvwx");
  equal([linkedList("hello"), linkedList("")], ["", ""]);
});
