// Pairs of items that met: whether votes join all items, and how far what was counted is from the fit.
import type { Pairs } from "./board";

/**
 * groups are sets of items that votes alone do not put on one scale: from none of one group to another lead both a win and a
 * loss, over others or straight (a tie is both). `met` says whether any vote joins the groups at all. One group: all is well.
 */
export function groups(n: number, counted: Pairs["counted"]): { groups: number[][]; met: boolean } {
  const beats: number[][] = Array.from({ length: n }, () => []);
  const joined: number[][] = Array.from({ length: n }, () => []);
  for (const [i, j, wins, ties, losses] of counted) {
    if (wins + ties > 0) beats[i].push(j);
    if (losses + ties > 0) beats[j].push(i);
    if (wins + ties + losses > 0) {
      joined[i].push(j);
      joined[j].push(i);
    }
  }
  const reach = (edges: number[][], from: number): Set<number> => {
    const seen = new Set([from]);
    for (const i of seen) for (const j of edges[i]) seen.add(j); // a set hands out what is added meanwhile
    return seen;
  };
  const together = n === 0 || reach(joined, 0).size === n;
  const reached = beats.map((_, i) => reach(together ? beats : joined, i));
  const out: number[][] = [];
  const placed = new Set<number>();
  for (let i = 0; i < n; i++) {
    if (placed.has(i)) continue;
    const group = [...reached[i]].filter((j) => reached[j].has(i)).sort((x, y) => x - y);
    for (const j of group) placed.add(j);
    out.push(group);
  }
  return { groups: out.sort((x, y) => y.length - x.length), met: together };
}

/**
 * Residual is a pair that met, what was counted and the shares that the fit expects in the same votes, and how far they are apart
 * (chi-square, two degrees). In longer lists these are not the chances of a vote on the two alone.
 */
export interface Residual {
  i: number;
  j: number;
  counted: [number, number, number];
  fitted: [number, number, number];
  square: number;
}

export function residuals({ items, win, tie, counted, expected }: Pairs): Residual[] {
  const n = items.length;
  const out = counted.map(([i, j, wins, ties, losses], k): Residual => {
    const alone: Residual["fitted"] = [win[i * n + j], tie[i * n + j], win[j * n + i]];
    const seen: Residual["counted"] = [wins, ties, losses];
    const votes = wins + ties + losses;
    const due = expected?.[k] ?? alone.map((p) => votes * p);
    const all = due[0] + due[1] + due[2];
    const fitted: Residual["fitted"] = [due[0] / all, due[1] / all, due[2] / all];
    const square = seen.reduce((sum, v, side) => sum + (due[side] > 0 ? (v - due[side]) ** 2 / due[side] : 0), 0);
    return { i, j, counted: seen, fitted, square };
  });
  return out.sort((x, y) => y.square - x.square);
}

/** calibration bins the pairs that met by the fitted chance of a win: its mean, the share counted, and a 95% interval. */
export function calibration(pairs: Pairs, bins = 10): { p: number; observed: number; low: number; high: number; count: number }[] {
  const sums = Array.from({ length: bins }, () => ({ said: 0, won: 0, votes: 0 }));
  for (const { counted, fitted } of residuals(pairs)) {
    const votes = counted[0] + counted[1] + counted[2];
    for (const side of [0, 2]) {
      const bin = sums[Math.min(bins - 1, Math.floor(fitted[side] * bins))];
      bin.said += votes * fitted[side];
      bin.won += counted[side];
      bin.votes += votes;
    }
  }
  return sums.filter((bin) => bin.votes > 0).map(({ said, won, votes }) => {
    const observed = won / votes;
    const half = 1.96 * Math.sqrt((observed * (1 - observed)) / votes);
    return { p: said / votes, observed, low: observed - half, high: observed + half, count: votes };
  });
}
