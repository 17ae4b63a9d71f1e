package rival

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fubini/core/partition"
	"fubini/data/modelfile"
	"fubini/data/ratings"
)

// orderLosses are the losses of this page and its neighbours with something in
// every parameter.
func orderLosses(r *rand.Rand, n int) map[string]interface {
	loss
	orderLikelihood
} {
	fitted := tieSizes{Weights: make([]float64, sizeFeatures)}
	for d := range fitted.Weights {
		fitted.Weights[d] = r.NormFloat64()
	}
	ties := &tieWorths{Largest: n, Longest: n, prior: 0.3, logTie: make([]float64, n), start: make([]float64, n)}
	for d := 1; d < n; d++ {
		ties.logTie[d], ties.start[d] = 2*r.NormFloat64(), r.NormFloat64()
	}
	return map[string]interface {
		loss
		orderLikelihood
	}{
		"plackett-luce, fitted sizes":  &plackettLuce{Ties: TiesSummed, Sizes: fitted},
		"plackett-luce, uniform sizes": &plackettLuce{Ties: TiesSummed, Sizes: tieSizes{Rule: SizesUniform}},
		"pmop":                         meanWorths{},
		"davidson-luce":                ties,
	}
}

func normals(r *rand.Rand, n int, spread float64) []float64 {
	x := make([]float64, n)
	for k := range x {
		x[k] = spread * r.NormFloat64()
	}
	return x
}

// Every weak order of up to six items is listed: 4683 of them.
func TestProbabilitiesSumToOne(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for n := 1; n <= 6; n++ {
		scores := normals(r, n, 1.5)
		for name, l := range orderLosses(r, n) {
			m := newOrdersModel(nil, l)
			var total, conditional float64
			for x := range partition.All(n) {
				p := m.LogLikelihood(scores, x)
				total += math.Exp(p)
				if l, is := l.(*plackettLuce); is {
					list := tiersOf(x)
					conditional += math.Exp(p - l.Sizes.logProb(&list))
				}
			}
			// Each probability is good to 1e-11.
			if !(math.Abs(total-1) <= 1e-10) {
				t.Errorf("%s: the orders of %d items sum to %.14g", name, n, total)
			}
			if _, is := l.(*plackettLuce); is && !(math.Abs(conditional-math.Exp2(float64(n-1))) <= 1e-9) {
				t.Errorf("%s: without sizes, the orders of %d items sum to %.14g, not 2^%d", name, n, conditional, n-1)
			}
		}
	}
}

func tiersOf(x *partition.Partition) tiers {
	list := tiers{start: []int{0}}
	for t := range x.Len() {
		list.order = append(list.order, x.Block(t)...)
		list.start = append(list.start, len(list.order))
	}
	return list
}

// The witness walks through every order that a weak order allows.
func TestSummedAgainstEveryOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var row rowScratch
	for range 20 {
		scores := normals(r, 6, 2)
		for x := range partition.All(6) {
			if r.IntN(100) > 0 {
				continue
			}
			row.enter(Run{}, -1, 0, nil)
			list := tiersOf(x)
			got := summedOrders(scores, &list, make([]float64, 6), &row)
			want := math.Log(walk(scores, x, 0, nil))
			if !(math.Abs(got-want) <= 1e-11*(1+math.Abs(want))) {
				t.Fatalf("%v: log probability %.14g, over all its orders %.14g", x, got, want)
			}
		}
	}
}

// walk sums the probability of all strict orders that begin with taken and agree
// with x from tie t on.
func walk(scores []float64, x *partition.Partition, t int, taken []int) float64 {
	if len(taken) == len(scores) {
		return 1
	}
	is := make([]bool, len(scores))
	for _, i := range taken {
		is[i] = true
	}
	var left, total float64
	for i, s := range scores {
		if !is[i] {
			left += math.Exp(s)
		}
	}
	if len(taken) == x.N()-x.Below(t) {
		t++
	}
	for _, i := range x.Block(t) {
		if !is[i] {
			total += math.Exp(scores[i]) / left * walk(scores, x, t, append(taken[:len(taken):len(taken)], i))
		}
	}
	return total
}

func TestOrderSlopes(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for n := 1; n <= 25; n += 3 {
		losses := map[string]loss{"broken": &plackettLuce{Ties: TiesBroken}, "fixed": &plackettLuce{Ties: TiesFixed}}
		for name, l := range orderLosses(r, n) {
			losses[name] = l
		}
		cut := *losses["davidson-luce"].(*tieWorths)
		cut.Longest = 7
		losses["davidson-luce in pieces"] = &cut
		for name, l := range losses {
			checkSlope(t, fmt.Sprintf("%s, %d items", name, n), l, r, n)
		}
	}
}

// checkSlope holds the slope of a loss against differences.
func checkSlope(t *testing.T, name string, l loss, r *rand.Rand, n int) {
	t.Helper()
	values, items := make([]float32, n), make([]uint32, n)
	for k := range values {
		values[k], items[k] = float32(1+r.IntN(5)), uint32(3*k)
	}
	scores, slope := normals(r, n, 2), normals(r, n, 1)
	var row rowScratch
	shared, _ := l.(sharedParameters)
	var by []float64
	at := func(slope []float64) float64 {
		row.enter(Run{}, 4, 2, items)
		if shared != nil {
			by = make([]float64, len(shared.parameters()))
			return shared.ofShared(values, scores, slope, by, &row)
		}
		return l.of(values, scores, slope, &row)
	}
	at(slope)
	byShared := by
	throwaway := make([]float64, n)
	const h = 1e-5
	check := func(what string, x *float64, got float64) {
		was := *x
		*x = was + h
		up := at(throwaway)
		*x = was - h
		down := at(throwaway)
		*x = was
		// The loss is good to 1e-12 of up to 100, which h divides.
		if want := (up - down) / (2 * h); !(math.Abs(got-want) <= 1e-6*(1+math.Abs(want))) {
			t.Errorf("%s: slope by %s %.10g, by differences %.10g", name, what, got, want)
		}
	}
	for k := range scores {
		check(fmt.Sprint("score ", k), &scores[k], slope[k])
	}
	for d, got := range byShared {
		check(fmt.Sprint("parameter ", d), &shared.parameters()[d], got)
	}
}

// Without ties there is one order, and all rules agree.
func TestRulesAgreeWithoutTies(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	values, items := []float32{3, 1, 5, 2, 4}, []uint32{0, 1, 2, 3, 4}
	scores := normals(r, 5, 1)
	var got [3]float64
	for rule := range got {
		var row rowScratch
		row.enter(Run{}, 0, 0, items)
		got[rule] = (&plackettLuce{Ties: TieRule(rule)}).of(values, scores, make([]float64, 5), &row)
	}
	if !(math.Abs(got[0]-got[2]) <= 1e-12) || got[0] != got[1] {
		t.Errorf("losses without ties %v", got)
	}
}

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
	o := FactorOptions{Hidden: 2, Epochs: 60}
	return map[string]Recipe{
		"broken":        &PlackettLuceMF{FactorOptions: o},
		"fixed":         &PlackettLuceMF{FactorOptions: o, Ties: TiesFixed},
		"summed":        &PlackettLuceMF{FactorOptions: o, Ties: TiesSummed, Sizes: SizesUniform},
		"pmop":          &PMOP{FactorOptions: o},
		"davidson-luce": &DavidsonLuce{FactorOptions: o, Longest: 8},
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
		recipe := &PlackettLuceMF{FactorOptions: FactorOptions{Hidden: -1, Epochs: 20}, Ties: rule}
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
		&PlackettLuceMF{Ties: 3}, &PlackettLuceMF{Sizes: -1}, &PlackettLuceMF{FactorOptions: FactorOptions{Hidden: 9}},
		&PMOP{FactorOptions: FactorOptions{Rate: math.NaN()}}, &PMOP{FactorOptions: FactorOptions{Epochs: -1}},
		&DavidsonLuce{Largest: -1}, &DavidsonLuce{Longest: -2}, &DavidsonLuce{TiePrior: math.NaN()},
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
		"summed": &plackettLuce{Ties: TiesSummed}, "pmop": meanWorths{}, "davidson-luce": newTieWorths(set, Run{}, 0, 50, 1),
	} {
		f, err := newFactors(set, Run{Seed: 1}, FactorOptions{BiasPrior: 0.5, Rate: 1, Batch: 10}, biases{Item: true}, l)
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
	f, err := newFactors(set, Run{Seed: 1}, FactorOptions{Rate: 1, Batch: 10}, biases{Item: true}, meanWorths{})
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
