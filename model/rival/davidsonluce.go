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

// DavidsonLuce is Plackett-Luce with parameters for ties (Firth, Kosmidis and
// Turner 2019; Turner, van Etten, Firth and Kosmidis 2020): a list comes about by
// choosing the best set of items, then the best set among the rest, each with a
// probability proportional to the geometric mean of its worths, exp(b_i + P_u .
// Q_i), times a parameter of its size.
type DavidsonLuce struct {
	FactorOptions
	Largest  int     // tie that is possible; 0, or fewer than the largest seen, means that one
	Longest  int     // list taken as a whole, longer ones are cut at random; 0 means 50
	TiePrior float64 // weight of half the squared change of a log tie parameter; 0 means 1, negative none
}

var davidsonLuceDefaults = FactorOptions{Hidden: 10, Rate: 0.5, BiasPrior: 0.12, Scale: 0.1, Batch: 100}

// Knobs implements [Recipe].
func (m *DavidsonLuce) Knobs() []knob.Knob {
	return append(orderKnobs(&m.FactorOptions, davidsonLuceDefaults),
		knob.Int(&m.Largest, knob.Knob{Name: "largest", Means: "largest tie that is possible; at least the largest seen", Default: math.NaN()}),
		knob.Int(&m.Longest, knob.Knob{Name: "longest", Means: "longest list taken as a whole", Default: 50}),
		knob.Float(&m.TiePrior, knob.Knob{Name: "tie-prior", Means: "ridge on log tie parameters, around those of equal worths", Default: 1, Low: 0.1, High: 100, Log: true}))
}

// Fit implements [Recipe]. The model is of type [WeakOrders].
func (m *DavidsonLuce) Fit(ctx context.Context, set *ratings.Set, run Run) (Model, error) {
	o, err := orderOptions(m.FactorOptions, davidsonLuceDefaults)
	longest, prior := cmp.Or(m.Longest, 50), max(0, cmp.Or(m.TiePrior, 1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("rival: davidson-luce: %w", err)
	case m.Largest < 0:
		return nil, fmt.Errorf("rival: davidson-luce: largest %d must not be negative", m.Largest)
	case longest < 1:
		return nil, fmt.Errorf("rival: davidson-luce: longest %d must be positive", m.Longest)
	case math.IsNaN(prior) || math.IsInf(prior, 0):
		return nil, fmt.Errorf("rival: davidson-luce: tie-prior %g must be a finite number", m.TiePrior)
	}
	f, err := learnOrders(ctx, "davidson-luce", set, run, o, func(set *ratings.Set) loss { return newTieWorths(set, run, m.Largest, longest, prior) })
	if err != nil {
		return nil, err
	}
	return newOrdersModel(f, f.loss.(*tieWorths)), nil
}

// Load implements [Recipe].
func (m *DavidsonLuce) Load(f *modelfile.File, items int) (Model, error) {
	l := new(tieWorths)
	s, err := loadFactors(f, items, l)
	if err != nil {
		return nil, err
	}
	if l.Largest < 1 || l.Longest < 1 {
		return nil, fmt.Errorf("rival: davidson-luce: a file with ties up to %d and lists up to %d makes no sense", l.Largest, l.Longest)
	}
	shared, err := modelfile.Get[float64](f, "shared", l.Largest-1)
	if err != nil {
		return nil, fmt.Errorf("rival: davidson-luce: %w", err)
	}
	l.logTie = append([]float64{0}, shared...) // log delta_1 is 0
	return newOrdersModel(s, l), nil
}
