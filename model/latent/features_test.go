package latent_test

import (
	"math"
	"strings"
	"testing"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	"fubini/infer/stattest"
	"fubini/model/latent"
	"fubini/model/osm"
)

// dishes is a small family of features that no worths can express.
func dishes() osm.Features {
	sweet, price := []float64{1, 0, 0, 1, 0, 1}, []float64{3, 1, 2, 5, 4, 2}
	return osm.Features{
		Ties: []osm.Feature{
			{Name: "same kind", Value: func(i, j int) float64 { return 1 - math.Abs(sweet[i]-sweet[j]) }},
			{Name: "same price", Value: func(i, j int) float64 { return -math.Abs(price[i]-price[j]) / 4 }},
		},
		Orders: []osm.Feature{
			{Name: "sweet", Value: func(i, _ int) float64 { return sweet[i] }},
			{Name: "cheaper", Value: func(i, j int) float64 { return math.Tanh(price[j] - price[i]) }},
		},
	}
}

func general(t testing.TB, kind latent.Units, items []int, k int) (m *latent.Features, base []float64, units [][]float64, bias []float64) {
	t.Helper()
	r := rng.Stream(5, "general", uint64(kind))
	draw := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = 0.5 * r.NormFloat64()
		}
		return out
	}
	base, bias = draw(4), draw(k)
	for range k {
		units = append(units, draw(4))
	}
	m, err := latent.NewFeatures(dishes(), items, kind, base, units, bias)
	if err != nil {
		t.Fatal(err)
	}
	return m, base, units, bias
}

// Posteriors, free energy and conditional of the general form against sums over
// all settings of the units; Gaussian units by completing the square.
func TestGeneralFormAgainstSums(t *testing.T) {
	items := []int{5, 0, 3, 2}
	for _, kind := range []latent.Units{latent.Binary, latent.Gaussian} {
		m, base, units, bias := general(t, kind, items, 3)
		bound := must[osm.Bound](t)(dishes().Bind(items))
		joint := func(x *partition.Partition, h []float64) float64 { // the definition
			theta := append([]float64{}, base...)
			var b float64
			for k, v := range h {
				b += v * bias[k]
				for d := range theta {
					theta[d] += v * units[k][d]
				}
			}
			bound.SetParameters(theta)
			return b + bound.LogWeight(x)
		}
		means := make([]float64, 3)
		for x := range partition.All(4) {
			m.Posterior(x, means)
			if kind == latent.Binary {
				total := logprob.Zero
				on := []float64{logprob.Zero, logprob.Zero, logprob.Zero}
				for _, h := range settings(3) {
					w := joint(x, h)
					total = logprob.Add(total, w)
					for k, v := range h {
						if v == 1 {
							on[k] = logprob.Add(on[k], w)
						}
					}
				}
				if !near(m.LogWeight(x), total, 1e-12) {
					t.Fatalf("%s: log weight %g, summed %g", x, m.LogWeight(x), total)
				}
				for k := range on {
					if !near(means[k], math.Exp(on[k]-total), 1e-12) {
						t.Fatalf("%s: unit %d on with probability %g, summed %g", x, k, means[k], math.Exp(on[k]-total))
					}
				}
			} else {
				// At the mean the joint, with its -h.h/2, is at its peak, and the
				// integral is the peak times a constant.
				peak := joint(x, means)
				for _, v := range means {
					peak -= v * v / 2
				}
				if !near(m.LogWeight(x), peak, 1e-12) {
					t.Fatalf("%s: log weight %g, peak %g", x, m.LogWeight(x), peak)
				}
			}
			h := []float64{1, 0, 1}
			if got, want := m.Conditional(h).LogWeight(x)+h[0]*bias[0]+h[2]*bias[2], joint(x, h); !near(got, want, 1e-12) {
				t.Fatalf("%s: conditional %g, joint %g", x, got, want)
			}
		}
	}
}

// Its gradient, observed minus expected, against central differences of the
// exact log likelihood.
func TestGeneralGradientByFiniteDifferences(t *testing.T) {
	items := []int{5, 0, 3, 2}
	observed, err := partition.Parse("2 > 0~3 > 1")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []latent.Units{latent.Binary, latent.Gaussian} {
		m, base, units, bias := general(t, kind, items, 2)
		logLikelihood := func() float64 {
			moved, err := latent.NewFeatures(dishes(), items, kind, base, units, bias)
			if err != nil {
				t.Fatal(err)
			}
			return moved.LogWeight(observed) - must[*exact.Listing](t)(exact.List(moved, partition.Space{})).LogZ
		}
		phi, means := make([]float64, 4), make([]float64, 2)
		byBase, byUnit := make([]float64, 4), [][]float64{make([]float64, 4), make([]float64, 4)}
		add := func(x *partition.Partition, weight float64) {
			m.Statistics(x, phi, means)
			for d, v := range phi {
				byBase[d] += weight * v
				for k := range means {
					byUnit[k][d] += weight * means[k] * v
				}
			}
		}
		add(observed, 1)
		for x, p := range must[*exact.Listing](t)(exact.List(m, partition.Space{})).All() {
			add(x, -p)
		}
		check := func(name string, parameter *float64, told float64) {
			t.Helper()
			const step = 1e-5
			was := *parameter
			*parameter = was + step
			up := logLikelihood()
			*parameter = was - step
			down := logLikelihood()
			*parameter = was
			if slope := (up - down) / (2 * step); !(math.Abs(slope-told) <= 1e-7) {
				t.Errorf("%v, %s: slope %g, gradient %g", kind, name, slope, told)
			}
		}
		for d := range base {
			check("base", &base[d], byBase[d])
			for k := range units {
				check("unit", &units[k][d], byUnit[k][d])
			}
		}
	}
}

// Kernels on the slow path leave it unchanged, and worths written as features
// give the same model.
func TestGeneralFormSamplesAndContainsWorths(t *testing.T) {
	m, _, _, _ := general(t, latent.Binary, []int{1, 4, 2}, 2)
	list := must[*exact.Listing](t)(exact.List(m, partition.Space{}))
	kernel := must[*mcmc.Reinsertion](t)(mcmc.NewReinsertion(stattest.NewSlow(m), partition.Space{}))
	matrix := stattest.Transitions(list.States(), func(d rng.Dice, x *partition.Partition) { kernel.Step(d, x, nil) })
	if gap := stattest.InvarianceGap(list.Probabilities(), matrix); !(gap <= 1e-12) {
		t.Errorf("one step moves the target by %g", gap)
	}

	p := parameters(6, latent.Binary, 4, 2, 0.5)
	fast := must[*latent.Model](t)(latent.New(p, latent.Options{}))
	base := append(append([]float64{}, p.U...), p.Nu)
	var units [][]float64
	for k := range 2 {
		var unit []float64
		for i := range 4 {
			unit = append(unit, p.W[i][k])
		}
		units = append(units, append(unit, p.NuK[k]))
	}
	slow, err := latent.NewFeatures(osm.WorthFamily{Items: 4}, []int{0, 1, 2, 3}, latent.Binary, base, units, p.B)
	if err != nil {
		t.Fatal(err)
	}
	for x := range partition.All(4) {
		if a, b := fast.LogWeight(x), slow.LogWeight(x); !near(a, b, 1e-12) {
			t.Fatalf("%s: worths %g, as features %g", x, a, b)
		}
	}
	// The mean-field score of a candidate, the last item, in the worth form is
	// its worth under the expected units, once for each seen item.
	means := []float64{0.3, 0.8}
	want := 3 * (p.U[3] + means[0]*p.W[3][0] + means[1]*p.W[3][1])
	if got := slow.Score(means); !near(got, want, 1e-12) {
		t.Errorf("the candidate scores %g, by its worth %g", got, want)
	}
}

func TestGeneralFormRefusals(t *testing.T) {
	good := []float64{0, 0, 0, 0}
	for name, c := range map[string]struct {
		items []int
		base  []float64
		units [][]float64
		bias  []float64
		says  string
	}{
		"no items":     {nil, good, nil, nil, "at least one"},
		"short base":   {[]int{0, 1}, good[:2], nil, nil, "2 weights"},
		"short unit":   {[]int{0, 1}, good, [][]float64{good[:3]}, nil, "3 weights"},
		"short biases": {[]int{0, 1}, good, [][]float64{good, good}, []float64{1}, "1 biases"},
		"NaN":          {[]int{0, 1}, []float64{0, math.NaN(), 0, 0}, nil, nil, "NaN"},
	} {
		if _, err := latent.NewFeatures(dishes(), c.items, latent.Binary, c.base, c.units, c.bias); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; expected it to say %q", name, err, c.says)
		}
	}
}
