package factor

import (
	"context"
	"math"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// PMF is probabilistic matrix factorisation without biases (Salakhutdinov and Mnih 2007): the posterior mode under normal
// errors and normal priors of the factors. Items are ranked by the predicted rating.
type PMF struct {
	Hidden int     // factors; setting.Auto: 10, or as many as there are users or items if that is less
	Epochs int     // sweeps over users and items; setting.Auto: early stopping
	Prior  float64 // precision of factors, for errors of precision 1 and ratings of deviation 1; 0 for none
	Means  Means   // of the priors
}

// NewPMF returns pmf with its default settings.
func NewPMF() *PMF { return &PMF{Hidden: setting.Auto, Epochs: setting.Auto, Prior: 10} }

// Means are the means of the normal priors of factors.
type Means int

// The prior means are estimated, or zero.
const (
	MeansLearned Means = iota // estimated with the factors, after the adaptive priors of the paper
	MeansZero                 // fixed at zero
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
	return fitting.Fit(ctx, "pmf", m.Settings(), set, r, func(run fitting.Run) (model.Model, error) {
		return fitAlternating(set, run, m.Epochs, alternatingOptions(m.Hidden, m.Prior, 0), Biases{}, m.Means == MeansLearned)
	})
}

// Load implements [model.Recipe].
func (m *PMF) Load(f *modelfile.File, items int) (model.Model, error) {
	return loadLeastSquares(f, items)
}

// BiasedMF is matrix factorisation with biases of users and items (Koren, Bell and Volinsky 2009). Items are ranked by
// the predicted rating.
type BiasedMF struct {
	Hidden    int     // factors, 0 for none; setting.Auto: 10, or as many as there are users or items if that is less
	Epochs    int     // sweeps over users and items; setting.Auto: early stopping
	Prior     float64 // weight of half the squared factors, times the deviation of ratings
	BiasPrior float64 // weight of half the squared biases
}

// NewBiasedMF returns biased-mf with its default settings.
func NewBiasedMF() *BiasedMF {
	return &BiasedMF{Hidden: setting.Auto, Epochs: setting.Auto, Prior: 11, BiasPrior: 8}
}

// Settings implements [model.Recipe].
func (m *BiasedMF) Settings() []setting.Setting {
	d := NewBiasedMF()
	return []setting.Setting{
		setting.Int(&m.Hidden, d.Hidden, setting.Setting{Name: "hidden", Means: "factors; 0 for biases alone", Default: fitting.DefaultFactors, Low: 1, High: 100, Log: true}),
		setting.Int(&m.Epochs, d.Epochs, setting.Setting{Name: "epochs", Means: "sweeps over users and items; early stopping if not set", Positive: true, Default: math.NaN()}),
		setting.Float(&m.Prior, d.Prior, setting.Setting{Name: "prior", Means: "ridge on factors, for ratings with deviation 1", Low: 2, High: 50, Log: true}),
		setting.Float(&m.BiasPrior, d.BiasPrior, setting.Setting{Name: "bias-prior", Means: "ridge on biases", Low: 0.5, High: 30, Log: true}),
	}
}

// Fit implements [model.Recipe].
func (m *BiasedMF) Fit(ctx context.Context, set *ratings.Set, r model.Run) (model.Model, error) {
	return fitting.Fit(ctx, "biased-mf", m.Settings(), set, r, func(run fitting.Run) (model.Model, error) {
		return fitAlternating(set, run, m.Epochs, alternatingOptions(m.Hidden, m.Prior, m.BiasPrior), Biases{User: true, Item: true}, false)
	})
}

// Load implements [model.Recipe].
func (m *BiasedMF) Load(f *modelfile.File, items int) (model.Model, error) {
	return loadLeastSquares(f, items)
}

// alternatingOptions are the options for alternating least squares. Users and items share one prior: to make P larger
// and Q smaller by the same factor changes no score, so that only the product of two priors would matter.
func alternatingOptions(hidden int, prior, biasPrior float64) Options {
	// The scale is that of the first users; items follow from them.
	return Options{Hidden: hidden, UserPrior: prior, ItemPrior: prior, BiasPrior: biasPrior, Start: StartNormal, Scale: 1}
}

func fitAlternating(set *ratings.Set, run fitting.Run, epochs int, o Options, has Biases, centred bool) (model.Model, error) {
	return fitting.Learn(set, run, fitting.Schedule{Epochs: epochs, Patience: 10}, func(set *ratings.Set) (fitting.Learner, error) {
		return newAlternating(set, run, o, has, centred)
	})
}
