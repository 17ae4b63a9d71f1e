// Package bayes has Bayesian matrix factorisation, by Gibbs sampling (Salakhutdinov and Mnih 2008).
package bayes

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// Recipe is bayesian-mf with its settings: matrix factorisation with biases of users and items. A Gibbs sampler draws
// parameters and hyperparameters from the posterior. Predictions, with a probability for each rating, average the draws.
type Recipe struct {
	Hidden   int      // factors; setting.Auto: 10, or as many as there are users or items if that is less
	Response Response // distribution of a rating given its mean
	Sweeps   int      // of the sampler, burn-in included
	Burn     int      // first sweeps, which are discarded; setting.Auto: 20, or half of all where that is less
	Start    float64  // standard deviation of the initial factors
}

// New returns bayesian-mf with its default settings.
func New() *Recipe {
	return &Recipe{Hidden: setting.Auto, Sweeps: 200, Burn: setting.Auto, Start: 0.1}
}

// Response is the distribution of a rating given its mean under the model.
type Response int

// The distributions of a rating.
const (
	Gaussian      Response = iota // normal around the mean
	OrderedProbit                 // the level between whose cut points a normal value around the mean lies
)

const name = "bayesian-mf"

// responseNames are those of the values of Response.
var responseNames = []string{"gaussian", "ordered-probit"}

// mostLevels is how many different ratings an ordered probit takes.
const mostLevels = 100

// weakHyper is a weak prior of the priors.
var weakHyper = hyperprior{Degrees: 1, Rate: 1, Weight: 1, Shape: 1, Scale: 1}

// Settings implements [model.Recipe].
func (m *Recipe) Settings() []setting.Setting {
	d := New()
	return []setting.Setting{
		setting.Int(&m.Hidden, d.Hidden, setting.Setting{Name: "hidden", Means: "factors", Positive: true, Default: fitting.DefaultFactors, Low: 2, High: 32, Log: true}),
		setting.Choice(&m.Response, d.Response, setting.Setting{Name: "response", Means: "distribution of a rating given its mean"}, responseNames...),
		setting.Int(&m.Sweeps, d.Sweeps, setting.Setting{Name: "sweeps", Means: "sweeps of the sampler", Positive: true, Low: 100, High: 400, Log: true}),
		setting.Int(&m.Burn, d.Burn, setting.Setting{Name: "burn", Means: "first sweeps that are thrown away", Default: 20}),
		setting.Float(&m.Start, d.Start, setting.Setting{Name: "start", Means: "standard deviation of factors at first", Positive: true, Low: 0.03, High: 0.5, Log: true}),
	}
}

// resolved fills in what is left to the data.
func (m Recipe) resolved(users, items int) (Recipe, error) {
	most := min(users, items)
	if m.Hidden == setting.Auto {
		m.Hidden = min(fitting.DefaultFactors, most)
	}
	if m.Burn == setting.Auto {
		m.Burn = min(20, m.Sweeps/2)
	}
	switch {
	case m.Hidden > most:
		return m, fmt.Errorf("hidden is %d; from %d users and %d items 1 to %d factors can be learned", m.Hidden, users, items, most)
	case m.Burn >= m.Sweeps:
		return m, fmt.Errorf("sweeps is %d and burn %d; there must be more sweeps than are thrown away", m.Sweeps, m.Burn)
	}
	return m, nil
}

// Fit implements [model.Recipe].
func (m *Recipe) Fit(ctx context.Context, set *ratings.Set, r model.Run) (model.Model, error) {
	return fitting.Fit(ctx, name, m.Settings(), set, r, func(run fitting.Run) (model.Model, error) { return m.fit(set, run) })
}

func (m *Recipe) fit(set *ratings.Set, run fitting.Run) (*posterior, error) {
	o, err := m.resolved(set.Users().Len(), set.Items().Len())
	if err != nil {
		return nil, err
	}
	scale := newRatingScale(set)
	if o.Response == OrderedProbit && len(scale.levels) > mostLevels {
		return nil, fmt.Errorf("the ratings have %d different values; response %s takes up to %d", len(scale.levels), responseNames[OrderedProbit], mostLevels)
	}
	c := o.chain(set, run, scale)
	fitted := newPosterior(o, scale, c)
	for sweep := 1; sweep <= o.Sweeps; sweep++ {
		fine := !run.Over() && c.sweep()
		if err := run.Err(); err != nil {
			return nil, err
		}
		if !fine || math.IsNaN(c.misfit) || math.IsInf(c.misfit, 0) {
			return nil, fmt.Errorf("sweep %d: numbers got out of hand; are there ratings of enormous size?", sweep)
		}
		if run.Observe != nil {
			run.Observe(model.Progress{Epoch: sweep, Epochs: o.Sweeps, Left: o.Sweeps - sweep, Objective: c.misfit, Held: math.NaN()})
		}
		// Kept are as many as there is room for, at even distances.
		sweeps, drawn := o.Sweeps-o.Burn, sweep-o.Burn
		if at := drawn * fitted.kept / sweeps; drawn > 0 && at > (drawn-1)*fitted.kept/sweeps {
			fitted.keep(at-1, c)
		}
	}
	return fitted, fitted.prepare()
}

// chain is the sampler at its start. Ratings are standardised, or replaced by the places of their levels.
func (m Recipe) chain(set *ratings.Set, run fitting.Run, scale ratingScale) *chain {
	if m.Response == Gaussian {
		return newChain(set, m.Hidden+1, scale.standard, m.Start, weakHyper, run)
	}
	c := newChain(set, m.Hidden+1, func(v float32) float64 { return float64(scale.nearest(v)) }, m.Start, weakHyper, run)
	c.cuts = newCutPoints(startingCuts(scale.count), c.users)
	return c
}

// ratingScale is what values ratings have.
type ratingScale struct {
	levels          []float64 // different values, ascending
	count           []int     // of each
	mean, deviation float64
}

func newRatingScale(set *ratings.Set) ratingScale {
	var s ratingScale
	count := map[float32]int{}
	for u := range set.Users().Len() {
		for _, v := range set.Row(u).Values {
			count[v]++
		}
	}
	for v := range count {
		s.levels = append(s.levels, float64(v))
	}
	slices.Sort(s.levels)
	n := float64(set.Len())
	for _, v := range s.levels {
		s.count = append(s.count, count[float32(v)])
		s.mean += v * float64(count[float32(v)]) / n
	}
	for k, v := range s.levels {
		s.deviation += (v - s.mean) * (v - s.mean) * float64(s.count[k]) / n
	}
	s.deviation = math.Sqrt(s.deviation)
	if len(s.levels) == 1 {
		s.mean, s.deviation = s.levels[0], 1
	}
	return s
}

func (s ratingScale) standard(v float32) float64 { return (float64(v) - s.mean) / s.deviation }

// nearest is the place of the level nearest to a value.
func (s ratingScale) nearest(v float32) int {
	at, found := slices.BinarySearch(s.levels, float64(v))
	if found || at == 0 {
		return at
	}
	if at == len(s.levels) || float64(v)-s.levels[at-1] <= s.levels[at]-float64(v) {
		return at - 1
	}
	return at
}
