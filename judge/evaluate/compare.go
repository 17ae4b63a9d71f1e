package evaluate

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"fubini/core/parallel"
	"fubini/core/rng"
)

// Estimate is a mean over users with its 95 % confidence interval.
type Estimate struct {
	Mean, Low, High float64
}

const resamples = 2000

// Mean is the mean of a metric over users, with the interval of the percentile
// bootstrap: the middle 95 % of the means of 2000 resamples of the users.
func (r *Result) Mean(metric string, seed uint64) (Estimate, error) {
	values, err := r.of(metric)
	if err != nil {
		return Estimate{}, err
	}
	return bootstrap(values, seed, "bootstrap "+metric), nil
}

// Average is the mean of a metric over users; 0 for a metric that was not computed.
func (r *Result) Average(metric string) float64 {
	values, err := r.of(metric)
	if err != nil {
		return 0
	}
	return mean(values)
}

func (r *Result) of(metric string) ([]float64, error) {
	m := slices.Index(r.Metrics, metric)
	if m < 0 {
		return nil, fmt.Errorf("evaluate: there is no %s among the metrics %v", metric, r.Metrics)
	}
	return r.Values[m], nil
}

func bootstrap(values []float64, seed uint64, name string) Estimate {
	n := len(values)
	means := make([]float64, resamples)
	share(resamples, seed, name, func(r *rng.Rand, k int) {
		var total float64
		for range n {
			total += values[r.IntN(n)]
		}
		means[k] = total / float64(n)
	})
	slices.Sort(means)
	return Estimate{Mean: mean(values), Low: quantile(means, 0.025), High: quantile(means, 0.975)}
}

// share does some work many times, spread over cores. Each part of the work has
// a random stream of its own, so that the cores do not matter.
func share(times int, seed uint64, name string, work func(r *rng.Rand, k int)) {
	const parts = 50
	parallel.Do(parts, 0, func(_, part int) {
		r := rng.Stream(seed, name, uint64(part))
		for k := part; k < times; k += parts {
			work(r, k)
		}
	})
}

func mean(values []float64) float64 {
	var total float64
	for _, v := range values {
		total += v
	}
	return total / float64(len(values))
}

// MeanError is the mean of values and its standard error; of a single value the
// error is not a number.
func MeanError(values []float64) (average, stdErr float64) {
	average = mean(values)
	var square float64
	for _, v := range values {
		square += (v - average) * (v - average)
	}
	n := float64(len(values))
	return average, math.Sqrt(square / (n - 1) / n)
}

// quantile interpolates between the sorted values.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	if low+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
}

// Difference is the mean difference of a metric between two models over the same users.
type Difference struct {
	Estimate
	P float64 // two-sided p-value of the paired randomisation test
}

const flips = 10_000

// Compare compares a metric of two results over the same users: a minus b. See [Paired].
func Compare(a, b *Result, metric string, seed uint64) (Difference, error) {
	x, err := a.of(metric)
	if err != nil {
		return Difference{}, err
	}
	y, err := b.of(metric)
	if err != nil {
		return Difference{}, err
	}
	if !slices.Equal(a.Users, b.Users) {
		return Difference{}, fmt.Errorf("evaluate: the two results are over different users; run both models on one split")
	}
	return Paired(x, y, metric, seed), nil
}

// Paired returns the mean of x minus y over users, with a bootstrap interval, and the p-value of the paired
// randomisation test: signs of the users' differences are flipped at random 10,000 times, and the observed
// assignment counts as one more. The metric and the seed name the random streams.
func Paired(x, y []float64, metric string, seed uint64) Difference {
	apart := make([]float64, len(x))
	for k := range x {
		apart[k] = x[k] - y[k]
	}
	d := Difference{Estimate: bootstrap(apart, seed, "compare "+metric)}
	observed := math.Abs(d.Mean)
	var extreme atomic.Int64
	share(flips, seed, "flips "+metric, func(r *rng.Rand, _ int) {
		var total float64
		var coins uint64
		for k, v := range apart {
			if k%64 == 0 {
				coins = r.Uint64()
			}
			if coins>>(k%64)&1 == 1 {
				v = -v
			}
			total += v
		}
		// Sums in another order round differently: a tie must count as one.
		if math.Abs(total)/float64(len(apart)) >= observed-1e-15 {
			extreme.Add(1)
		}
	})
	d.P = float64(extreme.Load()+1) / (flips + 1)
	return d
}
