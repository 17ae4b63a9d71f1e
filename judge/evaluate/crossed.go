package evaluate

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Crossed compares a metric of two models over several splits of the same data, a minus b: one
// result of each model for every split. All users of a split share one training set, so that
// their differences are dependent; the interval takes splits and users as crossed random
// effects,
//
//	difference of user u on split s = mean + split effect + user effect + rest.
//
// The mean is over users, each by the splits that they are in, which may be some of them alone: it is the difference of the means of [Pool]. The critical value is by
// Cochran's approximation. Splits of one data set overlap: the interval is for new splits and new users of the same data. With one split
// its effect is unknown, and the comparison is that of [Compare].
func Crossed(a, b []*Result, metric string, seed uint64) (Difference, error) {
	return overSplits(a, b, metric, seed, func(x, y [][]float64) (Difference, error) {
		times, byUser := map[int]float64{}, map[int]float64{}
		for _, r := range a {
			for _, u := range r.Users {
				times[u]++
			}
		}
		users := slices.Sorted(maps.Keys(times))
		if len(users) < 2 {
			return Difference{}, fmt.Errorf("evaluate: %d users are in %d splits; two or more are needed", len(users), len(a))
		}
		share := func(s, k int, from float64) float64 {
			u := a[s].Users[k]
			return (x[s][k] - y[s][k] - from) / (times[u] * float64(len(users)))
		}
		all := 0.0
		for s, r := range a {
			for k := range r.Users {
				all += share(s, k, 0)
			}
		}
		ofSplits, ofUsers := make([]float64, len(a)), make([]float64, len(users))
		for s, r := range a {
			for k, u := range r.Users {
				v := share(s, k, all)
				ofSplits[s] += v
				byUser[u] += v
			}
		}
		for k, u := range users {
			ofUsers[k] = byUser[u]
		}
		return crossedEffects(all, ofSplits, ofUsers), nil
	})
}

// overSplits compares two models by their values on each split, of the same users; with one split as [Compare] does.
func overSplits(a, b []*Result, metric string, seed uint64, compare func(x, y [][]float64) (Difference, error)) (Difference, error) {
	if len(a) != len(b) || len(a) == 0 {
		return Difference{}, fmt.Errorf("evaluate: %d results are compared with %d; both models need one for each split", len(a), len(b))
	}
	if len(a) == 1 {
		return Compare(a[0], b[0], metric, seed)
	}
	x, y := make([][]float64, len(a)), make([][]float64, len(a))
	for s := range a {
		if !slices.Equal(a[s].Users, b[s].Users) {
			return Difference{}, fmt.Errorf("evaluate: the two results of split %d are over different users; run both models on one split", s+1)
		}
		var err error
		if x[s], err = a[s].of(metric); err != nil {
			return Difference{}, err
		}
		if y[s], err = b[s].of(metric); err != nil {
			return Difference{}, err
		}
	}
	return compare(x, y)
}

// crossedEffects is a mean with an interval for crossed random effects, by what each of S splits and each of U users has in it: the sum of the split's, or of the user's,
// differences from the mean, each by its weight in the mean. With the sums of squares of both,
//
//	variance of the mean = S/(S-1) (SS splits) + U/(U-1) (SS users),
//
// which is (MS splits + MS users) / (S U) of the analysis of variance where every user is in every split, and the critical value is the mean of those of Student's t
// with S-1 and with U-1 degrees of freedom, weighted by the two parts (Cochran; Satterthwaite's degrees of freedom leave
// the interval too narrow with three splits: it covers 92 % of the time).
// Both parts have the variance of the rest in them, which therefore counts twice: the
// interval is a little too wide where it matters. Taking one off, as an unbiased estimate does,
// leaves intervals too narrow with three splits, because the part of splits is then
// often below that of the rest by chance.
func crossedEffects(all float64, ofSplits, ofUsers []float64) Difference {
	splits, users := float64(len(ofSplits)), float64(len(ofUsers))
	bySplits, byUsers := splits/(splits-1)*squares(ofSplits), users/(users-1)*squares(ofUsers)
	sum := bySplits + byUsers
	d := Difference{Estimate: Estimate{Mean: all, Low: all, High: all}, P: 1}
	if sum == 0 { // all differences are the same
		if all != 0 {
			d.P = 0
		}
		return d
	}
	critical := func(q float64) float64 {
		few, many := distuv.StudentsT{Sigma: 1, Nu: splits - 1}, distuv.StudentsT{Sigma: 1, Nu: users - 1}
		return (bySplits*few.Quantile(q) + byUsers*many.Quantile(q)) / sum
	}
	stdErr := math.Sqrt(sum)
	half := critical(0.975) * stdErr
	d.Low, d.High = all-half, all+half
	// P is twice the tail whose critical value is the observed one: by halving, to 1e-12.
	low, high := 0.0, 0.5
	for high-low > 1e-12 {
		if tail := (low + high) / 2; critical(1-tail)*stdErr > math.Abs(all) {
			low = tail
		} else {
			high = tail
		}
	}
	d.P = low + high
	return d
}

func squares(values []float64) (sum float64) {
	for _, v := range values {
		sum += v * v
	}
	return sum
}

// Nested compares a metric of two models over several splits that each have users of their own, a minus b: one result of
// each model for every split. The mean difference of a split has the effect of the split and those of its users in it; the
// interval is that of Student's t over the means of splits. With one split the comparison is that of [Compare].
func Nested(a, b []*Result, metric string, seed uint64) (Difference, error) {
	return overSplits(a, b, metric, seed, func(x, y [][]float64) (Difference, error) {
		means := make([]float64, len(a))
		for s := range a {
			means[s] = mean(x[s]) - mean(y[s])
		}
		all, spread := stat.MeanStdDev(means, nil)
		d := Difference{Estimate: Estimate{Mean: all, Low: all, High: all}, P: 1}
		student := distuv.StudentsT{Sigma: 1, Nu: float64(len(means) - 1)}
		if stdErr := spread / math.Sqrt(float64(len(means))); stdErr > 0 {
			half := student.Quantile(0.975) * stdErr
			d.Low, d.High, d.P = all-half, all+half, 2*student.CDF(-math.Abs(all)/stdErr)
		} else if all != 0 {
			d.P = 0
		}
		return d, nil
	})
}

// Holm corrects p-values for their number by Holm's step-down method: the probability that any
// true null hypothesis has a corrected value of at most q is at most q, however the tests
// depend on one another.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	corrected, least := make([]float64, len(p)), 0.0
	for rank, k := range order {
		least = max(least, min(1, float64(len(p)-rank)*p[k]))
		corrected[k] = least
	}
	return corrected
}
