import { shortTier } from "./names";
import type { List } from "../types";
import { equal, fails, test } from "./check";
import { readCSV, writeCSV } from "./csv";
import { emptyList, perform } from "./list";
import { readFile, tiersCSV, tiersJSON } from "./tiersfile";
import { crc32, unzip } from "./zip";

const bytes = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer as ArrayBuffer;
const read = (name: string, text: string) => readFile(name, bytes(text));

/** zipOf makes a zip with one file, packed or not; broken sizes are the caller's wish. */
async function zipOf(name: string, text: string, packed: boolean): Promise<ArrayBuffer> {
  const raw = new TextEncoder().encode(text);
  const data = packed ? new Uint8Array(await new Response(new Blob([raw]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer()) : raw;
  const title = new TextEncoder().encode(name);
  const out = new Uint8Array(30 + title.length + data.length + 46 + title.length + 22);
  const view = new DataView(out.buffer);
  const method = packed ? 8 : 0;
  view.setUint32(0, 0x04034b50, true);
  view.setUint16(8, method, true);
  view.setUint32(18, data.length, true);
  view.setUint16(26, title.length, true);
  out.set(title, 30);
  out.set(data, 30 + title.length);
  const directory = 30 + title.length + data.length;
  view.setUint32(directory, 0x02014b50, true);
  view.setUint16(directory + 10, method, true);
  view.setUint32(directory + 16, crc32(raw), true);
  view.setUint32(directory + 20, data.length, true);
  view.setUint16(directory + 28, title.length, true);
  out.set(title, directory + 46);
  const end = directory + 46 + title.length;
  view.setUint32(end, 0x06054b50, true);
  view.setUint16(end + 10, 1, true);
  view.setUint32(end + 16, directory, true);
  return out.buffer;
}

test("CSV: quotes, line ends, separators and blank lines", () => {
  const rows = (text: string) => readCSV(text).map((row) => row.cells);
  equal(rows('a,b\r\n"x, ""y""",2\n\n'), [["a", "b"], ['x, "y"', "2"]]);
  equal(rows("a;b\n1;2"), [["a", "b"], ["1", "2"]]);
  equal(rows("a\tb\r1\t2"), [["a", "b"], ["1", "2"]]);
  equal(readCSV('a,b\n"two\nlines",1\nx,y').map((row) => row.line), [1, 2, 4]);
  equal(rows("\ufeffa,b\n,"), [["a", "b"], ["", ""]]);
});

test("CSV: an open quote is found, by line", () => fails(() => readCSV('a,b\n"open,1\n'), "line 2: a quote is opened"));

test("CSV: what is written is read back, and no cell is a formula", () => {
  equal(writeCSV([["=1+1", 'say "hi"', 3]]), '\'=1+1,"say ""hi""",3\r\n');
  equal(readCSV(writeCSV([["a,b", "c\nd"]])).map((row) => row.cells), [["a,b", "c\nd"]]);
});

const odd = (): List => {
  let list = emptyList();
  for (const [item, tier] of [["=formula", "t1"], ['quote"d', "t1"], ["ramen", "t3"], ["-5", "t5"]]) list = perform(list, { kind: "place", item, tier });
  return perform(list, { kind: "rename", tier: "t3", name: "B, or so" });
};

test("export then import gives the same tiers", async () => {
  const list = odd();
  const ids = (tiers: { items: { id: string }[] }[]) => tiers.map((tier) => tier.items.map((item) => item.id));
  const json = await read("list.json", tiersJSON(list, "Demo world: synthetic people"));
  equal(ids(json.tiers), list.tiers.map((tier) => tier.items));
  equal(json.tiers.map((tier) => [tier.name, tier.colour]), list.tiers.map((tier) => [tier.name, tier.colour]));
  const csv = await read("list.csv", tiersCSV(list, (item) => `name of ${item}`));
  equal(ids(csv.tiers), list.tiers.map((tier) => tier.items).filter((items) => items.length > 0), "a CSV has no empty tiers");
  equal(csv.tiers.map((tier) => tier.name), ["S Every day", "B, or so", "D No thanks"]);
});

test("other files: plain JSON, ratings, Letterboxd", async () => {
  equal((await read("x.json", '[["a","b"],[3]]')).tiers.map((t) => t.items.map((i) => i.id)), [["a", "b"], ["3"]]);
  const rated = await read("r.csv", "userId,movieId,rating\n1,10,4\n1,20,5\n1,30,4\n");
  equal(rated.tiers.map((t) => [t.name, t.items.map((i) => i.id)]), [["5 ★", ["20"]], ["4 ★", ["10", "30"]]]);
  const film = 'Date,Name,Year,Letterboxd URI,Rating\n2024-01-01,"Alien, Directed",1979,https://boxd.it/x,4.5\n2024-01-02,Heat,1995,https://boxd.it/y,5\n';
  for (const packed of [true, false]) {
    const boxed = await readFile("letterboxd.zip", await zipOf("ratings.csv", film, packed));
    equal(boxed.tiers.map((t) => [t.name, t.items.map((i) => i.name)]), [["5 ★", ["Heat (1995)"]], ["4½ ★", ["Alien, Directed (1979)"]]]);
  }
});

test("ten ratings give ten tiers that are told apart by their letters", async () => {
  const all = Array.from({ length: 10 }, (_, i) => `${i},${(i + 1) / 2}\n`).join("");
  const { tiers } = await read("r.csv", `movieId,rating\n${all}`);
  equal(tiers.map((tier) => shortTier(tier.name)), ["5", "4½", "4", "3½", "3", "2½", "2", "1½", "1", "½"]);
});

test("bad files are refused with place and remedy", async () => {
  await fails(() => read("x.json", '{"tiers": [\n["a",\n}'), "x.json, line 3: this is not JSON");
  await fails(() => read("x.json", '{"a":1}'), '"tiers" is missing');
  await fails(() => read("x.json", '{"tiers":[["a",{}]]}'), "tiers[0][1] is not an id");
  await fails(() => read("x.json", '{"tiers":[4]}'), "tiers[0] is not a tier");
  await fails(() => read("x.csv", "colour,size\n1,2\n"), "line 1");
  await fails(() => read("x.csv", "item,tier\na,1\nb,best\n"), 'line 3: "best" is not a number');
  await fails(() => read("x.csv", "item,tier\na\n"), "line 2: 1 cells where the header has 2");
  await fails(() => read("x.csv", ""), "is empty");
  await fails(() => read("x.csv", "item,tier\n" + Array.from({ length: 60 }, (_, i) => `i${i},${i}`).join("\n")), "more than 50 different");
  await fails(() => readFile("x.png", new Uint8Array([0x89, 0x50, 0xff, 0xfe, 0]).buffer), "is not text");
  await fails(() => readFile("x.bin", new Uint8Array([97, 0, 98]).buffer), "is not text");
  await fails(() => readFile("x.csv", new ArrayBuffer(20_000_001)), "20 MB");
});

test("the checksum of zips", () => equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926, "the known value"));

test("bad zips are refused", async () => {
  const good = await zipOf("ratings.csv", "Name,Rating\nHeat,5\n", true);
  await fails(() => readFile("x.zip", good.slice(0, good.byteLength - 30)), "no table of contents");
  await fails(async () => readFile("x.zip", await zipOf("diary.csv", "a", false)), "holds no ratings.csv");
  const damaged = good.slice(0);
  new Uint8Array(damaged).fill(0xff, 45, 55);
  await fails(() => readFile("x.zip", damaged), "is damaged");
  const moved = good.slice(0);
  new DataView(moved).setUint32(moved.byteLength - 6, 5, true);
  await fails(() => readFile("x.zip", moved), "table of contents is broken");
});

test("a zip that opens to too much is given up", async () => {
  const bomb = await zipOf("ratings.csv", "0".repeat(51_000_000), true);
  await fails(() => unzip(bomb, () => true), "opens to more than 50 MB");
});

test("names keep to the server's limits, whatever the file says", async () => {
  const long = "n".repeat(300);
  const json = await read("x.json", JSON.stringify({ title: long, tiers: [{ name: long, items: ["a"] }] }));
  equal([json.title.length, json.tiers[0].name.length], [200, 100]);
  equal((await read("x.csv", `item,tier,tier_name\na,1,${long}\n`)).tiers[0].name.length, 100);
});

test("a list of 5,000 items and 50 tiers is read, one more is refused by its place", async () => {
  const many = (n: number, one: (i: number) => string): string[] => Array.from({ length: n }, (_, i) => one(i));
  const rows = (n: number): string => "item,tier\n" + many(n, (i) => `i${i},1`).join("\n");
  equal((await read("x.csv", rows(5_000))).tiers.map((tier) => tier.items.length), [5_000]);
  await fails(() => read("x.csv", rows(5_001)), "x.csv, line 5002: one row too many; a list has at most 5,000 items");
  const tiers = (n: number): string => "item,tier\n" + many(n, (i) => `i${i},${i}`).join("\n");
  equal((await read("x.csv", tiers(50))).tiers.length, 50);
  await fails(() => read("x.csv", tiers(51)), "x.csv, line 52: more than 50 different tiers; a list has at most 50 tiers");

  const items = (n: number): string[] => many(n, (i) => `i${i}`);
  const json = (list: unknown) => read("x.json", JSON.stringify(list));
  equal((await json({ tiers: [items(2_500)], hidden: items(2_500) })).hidden.length, 2_500);
  await fails(() => json({ tiers: [items(2_500)], hidden: items(2_501) }), "x.json: hidden[2500] is one item too many; a list has at most 5,000 items");
  equal((await json(many(50, () => "").map(() => []))).tiers.length, 50);
  await fails(() => json(many(51, () => "").map(() => [])), "x.json: tiers[50] is one tier too many; a list has at most 50 tiers");
});
