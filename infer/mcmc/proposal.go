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
	return math.Log(float64(upper)*float64(lower)) + printedSplitLogProb(upper, lower)
}

// printedSplitLogProb is what the paper has in its place: the probability of
// one particular pair of seeds. With it the chain does not keep its target.
func printedSplitLogProb(upper, lower int) float64 {
	n := float64(upper + lower)
	return -math.Log(n*(n-1)) - (n-2)*math.Ln2
}

// splitLogRatio is the log ratio of proposal probabilities, back over forth, of
// a split: back, one of the pairs of neighbours is merged; forth, one of the
// splittable blocks is chosen and splits with log probability q.
func splitLogRatio(blocksBefore, splittableBefore int, q float64) float64 {
	return math.Log(float64(splittableBefore)/float64(blocksBefore)) - q
}

// mergeLogRatio is the same of a merge: forth, one of the blocks-1 pairs of
// neighbours is chosen; back, the merged block is chosen among the splittable
// ones and splits with log probability q.
func mergeLogRatio(blocksBefore, splittableAfter int, q float64) float64 {
	return math.Log(float64(blocksBefore-1)/float64(splittableAfter)) + q
}
