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

// printedSplitLogProb is what the paper has in its place: the probability of
// one particular pair of seeds. With it the chain does not keep its target.
func printedSplitLogProb(upper, lower int) float64 {
	n := upper + lower
	return -logOf(n*(n-1)) - float64(n-2)*math.Ln2
}

// splitLogRatio is the log ratio of proposal probabilities, back over forth, of
// a split: back, one of the pairs of neighbours is merged; forth, one of the
// splittable blocks is chosen and splits with log probability q.
func splitLogRatio(blocksBefore, splittableBefore int, q float64) float64 {
	return logShare(splittableBefore, blocksBefore) - q
}

// mergeLogRatio is the same of a merge: forth, one of the blocks-1 pairs of
// neighbours is chosen; back, the merged block is chosen among the splittable
// ones and splits with log probability q.
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
