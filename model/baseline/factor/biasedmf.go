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

// BiasedMF predicts ratings by biases of users and items and a product of factors (Koren, Bell and Volinsky 2009), and
// ranks by the prediction.
type BiasedMF struct {
	Hidden    int     // factors, 0 for none; setting.Auto: 10, or as many as there are users or items if that is less
	Epochs    int     // sweeps over users and items; setting.Auto: early stopping
	Prior     float64 // weight of half the squared factors, times the deviation of ratings
	BiasPrior float64 // weight of half the squared biases
}

// NewBiasedMF has the default settings.
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
	run := fitting.Under(ctx, r)
	o, err := alternatingOptions(m.Hidden, m.Prior, m.BiasPrior)
	if err != nil {
		return nil, fmt.Errorf("biased-mf: %w", err)
	}
	return fitting.Result(fitting.Learn("biased-mf", set, run, fitting.Schedule{Epochs: m.Epochs, Patience: 10}, func(set *ratings.Set) (*alternating, error) {
		return newAlternating(set, run, o, Biases{User: true, Item: true}, false)
	}))
}

// Load implements [model.Recipe].
func (m *BiasedMF) Load(f *modelfile.File, items int) (model.Model, error) {
	return loadLeastSquares(f, items)
}
