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
			c.Observe(m, observed, 1)
			c.Draw(m, x)
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

// The contrast with several draws is the mean of the contrasts with each.
func TestContrastOfSeveralDraws(t *testing.T) {
	const n, k = 5, 3
	read := func(text string) *partition.Partition { return must[*partition.Partition](t)(partition.Parse(text)) }
	observed, draws := read("3 > 0~1 > 2~4"), []*partition.Partition{read("0 > 1 > 2 > 3 > 4"), read("0~1~2~3~4"), read("4~2 > 3~1~0")}
	each(t, n, k, func(t *testing.T, p latent.Parameters, o latent.Options, m *latent.Model) {
		var all, one latent.Contrast
		all.Observe(m, observed, len(draws))
		mean := make([]float64, n+1+n*k)
		for _, x := range draws {
			all.Draw(m, x)
			one.Observe(m, observed, 1)
			one.Draw(m, x)
			vec.AddTimes(mean, flat(&one, n, k), 1/float64(len(draws)))
		}
		var square float64
		for i, v := range flat(&all, n, k) {
			if !(math.Abs(v-mean[i]) <= 1e-12*math.Max(1, math.Abs(mean[i]))) {
				t.Errorf("element %d is %g, the mean %g", i, v, mean[i])
			}
			if i > n {
				square += v * v
			}
		}
		if told := all.WeightSquare(); !(math.Abs(told-square) <= 1e-12*math.Max(1, square)) {
			t.Errorf("the square of the weights' gradient is %g, told %g", square, told)
		}
	})
}

// flat is the gradient of the worths, of the tie weight and of W, one after another.
func flat(c *latent.Contrast, n, k int) []float64 {
	out := append(append([]float64{}, c.U...), c.Nu)
	for i := range n {
		row := make([]float64, k)
		c.AddWeights(i, 1, row)
		out = append(out, row...)
	}
	return out
}
