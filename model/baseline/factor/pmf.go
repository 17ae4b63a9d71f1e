package factor

import (
	"context"
	"fmt"
	"math"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// PMF predicts ratings by a product of factors, the most probable under normal errors and normal priors (Salakhutdinov
// and Mnih 2007), and ranks by the prediction. It has no biases.
type PMF struct {
	Hidden int     // factors; setting.Auto: 10, or as many as there are users or items if that is less
	Epochs int     // sweeps over users and items; setting.Auto: early stopping
	Prior  float64 // precision of factors, for errors of precision 1 and ratings of deviation 1; 0 for none
	Means  Means   // of the priors
}

// NewPMF has the default settings.
func NewPMF() *PMF { return &PMF{Hidden: setting.Auto, Epochs: setting.Auto, Prior: 10} }

// Means are the means of the normal priors of factors.
type Means int

// The means of the priors of factors.
const (
	MeansLearned Means = iota // with the factors, as the paper's adaptive priors
	MeansZero
)

// Settings implements [model.Recipe].
func (m *PMF) Settings() []setting.Setting {
	d := NewPMF()
	return []setting.Setting{
		setting.Int(&m.Hidden, d.Hidden, setting.Setting{Name: "hidden", Means: "factors", Positive: true, Default: fitting.DefaultFactors, Low: 1, High: 100, Log: true}),
		setting.Int(&m.Epochs, d.Epochs, setting.Setting{Name: "epochs", Means: "sweeps over users and items; early stopping if not set", Positive: true, Default: math.NaN()}),
		setting.Float(&m.Prior, d.Prior, setting.Setting{Name: "prior", Means: "ridge on factors, for ratings with deviation 1", Low: 2, High: 50, Log: true}),
		setting.Choice(&m.Means, d.Means, setting.Setting{Name: "means", Means: "of the priors"}, "learned", "zero"),
	}
}

// Fit implements [model.Recipe].
func (m *PMF) Fit(ctx context.Context, set *ratings.Set, r model.Run) (model.Model, error) {
	run := fitting.Under(ctx, r)
	o, err := alternatingOptions(m.Hidden, m.Prior, 0)
	if err == nil && o.Hidden == 0 {
		err = fmt.Errorf("hidden 0 must be positive: there is nothing but factors")
	}
	if err == nil && m.Means != MeansLearned && m.Means != MeansZero {
		err = fmt.Errorf("means %d are neither learned nor zero", m.Means)
	}
	if err != nil {
		return nil, fmt.Errorf("pmf: %w", err)
	}
	return fitting.Result(fitting.Learn("pmf", set, run, fitting.Schedule{Epochs: m.Epochs, Patience: 10}, func(set *ratings.Set) (*alternating, error) {
		return newAlternating(set, run, o, Biases{}, m.Means == MeansLearned)
	}))
}

// Load implements [model.Recipe].
func (m *PMF) Load(f *modelfile.File, items int) (model.Model, error) {
	return loadLeastSquares(f, items)
}

// alternatingOptions checks settings. Users and items share one prior: to make P larger and Q smaller by the same
// factor changes no score, so that only the product of two priors would matter.
func alternatingOptions(hidden int, prior, biasPrior float64) (Options, error) {
	o := Options{
		Hidden: hidden, UserPrior: prior, ItemPrior: prior, BiasPrior: biasPrior,
		Start: StartNormal, Scale: 1, // of the first users; items follow from them
	}
	o.setFactors(fitting.DefaultFactors)
	switch {
	case o.Hidden < 0:
		return o, fmt.Errorf("hidden %d must not be negative", hidden)
	case !(prior >= 0) || math.IsInf(prior, 0):
		return o, fmt.Errorf("prior %g must be finite and not negative", prior)
	case !(biasPrior >= 0) || math.IsInf(biasPrior, 0):
		return o, fmt.Errorf("bias-prior %g must be finite and not negative", biasPrior)
	}
	return o, nil
}
