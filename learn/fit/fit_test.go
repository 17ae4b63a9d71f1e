package fit_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	"fubini/infer/stattest"
	"fubini/learn/fit"
	"fubini/model/osm"
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

// courses is a family of four features over seven dishes.
func courses() osm.Features {
	sweet := []float64{1, 0, 0, 1, 0, 1, 0}
	price := []float64{3, 1, 2, 5, 4, 2, 1}
	return osm.Features{
		Ties: []osm.Feature{
			{Name: "constant", Value: func(int, int) float64 { return 1 }},
			{Name: "same kind", Value: func(i, j int) float64 { return 1 - math.Abs(sweet[i]-sweet[j]) }},
		},
		Orders: []osm.Feature{
			{Name: "sweet", Value: func(i, _ int) float64 { return sweet[i] }},
			{Name: "cheaper", Value: func(i, j int) float64 { return (price[j] - price[i]) / 4 }},
		},
	}
}

// drawn returns lists of four or five of seven items, drawn exactly from the
// family at theta. Few item sets, so that exact tables are built once each.
func drawn(t testing.TB, family osm.Family, theta []float64, count int, seed uint64) []osm.List {
	t.Helper()
	r := rng.Stream(seed, "drawn lists")
	sets := [][]int{{0, 1, 2, 3}, {3, 4, 5, 6, 0}, {6, 2, 4, 1}, {5, 1, 3, 2, 6}}
	tables := make([]*exact.Table, len(sets))
	for s, items := range sets {
		bound := must[osm.Bound](t)(family.Bind(items))
		bound.SetParameters(theta)
		tables[s] = must[*exact.Table](t)(exact.NewTable(bound, partition.Space{}))
	}
	lists := make([]osm.List, count)
	for l := range lists {
		s := r.IntN(len(sets))
		x := partition.OneBlock(len(sets[s]))
		tables[s].Draw(r, x)
		lists[l] = osm.List{Items: sets[s], Order: x}
	}
	return lists
}

func planted() map[string]struct {
	family osm.Family
	theta  []float64
	free   int // parameters that the data can tell
} {
	return map[string]struct {
		family osm.Family
		theta  []float64
		free   int
	}{
		"worths":   {osm.WorthFamily{Items: 7}, []float64{0.5, -0.2, 0.1, 0.3, -0.6, -0.3, 0.2, 0.4}, 7},
		"features": {courses(), []float64{0.3, 0.5, 0.4, -0.7}, 4},
	}
}

// recovery fits data sets drawn at a planted theta and returns, for each, the
// squared distance of the estimate from the truth in the metric of the Fisher
// information, and every parameter's z-score. If fit and standard errors are
// right the former is chi-square with as many degrees as free parameters.
func recovery(t *testing.T, family osm.Family, theta []float64, sets int, options fit.Options) (distances, z []float64) {
	t.Helper()
	first := uint64(0)
	if os.Getenv("FUBINI_LONG") != "" {
		first = uint64(time.Now().UnixNano())
		t.Logf("first seed %d", first)
	}
	for set := range sets {
		lists := drawn(t, family, theta, 300, first+uint64(set))
		options.Seed = first + uint64(set)
		result, err := fit.Fit(t.Context(), family, lists, options)
		if err != nil {
			t.Fatalf("set %d: %v", set, err)
		}
		information := must[*mat.SymDense](t)(osm.Information(family, theta, lists, osm.InformationOptions{}))
		errors := must[[]float64](t)(osm.StandardErrors(family, information, 0))
		apart := mat.NewVecDense(len(theta), nil)
		for k := range theta {
			apart.SetVec(k, result.Theta[k]-theta[k])
			z = append(z, stattest.ZScore(result.Theta[k], errors[k], theta[k]))
		}
		distances = append(distances, mat.Inner(apart, information, apart))
	}
	return distances, z
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}

func TestPlantedParametersAreRecovered(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	const sets = 20
	for name, c := range planted() {
		for _, options := range []fit.Options{fit.Defaults(), with(fit.Defaults(), func(o *fit.Options) { o.Moves, o.Sweeps = mcmc.SplitMergeMoves, 8 }), with(fit.Defaults(), func(o *fit.Options) { o.ExactTo, o.Epochs = 10, 60 })} {
			label := fmt.Sprintf("%s, kernel %d, exact to %d", name, options.Moves, options.ExactTo)
			distances, z := recovery(t, c.family, c.theta, sets, options)
			// Both tails: too good a fit means wrong standard errors.
			p := stattest.ChiSquareTail(sum(distances), sets*c.free)
			if !(p > 1e-4 && p < 1-1e-4) {
				t.Errorf("%s: squared distances sum to %.1f, expected %d, p = %g", label, sum(distances), sets*c.free, p)
			}
			for k := range c.theta {
				var mean, square float64
				for set := range sets {
					v := z[set*len(c.theta)+k]
					mean += v / sets
					square += v * v
				}
				// The mean of 20 standard normals, and the sum of their squares.
				if !(math.Abs(mean)*math.Sqrt(sets) <= 4) {
					t.Errorf("%s: %s is off by %.2f standard errors on average", label, c.family.Name(k), mean)
				}
				if p := stattest.ChiSquareTail(square, sets); !(p > 1e-5 && p < 1-1e-5) {
					t.Errorf("%s: z-scores of %s have mean square %.2f", label, c.family.Name(k), square/sets)
				}
			}
		}
	}
}

// Chains with the printed ratio learn wrong parameters, and the test sees it.
func TestRecoverySeesABiasedSampler(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	c := planted()["worths"]
	distances, _ := recovery(t, c.family, c.theta, 5, with(fit.Defaults(), func(o *fit.Options) { o.Moves, o.Sweeps = mcmc.PrintedMoves, 10 }))
	if p := stattest.ChiSquareTail(sum(distances), 5*c.free); !(p < 1e-6) {
		t.Errorf("parameters learned with the biased sampler pass, p = %g", p)
	}
}

// Features of very different size are learned at one rate, by chains and
// exactly: the fit is the same but for the unit.
func TestFeaturesOfAnySize(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	plain := planted()["features"]
	lists := drawn(t, plain.family, plain.theta, 300, 7)
	for _, options := range []fit.Options{with(fit.Defaults(), func(o *fit.Options) { o.Seed = 1 }), with(fit.Defaults(), func(o *fit.Options) { o.ExactTo = 10 })} {
		want := must[*fit.Result](t)(fit.Fit(t.Context(), plain.family, lists, options))
		for _, size := range []float64{1e-4, 100, 1e4} {
			family := courses()
			for _, f := range []*osm.Feature{&family.Ties[1], &family.Orders[1]} {
				value := f.Value
				f.Value = func(i, j int) float64 { return size * value(i, j) }
			}
			got := must[*fit.Result](t)(fit.Fit(t.Context(), family, lists, options))
			for k := range want.Theta {
				theta := got.Theta[k]
				if k == 1 || k == 3 {
					theta *= size
				}
				if !(math.Abs(theta-want.Theta[k]) <= 1e-6) {
					t.Errorf("%+v, size %g: %s is %.6f, at size 1 %.6f", options, size, family.Name(k), theta, want.Theta[k])
				}
			}
		}
	}
}

// Without a prior, data that the parameters explain without fault leave the
// likelihood no maximum: a threshold on worth differences, with nu learned, and a
// feature that always decides.
func TestRunawayFitsAreReported(t *testing.T) {
	order := func(text string, items ...int) osm.List {
		x, err := partition.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return osm.List{Items: items, Order: x}
	}
	threshold := []osm.List{order("0~1", 0, 1), order("0~1", 1, 2), order("0 > 1", 0, 2)}
	first := osm.Features{Orders: []osm.Feature{{Name: "number", Value: func(i, j int) float64 { return float64(j - i) }}}}
	always := []osm.List{order("0 > 1 > 2", 0, 1, 2), order("0 > 1", 0, 2)}
	for name, c := range map[string]struct {
		family osm.Family
		lists  []osm.List
	}{"threshold": {osm.WorthFamily{Items: 3}, threshold}, "by pointer": {&osm.WorthFamily{Items: 3}, threshold}, "feature": {first, always}} {
		for _, exact := range []int{0, 5} {
			if result, err := fit.Fit(t.Context(), c.family, c.lists, with(fit.Defaults(), func(o *fit.Options) { o.ExactTo, o.Epochs = exact, 2000 })); !errors.Is(err, fit.ErrNotConverged) {
				t.Errorf("%s, exact to %d: %v passes for a maximum (%v)", name, exact, result.Theta, err)
			}
			if _, err := fit.Fit(t.Context(), c.family, c.lists, with(fit.Defaults(), func(o *fit.Options) { o.ExactTo, o.Precision = exact, 1 })); err != nil {
				t.Errorf("%s, exact to %d, with a prior: %v", name, exact, err)
			}
		}
	}
}

// Beyond 200 parameters steps use the diagonal of the information alone.
func TestManyParameters(t *testing.T) {
	const items = 250
	r := rng.Stream(1, "many")
	family := osm.WorthFamily{Items: items}
	theta := make([]float64, items+1)
	for i := range items {
		theta[i] = 0.5 * r.NormFloat64()
	}
	var lists []osm.List
	for range 2500 {
		all := make([]int, items)
		rng.Permutation(r, all)
		bound := must[osm.Bound](t)(family.Bind(all[:4]))
		bound.SetParameters(theta)
		x := partition.OneBlock(4)
		must[*exact.Table](t)(exact.NewTable(bound, partition.Space{})).Draw(r, x)
		lists = append(lists, osm.List{Items: all[:4], Order: x})
	}
	result := must[*fit.Result](t)(fit.Fit(t.Context(), family, lists, with(fit.Defaults(), func(o *fit.Options) { o.Seed, o.Precision = 1, 1 })))
	var both, truth, fitted float64 // correlation of planted and fitted worths
	for i := range items {
		both += theta[i] * result.Theta[i]
		truth += theta[i] * theta[i]
		fitted += result.Theta[i] * result.Theta[i]
	}
	// Forty lists of four tell a worth to about 0.15, of a deviation of 0.5.
	if c := both / math.Sqrt(truth*fitted); !(c > 0.9) {
		t.Errorf("planted and fitted worths correlate by %.3f", c)
	}
}

// Chains end where exact expectations do, within their own noise.
func TestChainsAgreeWithExactGradients(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	for name, c := range planted() {
		lists := drawn(t, c.family, c.theta, 200, 99)
		chains := must[*fit.Result](t)(fit.Fit(t.Context(), c.family, lists, with(fit.Defaults(), func(o *fit.Options) { o.Seed, o.Epochs = 1, 400 })))
		truth := must[*fit.Result](t)(fit.Fit(t.Context(), c.family, lists, with(fit.Defaults(), func(o *fit.Options) { o.Seed, o.ExactTo = 1, 10 })))
		information := must[*mat.SymDense](t)(osm.Information(c.family, truth.Theta, lists, osm.InformationOptions{}))
		errors := must[[]float64](t)(osm.StandardErrors(c.family, information, 0))
		for k := range errors {
			// The average over 200 epochs has the noise of about 100 independent
			// chains: a tenth of a standard error; allow four of those.
			if !(math.Abs(chains.Theta[k]-truth.Theta[k]) <= 0.4*errors[k]) {
				t.Errorf("%s: %s is %.4f by chains, %.4f exactly, standard error %.4f", name, c.family.Name(k), chains.Theta[k], truth.Theta[k], errors[k])
			}
		}
		// At the exact maximum the gradient vanishes.
		gradient := make([]float64, c.family.Dim())
		for _, list := range lists {
			bound := must[osm.Bound](t)(c.family.Bind(list.Items))
			bound.SetParameters(truth.Theta)
			observed, expected := make([]float64, len(bound.Index())), make([]float64, len(bound.Index()))
			bound.Statistics(list.Order, observed)
			bound.Expected(must[*exact.Table](t)(exact.NewTable(bound, partition.Space{})).Moments(), expected)
			for a, k := range bound.Index() {
				gradient[k] += observed[a] - expected[a]
			}
		}
		for k, g := range gradient {
			if !(math.Abs(g) <= 1e-6*float64(len(lists))) {
				t.Errorf("%s: the gradient of %s at the maximum is %g", name, c.family.Name(k), g)
			}
		}
	}
}

type record struct{ seen []fit.Progress }

func (r *record) Epoch(p fit.Progress) {
	p.Theta = slices.Clone(p.Theta)
	r.seen = append(r.seen, p)
}

func TestWorkersDoNotMatter(t *testing.T) {
	c := planted()["worths"]
	lists := drawn(t, c.family, c.theta, 60, 5)
	var results [2]*fit.Result
	for k, jobs := range []int{1, 7} {
		results[k] = must[*fit.Result](t)(fit.Fit(t.Context(), c.family, lists, with(fit.Defaults(), func(o *fit.Options) { o.Seed, o.Epochs, o.Batch, o.Jobs, o.Precision = 3, 40, 25, jobs, 1 })))
	}
	if !slices.Equal(results[0].Theta, results[1].Theta) || results[0].Moves != results[1].Moves {
		t.Errorf("one worker: %v\nseven:      %v", results[0].Theta, results[1].Theta)
	}
	other := must[*fit.Result](t)(fit.Fit(t.Context(), c.family, lists, with(fit.Defaults(), func(o *fit.Options) { o.Seed, o.Epochs, o.Batch, o.Precision = 4, 40, 25, 1 })))
	if slices.Equal(results[0].Theta, other.Theta) {
		t.Error("another seed gave the same result to the last bit")
	}
}

func TestObserverSeesChainsComeNearer(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	c := planted()["worths"]
	strong := make([]float64, len(c.theta))
	for k, v := range c.theta {
		strong[k] = 3 * v
	}
	lists := drawn(t, c.family, strong, 100, 6)
	var watched record
	const epochs = 60
	must[*fit.Result](t)(fit.Fit(t.Context(), c.family, lists, with(fit.Defaults(), func(o *fit.Options) { o.Seed, o.Epochs, o.Observer, o.Precision = 1, epochs, &watched, 1 })))
	if len(watched.seen) != epochs || watched.seen[epochs-1].Epoch != epochs {
		t.Fatalf("called after %d epochs of %d", len(watched.seen), epochs)
	}
	first, last := watched.seen[0].Distance, watched.seen[epochs-1].Distance
	if !(last < first-0.05) {
		t.Errorf("Dist(sample, observed) went from %.3f to %.3f", first, last)
	}
	// At the end chains are draws from the model, so their distance is that of
	// two independent draws: of one list and another of the same items.
	var apart, pairs float64
	for i, a := range lists {
		for _, b := range lists[:i] {
			if slices.Equal(a.Items, b.Items) {
				apart += partition.Distance(a.Order, b.Order)
				pairs++
			}
		}
	}
	if want := apart / pairs; !(math.Abs(last-want) <= 0.05) {
		t.Errorf("Dist(sample, observed) ends at %.3f, two people are %.3f apart", last, want)
	}
	if moves := watched.seen[0].Moves.Moves(); moves < 100*2*4 || moves > 100*2*5 {
		t.Errorf("%d moves in an epoch of 100 lists, two sweeps, four or five items", moves)
	}
}

// A prior draws estimates to zero, the more the stronger, and makes worths
// finite where the data alone do not.
func TestPriorHoldsWorthsThatWouldRunAway(t *testing.T) {
	family := osm.WorthFamily{Items: 3}
	x, err := partition.Parse("0 > 1~2")
	if err != nil {
		t.Fatal(err)
	}
	lists := []osm.List{{Items: []int{0, 1, 2}, Order: x}}
	if _, err := fit.Fit(t.Context(), family, lists, fit.Defaults()); !errors.Is(err, osm.ErrNoMaximum) {
		t.Errorf("item 0 always wins, yet the fit says %v", err)
	}
	last := math.Inf(1)
	for _, precision := range []float64{0.1, 1, 10} {
		result := must[*fit.Result](t)(fit.Fit(t.Context(), family, lists, with(fit.Defaults(), func(o *fit.Options) { o.Precision, o.ExactTo = precision, 3 })))
		if u := result.Theta[0]; !(u > 0 && u < last) {
			t.Errorf("precision %g: worth %g after %g", precision, u, last)
		} else {
			last = u
		}
	}
}

func TestBadRequests(t *testing.T) {
	c := planted()["worths"]
	good := drawn(t, c.family, c.theta, 20, 1)
	broken := osm.List{Items: []int{0, 0, 1}, Order: partition.OneBlock(3)}
	far := osm.List{Items: []int{0, 9}, Order: partition.OneBlock(2)}
	for _, b := range []struct {
		name    string
		lists   []osm.List
		options fit.Options
		says    string
	}{
		{"no lists", nil, fit.Defaults(), "no lists"},
		{"item twice", append(slices.Clone(good), broken), with(fit.Defaults(), func(o *fit.Options) { o.Precision = 1 }), "list 20: osm: item 0 is listed twice"},
		{"far item", append(slices.Clone(good), far), with(fit.Defaults(), func(o *fit.Options) { o.Precision = 1 }), "outside the catalogue"},
		{"negative epochs", good, with(fit.Defaults(), func(o *fit.Options) { o.Epochs = -1 }), "epochs -1"},
		{"negative batch", good, with(fit.Defaults(), func(o *fit.Options) { o.Batch = -1 }), "batch -1"},
		{"NaN rate", good, with(fit.Defaults(), func(o *fit.Options) { o.Rate = math.NaN() }), "rate NaN"},
		{"negative precision", good, with(fit.Defaults(), func(o *fit.Options) { o.Precision = -2 }), "precision -2"},
		{"unknown kernel", good, with(fit.Defaults(), func(o *fit.Options) { o.Precision, o.Moves = 1, 9 }), "no moves 9"},
	} {
		if _, err := fit.Fit(t.Context(), c.family, b.lists, b.options); err == nil || !strings.Contains(err.Error(), b.says) {
			t.Errorf("%s: %v; expected it to say %q", b.name, err, b.says)
		}
	}
	result, err := fit.Fit(t.Context(), c.family, drawn(t, c.family, c.theta, 400, 1), with(fit.Defaults(), func(o *fit.Options) { o.Epochs, o.Rate, o.Precision = 30, 0.01, 1 }))
	if !errors.Is(err, fit.ErrNotConverged) || result == nil {
		t.Errorf("thirty tiny steps pass as converged: %v", err)
	}
}

func BenchmarkFit(b *testing.B) {
	c := planted()["worths"]
	lists := drawn(b, c.family, c.theta, 200, 1)
	for b.Loop() {
		if _, err := fit.Fit(b.Context(), c.family, lists, with(fit.Defaults(), func(o *fit.Options) { o.Epochs, o.Precision = 50, 1 })); err != nil {
			b.Fatal(err)
		}
	}
}

// with are options with some of them changed.
func with[T any](o T, change func(o *T)) T {
	change(&o)
	return o
}
