package plackettluce

import (
	"context"
	"fmt"
	"math"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/factor"
	"fubini/model/baseline/fitting"
)

// DavidsonLuce is Plackett-Luce with parameters for ties (Firth, Kosmidis and Turner 2019; Turner, van Etten, Firth and
// Kosmidis 2020). The best set of items is drawn, then the best set of the rest, and so on, each with a probability
// proportional to the geometric mean of its worths, exp(b_i + P_u . Q_i), times a parameter of its size.
type DavidsonLuce struct {
	factor.Options
	Largest  int     // largest possible tie; setting.Auto, or fewer than the largest in the data, means that one
	Longest  int     // list taken as a whole, longer ones are cut at random
	TiePrior float64 // weight of half the squared change of a log tie parameter; 0 for none
}

// NewDavidsonLuce has the default settings.
func NewDavidsonLuce() *DavidsonLuce {
	return &DavidsonLuce{Options: factor.ListDefaults(0.5, 0.12), Largest: setting.Auto, Longest: 50, TiePrior: 1}
}

// Settings implements [model.Recipe].
func (m *DavidsonLuce) Settings() []setting.Setting {
	d := NewDavidsonLuce()
	return append(factor.ListSettings(&m.Options, d.Options),
		setting.Int(&m.Largest, d.Largest, setting.Setting{Name: "largest", Means: "largest tie that is possible; at least the largest seen", Positive: true, Default: math.NaN()}),
		setting.Int(&m.Longest, d.Longest, setting.Setting{Name: "longest", Means: "longest list taken as a whole", Positive: true}),
		setting.Float(&m.TiePrior, d.TiePrior, setting.Setting{Name: "tie-prior", Means: "ridge on log tie parameters, around those of equal worths", Low: 0.1, High: 100, Log: true}))
}

// Fit implements [model.Recipe].
func (m *DavidsonLuce) Fit(ctx context.Context, set *ratings.Set, r model.Run) (model.Model, error) {
	run, err := fitting.Begin(ctx, "davidson-luce", m.Settings(), set, r)
	if err != nil {
		return nil, err
	}
	return fit(set, run, m.Options, false, func(set *ratings.Set) factor.Loss { return newTieWorths(set, run, m.Largest, m.Longest, m.TiePrior) })
}

// Load implements [model.Recipe].
func (m *DavidsonLuce) Load(f *modelfile.File, items int) (model.Model, error) {
	l := new(tieWorths)
	return load("davidson-luce", f, items, l, func() error {
		if l.Largest < 1 || l.Longest < 1 {
			return fmt.Errorf("a file with ties up to %d and lists up to %d makes no sense", l.Largest, l.Longest)
		}
		shared, err := modelfile.Get[float64](f, "shared", l.Largest-1)
		l.logTie = append([]float64{0}, shared...) // log delta_1 is 0
		return err
	})
}
