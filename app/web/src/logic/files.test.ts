import type { List } from "../types";
import { equal, fails, test } from "./check";
import { writeCSV } from "./csv";
import { emptyList, perform } from "./list";
import { checkSize, readOwn as read, tiersCSV, tiersJSON } from "./tiersfile";

test("CSV: what is written is read back, and no cell is a formula", () => {
  equal(writeCSV([["=1+1", 'say "hi"', 3]]), '\'=1+1,"say ""hi""",3\r\n');
  equal(writeCSV([["a,b", "c\nd"]]), '"a,b","c\nd"\r\n');
});

const odd = (): List => {
  let list = emptyList();
  for (const [item, tier] of [["=formula", "t1"], ['quote"d', "t1"], ["ramen", "t3"], ["-5", "t5"]]) list = perform(list, { kind: "place", item, tier });
  return perform(list, { kind: "rename", tier: "t3", name: "B, or so" });
};

test("export then import gives the same tiers", () => {
  const list = odd();
  const json = read("list.json", tiersJSON(list, "Demo world: synthetic people"))!;
  equal(json.tiers.map((tier) => tier.items), list.tiers.map((tier) => tier.items));
  equal(json.tiers.map((tier) => [tier.name, tier.colour]), list.tiers.map((tier) => [tier.name, tier.colour]));
  equal(tiersCSV(list, (item) => `name of ${item}`).split("\r\n").slice(0, 3), ["item,name,tier,tier_name", "'=formula,name of =formula,1,S Favourites", '"quote""d","name of quote""d",1,S Favourites']);
});

test("files that are not the page's own are left to the server", () => {
  for (const text of ['[["a","b"],[3]]', "item,tier\na,1\n", '{"data":{"MediaListCollection":{}}}', '[{"rated_at":"x"}]', "S: a, b", '{"title":"no list"}']) equal(read("x", text), null);
});

test("bad files are refused with place and remedy", async () => {
  await fails(() => read("x.json", '{"tiers": [\n["a",\n}'), "x.json, line 3: this is not JSON");
  await fails(() => read("x.json", '{"tiers":[["a",{}]]}'), "tiers[0][1] is not an id");
  await fails(() => read("x.json", '{"tiers":[4]}'), "tiers[0] is not a tier");
  await fails(() => checkSize("x.csv", 16_000_001), "16 MB");
});

test("names keep to the server's limits, whatever the file says", () => {
  const long = "n".repeat(300);
  const json = read("x.json", JSON.stringify({ title: long, tiers: [{ name: long, items: ["a"] }] }))!;
  equal([json.title.length, json.tiers[0].name.length], [200, 100]);
});

test("a list of 5,000 items and 50 tiers is read, one more is refused by its place", async () => {
  const many = (n: number, one: (i: number) => string): string[] => Array.from({ length: n }, (_, i) => one(i));
  const items = (n: number): string[] => many(n, (i) => `i${i}`);
  const json = (list: unknown) => read("x.json", JSON.stringify(list));
  equal(json({ tiers: [items(2_500)], hidden: items(2_500) })!.hidden.length, 2_500);
  await fails(() => json({ tiers: [items(2_500)], hidden: items(2_501) }), "x.json: hidden[2500] is one item too many; a list has at most 5,000 items");
  equal(json({ tiers: many(50, () => "").map(() => []) })!.tiers.length, 50);
  await fails(() => json({ tiers: many(51, () => "").map(() => []) }), "x.json: tiers[50] is one tier too many; a list has at most 50 tiers");
});
