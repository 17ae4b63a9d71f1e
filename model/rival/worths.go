package rival

import (
	"context"
	"fmt"
	"math"

	"fubini/core/setting"
	"fubini/data/ratings"
)

// orderDefaults are the settings of a model of lists. Priors on factors depend on the
// data; see priors.
func orderDefaults(rate, biasPrior float64) FactorOptions {
	return FactorOptions{
		Hidden: Auto, Epochs: Auto, Rate: rate, UserPrior: Auto, ItemPrior: Auto, BiasPrior: biasPrior,
		Scale: 0.1, Start: StartNormal, Batch: 100,
	}
}

// orderSettings are the settings of a model of lists.
func orderSettings(o *FactorOptions, defaults FactorOptions) []setting.Setting {
	all := o.settings(defaults, defaultFactors)
	for k := range all {
		switch all[k].Name {
		case "hidden":
			all[k].Means = "factors; 0 for worths alone, the same for everybody"
		case "user-prior", "item-prior":
			all[k].Low, all[k].High = 0.5, 50
		}
	}
	return all
}

// learnOrders fits a loss of lists under factors, or with none of them under worths alone.
// Options are resolved.
func learnOrders(ctx context.Context, name string, set *ratings.Set, run fitRun, o FactorOptions, start func(set *ratings.Set) loss) (*factorLearner, error) {
	begin := func(set *ratings.Set) (*factorLearner, error) {
		return newFactors(set, run, o, biases{Item: true}, start(set))
	}
	if set.Len() == 0 {
		return nil, fmt.Errorf("rival: %s: %w", name, errNoRatings)
	}
	l := start(set)
	if err := o.priors(set, run, l); err != nil {
		return nil, fmt.Errorf("rival: %s: %w", name, err)
	}
	// Ties that are broken anew make another function of each epoch.
	if pl, is := l.(*plackettLuce); o.Hidden > 0 || is && pl.Ties == TiesBroken {
		// Factors begin to tell only after some epochs, when the biases are done.
		return learn(ctx, name, set, run, schedule{Epochs: o.Epochs, Patience: 10}, begin)
	}
	f, err := begin(set)
	if err == nil {
		err = f.settle(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("rival: %s: %w", name, err)
	}
	return f, nil
}

// priors sets those on factors that have no value yet. With a prior p on both
// sides the penalty is, at best, p times the sum of the singular values of P Qᵀ
// (Srebro, Rennie and Jaakkola 2005), and factors stay at zero if p is above the
// largest singular value of the slopes by the scores there. Six tenths of it were
// best on held-back ratings of MovieLens, or close to it, for lists of 10 to 50
// and for all losses of lists.
func (o *FactorOptions) priors(set *ratings.Set, run fitRun, l loss) error {
	if o.Hidden == 0 {
		o.UserPrior, o.ItemPrior = 0, 0
		return nil
	}
	if o.UserPrior != Auto && o.ItemPrior != Auto {
		return nil
	}
	none := *o
	none.Hidden, none.UserPrior, none.ItemPrior = 0, 0, 0
	f, err := newFactors(set, run, none, biases{Item: true}, l)
	if err != nil {
		return err
	}
	prior := 0.6 * f.largestSlope()
	if o.UserPrior == Auto {
		o.UserPrior = prior
	}
	if o.ItemPrior == Auto {
		o.ItemPrior = prior
	}
	return nil
}

// largestSlope is about the largest singular value of the matrix of slopes, by
// the power method. Some per cent of it do not matter.
func (f *factorLearner) largestSlope() float64 {
	f.gradient(f.order)
	x := make([]float64, f.set.Items().Len())
	for i := range x {
		x[i] = f.run.itemStream("slope", i).NormFloat64()
	}
	norm := math.Sqrt(dot(x, x))
	for range 30 {
		for i := range x {
			x[i] /= norm
		}
		next := make([]float64, len(x))
		for k := range f.block {
			b := &f.block[k]
			slopes := f.slopes[b.from:][:b.row.Len()]
			var y float64
			for j, i := range b.row.Items {
				y += slopes[j] * x[i]
			}
			for j, i := range b.row.Items {
				next[i] += slopes[j] * y
			}
		}
		x, norm = next, math.Sqrt(dot(next, next))
		if norm == 0 {
			return 0
		}
	}
	return math.Sqrt(norm)
}
