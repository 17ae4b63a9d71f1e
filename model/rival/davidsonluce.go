package rival

import (
	"context"
	"fmt"
	"math"

	"fubini/core/setting"
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
	Largest  int     // tie that is possible; Auto, or fewer than the largest seen, means that one
	Longest  int     // list taken as a whole, longer ones are cut at random
	TiePrior float64 // weight of half the squared change of a log tie parameter; 0 for none
}

// NewDavidsonLuce has the default settings.
func NewDavidsonLuce() *DavidsonLuce {
	return &DavidsonLuce{FactorOptions: orderDefaults(0.5, 0.12), Largest: Auto, Longest: 50, TiePrior: 1}
}

// Settings implements [Recipe].
func (m *DavidsonLuce) Settings() []setting.Setting {
	d := NewDavidsonLuce()
	return append(orderSettings(&m.FactorOptions, d.FactorOptions),
		setting.Int(&m.Largest, d.Largest, setting.Setting{Name: "largest", Means: "largest tie that is possible; at least the largest seen", Positive: true, Default: math.NaN()}),
		setting.Int(&m.Longest, d.Longest, setting.Setting{Name: "longest", Means: "longest list taken as a whole", Positive: true}),
		setting.Float(&m.TiePrior, d.TiePrior, setting.Setting{Name: "tie-prior", Means: "ridge on log tie parameters, around those of equal worths", Low: 0.1, High: 100, Log: true}))
}

// Fit implements [Recipe]. The model is of type [WeakOrders].
func (m *DavidsonLuce) Fit(ctx context.Context, set *ratings.Set, r Run) (Model, error) {
	run := under(ctx, r)
	o, err := m.FactorOptions.resolved(NewDavidsonLuce().FactorOptions, defaultFactors)
	switch {
	case err != nil:
		return nil, fmt.Errorf("rival: davidson-luce: %w", err)
	case m.Largest < 1 && m.Largest != Auto:
		return nil, fmt.Errorf("rival: davidson-luce: largest %d must be positive", m.Largest)
	case m.Longest < 1:
		return nil, fmt.Errorf("rival: davidson-luce: longest %d must be positive", m.Longest)
	case !(m.TiePrior >= 0) || math.IsInf(m.TiePrior, 0):
		return nil, fmt.Errorf("rival: davidson-luce: tie-prior %g must be finite and not negative", m.TiePrior)
	}
	f, err := learnOrders(ctx, "davidson-luce", set, run, o, func(set *ratings.Set) loss { return newTieWorths(set, run, m.Largest, m.Longest, m.TiePrior) })
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
