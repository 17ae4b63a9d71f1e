import { equal, holds, test } from "../logic/check";
import { digitsFor, spread, thin, ticksFor } from "./charts";

test("ticks are round, hold the range, and are told apart", () => {
  for (const [low, top] of [[0.3, 0.49], [0.91, 0.945], [0, 0.62], [-1.84, -1.18], [5, 5]]) {
    const ticks = ticksFor(low, top);
    holds(ticks[0] <= low + 1e-9 && ticks.at(-1)! >= top - 1e-9, `${ticks} does not hold ${low} to ${top}`);
    holds(ticks.length >= 1 && ticks.length <= 6, `${ticks.length} ticks`);
    equal(new Set(ticks.map((tick) => tick.toFixed(digitsFor(ticks)))).size, ticks.length, `${ticks}`);
  }
  equal(ticksFor(0.65, 0.84).map((tick) => tick.toFixed(digitsFor([0.6, 0.7]))), ["0.6", "0.7", "0.8", "0.9"]);
});

test("labels keep their distance, counts are short", () => {
  equal(spread([50, 52, 90]), [50, 64, 90]);
  equal([90, 6200, 53_334].map(thin), ["90", "6.2k", "53k"]);
});
