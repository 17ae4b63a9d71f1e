package latent_test

import (
	"fmt"
	"math"
	"testing"

	"fubini/core/partition"
	"fubini/core/vec"
	"fubini/infer/exact"
	"fubini/model/latent"
	"fubini/model/osm"
)

// The mean of the contrast over the model's own distribution is the gradient of
// the exact log likelihood, by central differences, at N = 5 and K = 3.
func TestLikelihoodGradientByFiniteDifferences(t *testing.T) {
	const n, k = 5, 3
	observed, err := partition.Parse("3 > 0~1 > 2~4")
	if err != nil {
		t.Fatal(err)
	}
	each(t, n, k, func(t *testing.T, p latent.Parameters, o latent.Options, m *latent.Model) {
		list := must[*exact.Listing](t)(exact.List(m, partition.Space{}))
		var c latent.Contrast
		var mean latent.Gradient
		mean.U, mean.W, mean.NuK, mean.B = make([]float64, n), make([]float64, n*k), make([]float64, k), make([]float64, k)
		mean.Sizes = make(osm.SizeWeights, len(p.Sizes))
		for x, probability := range list.All() {
			c.Evaluate(m, observed, x)
			for _, pair := range [][2][]float64{{mean.U, c.U}, {mean.NuK, c.NuK}, {mean.B, c.B}, {mean.Sizes, c.Sizes}} {
				for i, v := range pair[1] {
					pair[0][i] += probability * v
				}
			}
			mean.Nu += probability * c.Nu
			var square float64
			for i := range n {
				row := make([]float64, k)
				c.AddWeights(i, 1, row)
				square += vec.Dot(row, row)
				vec.AddTimes(mean.W[i*k:(i+1)*k], row, probability)
			}
			if told := c.WeightSquare(); !(math.Abs(told-square) <= 1e-12*math.Max(1, square)) {
				t.Fatalf("%v: the square of the weights' gradient is %g, told %g", x, square, told)
			}
		}
		check := func(name string, parameter *float64, told float64) {
			t.Helper()
			const step = 1e-5
			was := *parameter
			at := func(v float64) float64 {
				*parameter = v
				moved := must[*latent.Model](t)(latent.New(p, o))
				return moved.LogWeight(observed) - must[*exact.Listing](t)(exact.List(moved, partition.Space{})).LogZ
			}
			slope := (at(was+step) - at(was-step)) / (2 * step)
			*parameter = was
			if !(math.Abs(slope-told) <= 1e-6*math.Max(1, math.Abs(slope))) {
				t.Errorf("%s: slope %.9g, gradient %.9g", name, slope, told)
			}
		}
		for i := range n {
			check(fmt.Sprintf("u[%d]", i), &p.U[i], mean.U[i])
			for j := range k {
				check(fmt.Sprintf("W[%d][%d]", i, j), &p.W[i][j], mean.W[i*k+j])
			}
		}
		check("nu", &p.Nu, mean.Nu)
		for s := range p.Sizes {
			if s%(len(p.Sizes)/2) > 0 { // of no items there are no tiers
				check(fmt.Sprintf("sizes[%d]", s), &p.Sizes[s], mean.Sizes[s])
			}
		}
		for j := range k {
			check(fmt.Sprintf("nu_k[%d]", j), &p.NuK[j], mean.NuK[j])
			check(fmt.Sprintf("b[%d]", j), &p.B[j], mean.B[j])
		}
	})
}
