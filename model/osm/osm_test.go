package osm_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/infer/stattest"
	"fubini/model/osm"
)

var (
	_ osm.Model  = (*osm.Worths)(nil)
	_ osm.Family = osm.WorthFamily{}
	_ osm.Family = osm.FeatureFamily{}
)

func must[V any](t testing.TB) func(v V, err error) V {
	return func(v V, err error) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func normals(name string, n int) []float64 {
	r := rng.Stream(1, name)
	out := make([]float64, n)
	for i := range out {
		out[i] = r.NormFloat64()
	}
	return out
}

func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))
}

// worthFeatures writes the worth model as features: item k's worth counts
// whole when it stands above another item and half when it is tied.
func worthFeatures(items int, options osm.Options) osm.FeatureFamily {
	f := osm.FeatureFamily{Options: options}
	f.Ties = append(f.Ties, osm.Feature{Name: "tie", Value: func(int, int) float64 { return 1 }})
	for k := range items {
		is := func(i int) float64 {
			if i == k {
				return 1
			}
			return 0
		}
		f.Ties = append(f.Ties, osm.Feature{Name: fmt.Sprintf("half of %d", k), Value: func(i, j int) float64 { return (is(i) + is(j)) / 2 }})
		f.Orders = append(f.Orders, osm.Feature{Name: fmt.Sprintf("whole of %d", k), Value: func(i, _ int) float64 { return is(i) }})
	}
	return f
}

func TestWorthsWrittenAsFeatures(t *testing.T) {
	const n, nu = 5, 0.7
	u := normals("as features", n)
	for _, options := range []osm.Options{{}, {Size: 4}} {
		fast := must[*osm.Worths](t)(osm.NewWorths(u, nu, options))
		slow := must[osm.Bound](t)(worthFeatures(n, options).Bind([]int{0, 1, 2, 3, 4}))
		theta := append([]float64{nu}, u...) // alphas: nu, then the worths
		theta = append(theta, u...)          // betas: the worths again
		slow.SetParameters(theta)
		bound := must[osm.Bound](t)(osm.WorthFamily{Items: n, Options: options}.Bind([]int{0, 1, 2, 3, 4}))
		bound.SetParameters(append(append([]float64{}, u...), nu))
		for x := range partition.All(n) {
			a, b, c := fast.LogWeight(x), slow.LogWeight(x), bound.LogWeight(x)
			if !near(a, b, 1e-13) || !near(a, c, 1e-13) {
				t.Fatalf("%+v, %s: worths %.15g, features %.15g, family %.15g", options, x, a, b, c)
			}
			var direct float64 // the definition: u.s + nu C
			for i, s := range x.Scores(make([]float64, n)) {
				direct += u[i] * s
			}
			direct += nu * float64(x.TiedPairs())
			if options.Size > 0 {
				direct *= options.Size / (n - 1)
			}
			if !near(a, direct, 1e-13) {
				t.Fatalf("%+v, %s: %.15g, by the definition %.15g", options, x, a, direct)
			}
		}
	}
}

// pairs is a model with any potentials of pairs.
func pairs(n int, tie, above func(i, j int) float64) osm.Model {
	ties, orders := make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		for j := range n {
			ties[i*n+j], orders[i*n+j] = tie(i, j), above(i, j)
		}
	}
	return osm.NewPairwise(n, ties, orders)
}

// models of n items that take every path of the code.
func models(t *testing.T, n int) map[string]osm.Model {
	u, matrix := normals("models", n), normals("matrix", n*n)
	steep := make([]float64, n)
	for i := range steep {
		steep[i] = 300 * u[i]
	}
	sized := must[*osm.Worths](t)(osm.NewWorths(u, 0.5, osm.Options{}))
	sized.SetSizes(normals("sizes", 2*n), 1) // none for tiers of n
	sheer := must[*osm.Worths](t)(osm.NewWorths(steep, -20, osm.Options{}))
	sheer.SetSizes(normals("sizes", 2*(n+1)), 100)
	return map[string]osm.Model{
		"worths, tiers": sized,
		"steep, tiers":  sheer,
		"worths":        must[*osm.Worths](t)(osm.NewWorths(u, 0.5, osm.Options{})),
		"worths, steep": must[*osm.Worths](t)(osm.NewWorths(steep, -20, osm.Options{})),
		"worths, size":  must[*osm.Worths](t)(osm.NewWorths(u, 0.5, osm.Options{Size: 4})),
		"pairs":         pairs(n, func(i, j int) float64 { return matrix[i*n+j] + matrix[j*n+i] }, func(i, j int) float64 { return matrix[i*n+j] }),
	}
}

// Fast gains and slots agree with weighing everything before and after.
func TestGainsAndSlotsAgainstWholeWeights(t *testing.T) {
	const n = 5
	for name, m := range models(t, n) {
		slow := stattest.NewSlow(m)
		for x := range partition.All(n) {
			scale := math.Max(1, math.Abs(m.LogWeight(x)))
			for b := range x.Len() {
				block := x.Block(b)
				for mask := 1; mask < 1<<len(block)-1; mask++ {
					var upper []int
					for k, item := range block {
						if mask>>k&1 == 1 {
							upper = append(upper, item)
						}
					}
					if a, w := m.SplitGain(x, b, upper), slow.SplitGain(x, b, upper); !(math.Abs(a-w) <= 1e-12*scale) {
						t.Fatalf("%s: split of %s at %d, %v up: gain %.15g, whole %.15g", name, x, b, upper, a, w)
					}
				}
				if b+1 < x.Len() {
					if a, w := m.MergeGain(x, b), slow.MergeGain(x, b); !(math.Abs(a-w) <= 1e-12*scale) {
						t.Fatalf("%s: merge of %s at %d: gain %.15g, whole %.15g", name, x, b, a, w)
					}
				}
			}
			fast, plain := m.NewSlots(), slow.NewSlots()
			y := x.Clone()
			fast.Load(y)
			for item := range n {
				from := y.Lift(item)
				fast.Lifted(y, item, from)
				a, w := make([]float64, 2*y.Len()+1), make([]float64, 2*y.Len()+1)
				if !fast.Weigh(y, item, a) {
					for s := range a {
						a[s] = math.Log(a[s])
					}
				}
				plain.Weigh(y, item, w)
				for s := range a {
					if !(math.Abs((a[s]-a[0])-(w[s]-w[0])) <= 1e-11*scale) {
						t.Fatalf("%s: item %d of %s into slot %d: %.15g over slot 0, whole %.15g", name, item, y, s, a[s]-a[0], w[s]-w[0])
					}
				}
				y.Insert(from)
				fast.Inserted(y, item, from)
			}
		}
	}
}

// Block sums kept through many moves stay those of the partition.
func TestSlotsFollowTheMoves(t *testing.T) {
	const n = 12
	for name, m := range models(t, n) {
		r, x := rng.Stream(1, "follow"), partition.OneBlock(n)
		kept, fresh := m.NewSlots(), m.NewSlots()
		kept.Load(x)
		for range 200 {
			item := r.IntN(n)
			fresh.Load(x)
			from := x.Lift(item)
			kept.Lifted(x, item, from)
			fresh.Lifted(x, item, from)
			a, b := make([]float64, 2*x.Len()+1), make([]float64, 2*x.Len()+1)
			if kept.Weigh(x, item, a) != fresh.Weigh(x, item, b) {
				t.Fatalf("%s: logs and weights mixed up", name)
			}
			for s := range a {
				if !near(a[s], b[s], 1e-9) {
					t.Fatalf("%s: slot %d of %s weighs %g after moves, %g afresh", name, s, x, a[s], b[s])
				}
			}
			to := r.IntN(2*x.Len() + 1)
			x.Insert(to)
			kept.Inserted(x, item, to)
		}
	}
}

func TestConstantsOnWorthsChangeNothing(t *testing.T) {
	u := normals("constants", 4)
	shifted := make([]float64, 4)
	for i := range u {
		shifted[i] = u[i] + 3
	}
	probabilities := func(u []float64) []float64 {
		m := must[*osm.Worths](t)(osm.NewWorths(u, 0.2, osm.Options{}))
		return must[*exact.Listing](t)(exact.List(m, partition.Space{})).Probabilities()
	}
	a, b := probabilities(u), probabilities(shifted)
	for i := range a {
		if !near(a[i], b[i], 1e-13) {
			t.Fatalf("state %d: %g and %g", i, a[i], b[i])
		}
	}
}

// For two items the model is Davidson's: P(i > j) : P(i ~ j) : P(j > i) is
// w_i : theta sqrt(w_i w_j) : w_j.
func TestTwoItemsAreDavidsons(t *testing.T) {
	m := must[*osm.Worths](t)(osm.NewWorths([]float64{math.Log(3), math.Log(2)}, math.Log(0.5), osm.Options{}))
	moments := must[*exact.Table](t)(exact.NewTable(m, partition.Space{})).Moments()
	tie := 0.5 * math.Sqrt(6)
	if z := 3 + 2 + tie; !near(moments.Above(0, 1), 3/z, 1e-14) || !near(moments.Tied(0, 1), tie/z, 1e-14) {
		t.Errorf("above %g, tied %g", moments.Above(0, 1), moments.Tied(0, 1))
	}
}

// Worths of any size: relative to the best place, slots are weighed in small
// numbers.
func TestSlotsOfVeryLargeWorths(t *testing.T) {
	m := must[*osm.Worths](t)(osm.NewWorths([]float64{1e17, 0, 3, 1e17, 1, 2}, 0.1, osm.Options{}))
	x, err := partition.Parse("0~3 > 2 > 4~5 > 1")
	if err != nil {
		t.Fatal(err)
	}
	small := must[*osm.Worths](t)(osm.NewWorths([]float64{0, 3, 1, 2}, 0.1, osm.Options{}))
	y, err := partition.Parse("1 > 2~3 > 0") // the same without the two giants
	if err != nil {
		t.Fatal(err)
	}
	large, plain := m.NewSlots(), small.NewSlots()
	large.Load(x)
	plain.Load(y)
	large.Lifted(x, 2, x.Lift(2))
	plain.Lifted(y, 1, y.Lift(1))
	a, b := make([]float64, 2*x.Len()+1), make([]float64, 2*y.Len()+1)
	large.Weigh(x, 2, a)
	if !plain.Weigh(y, 1, b) {
		for s := range b {
			b[s] = math.Log(b[s])
		}
	}
	for s := range b { // the two slots at the top belong to the giants
		if got, want := a[s+2]-a[2], b[s]-b[0]; !near(got, want, 1e-12) {
			t.Errorf("slot %d: %g over the gap below the giants, without them %g", s, got, want)
		}
	}
}

func TestBadModels(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		build func() error
		says  string
	}{
		"no worths":          {func() error { _, err := osm.NewWorths(nil, 0, osm.Options{}); return err }, "at least one"},
		"NaN worth":          {func() error { _, err := osm.NewWorths([]float64{0, nan}, 0, osm.Options{}); return err }, "item 1 is NaN"},
		"infinite worth":     {func() error { _, err := osm.NewWorths([]float64{inf}, 0, osm.Options{}); return err }, "item 0 is +Inf"},
		"NaN nu":             {func() error { _, err := osm.NewWorths([]float64{0}, nan, osm.Options{}); return err }, "nu is NaN"},
		"negative size":      {func() error { _, err := osm.NewWorths([]float64{0}, 0, osm.Options{Size: -1}); return err }, "normalisation -1"},
		"NaN size":           {func() error { _, err := osm.NewWorths([]float64{0}, 0, osm.Options{Size: nan}); return err }, "normalisation NaN"},
		"worth out of range": {func() error { _, err := osm.NewWorths([]float64{1e10, 0}, 0, osm.Options{Size: 1e300}); return err }, "item 0"},
		"unknown item":       {func() error { _, err := osm.WorthFamily{Items: 3}.Bind([]int{0, 3}); return err }, "outside the catalogue"},
		"empty list":         {func() error { _, err := osm.WorthFamily{Items: 3}.Bind(nil); return err }, "at least one"},
		"features of none":   {func() error { _, err := osm.FeatureFamily{}.Bind(nil); return err }, "at least one"},
		"NaN feature": {func() error {
			_, err := osm.FeatureFamily{Features: osm.Features{Ties: []osm.Feature{{Name: "odd", Value: func(int, int) float64 { return nan }}}}}.Bind([]int{4, 2})
			return err
		}, `feature "tie odd" of items 2 and 4`},
		"no features": {func() error { _, err := osm.FeatureFamily{}.Bind([]int{0}); return err }, "without features"},
		"feature of nothing": {func() error {
			_, err := osm.FeatureFamily{Features: osm.Features{Ties: []osm.Feature{{Name: "empty"}}}}.Bind([]int{0})
			return err
		}, "no function"},
		"items not in the model": {func() error { _, err := (&osm.Visible{Worths: []float64{0, 1}}).Model([]int{0, 2}); return err }, "outside the catalogue"},
		"model of no items":      {func() error { _, err := (&osm.Visible{Worths: []float64{0, 1}}).Model(nil); return err }, "at least one"},
		"NaN potential":          {func() error { _, err := (&osm.Visible{Worths: []float64{0, nan}}).Model([]int{0, 1}); return err }, "items 0 and 1"},
		"worths beyond range":    {func() error { _, err := osm.NewWorths([]float64{1e308, 0}, 0, osm.Options{}); return err }, "item 0"},
		"list longer than tiers": {func() error { _, err := osm.WorthFamily{Items: 3, Tiers: 2}.Bind([]int{0, 1, 2}); return err }, "tiers of up to 2"},
		"ragged sizes":           {func() error { return osm.SizeWeights{0, 1, 0}.Check() }, "rows of 1 and 2"},
		"NaN sizes":              {func() error { return osm.SizeWeights{0, nan, 0, 1}.Check() }, "tier of 1"},
		"weight of no tier":      {func() error { return osm.SizeWeights{0, 1, 2, 1}.Check() }, "an empty tier"},
	} {
		if err := c.build(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; expected it to say %q", name, err, c.says)
		}
	}
	one := must[*osm.Worths](t)(osm.NewWorths([]float64{7}, 3, osm.Options{Size: 4}))
	if w := one.LogWeight(partition.OneBlock(1)); w != 0 {
		t.Errorf("a single item weighs %g", w)
	}
}

func ExampleNewWorths() {
	// Three films, the first the best liked; ties are welcome.
	m, err := osm.NewWorths([]float64{1, 0, -1}, 0.5, osm.Options{})
	if err != nil {
		panic(err)
	}
	x, _ := partition.Parse("0 > 1~2")
	table, _ := exact.NewTable(m, partition.Space{})
	fmt.Printf("log weight %.2f, probability %.3f\n", m.LogWeight(x), math.Exp(m.LogWeight(x)-table.LogZ()))
	// Output: log weight 2.00, probability 0.200
}
