package plackettluce

import (
	"context"
	"math"

	"fubini/core/logprob"
	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/factor"
	"fubini/model/baseline/fitting"
)

// PMOP is the probabilistic model over ordered partitions (Truyen, Phung and Venkatesh 2011). Sets of items are drawn
// from the best down, with probability proportional to the mean worth, exp(b_i + P_u . Q_i), of the items in a set.
type PMOP struct {
	factor.Options
}

// NewPMOP returns pmop with its default settings.
func NewPMOP() *PMOP { return &PMOP{factor.ListDefaults(0.1, 0.3)} }

// Settings implements [model.Recipe].
func (m *PMOP) Settings() []setting.Setting {
	return factor.ListSettings(&m.Options, NewPMOP().Options)
}

// Fit implements [model.Recipe].
func (m *PMOP) Fit(ctx context.Context, set *ratings.Set, r model.Run) (model.Model, error) {
	return fitting.Fit(ctx, "pmop", m.Settings(), set, r, func(run fitting.Run) (model.Model, error) {
		return fit(set, run, m.Options, false, func(*ratings.Set) factor.Loss { return meanWorths{} })
	})
}

// Load implements [model.Recipe].
func (m *PMOP) Load(f *modelfile.File, items int) (model.Model, error) {
	return load("pmop", f, items, meanWorths{}, func() error { return nil })
}

// meanWorths is minus the log probability of a list,
//
//	P = prod_t Phi(X_t) / sum over non-empty S of what is left of Phi(S),  Phi(S) = mean worth of S.
//
// With n items left, each is in C(n-1, k-1) = C(n, k) k/n sets of k items, of whose sum of worths 1/k counts; so the
// sum is (2^n - 1)/n times their worth.
type meanWorths struct{}

func (l meanWorths) Of(values []float32, scores, slope, _ []float64, _ *factor.Row) float64 {
	return -l.logProb(scores, rank(values, places(values)), slope)
}

func (l meanWorths) logLikelihood(scores []float64, list *tiers) float64 {
	return l.logProb(scores, list, make([]float64, len(scores)))
}

// logProb is the log probability of a list; minus its slope is written.
func (meanWorths) logProb(scores []float64, list *tiers, slope []float64) float64 {
	own, left := make([]float64, list.len()), make([]float64, list.len()) // log worth of a tie, and of it with all below
	sum := math.Inf(-1)
	var total float64
	for t := list.len() - 1; t >= 0; t-- {
		own[t] = math.Inf(-1)
		for _, i := range list.tier(t) {
			own[t] = logprob.Add(own[t], scores[i])
		}
		sum = logprob.Add(sum, own[t])
		left[t] = sum
		n := len(list.order) - list.start[t]
		total += own[t] - math.Log(float64(len(list.tier(t)))) - left[t] - logSubsets(n) + math.Log(float64(n))
	}
	pull := math.Inf(-1) // log of the sum of 1/left so far
	for t := range list.len() {
		pull = logprob.Add(pull, -left[t])
		for _, i := range list.tier(t) {
			slope[i] = math.Exp(scores[i]+pull) - math.Exp(scores[i]-own[t])
		}
	}
	return total
}

// logSubsets is log(2^n - 1).
func logSubsets(n int) float64 {
	return float64(n)*math.Ln2 + math.Log1p(-math.Exp2(-float64(n)))
}
