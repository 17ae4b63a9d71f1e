package mcmc

import "math"

// splitLogProb is the log probability that a block, once chosen, splits into
// parts of these sizes with these very items, in this order. Two seeds are
// drawn, one for each part; any of the upper·lower pairs of seeds can lead to
// the same split, and the rest fall by fair coin:
//
//	q = upper lower / (n (n-1) 2^(n-2)),   n = upper + lower.
//
// Derived in docs/maths.md#split-proposal.
func splitLogProb(upper, lower int) float64 {
	return logOf(upper*lower) + printedSplitLogProb(upper, lower)
}

// printedSplitLogProb is the paper's formula for the same: the log probability of one
// particular pair of seeds, without upper·lower. With it the target distribution is not invariant.
func printedSplitLogProb(upper, lower int) float64 {
	n := upper + lower
	return -logOf(n*(n-1)) - float64(n-2)*math.Ln2
}

// splitLogRatio is log Q(X|X') - log Q(X'|X) of a split from X to X'. Back, one of the T
// pairs of neighbours of X' is merged, with T the blocks of X. Forth, one of the splittable
// blocks is chosen, and splits with log probability q.
func splitLogRatio(blocksBefore, splittableBefore int, q float64) float64 {
	return logShare(splittableBefore, blocksBefore) - q
}

// mergeLogRatio is the same for a merge. Forth, one of the T-1 pairs of neighbours of X is
// merged. Back, the merged block is chosen among the splittable blocks of X', and splits with
// log probability q.
func mergeLogRatio(blocksBefore, splittableAfter int, q float64) float64 {
	return logShare(blocksBefore-1, splittableAfter) + q
}

// Lists of up to tabled items need no logarithms of their own: a third of the time
// of a move went into them. The tables hold what math.Log gives, bit for bit.
const tabled = 64

var (
	logs      [tabled * tabled]float64
	logShares [tabled][tabled]float64 // of a in b, b not 0
)

func init() {
	for n := range logs {
		logs[n] = math.Log(float64(n))
	}
	for a := range logShares {
		for b := 1; b < tabled; b++ {
			logShares[a][b] = math.Log(float64(a) / float64(b))
		}
	}
}

// logOf is log n.
func logOf(n int) float64 {
	if uint(n) < uint(len(logs)) {
		return logs[n]
	}
	return math.Log(float64(n))
}

// logShare is log a/b.
func logShare(a, b int) float64 {
	if uint(a) < tabled && uint(b) < tabled {
		return logShares[a][b]
	}
	return math.Log(float64(a) / float64(b))
}
