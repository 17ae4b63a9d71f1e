package evaluate

import (
	"cmp"
	"fmt"
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
// The variance is by mean squares, the critical value of Student's t by Cochran's approximation. Splits of one data set overlap: the interval is for new splits and new users of
// the same data. The mean is over the users that every split has. With one split its effect is
// unknown, and the comparison is that of [Compare].
func Crossed(a, b []*Result, metric string, seed uint64) (Difference, error) {
	return overSplits(a, b, metric, seed, func(x, y [][]float64) (Difference, error) {
		times := map[int]int{}
		for _, r := range a {
			for _, u := range r.Users {
				times[u]++
			}
		}
		table := make([][]float64, len(a))
		for s, r := range a {
			for k, u := range r.Users {
				if times[u] == len(a) {
					table[s] = append(table[s], x[s][k]-y[s][k])
				}
			}
		}
		if len(table[0]) < 2 {
			return Difference{}, fmt.Errorf("evaluate: %d users are in all %d splits; two or more are needed", len(table[0]), len(a))
		}
		return crossedEffects(table), nil
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

// crossedEffects is the mean of a table [split][user] with an interval for crossed random
// effects. With S splits, U users and the mean squares of splits and of users,
//
//	variance of the mean = (MS splits + MS users) / (S U),
//
// and the critical value is the mean of those of Student's t with S-1 and with U-1 degrees of
// freedom, weighted by the two mean squares (Cochran; Satterthwaite's degrees of freedom leave
// the interval too narrow with three splits: it covers 92 % of the time).
// Both mean squares have the variance of the rest in them, which therefore counts twice: the
// interval is a little too wide where it matters. Taking one off, as an unbiased estimate does,
// leaves intervals too narrow with three splits, because the mean square of splits is then
// often below that of the rest by chance.
func crossedEffects(table [][]float64) Difference {
	splits, users := float64(len(table)), float64(len(table[0]))
	all, byUser := 0.0, make([]float64, len(table[0]))
	bySplit := make([]float64, len(table))
	for s, row := range table {
		bySplit[s] = mean(row)
		all += bySplit[s] / splits
		for u, v := range row {
			byUser[u] += v / splits
		}
	}
	var ofSplits, ofUsers float64
	for _, v := range bySplit {
		ofSplits += users * (v - all) * (v - all) / (splits - 1)
	}
	for _, v := range byUser {
		ofUsers += splits * (v - all) * (v - all) / (users - 1)
	}
	sum := ofSplits + ofUsers
	d := Difference{Estimate: Estimate{Mean: all, Low: all, High: all}, P: 1}
	if sum == 0 { // all differences are the same
		if all != 0 {
			d.P = 0
		}
		return d
	}
	critical := func(q float64) float64 {
		few, many := distuv.StudentsT{Sigma: 1, Nu: splits - 1}, distuv.StudentsT{Sigma: 1, Nu: users - 1}
		return (ofSplits*few.Quantile(q) + ofUsers*many.Quantile(q)) / sum
	}
	stdErr := math.Sqrt(sum / (splits * users))
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
