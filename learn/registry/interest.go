package registry

import (
	"context"
	"fmt"
	"math"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	learn "fubini/learn/interest"
	"fubini/model"
	"fubini/model/baseline/fitting"
	"fubini/model/interest"
)

// byPicks is the recipe of interest: the model of what people pick, in closed form.
type byPicks struct{ learn.Options }

// Settings are the options of package learn/interest by name.
func (r *byPicks) Settings() []setting.Setting {
	o, d := &r.Options, learn.Defaults()
	auto := func(v float64) float64 { // chosen by the number of people
		if v == 0 {
			return setting.Auto
		}
		return v
	}
	return []setting.Setting{
		setting.Func(func() float64 { return auto(o.Ridge) }, func(v float64) { o.Ridge = v }, setting.Auto,
			setting.Setting{Name: "ridge", Means: "added to the squares of each item in the regressions", Default: math.NaN(), Low: 50, High: 5000, Log: true, Positive: true}),
		setting.Func(func() float64 { return auto(float64(o.Units)) }, func(v float64) { o.Units = int(v) }, setting.Auto,
			setting.Setting{Name: "units", Means: "rank of the low-rank part", Default: math.NaN(), Whole: true, Positive: true, Fixed: true}),
		setting.Float(&o.Share, d.Share, setting.Setting{Name: "share", Means: "share of a list that the regressions predict from, at most 1", Low: 0.2, High: 1, Positive: true}),
		setting.Float(&o.Length, d.Length, setting.Setting{Name: "length", Means: "a list of n items has the weight n to the power of minus this", Low: 0, High: 1}),
		setting.Float(&o.Kinds, d.Kinds, setting.Setting{Name: "kinds", Means: "lists that the groups of an item, such as genres, count as in the regressions, and again its year, where a catalogue has them", Low: 0.5, High: 32}),
		setting.Float(&o.Periods, d.Periods, setting.Setting{Name: "periods", Means: "what two items near each other in the time of a list count for in the regressions, beside 1 for any two of a list", Low: 0.25, High: 4}),
		setting.Float(&o.Scale, d.Scale, setting.Setting{Name: "scale", Means: "power of an item's sum of squares by which the low-rank part divides", Low: 0.1, High: 0.6}),
		setting.Float(&o.Noise, d.Noise, setting.Setting{Name: "noise", Means: "variance of one placement in the low-rank part", Low: 0.5, High: 16, Log: true}),
	}
}

// Fit implements [model.Recipe].
func (r *byPicks) Fit(ctx context.Context, set *ratings.Set, run model.Run) (model.Model, error) {
	return fitting.Fit(ctx, "interest", r.Settings(), set, run, func(fitting.Run) (model.Model, error) {
		o := r.Options
		o.Seed, o.Jobs = run.Seed, run.Jobs
		m, err := learn.Fit(ctx, set, o)
		return &Interest{m}, err
	})
}

// Load implements [model.Recipe].
func (r *byPicks) Load(f *modelfile.File, items int) (model.Model, error) {
	m, err := interest.Load(f, items)
	if err == nil && m == nil {
		err = fmt.Errorf("registry: the file has no model of picks")
	}
	return &Interest{m}, err
}

// Interest is a fitted model of what people pick, as a model of its own: it scores items by how likely they are picked,
// and has no probabilities of tiers.
type Interest struct{ *interest.Model }

// Score implements [model.Model]. Every person is folded in from their ratings.
func (m *Interest) Score(p model.Person, items []uint32, scores []float64) {
	picks := make([]float64, m.Items())
	if err := m.Model.Score(p.Known, picks); err != nil {
		panic(err) // an item outside the catalogue
	}
	for k, i := range items {
		scores[k] = picks[i]
	}
}

// Explain gives the parts of a score, which are exact: see modelstore.Explainer.
func (m *Interest) Explain(known ratings.Row, item uint32, parts []float64) (base float64, exact, ok bool) {
	base, err := m.Model.Explain(known, item, parts)
	return base, true, err == nil
}
