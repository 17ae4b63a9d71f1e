package plackettluce

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/factor"
	"fubini/model/baseline/fitting"
)

// plantedSet has two kinds of users, who like the first half of the items, or the
// second.
func plantedSet(t *testing.T, users, items, each int) *ratings.Set {
	t.Helper()
	r := rand.New(rand.NewPCG(19, 20))
	b := ratings.NewBuilder()
	for u := range users {
		for _, i := range r.Perm(items)[:each] {
			value := 2 + r.IntN(2)
			if (i < items/2) == (u%2 == 0) {
				value += 2
			}
			if err := b.Add(fmt.Appendf(nil, "u%03d", u), fmt.Appendf(nil, "i%02d", i), float32(value), ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func orderRecipes() map[string]model.Recipe {
	brief := func(o *factor.Options) { o.Hidden, o.Epochs = 2, 60 }
	return map[string]model.Recipe{
		"broken": with(NewMF(), func(o *MF) { brief(&o.Options) }),
		"fixed":  with(NewMF(), func(o *MF) { brief(&o.Options); o.Ties = TiesFixed }),
		"summed": with(NewMF(), func(o *MF) {
			brief(&o.Options)
			o.Ties, o.Sizes = TiesSummed, SizesUniform
		}),
		"pmop":          with(NewPMOP(), func(o *PMOP) { brief(&o.Options) }),
		"davidson-luce": with(NewDavidsonLuce(), func(o *DavidsonLuce) { brief(&o.Options); o.Longest = 8 }),
	}
}

func TestOrderModelsLearnAPlantedPattern(t *testing.T) {
	set := plantedSet(t, 60, 20, 10)
	all := make([]uint32, 20)
	for i := range all {
		all[i] = uint32(i)
	}
	for name, recipe := range orderRecipes() {
		m, err := recipe.Fit(context.Background(), set, model.Run{Seed: 1, Jobs: 1})
		if err != nil {
			t.Fatal(name, err)
		}
		again, err := recipe.Fit(context.Background(), set, model.Run{Seed: 1, Jobs: 3})
		if err != nil {
			t.Fatal(name, err)
		}
		scores, other := make([]float64, 20), make([]float64, 20)
		right, pairs := 0, 0
		for u := range 60 {
			m.Score(model.Person{Index: u}, all, scores)
			again.Score(model.Person{Index: u}, all, other)
			for i := range scores {
				if scores[i] != other[i] {
					t.Fatalf("%s: score %g with one job, %g with three", name, scores[i], other[i])
				}
				for j := range scores[:i] {
					if (i < 10) != (j < 10) {
						pairs++
						if ((i < 10) == (u%2 == 0)) == (scores[i] > scores[j]) {
							right++
						}
					}
				}
			}
		}
		if share := float64(right) / float64(pairs); !(share >= 0.85) {
			t.Errorf("%s: %.3f of the planted pairs are in order", name, share)
		}
		checkFile(t, name, recipe, m, set)
	}
}

// checkFile writes a model and reads it back: persons are folded in alike, and
// likelihoods are the same.
func checkFile(t *testing.T, name string, recipe model.Recipe, m model.Model, set *ratings.Set) {
	t.Helper()
	f := modelfile.New()
	if err := m.Save(f); err != nil {
		t.Fatal(name, err)
	}
	loaded, err := recipe.Load(f, set.Items().Len())
	if err != nil {
		t.Fatal(name, err)
	}
	row := set.Row(3)
	a, b := make([]float64, row.Len()), make([]float64, row.Len())
	m.Score(model.Person{Index: -1, Known: row}, row.Items, a)
	loaded.Score(model.Person{Index: -1, Known: row}, row.Items, b)
	order, err := ratings.Order(row)
	if err != nil {
		t.Fatal(err)
	}
	before, after := m.(fitted).LogLikelihood(a, order), loaded.(fitted).LogLikelihood(b, order)
	if fmt.Sprint(a) != fmt.Sprint(b) || before != after || !(before < 0) || math.IsInf(before, 0) {
		t.Errorf("%s: scores %v and log likelihood %g; from a file %v and %g", name, a, before, b, after)
	}
}

// Without factors everybody has the same worths, and a list of many rankings
// brings those back that it was drawn from.
func TestWorthsWithoutFactors(t *testing.T) {
	skipIfShort(t)
	r := rand.New(rand.NewPCG(21, 22))
	want := []float64{1.2, 0.6, 0, -0.6, -1.2}
	b := ratings.NewBuilder()
	for u := range 3000 {
		for i, s := range want { // places by exponential waiting times
			place := -math.Log(r.ExpFloat64()) + s
			if err := b.Add(fmt.Appendf(nil, "u%d", u), fmt.Appendf(nil, "i%d", i), float32(place), ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range []TieRule{TiesBroken, TiesSummed} {
		recipe := with(NewMF(), func(o *MF) { o.Hidden, o.Epochs, o.Ties = 0, 20, rule })
		m, err := recipe.Fit(context.Background(), set, model.Run{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		scores := make([]float64, 5)
		m.Score(model.Person{Index: -1}, []uint32{0, 1, 2, 3, 4}, scores)
		for i, s := range scores {
			// A log worth from 3000 lists has a standard error of about 0.03.
			if got := s - scores[2]; !(math.Abs(got-want[i]) <= 0.15) {
				t.Errorf("rule %d: log worths %.3f, drawn from %v", rule, scores, want)
				break
			}
		}
	}
}

func TestOrderRefusals(t *testing.T) {
	set := plantedSet(t, 6, 10, 4)
	for _, bad := range []model.Recipe{
		with(NewMF(), func(o *MF) { o.Ties = 3 }), with(NewMF(), func(o *MF) { o.Sizes = -1 }), with(NewMF(), func(o *MF) { o.Hidden = 9 }),
		with(NewPMOP(), func(o *PMOP) { o.Rate = math.NaN() }), with(NewPMOP(), func(o *PMOP) { o.Epochs = -1 }),
		with(NewDavidsonLuce(), func(o *DavidsonLuce) { o.Largest = -1 }), with(NewDavidsonLuce(), func(o *DavidsonLuce) { o.Longest = -2 }), with(NewDavidsonLuce(), func(o *DavidsonLuce) { o.TiePrior = math.NaN() }),
	} {
		if _, err := bad.Fit(context.Background(), set, model.Run{}); err == nil {
			t.Errorf("%#v was fitted", bad)
		}
	}
	empty, _, err := ratings.NewBuilder().Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	for name, recipe := range orderRecipes() {
		if _, err := recipe.Fit(context.Background(), empty, model.Run{}); err == nil {
			t.Errorf("%s was fitted to nothing", name)
		}
	}
}

// At the minimum no step of a worth or of a parameter to either side costs less. Without factors the scores are the
// worths, so that the objective is known by definition.
func TestWorthsAtTheMinimum(t *testing.T) {
	set := plantedSet(t, 40, 12, 8)
	for name, l := range map[string]factor.Loss{
		"summed": &plackettLuce{Ties: TiesSummed}, "pmop": meanWorths{}, "davidson-luce": newTieWorths(set, fitting.Run{}, 0, 50, 1),
	} {
		var last float64
		o := factor.Options{BiasPrior: 0.5, Rate: 1, Batch: 10}
		run := fitting.Run{Run: model.Run{Seed: 1, Observe: func(p model.Progress) { last = p.Objective }}}
		f, err := factor.New(set, run, o, factor.Biases{Item: true}, l)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Minimise(); err != nil {
			t.Fatal(err)
		}
		worths, items := make([]float64, 12), make([]uint32, 12)
		for i := range items {
			items[i] = uint32(i)
		}
		f.Score(model.Person{Index: -1}, items, worths)
		var parameters []float64
		if shared, has := l.(factor.SharedParameters); has {
			parameters = shared.Parameters()
		}
		cost := func() (total float64) {
			for u := range set.Users().Len() {
				row := set.Row(u)
				scores, slope := make([]float64, row.Len()), make([]float64, row.Len())
				for k, i := range row.Items {
					scores[k] = worths[i]
				}
				at := factor.NewRow(run, u, 0, row.Items)
				total += l.Of(row.Values, scores, slope, make([]float64, len(parameters)), at)
			}
			for _, w := range worths {
				total += 0.25 * w * w
			}
			return total
		}
		least := cost()
		if !(math.Abs(last-least) <= 1e-9*least) {
			t.Errorf("%s: ended at %g, where the objective is %g", name, last, least)
		}
		for _, values := range [][]float64{worths, parameters} {
			for k := range values {
				for _, by := range []float64{1e-3, -1e-3} {
					values[k] += by
					if got := cost(); !(got > least) {
						t.Errorf("%s: %g on coordinate %d leads from %.12g to %.12g", name, by, k, least, got)
					}
					values[k] -= by
				}
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		over, err := factor.New(set, fitting.Under(ctx, model.Run{Seed: 1}), o, factor.Biases{Item: true}, l)
		if err != nil {
			t.Fatal(err)
		}
		if err := over.Minimise(); err == nil {
			t.Errorf("%s: went on after the end", name)
		}
	}
}

// with changes a recipe.
func with[T any](recipe *T, change func(o *T)) *T {
	change(recipe)
	return recipe
}

func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("long, and on one core")
	}
}
