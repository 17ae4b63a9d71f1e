package features_test

import (
	"math"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	"fubini/learn/features"
	"fubini/model/latent"
	"fubini/model/osm"
)

// dishes is a family of features that no worths can express.
func dishes() osm.Features {
	sweet, price := []float64{1, 0, 0, 1, 0, 1}, []float64{3, 1, 2, 5, 4, 2}
	return osm.Features{
		Ties: []osm.Feature{{Name: "same kind", Value: func(i, j int) float64 { return 1 - math.Abs(sweet[i]-sweet[j]) }}},
		Orders: []osm.Feature{
			{Name: "sweet", Value: func(i, j int) float64 { return sweet[i] - sweet[j] }},
			{Name: "cheaper", Value: func(i, j int) float64 { return math.Tanh(price[j] - price[i]) }},
		},
	}
}

// Hidden units on general features, the paper's lambda_ak and mu_bk: lists are drawn from a planted model,
// weights trained by exact expectations and by chains, and their likelihood on other lists, with log Z by annealing, is that of
// the planted weights but for what training takes, and above that of a model without units.
func TestUnitsOnFeaturesAreTrainedAndAnnealed(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	family, items := dishes(), []int{5, 0, 3, 2, 1}
	truth := &features.Weights{Base: []float64{0.3, -0.6, 0.2}, Units: [][]float64{{0.1, 1.2, -0.4}}, Bias: []float64{0}} // for sweet and dear, or against it
	planted := must[*latent.Features](t)(truth.Model(family, items, latent.Binary))
	states := must[*exact.Listing](t)(exact.List(planted, partition.Space{}))
	r := rng.Stream(1, "dishes")
	var lists []osm.List
	for range 1000 {
		lists = append(lists, osm.List{Items: items, Order: states.States()[r.Pick(states.Probabilities())]})
	}
	train, test := lists[:500], lists[500:]
	held := func(m interface {
		N() int
		LogWeight(x *partition.Partition) float64
	}, logZ float64) float64 {
		var sum float64
		for _, l := range test {
			sum += (m.LogWeight(l.Order) - logZ) / float64(len(test))
		}
		return sum
	}
	logZ := func(m *latent.Features) float64 {
		return must[*exact.Listing](t)(exact.List(m, partition.Space{})).LogZ
	}
	best := held(planted, logZ(planted))

	options := features.Defaults()
	options.ExactTo, options.Precision, options.Epochs, options.Rate = 8, 0.1, 200, 0.1
	visible := must[*features.Weights](t)(features.Fit(t.Context(), family, train, latent.Binary, 0, options))
	plain := must[*latent.Features](t)(visible.Model(family, items, latent.Binary))
	without := held(plain, logZ(plain))

	for name, exactTo := range map[string]int{"exact": 8, "chains": 0} {
		options.ExactTo, options.Sweeps = exactTo, 6
		weights := must[*features.Weights](t)(features.Fit(t.Context(), family, train, latent.Binary, 1, options))
		m := must[*latent.Features](t)(weights.Model(family, items, latent.Binary))
		annealed := must[*ais.Estimate](t)(ais.Run(t.Context(), m.Annealing(mcmc.ReinsertionMoves), ais.Options{Steps: 100, Runs: 100, Seed: 1}))
		if z := (annealed.LogZ - logZ(m)) / annealed.StdErr; !(math.Abs(z) < 4.5) { // 1e-5 by chance
			t.Errorf("%s: log Z %.4f by annealing, %.4f summed, %.1f standard errors", name, annealed.LogZ, logZ(m), z)
		}
		got := held(m, annealed.LogZ)
		t.Logf("%s: %.4f nats a list, planted %.4f, without units %.4f; %+v", name, got, best, without, *weights)
		// Seven weights take 7/2 nats of 500 lists; annealing and chains, which seldom change their unit, have errors of their own.
		if !(got > best-0.08) || !(got > without+0.5) {
			t.Errorf("%s: %.4f nats a list, planted %.4f, without units %.4f", name, got, best, without)
		}
	}
}

// Draws of the chain have the exact distribution, and weights that are not finite or of another family are refused.
func TestFeatureChainDrawsFromTheModel(t *testing.T) {
	for _, kind := range []latent.Units{latent.Binary, latent.Gaussian} {
		w := &features.Weights{Base: []float64{0.3, -0.4, 0.2}, Units: [][]float64{{0.5, 0.8, -0.5}}, Bias: []float64{0.2}}
		m := must[*latent.Features](t)(w.Model(dishes(), []int{5, 0, 3}, kind))
		listing := must[*exact.Listing](t)(exact.List(m, partition.Space{}))
		want := map[string]float64{}
		for x, p := range listing.All() {
			want[x.String()] = p
		}
		chain := must[*latent.FeatureChain](t)(latent.NewFeatureChain(m, mcmc.ReinsertionMoves))
		state := latent.State{X: partition.OneBlock(3), H: make([]float64, 1)}
		r := rng.Stream(2, "draws", uint64(kind))
		const draws = 20000
		count := map[string]float64{}
		for range draws {
			chain.Step(r, &state, nil)
			chain.Step(r, &state, nil)
			count[state.X.String()]++
		}
		for x, p := range want {
			// Five standard errors of independent draws, three times as wide for those that are not.
			if off := math.Abs(count[x]/draws - p); !(off <= 8*math.Sqrt(p*(1-p)/draws)) {
				t.Errorf("%v, %s: %.4f of the draws, probability %.4f", kind, x, count[x]/draws, p)
			}
		}
	}
	if _, err := features.Fit(t.Context(), dishes(), nil, latent.Binary, 1, features.Defaults()); err == nil {
		t.Error("units were trained on no lists")
	}
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
