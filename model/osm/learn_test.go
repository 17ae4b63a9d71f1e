package osm_test

import (
	"math"
	"testing"

	"fubini/core/partition"
	"fubini/model/osm"
)

// foods is a family with features of every kind over catalogue items.
func foods() osm.FeatureFamily {
	sweet := []float64{1, 0, 0, 1, 0, 1, 0}
	price := []float64{3, 1, 2, 5, 4, 2, 1}
	return osm.FeatureFamily{Features: osm.Features{
		Ties: []osm.Feature{
			{Name: "constant", Value: func(int, int) float64 { return 1 }},
			{Name: "same kind", Value: func(i, j int) float64 { return 1 - math.Abs(sweet[i]-sweet[j]) }},
		},
		Orders: []osm.Feature{
			{Name: "sweet", Value: func(i, _ int) float64 { return sweet[i] }},
			{Name: "cheaper", Value: func(i, j int) float64 { return price[j] - price[i] }},
		},
	}}
}

func families() map[string]osm.Family {
	sized := foods()
	sized.Size = 3
	return map[string]osm.Family{
		"worths":          osm.WorthFamily{Items: 7},
		"worths, size":    osm.WorthFamily{Items: 7, Options: osm.Options{Size: 4}},
		"worths, tiers":   osm.WorthFamily{Items: 7, Options: osm.Options{Size: 0.3}, Tiers: 6},
		"features":        foods(),
		"features, sized": sized,
	}
}

// The gradient of the log-likelihood is observed minus expected statistics,
// against finite differences of the exact log-likelihood.
func TestGradientByFiniteDifferences(t *testing.T) {
	items := []int{5, 0, 3, 6}
	x, err := partition.Parse("2 > 0~3 > 1")
	if err != nil {
		t.Fatal(err)
	}
	for name, family := range families() {
		theta := normals("gradient", family.Dim())
		bound := must[osm.Bound](t)(family.Bind(items))
		logLikelihood := func() float64 {
			bound.SetParameters(theta)
			return must[float64](t)(osm.LogLikelihood(bound, x))
		}
		bound.SetParameters(theta)
		observed, gradient := make([]float64, len(bound.Index())), make([]float64, len(bound.Index()))
		bound.Statistics(x, observed)
		if err := osm.Gradient(bound, x, gradient); err != nil {
			t.Fatal(err)
		}
		// Log-linear: the log weight itself is theta times the statistics.
		var weight float64
		for a, k := range bound.Index() {
			weight += theta[k] * observed[a]
		}
		if !near(weight, bound.LogWeight(x), 1e-13) {
			t.Errorf("%s: log weight %g, theta times statistics %g", name, bound.LogWeight(x), weight)
		}
		told := make([]float64, family.Dim())
		for a, k := range bound.Index() {
			told[k] = gradient[a]
		}
		for k := range theta {
			const step = 1e-5
			was := theta[k]
			theta[k] = was + step
			up := logLikelihood()
			theta[k] = was - step
			down := logLikelihood()
			theta[k] = was
			if slope := (up - down) / (2 * step); !(math.Abs(slope-told[k]) <= 1e-8) {
				t.Errorf("%s, %s: slope %.10g, gradient %.10g", name, family.Name(k), slope, told[k])
			}
		}
	}
}
