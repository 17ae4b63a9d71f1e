package paper

import (
	"context"
	"math"
	"testing"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/mcmc"
	"fubini/model/latent"
	"fubini/model/osm"
)

// catalogue has five items and two units, parameters of some size.
func catalogue(units latent.Units, options latent.Options) *latent.Catalogue {
	c := latent.NewCatalogue(5, 2, units, options)
	r := rng.Stream(1, "catalogue")
	for i := range c.U {
		c.U[i] = r.NormFloat64() / 2
	}
	for i := range c.W {
		c.W[i] = r.NormFloat64() / 2
	}
	*c.Nu, c.NuK[0], c.B[1] = 0.3, -0.2, 0.4
	return c
}

var worlds = []struct {
	name    string
	units   latent.Units
	options latent.Options
}{{"binary, raw", latent.Binary, latent.Options{}}, {"gaussian, centred", latent.Gaussian, latent.Options{Size: 2, Centred: true}}}

// Annealing over strict orders finds the sum over all of them.
func TestStrictAnnealingIsRight(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	for _, w := range worlds {
		c := catalogue(w.units, w.options)
		m, err := c.Model([]int{0, 1, 2, 3})
		if err != nil {
			t.Fatal(err)
		}
		var logs []float64
		for x := range partition.All(4) {
			if x.Len() == 4 {
				logs = append(logs, m.LogWeight(x))
			}
		}
		want := logprob.SumExp(logs)
		e, err := ais.Run(context.Background(), m.StrictAnnealing(), ais.Options{Steps: 100, Runs: 2000, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(e.LogZ-want) <= 5*e.StdErr) || !(e.StdErr < 0.01) {
			t.Errorf("%s: log Z %.4f ± %.4f over strict orders, by listing %.4f", w.name, e.LogZ, e.StdErr, want)
		}
		all, err := ais.Run(context.Background(), m.Annealing(mcmc.ReinsertionMoves, false), ais.Options{Steps: 100, Runs: 2000, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !(all.LogZ-want > 10*e.StdErr) {
			t.Errorf("%s: the test cannot separate strict orders from all", w.name)
		}
	}
}

// The predictive is the mean over units given the known list, over both spaces.
func TestPredictiveIsAMixture(t *testing.T) {
	const draws = 4000
	e := &examinee{
		known: osm.List{Items: []int{4, 3}, Order: mustParse(t, [][]int{{0}, {1}})},
		list:  osm.List{Items: []int{0, 1, 2}, Order: mustParse(t, [][]int{{2}, {0, 1}})}, strict: mustParse(t, [][]int{{2}, {0}, {1}}),
	}
	c := catalogue(latent.Binary, latent.Options{})
	known, err := c.Model(e.known.Items)
	if err != nil {
		t.Fatal(err)
	}
	asked, err := c.Model(e.list.Items)
	if err != nil {
		t.Fatal(err)
	}
	on := make([]float64, 2)
	known.Posterior(e.known.Order, on)
	for _, how := range []annealed{{}, {Strict: true}} {
		var want float64
		for setting := range 4 {
			h, p := []float64{float64(setting & 1), float64(setting >> 1)}, 1.0
			for k, v := range h {
				p *= v*on[k] + (1-v)*(1-on[k])
			}
			given, err := asked.Conditional(h)
			if err != nil {
				t.Fatal(err)
			}
			var logs []float64
			for x := range partition.All(3) {
				if !how.Strict || x.Len() == 3 {
					logs = append(logs, given.LogWeight(x))
				}
			}
			want += p * math.Exp(given.LogWeight(how.order(e))-logprob.SumExp(logs))
		}
		got, err := how.predictive(context.Background(), c, e, draws, 1)
		if err != nil {
			t.Fatal(err)
		}
		// A share of 4000 draws has a standard error below 0.008, and P varies less.
		if !(math.Abs(math.Exp(got.logLik)-want) <= 0.02*want) {
			t.Errorf("%+v: predictive %.4f, by hand %.4f", how, math.Exp(got.logLik), want)
		}
	}
}

// The probabilities of orders under baselines sum to one over their space.
func TestBaselineLikelihoodsSumToOne(t *testing.T) {
	levels := [][]float64{{0.1, 0.2, 0.3, 0.2, 0.2}, {0.5, 0.1, 0.1, 0.1, 0.2}, {0, 0.3, 0.3, 0.4, 0}}
	scores := []float64{1, -0.5, 0.3}
	var ties, strict float64
	for x := range partition.All(3) {
		ties += math.Exp(ordinal(levels, x))
		if x.Len() == 3 {
			strict += math.Exp(plackettLuce(scores, x))
		}
	}
	if !(math.Abs(ties-1) <= 1e-12) || !(math.Abs(strict-1) <= 1e-12) {
		t.Errorf("the ordinal baseline sums to %g over orders with ties, Plackett-Luce to %g over strict ones", ties, strict)
	}
}

func mustParse(t *testing.T, blocks [][]int) *partition.Partition {
	t.Helper()
	x, err := partition.FromBlocks(blocks)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
