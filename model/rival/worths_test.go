package rival

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fubini/data/modelfile"
	"fubini/data/ratings"
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

func orderRecipes() map[string]Recipe {
	brief := func(o *FactorOptions) { o.Hidden, o.Epochs = 2, 60 }
	return map[string]Recipe{
		"broken": with(NewPlackettLuceMF(), func(o *PlackettLuceMF) { brief(&o.FactorOptions) }),
		"fixed":  with(NewPlackettLuceMF(), func(o *PlackettLuceMF) { brief(&o.FactorOptions); o.Ties = TiesFixed }),
		"summed": with(NewPlackettLuceMF(), func(o *PlackettLuceMF) {
			brief(&o.FactorOptions)
			o.Ties, o.Sizes = TiesSummed, SizesUniform
		}),
		"pmop":          with(NewPMOP(), func(o *PMOP) { brief(&o.FactorOptions) }),
		"davidson-luce": with(NewDavidsonLuce(), func(o *DavidsonLuce) { brief(&o.FactorOptions); o.Longest = 8 }),
	}
}

func TestOrderModelsLearnAPlantedPattern(t *testing.T) {
	set := plantedSet(t, 60, 20, 10)
	all := make([]uint32, 20)
	for i := range all {
		all[i] = uint32(i)
	}
	for name, recipe := range orderRecipes() {
		m, err := recipe.Fit(context.Background(), set, Run{Seed: 1, Jobs: 1})
		if err != nil {
			t.Fatal(name, err)
		}
		again, err := recipe.Fit(context.Background(), set, Run{Seed: 1, Jobs: 3})
		if err != nil {
			t.Fatal(name, err)
		}
		scores, other := make([]float64, 20), make([]float64, 20)
		right, pairs := 0, 0
		for u := range 60 {
			m.Score(Person{Index: u}, all, scores)
			again.Score(Person{Index: u}, all, other)
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
func checkFile(t *testing.T, name string, recipe Recipe, m Model, set *ratings.Set) {
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
	m.Score(Person{Index: -1, Known: row}, row.Items, a)
	loaded.Score(Person{Index: -1, Known: row}, row.Items, b)
	order, err := ratings.Order(row)
	if err != nil {
		t.Fatal(err)
	}
	before, after := m.(WeakOrders).LogLikelihood(a, order), loaded.(WeakOrders).LogLikelihood(b, order)
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
		recipe := with(NewPlackettLuceMF(), func(o *PlackettLuceMF) { o.Hidden, o.Epochs, o.Ties = 0, 20, rule })
		m, err := recipe.Fit(context.Background(), set, Run{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		scores := make([]float64, 5)
		m.Score(Person{Index: -1}, []uint32{0, 1, 2, 3, 4}, scores)
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
	for _, bad := range []Recipe{
		with(NewPlackettLuceMF(), func(o *PlackettLuceMF) { o.Ties = 3 }), with(NewPlackettLuceMF(), func(o *PlackettLuceMF) { o.Sizes = -1 }), with(NewPlackettLuceMF(), func(o *PlackettLuceMF) { o.Hidden = 9 }),
		with(NewPMOP(), func(o *PMOP) { o.Rate = math.NaN() }), with(NewPMOP(), func(o *PMOP) { o.Epochs = -1 }),
		with(NewDavidsonLuce(), func(o *DavidsonLuce) { o.Largest = -1 }), with(NewDavidsonLuce(), func(o *DavidsonLuce) { o.Longest = -2 }), with(NewDavidsonLuce(), func(o *DavidsonLuce) { o.TiePrior = math.NaN() }),
	} {
		if _, err := bad.Fit(context.Background(), set, Run{}); err == nil {
			t.Errorf("%#v was fitted", bad)
		}
	}
	empty, _, err := ratings.NewBuilder().Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	for name, recipe := range orderRecipes() {
		if _, err := recipe.Fit(context.Background(), empty, Run{}); err == nil {
			t.Errorf("%s was fitted to nothing", name)
		}
	}
}

// Where worths have settled, no step to either side costs less.
func TestWorthsSettle(t *testing.T) {
	set := plantedSet(t, 40, 12, 8)
	for name, l := range map[string]loss{
		"summed": &plackettLuce{Ties: TiesSummed}, "pmop": meanWorths{}, "davidson-luce": newTieWorths(set, fitRun{}, 0, 50, 1),
	} {
		f, err := newFactors(set, fitRun{Run: Run{Seed: 1}}, FactorOptions{BiasPrior: 0.5, Rate: 1, Batch: 10}, biases{Item: true}, l)
		if err != nil {
			t.Fatal(err)
		}
		var last float64
		f.run.Observe = func(p Progress) { last = p.Objective }
		if err := f.settle(context.Background()); err != nil {
			t.Fatal(err)
		}
		cost := func() float64 {
			total := f.gradient(f.order)
			for i := range 12 {
				total += 0.25 * math.Pow(f.itemVector(i)[1], 2)
			}
			return total
		}
		least := cost()
		if !(math.Abs(last-least) <= 1e-9*least) {
			t.Errorf("%s: ended at %g, where the objective is %g", name, last, least)
		}
		places := []*float64{}
		for i := range 12 {
			places = append(places, &f.itemVector(i)[1])
		}
		if f.shared != nil {
			for d := range f.shared.parameters() {
				places = append(places, &f.shared.parameters()[d])
			}
		}
		for k, x := range places {
			for _, by := range []float64{1e-3, -1e-3} {
				*x += by
				if got := cost(); !(got > least) {
					t.Errorf("%s: %g on coordinate %d leads from %.12g to %.12g", name, by, k, least, got)
				}
				*x -= by
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := f.settle(ctx); err == nil {
			t.Errorf("%s: settled after the end", name)
		}
	}
}

// The power method against so many steps that nothing is left to gain.
func TestLargestSlope(t *testing.T) {
	set := plantedSet(t, 40, 12, 8)
	f, err := newFactors(set, fitRun{Run: Run{Seed: 1}}, FactorOptions{Rate: 1, Batch: 10}, biases{Item: true}, meanWorths{})
	if err != nil {
		t.Fatal(err)
	}
	got := f.largestSlope()
	matrix := make([][]float64, 40)
	for k := range f.block {
		b := &f.block[k]
		matrix[b.user] = make([]float64, 12)
		for j, i := range b.row.Items {
			matrix[b.user][i] = f.slopes[b.from+j]
		}
	}
	x := []float64{1, 2, 3, 4, 5, 6, -7, 8, -9, 10, 11, -12}
	var want float64
	for range 5000 {
		next := make([]float64, 12)
		for _, row := range matrix {
			add(next, dot(row, x), row)
		}
		want = math.Sqrt(math.Sqrt(dot(next, next)))
		for i := range x {
			x[i] = next[i] / (want * want)
		}
	}
	if !(math.Abs(got-want) <= 0.03*want) {
		t.Errorf("largest singular value %g, want %g", got, want)
	}
}
