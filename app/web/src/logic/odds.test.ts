import type { Advice, Explanation, Guess } from "../types";
import { dice, equal, holds, test } from "./check";
import { lanesOf } from "./lanes";
import { emptyList, perform } from "./list";
import { placeTag, placeWords, shortTier, spokenTier, tierLabel } from "./names";
import { dotsOf, likeliest, percentsOf, percentText, phrase, placeOnBoard, placesOf, shareOut } from "./odds";
import { note, summary, type Entry } from "./record";
import { pickRows, whyRows } from "./why";
import { signed, signedPercent } from "./words";

const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0);

const guess = (tiers: number[], gaps: number[], item = "x"): Guess => ({ rank: 1, item, name: item, score: 0, tier: 1, tier_probs: tiers, gap_probs: gaps });

/** randomGuess has T tiers and odds that sum to 1, some of them tiny. */
function randomGuess(roll: () => number, tiers: number): Guess {
  const raw = Array.from({ length: 2 * tiers + 1 }, () => (roll() < 0.2 ? 0 : Math.exp(6 * roll())));
  const total = sum(raw) || 1;
  const p = raw.map((x) => x / total);
  return guess(p.filter((_, i) => i % 2 === 1), p.filter((_, i) => i % 2 === 0));
}

test("dots are 20 and percents sum to 100 for any answer", () => {
  const roll = dice(7);
  for (let i = 0; i < 2000; i++) {
    const tiers = 1 + Math.floor(roll() * 9);
    const g = randomGuess(roll, tiers);
    const places = placesOf(g, Array.from({ length: tiers }, (_, k) => k));
    if (sum(places.map((p) => p.p)) === 0) continue;
    equal(sum(dotsOf(places)), 20, `dots of ${JSON.stringify(g)}`);
    equal(sum(percentsOf(places)), 100, `percents of ${JSON.stringify(g)}`);
    holds(dotsOf(places).every((d, k) => Math.abs(d - places[k].p * 20) < 1), "a dot is more than one away from its share");
  }
});

test("largest remainder: equal remainders go to the first", () => {
  equal(shareOut([1, 1, 1], 100), [34, 33, 33]);
  equal(shareOut([0.49, 0.24, 0.15, 0.12], 20), [10, 5, 3, 2]);
  equal(shareOut([0, 0], 20), [0, 0]);
  equal(shareOut([], 20), []);
});

test("no odds are shown that the server did not send", () => {
  equal(placesOf(guess([], []), []), []);
  equal(placesOf({ ...guess([], []), tier_probs: null, gap_probs: null }, [0]), []);
  equal(placesOf(guess([0.5, 0.5], [0]), [0, 1]), [], "too few gaps");
  equal(placesOf(guess([1], [0, 0]), [0, 1]), [], "fewer odds than tiers");
});

test("percents never claim certainty", () => {
  equal([0, 1, 50, 99, 100].map(percentText), ["<1%", "1%", "50%", "99%", ">99%"]);
});

test("odds in words", () => {
  const words: [number, string][] = [[90, "Almost sure."], [89, "Likely."], [70, "Likely."], [69, "More likely than not."], [55, "More likely than not."], [54, "About as likely as not."], [45, "About as likely as not."], [44, "Best of several guesses."], [30, "Best of several guesses."], [29, "Hardly more than a guess."]];
  for (const [percent, want] of words) equal(phrase(percent), want, String(percent));
});

test("places follow tiers_used and are named by the board", () => {
  const list = emptyList();
  const places = placesOf(guess([0.2, 0.5], [0.1, 0.1, 0.1]), [0, 2]);
  equal(places.map((place) => placeWords(place, list.tiers)), ["above S", "S", "between S and B", "B", "below B"]);
  equal(places.map((place) => placeTag(place, list.tiers)), ["↑S", "S", "S/B", "B", "↓B"]);
  equal(likeliest(places), 3);
  equal([0, 1, 2, 3].map((tier) => placeOnBoard(places, tier, false)), [1, 2, 3, 4], "an empty tier lies in its gap");
  equal([0, 1, 2, 3, 5].map((before) => placeOnBoard(places, before, true)), [0, 2, 2, 4, 4], "a new tier lies in its gap");
});

test("lanes: best place, at least 30%, three at most, empty tiers share", () => {
  let list = emptyList();
  for (const [item, tier] of [["a", "t1"], ["b", "t2"]]) list = perform(list, { kind: "place", item, tier });
  const items = [
    guess([0.6, 0.2], [0.05, 0.05, 0.1], "s1"), guess([0.7, 0.1], [0.05, 0.05, 0.1], "s2"), guess([0.5, 0.3], [0.05, 0.05, 0.1], "s3"), guess([0.4, 0.3], [0.1, 0.1, 0.1], "s4"),
    guess([0.25, 0.2], [0.15, 0.2, 0.2], "weak"), guess([0.1, 0.1], [0.05, 0.05, 0.7], "low"), guess([0.1, 0.1], [0.05, 0.7, 0.05], "middle"), guess([0.9, 0.1], [0, 0, 0], "a"),
  ];
  const advice: Advice = { items, tiers_used: [0, 1], unknown: [], general: false, model: "m" };
  const lanes = lanesOf(list.tiers, advice, new Set(["s2"]));
  equal(lanes.map((lane) => [lane.from, lane.to, lane.heading, lane.ghosts.map((g) => g.item)]), [[0, 0, "", ["s1", "s3", "s4"]], [1, 1, "", []], [2, 4, "below A", ["low"]]]);
  equal(lanesOf(list.tiers, { ...advice, general: true, tiers_used: [] }, new Set()).map((lane) => [lane.from, lane.to]), [[0, 4]]);
});

test("the rows of the why card add up to its score", () => {
  const roll = dice(3);
  for (let i = 0; i < 500; i++) {
    const parts = Array.from({ length: Math.floor(roll() * 30) }, (_, k) => ({ item: `i${k}`, name: `i${k}`, tier: 1, part: roll() * 2 - 1 }));
    const base = roll() - 0.5;
    const ties = i % 2 ? 0 : roll() - 0.5;
    const total = base + ties + sum(parts.map((part) => part.part));
    const e: Explanation = { item: "x", name: "x", score: total, base, ties, parts, sum: total, approximate: false };
    const { rows, score } = whyRows(e, emptyList(), (item) => item);
    equal(sum(rows.map((row) => row.hundredths)), score);
    holds(Math.abs(score / 100 - total) <= 0.005 + 1e-9, `the score ${total} is printed as ${score / 100}`);
    const shown = rows.filter((row) => row.item);
    holds(shown.length === Math.min(4, parts.length), "four largest");
    const other = rows.find((row) => row.key === " rest");
    const rest = total - base - ties - sum(shown.map((row) => parts.find((p) => p.item === row.item)!.part));
    holds(!other || Math.abs(other.hundredths / 100 - rest) < 0.04, "the others take up more than rounding");
  }
});

test("what speaks for a pick adds up to 100 percent", () => {
  const roll = dice(4);
  let told = 0;
  for (let i = 0; i < 500; i++) {
    const parts = Array.from({ length: Math.floor(roll() * 30) }, (_, k) => ({ item: `i${k}`, name: `i${k}`, tier: 1, part: (roll() - 0.2) / 10 }));
    const total = sum(parts.map((part) => part.part));
    const rows = pickRows(parts, emptyList(), (item) => item);
    if (!(total > 0)) {
      equal(rows, [], "nothing speaks for it");
      continue;
    }
    told++;
    equal(sum(rows.map((row) => row.hundredths)), 100, "percents");
    for (const row of rows.filter(({ item }) => item)) {
      const share = (parts.find((part) => part.item === row.item)!.part / total) * 100;
      holds(Math.abs(row.hundredths - share) <= (row === rows[0] ? 2.5 : 0.5) + 1e-9, `${row.item} has ${row.hundredths} of ${share}`);
      holds(parts.filter((part) => Math.abs(part.part) > Math.abs(share * total) / 100 + 1e-9).length < 3, "the three largest");
    }
    const named = rows.filter(({ item }) => item).length;
    equal(rows.find(({ key }) => key === " rest")?.text, parts.length > named ? `${parts.length - named} other placement${parts.length - named === 1 ? "" : "s"}` : undefined);
  }
  holds(told > 400, `only ${told} cases have a reason`);
  equal(pickRows([{ item: "a", name: "a", tier: 1, part: 0.03 }, { item: "b", name: "b", tier: 2, part: -0.01 }], emptyList(), (item) => item).map((row) => signedPercent(row.hundredths)), ["150%", "−50%"]);
  equal(pickRows(Array.from({ length: 300 }, (_, k) => ({ item: `i${k}`, name: "", tier: 1, part: 0.01 })), emptyList(), (item) => item), [], "no placement by itself");
});

test("signed numbers have a real minus", () => equal([0.624, -0.12, 0.001, -0.001, 1.06].map(signed), ["+0.62", "−0.12", "0.00", "0.00", "+1.06"]));

test("tier names: a short first word is the letter", () => {
  equal(tierLabel("S Every day"), { big: "S", rest: "Every day" });
  equal(tierLabel("Favourites of mine"), { big: "", rest: "Favourites of mine" });
  equal(tierLabel("👩‍👩‍👧 Family"), { big: "👩‍👩‍👧", rest: "Family" });
  equal([shortTier("S Every day"), shortTier("Favourites"), shortTier("  ")], ["S", "Fa", "?"]);
  equal([spokenTier("S Every day"), spokenTier("Top")], ["S, Every day", "Top"]);
});

test("the record counts an item once and sums what was expected", () => {
  const entry = (item: string, p: number, right: boolean): Entry => ({ item, name: item, put: "A", said: "A", p, right });
  let record = note(note([], entry("a", 0.5, true)), entry("b", 0.4, false));
  equal(summary(record), { right: 1, of: 2, expected: 0.9 });
  record = note(record, entry("a", 0.6, false));
  equal(record.map((e) => e.item), ["b", "a"]);
});
