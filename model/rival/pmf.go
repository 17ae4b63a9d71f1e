package rival

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"fubini/core/knob"
	"fubini/data/modelfile"
	"fubini/data/ratings"
)

// PMF predicts ratings by a product of factors, the most probable under normal
// errors and normal priors (Salakhutdinov and Mnih 2007), and ranks by the
// prediction. It has no biases.
type PMF struct {
	Hidden int     // factors; 0 means 10
	Epochs int     // sweeps over users and items; 0 means early stopping
	Prior  float64 // precision of factors, those of errors and of ratings being 1; 0 means 10, negative none
	Means  Means   // of the priors
}

// Means says where the normal priors of factors stand.
type Means int

// The means of the priors of factors.
const (
	MeansLearned Means = iota // with the factors, as the paper's adaptive priors
	MeansZero
)

// Knobs implements [Recipe].
func (m *PMF) Knobs() []knob.Knob {
	return []knob.Knob{
		knob.Int(&m.Hidden, knob.Knob{Name: "hidden", Means: "factors", Default: 10, Low: 1, High: 100, Log: true}),
		knob.Int(&m.Epochs, knob.Knob{Name: "epochs", Means: "sweeps over users and items; 0 for early stopping"}),
		knob.Float(&m.Prior, knob.Knob{Name: "prior", Means: "ridge on factors, for ratings with deviation 1", Default: 10, Low: 2, High: 50, Log: true}),
		knob.Choice(&m.Means, knob.Knob{Name: "means", Means: "of the priors"}, "learned", "zero"),
	}
}

// Fit implements [Recipe].
func (m *PMF) Fit(ctx context.Context, set *ratings.Set, run Run) (Model, error) {
	o, err := alternatingOptions(m.Hidden, cmp.Or(m.Prior, 10), 0)
	if err == nil && m.Means != MeansLearned && m.Means != MeansZero {
		err = fmt.Errorf("means %d are neither learned nor zero", m.Means)
	}
	if err != nil {
		return nil, fmt.Errorf("rival: pmf: %w", err)
	}
	return orError(learn(ctx, "pmf", set, run, schedule{Epochs: m.Epochs, Patience: 10}, func(set *ratings.Set) (*alternatingLearner, error) {
		return newAlternating(set, run, o, biases{}, m.Means == MeansLearned)
	}))
}

// Load implements [Recipe].
func (m *PMF) Load(f *modelfile.File, items int) (Model, error) { return loadRidge(f, items) }

// alternatingOptions checks settings. Users and items share one prior: to make
// P larger and Q smaller by the same factor changes no score, so that only the
// product of two priors would matter.
func alternatingOptions(hidden int, prior, biasPrior float64) (FactorOptions, error) {
	o := FactorOptions{
		Hidden: cmp.Or(hidden, 10), hiddenUnset: hidden == 0,
		UserPrior: max(0, prior), ItemPrior: max(0, prior), BiasPrior: max(0, biasPrior),
		Scale: 1, // of the first users; items follow from them
	}
	switch {
	case hidden < 0:
		return o, fmt.Errorf("hidden %d must be positive", hidden)
	case math.IsNaN(prior) || math.IsInf(prior, 0):
		return o, fmt.Errorf("prior %g must be a finite number", prior)
	case math.IsNaN(biasPrior) || math.IsInf(biasPrior, 0):
		return o, fmt.Errorf("bias-prior %g must be a finite number", biasPrior)
	}
	return o, nil
}
