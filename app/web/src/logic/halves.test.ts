import type { Bin } from "../types";
import { equal, test } from "./check";
import { halfWords, halvesOf } from "./halves";

const bin = (p: number, observed: number, count: number): Bin => ({ p, observed, low: 0, high: 1, count });

test("calibration in words pools what lies below one half and above it", () => {
  const [low, high] = halvesOf([bin(0.05, 0.05, 900), bin(0.25, 0.27, 100), bin(0.55, 0.52, 300), bin(0.85, 0.71, 100)]);
  equal(low && [low.count, low.said.toFixed(4), low.observed.toFixed(4), low.verdict], [1000, "0.0700", "0.0720", "fits"]);
  equal(high && [high.count, high.said.toFixed(4), high.observed.toFixed(4), high.verdict], [400, "0.6250", "0.5675", "high"]);
  equal(halfWords("From 50% up", high!), "From 50% up we said 63% on average and it happened 57% of the time, over 400: too high by 6 points.");
  equal(halfWords("Below 50%", low!), "Below 50% we said 7% on average and it happened 7% of the time, over 1,000: that fits.");
});

test("a difference that chance makes is no verdict, and nothing is said of a side without predictions", () => {
  const [low, high] = halvesOf([bin(0.6, 0.55, 40)]);
  equal(low, null);
  equal(high?.verdict, "few");
  equal(halvesOf([bin(0.6, 0.66, 4000)])[1]?.verdict, "low");
  equal(halvesOf([]), [null, null]);
});
