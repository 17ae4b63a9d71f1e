import type { List } from "../types";
import { dice, equal, holds, test } from "./check";
import { fold, matches } from "./fold";
import { depth, noHistory, redo, remember, undo } from "./history";
import { cut, emptyList, isList, merged, perform, placedCount, question, sameList, tierOf, type Act } from "./list";
import { dated } from "./names";
import { actWords, listed, overGap, seconds } from "./words";

const start = (): List => {
  let list = emptyList();
  for (const [item, tier] of [["ramen", "t1"], ["gyoza", "t1"], ["pizza", "t2"], ["naan", "t2"], ["olives", "t5"]]) list = perform(list, { kind: "place", item, tier });
  return perform(list, { kind: "hide", item: "liver" });
};

/** acts of every kind, all with an effect on start(). */
const acts: Act[] = [
  { kind: "place", item: "ramen", tier: "t2" },
  { kind: "place", item: "ramen", tier: "t1", at: 1 },
  { kind: "between", item: "pizza", before: 1 },
  { kind: "tray", item: "naan" },
  { kind: "never", item: "oysters" },
  { kind: "hide", item: "ramen" },
  { kind: "unhide", item: "liver" },
  { kind: "addTier", before: 2 },
  { kind: "rename", tier: "t1", name: "Best" },
  { kind: "colour", tier: "t1", colour: "teal" },
  { kind: "moveTier", tier: "t1", by: 1 },
  { kind: "emptyTier", tier: "t2" },
  { kind: "removeTier", tier: "t2" },
  { kind: "title", title: "Other" },
  { kind: "clear" },
  { kind: "replace", list: emptyList(), why: "List imported" },
];

test("undo after each kind of act restores the very same JSON, and redo the act", () => {
  for (const act of acts) {
    const before = start();
    const frozen = JSON.stringify(before);
    const after = perform(before, act);
    holds(!sameList(before, after), `${act.kind} had no effect`);
    equal(JSON.stringify(before), frozen, `${act.kind} changed its input`);
    const history = remember(noHistory, before, "x", "x");
    const back = undo(history, after)!;
    equal(JSON.stringify(back.list), frozen, act.kind);
    equal(JSON.stringify(redo(back.history, back.list)!.list), JSON.stringify(after), act.kind);
  }
});

test("any run of acts keeps every item in at most one place, and undoes to the start", () => {
  const roll = dice(11);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(roll() * from.length)];
  const first = start();
  let list = first;
  let history = noHistory;
  for (let i = 0; i < 150; i++) {
    const act = pick(acts);
    const tier = pick(list.tiers).id;
    const next = perform(list, "tier" in act ? { ...act, tier } : "before" in act ? { ...act, before: Math.floor(roll() * (list.tiers.length + 1)) } : act);
    if (next === list) continue;
    history = remember(history, list, "", "");
    list = next;
    const all = [...list.tiers.flatMap((t) => t.items), ...list.never, ...list.hidden];
    equal(all.length, new Set(all).size, `after ${act.kind}`);
    equal(new Set(list.tiers.map((t) => t.id)).size, list.tiers.length, "tier ids");
    holds(list.tiers.length > 0, "no tier left");
  }
  for (let back = undo(history, list); back; back = undo(back.history, back.list)) {
    list = back.list;
    history = back.history;
  }
  equal(list, first);
});

test("200 steps back and no more; a new act forgets the future", () => {
  let history = noHistory;
  for (let i = 0; i < 250; i++) history = remember(history, { ...emptyList(), title: String(i) }, "", "");
  equal(history.past.length, depth);
  equal(history.past[0].list.title, "50");
  const back = undo(history, emptyList())!;
  equal(remember(back.history, emptyList(), "", "").future.length, 0);
  equal(undo(noHistory, emptyList()), null);
});

test("acts without effect give the same list back", () => {
  const list = start();
  const nothing: Act[] = [{ kind: "place", item: "ramen", tier: "t1", at: 0 }, { kind: "tray", item: "unknown" }, { kind: "moveTier", tier: "t1", by: -1 }, { kind: "rename", tier: "t1", name: "S Favourites" }, { kind: "removeTier", tier: "none" }, { kind: "emptyTier", tier: "t3" }];
  for (const act of nothing) holds(perform(list, act) === list, act.kind);
  const one = { ...list, tiers: list.tiers.slice(0, 1) };
  holds(perform(one, { kind: "removeTier", tier: "t1" }) === one, "the last tier cannot be removed");
});

test("order inside a tier is not part of the question", () => {
  const list = start();
  equal(question(perform(list, { kind: "place", item: "ramen", tier: "t1", at: 1 })), question(list));
  holds(JSON.stringify(question(perform(list, { kind: "place", item: "ramen", tier: "t2" }))) !== JSON.stringify(question(list)), "another tier is another question");
});

test("merging puts items of the same tier name together", () => {
  const read: List = { ...emptyList(), tiers: [{ id: "t1", name: "S Favourites", colour: "beet", items: ["pizza", "pho"] }, { id: "t2", name: "Z Last", colour: "teal", items: ["tofu"] }] };
  const list = merged(start(), read);
  equal(list.tiers[0].items, ["ramen", "gyoza", "pizza", "pho"]);
  equal(list.tiers.at(-1)!.name, "Z Last");
  equal([tierOf(list, "tofu"), placedCount(list)], [5, 7]);
});

test("merging is the same as placing item after item, and as long as the file", () => {
  const roll = dice(5);
  const pick = (n: number): number => Math.floor(roll() * n);
  const slowly = (list: List, read: List): List => {
    let next = list;
    for (const tier of read.tiers) {
      if (!next.tiers.some((own) => own.name.trim() === tier.name.trim())) {
        next = perform(next, { kind: "addTier", before: next.tiers.length });
        next = perform(next, { kind: "rename", tier: next.tiers.at(-1)!.id, name: tier.name });
      }
      const target = next.tiers.find((own) => own.name.trim() === tier.name.trim())!;
      for (const item of tier.items) next = perform(next, { kind: "place", item, tier: target.id });
    }
    return next;
  };
  for (let round = 0; round < 200; round++) {
    const names = ["S Favourites", " A Great", "Z", "Y", "Y"];
    const tiers = Array.from({ length: pick(5) }, (_, i) => ({ id: `t${i + 1}`, name: names[pick(names.length)], colour: "beet" as const, items: Array.from({ length: pick(6) }, () => ["ramen", "pizza", "liver", "pho", "tofu", "olives"][pick(6)]) }));
    const read: List = { ...emptyList(), tiers };
    equal(merged(start(), read), slowly(start(), read), JSON.stringify(tiers));
  }
  const time = (items: number): number => {
    const ids = Array.from({ length: items }, (_, i) => `item ${i}`);
    const full = { ...emptyList(), tiers: [{ id: "t1", name: "S", colour: "beet" as const, items: ids }] };
    const began = performance.now();
    equal(placedCount(merged(full, full)), items);
    return performance.now() - began;
  };
  holds(time(20_000) < 20_000, "a file of 20,000 items takes more than 20 seconds"); // on a busy machine two; item after item takes minutes
});

test("search ignores case, accents and soft hyphens", () => {
  equal(fold("Crème  BRÛLÉE"), "creme brulee");
  holds(matches("Cheese\u00adburger", "cheeseb"), "soft hyphen");
  holds(matches("Crème caramel", "CARA creme"), "words in any order");
  holds(matches("Smørrebrød", "smorrebrod"), "ø");
  holds(!matches("Ramen", "ramex"), "ramex");
});

test("what is not a list is seen", () => {
  holds(isList(start()), "a list");
  const broken: unknown[] = [null, 3, {}, { ...start(), tiers: [] }, { ...start(), never: [1] }, { ...start(), tiers: [{ id: "t1", name: "S", colour: "blue", items: [] }] }, { ...start(), tiers: [null] }];
  broken.forEach((value, i) => holds(!isList(value), `case ${i}`));
});

test("sentences", () => {
  const list = start();
  const name = (item: string): string => item.charAt(0).toUpperCase() + item.slice(1);
  const words = (act: Act) => actWords(list, perform(list, act), act, name);
  equal(words({ kind: "place", item: "ramen", tier: "t2" }), { label: "Ramen dropped in A", back: "Ramen back in S" });
  equal(words({ kind: "place", item: "pho", tier: "t2" }).back, "Pho back in the tray");
  equal(words({ kind: "removeTier", tier: "t2" }).label, "Tier A removed, 2 items in the tray");
  equal([0, 1, 5].map((before) => overGap(list, before)), ["New tier above S.", "New tier between S and A.", "New tier below D."]);
});

test("a text is cut between characters, never inside one", () => {
  equal(cut("tier", 100), "tier");
  equal(cut("🍜".repeat(101), 100), "🍜".repeat(100));
  equal(cut("a🍜b", 2), "a🍜");
});

test("times and lists as people say them", () => {
  equal([0.04, 4, 6.84, 9.98, 31.4, 59.7, 60, 125.4].map(seconds), ["0.0 s", "4 s", "6.8 s", "10 s", "31 s", "60 s", "1 min", "2 min 5 s"]);
  equal([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(listed), ["", "a", "a and b", "a, b and c"]);
});

test("the year is taken off a film's name, and off nothing else", () => {
  equal(dated("Rain (2001)"), { title: "Rain", year: "2001" });
  equal(dated("M (a murder)"), { title: "M (a murder)", year: "" });
  equal(dated("(1999)"), { title: "(1999)", year: "" });
  equal(dated("2001: a film (1968)"), { title: "2001: a film", year: "1968" });
});

test("new tiers keep the letters in order", () => {
  const named = (names: string[], before: number): string => perform({ title: "", tiers: names.map((name, i) => ({ id: `t${i + 1}`, name, colour: "beet" as const, items: [] })), never: [], hidden: [] }, { kind: "addTier", before }).tiers[before].name;
  const usual = ["S Favourites", "A", "B", "C", "D"];
  equal([0, 1, 4, 5].map((before) => named(usual, before)), ["S+", "A+", "D+", "E"]);
  equal(named(["S", "A+", "A"], 1), "A++");
  equal(named(["S", "A+", "A"], 2), "New"); // nothing lies between A+ and A
  equal([named([], 0), named(["Great", "Poor"], 1), named(["Great", "Poor"], 2)], ["S", "S", "S"]);
});
