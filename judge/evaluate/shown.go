package evaluate

import (
	"math"
	"slices"
	"sync/atomic"

	"fubini/data/ratings"
)

// ShownTop is the number of first places that coverage and popularity look at.
const ShownTop = 10

// popularityName is the metric of the popularity of what is shown: the mean over the first places of the share of the
// training users who have the item.
const popularityName = "popularity@10"

// CoverageName is the name of [Result.Coverage] in tables.
const CoverageName = "coverage@10"

// popularityOf is the share of the users with training ratings who have each item.
func popularityOf(set *ratings.Set) []float64 {
	shares, users := make([]float64, set.Items().Len()), 0.0
	for u := range set.Users().Len() {
		row := set.Row(u)
		if row.Len() > 0 {
			users++
		}
		for _, i := range row.Items {
			shares[i]++
		}
	}
	for i := range shares {
		shares[i] /= max(1, users)
	}
	return shares
}

// inTop writes the probability of each item to be among the first top places: 1 or 0, and for items tied at the last of
// these places the same for all. Scratch is as long as scores.
func inTop(scores []float64, top int, probability, scratch []float64) {
	if len(scores) <= top {
		for k := range scores {
			probability[k] = 1
		}
		return
	}
	copy(scratch, scores)
	last := nthLargest(scratch, top)
	above, tied := 0, 0
	for _, s := range scores {
		switch {
		case s > last:
			above++
		case s == last:
			tied++
		}
	}
	for k, s := range scores {
		switch {
		case s > last:
			probability[k] = 1
		case s == last:
			probability[k] = float64(top-above) / float64(tied)
		default:
			probability[k] = 0
		}
	}
}

// nthLargest is the n-th largest of more than n values, which it overwrites.
func nthLargest(values []float64, n int) float64 {
	best := values[:n] // the largest so far, ascending
	slices.Sort(best)
	for _, v := range values[n:] {
		if v <= best[0] {
			continue
		}
		at, _ := slices.BinarySearch(best, v)
		copy(best, best[1:at])
		best[at-1] = v
	}
	return best[0]
}

// Coverage is the share of all items that are among the first ten places of at least one user; where scores tie, its
// expectation over all orders of tied items.
type Coverage struct {
	Share float64 `json:"share"`
	// Without is the share without the users of one of 20 groups, for each group: the jackknife.
	Without []float64 `json:"without"`
}

const coverageGroups = 20

// Estimate is the coverage with the interval of the jackknife over groups of users, 1.96 standard errors to both sides.
func (c *Coverage) Estimate() Estimate {
	half := 1.96 * jackknife(c.Without)
	return Estimate{c.Share, c.Share - half, c.Share + half}
}

// CompareCoverage is the coverage of a minus that of b over the same users. P is by the normal distribution.
func CompareCoverage(a, b *Coverage) Difference {
	apart := make([]float64, len(a.Without))
	for g := range apart {
		apart[g] = a.Without[g] - b.Without[g]
	}
	d, deviation := a.Share-b.Share, jackknife(apart)
	half := 1.96 * deviation
	p := 1.0
	if d != 0 {
		p = math.Erfc(math.Abs(d) / deviation / math.Sqrt2)
	}
	return Difference{Estimate{d, d - half, d + half}, p}
}

// jackknife is the standard error of an estimate by its values without each group.
func jackknife(without []float64) float64 {
	n, average := float64(len(without)), mean(without)
	var square float64
	for _, v := range without {
		square += (v - average) * (v - average)
	}
	return math.Sqrt((n - 1) / n * square)
}

// poolCoverage is the mean coverage over folds; nil if one has none.
func poolCoverage(folds []*Result) *Coverage {
	pooled := &Coverage{Without: make([]float64, coverageGroups)}
	for _, fold := range folds {
		if fold.Coverage == nil {
			return nil
		}
		pooled.Share += fold.Coverage.Share / float64(len(folds))
		for g, v := range fold.Coverage.Without {
			pooled.Without[g] += v / float64(len(folds))
		}
	}
	return pooled
}

// tops counts, for each group of users and each item, -log of the probability that it is shown to none of them. It adds
// whole numbers, so that the order of users does not matter.
type tops struct {
	popularity []float64
	missed     [coverageGroups][]atomic.Int64
}

const (
	unit    = 1 << 30 // of the whole numbers
	certain = 1000    // for infinity: exp(-1000) is zero, and the sum over 8 million users fits
)

func newTops(popularity []float64) *tops {
	t := &tops{popularity: popularity}
	for g := range t.missed {
		t.missed[g] = make([]atomic.Int64, len(popularity))
	}
	return t
}

// add counts the first places of a user, and returns the mean popularity there.
func (t *tops) add(user int, items []uint32, probability []float64) (popularity float64) {
	group := t.missed[user%coverageGroups]
	var places float64
	for k, p := range probability {
		if p == 0 {
			continue
		}
		group[items[k]].Add(int64(unit * min(certain, -math.Log1p(-p))))
		popularity += p * t.popularity[items[k]]
		places += p
	}
	return popularity / max(1, places)
}

func (t *tops) coverage() *Coverage {
	c := &Coverage{Without: make([]float64, coverageGroups)}
	for i := range t.popularity {
		var all int64
		for g := range t.missed {
			all += t.missed[g][i].Load()
		}
		shown := func(sum int64) float64 { return -math.Expm1(-float64(sum)/unit) / float64(len(t.popularity)) }
		c.Share += shown(all)
		for g := range t.missed {
			c.Without[g] += shown(all - t.missed[g][i].Load())
		}
	}
	return c
}
