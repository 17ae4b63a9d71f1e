import { axisOf, bands, elsewhere, farOff, firstRows, marked, probability, rankText, reaching, scales, shares, titleOf, type BoardItem, type Pairs } from "./board";
import { dice, equal, holds, test } from "./check";
import { calibration, groups, residuals } from "./pairs";

const row = (tier: number, rank_low: number, rank_high: number): BoardItem => ({ item: `${tier} ${rank_low}`, name: null, worth: -rank_low, std_err: 0.1, low: 0, high: 0, quasi: 0.1, rank: rank_low, rank_low, rank_high, tier });

test("board: scales keep the order, and meet where they should", () => {
  const random = dice(7);
  for (const scale of Object.values(scales))
    for (let k = 0; k < 200; k++) {
      const [x, y] = [6 * random() - 3, 6 * random() - 3];
      holds((x < y) === (scale.at(x) < scale.at(y)), `${scale.name}: ${x} and ${y}`);
    }
  equal([scales.elo.at(0), Math.round(scales.elo.at(Math.LN10))], [1000, 1400]); // 400 points for odds of 10 to 1
  equal([scales.chance.at(0), Math.round(scales.chance.at(Math.log(3)))], [50, 75]);
  equal([scales.worth.text(-0.5), scales.worth.text(-0.001), scales.elo.text(1234.4), scales.chance.text(81.94)], ["−0.50", "0.00", "1234", "81.9%"]);
});

test("board: the first rows are whole tiers", () => {
  const rows = (tiers: number[]): BoardItem[] => tiers.map((tier, i) => row(tier, i + 1, i + 1));
  equal(firstRows(rows(Array.from({ length: 23 }, () => 1))), 23, "few");
  equal(firstRows(rows(Array.from({ length: 60 }, (_, i) => (i < 17 ? 1 : 2)))), 17, "to the end of a tier");
  equal(firstRows(rows(Array.from({ length: 60 }, () => 1))), 19, "one tier of all");
});

test("board: bands, and ranks that reach over them", () => {
  const items = [row(1, 1, 1), row(2, 2, 3), row(2, 2, 3), row(3, 4, 4)];
  equal(bands(items, 3), [{ tier: 1, from: 0, rows: 1 }, { tier: 2, from: 1, rows: 2 }]);
  equal(reaching(items, 4), undefined);
  items[2] = row(2, 2, 4);
  equal(reaching(items, 4)?.rank_high, 4);
  equal(reaching(items, 2), undefined, "not shown");
  equal([rankText(3, 3), rankText(5, 8)], ["3", "5–8"]);
});

test("board: an axis holds its values, with round ticks", () => {
  const random = dice(3);
  for (let k = 0; k < 300; k++) {
    const values = [1, 2, 3].map(() => (random() - 0.5) * 10 ** Math.floor(6 * random() - 2));
    const axis = axisOf(values, 6);
    for (const value of values) holds(axis.percent(value) > 0 && axis.percent(value) < 100, `${value} is outside`);
    holds(axis.ticks.length >= 2 && axis.ticks.length <= 7, `${axis.ticks.length} ticks for ${values}`);
    for (const tick of axis.ticks) holds(Math.abs(tick / axis.step - Math.round(tick / axis.step)) < 1e-6, `${tick} is no multiple of ${axis.step}`);
  }
  equal(axisOf([2, 2], 4).percent(2), 50, "one value");
});

test("board: marks go to A, to B, and to A anew", () => {
  let marks = marked({ a: "", b: "" }, "x");
  equal(marks, { a: "x", b: "" });
  equal(marked(marks, "x"), { a: "", b: "" }, "the same again");
  marks = marked(marks, "y");
  equal(marks, { a: "x", b: "y" });
  equal(marked(marks, "z"), { a: "z", b: "" });
  equal(marked(marks, "x"), { a: "x", b: "" });
});

test("board: shares add up to 100", () => {
  const random = dice(11);
  for (let k = 0; k < 500; k++) equal(shares([random(), random() / 50, random()]).reduce((x, y) => x + y, 0), 100);
  equal([probability(0.4), probability(0.012), probability(1e-9)], ["p 0.40", "p 0.01", "p below 0.001"]);
  holds(farOff === 0.01, "the words of the page name it");
});

test("board: groups that votes do not join", () => {
  equal(groups(3, [[0, 1, 3, 0, 1], [1, 2, 0, 1, 0]]), { groups: [[0, 1, 2]], met: true }, "a tie joins");
  equal(groups(4, [[0, 1, 3, 0, 1], [2, 3, 1, 0, 1]]), { groups: [[0, 1], [2, 3]], met: false }, "never compared");
  equal(groups(4, [[0, 1, 3, 0, 1], [2, 3, 1, 0, 0]]), { groups: [[0, 1], [2, 3]], met: false }, "and within one of them a side that always won");
  equal(groups(3, [[0, 1, 3, 0, 1], [2, 0, 4, 0, 0]]), { groups: [[0, 1], [2]], met: true }, "always won");
  equal(groups(3, [[0, 1, 1, 0, 0], [1, 2, 1, 0, 0], [2, 0, 1, 0, 0]]).groups.length, 1, "a circle");
});

test("board: residuals and calibration of a fit that is true, and of one that is not", () => {
  const pairs: Pairs = { items: ["x", "y"], win: [0, 0.5, 0.3, 0], tie: [0, 0.2, 0.2, 0], counted: [[0, 1, 50, 20, 30]] };
  equal(residuals(pairs)[0].square, 0);
  equal(calibration(pairs).map((bin) => [bin.p, bin.observed, bin.count]), [[0.3, 0.3, 100], [0.5, 0.5, 100]]);
  pairs.counted = [[1, 0, 50, 20, 30]]; // the other way round
  equal(residuals(pairs)[0].square.toFixed(3), ((20 ** 2) / 30 + 20 ** 2 / 50).toFixed(3));
  pairs.expected = [[50, 20, 30]]; // in lists of more than two, which a vote on the two alone does not tell
  equal(residuals(pairs)[0], { i: 1, j: 0, counted: [50, 20, 30], fitted: [0.5, 0.2, 0.3], square: 0 });
  equal(calibration(pairs).map((bin) => bin.p), [0.3, 0.5]);
});

test("board: what is expected in longer votes is shown where it differs from a vote on the two alone", () => {
  equal([elsewhere([50, 20, 30], [0.5, 0.2, 0.3]), elsewhere([60, 20, 20], [0.5, 0.2, 0.3])], [false, true]);
});

test("board: titles from names of files", () => {
  equal([titleOf("arena.csv"), titleOf("/tmp/chat_votes-2024.csv.gz"), titleOf(undefined), titleOf("votes.csv"), titleOf("00004-1.toi")], ["Arena, ranked by votes", "Chat votes 2024, ranked by votes", "Ranked by votes", "Ranked by votes", "00004 1, ranked by votes"]);
});
