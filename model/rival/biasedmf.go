package rival

import (
	"cmp"
	"context"
	"fmt"

	"fubini/core/knob"
	"fubini/data/modelfile"
	"fubini/data/ratings"
)

// BiasedMF predicts ratings by biases of users and items and a product of factors
// (Koren, Bell and Volinsky 2009), and ranks by the prediction.
type BiasedMF struct {
	Hidden    int     // factors; 0 means 10
	Epochs    int     // sweeps over users and items; 0 means early stopping
	Prior     float64 // weight of half the squared factors, times the deviation of ratings; 0 means 11, negative none
	BiasPrior float64 // weight of half the squared biases; 0 means 8, negative none
}

// Knobs implements [Recipe].
func (m *BiasedMF) Knobs() []knob.Knob {
	return []knob.Knob{
		knob.Int(&m.Hidden, knob.Knob{Name: "hidden", Means: "factors", Default: 10, Low: 1, High: 100, Log: true}),
		knob.Int(&m.Epochs, knob.Knob{Name: "epochs", Means: "sweeps over users and items; 0 for early stopping"}),
		knob.Float(&m.Prior, knob.Knob{Name: "prior", Means: "ridge on factors, for ratings with deviation 1", Default: 11, Low: 2, High: 50, Log: true}),
		knob.Float(&m.BiasPrior, knob.Knob{Name: "bias-prior", Means: "ridge on biases", Default: 8, Low: 0.5, High: 30, Log: true}),
	}
}

// Fit implements [Recipe].
func (m *BiasedMF) Fit(ctx context.Context, set *ratings.Set, run Run) (Model, error) {
	o, err := alternatingOptions(m.Hidden, cmp.Or(m.Prior, 11), cmp.Or(m.BiasPrior, 8))
	if err != nil {
		return nil, fmt.Errorf("rival: biased-mf: %w", err)
	}
	return orError(learn(ctx, "biased-mf", set, run, schedule{Epochs: m.Epochs, Patience: 10}, func(set *ratings.Set) (*alternatingLearner, error) {
		return newAlternating(set, run, o, biases{User: true, Item: true}, false)
	}))
}

// Load implements [Recipe].
func (m *BiasedMF) Load(f *modelfile.File, items int) (Model, error) { return loadRidge(f, items) }
