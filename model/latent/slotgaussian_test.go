package latent

import (
	"math"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/model/osm"
)

// The short way for Gaussian units is the general one, to rounding, on lists with
// few and with many ties; long ones are weighed in pieces.
func TestGaussianSlotsAgainstTheGeneralWay(t *testing.T) {
	r := rng.Stream(1, "gaussian slots")
	short, long := SlotLikelihood{}, SlotLikelihood{slow: true}
	for trial := range 404 {
		n, k, weight := 1+r.IntN(14), r.IntN(6), 0.5
		if trial >= 400 {
			n, weight = 300, 0.02
		}
		p := Parameters{Units: Gaussian, Nu: r.NormFloat64(), U: make([]float64, n), W: make([][]float64, n), B: make([]float64, k)}
		for i := range p.U {
			p.U[i] = r.NormFloat64()
			p.W[i] = make([]float64, k)
			for j := range p.W[i] {
				p.W[i][j] = weight * r.NormFloat64()
			}
		}
		for j := range p.B {
			p.B[j] = r.NormFloat64()
		}
		if trial%2 == 1 {
			p.Sizes = osm.NewSizeWeights(1 + r.IntN(n))
			every, last := p.Sizes.Rows()
			for s := 1; s < len(every); s++ {
				every[s], last[s] = r.NormFloat64(), r.NormFloat64()
			}
		}
		options := []Options{{}, {Size: 2, Centred: true}, {Centred: true}}[trial%3]
		m, err := New(p, options)
		if err != nil {
			t.Fatal(err)
		}
		levels := make([]int, n)
		for i := range levels {
			levels[i] = r.IntN(1 + r.IntN(2*n))
			if trial >= 402 { // three tiers of a hundred items
				levels[i] = i % 3
			}
		}
		x, err := partition.FromLevels(levels)
		if err != nil {
			t.Fatal(err)
		}
		got, want := short.Evaluate(m, x), long.Evaluate(m, x)
		if !(math.Abs(got-want) <= 1e-10*math.Max(1, math.Abs(want))) {
			t.Fatalf("%s: log likelihood %.14g, the general way %.14g", x, got, want)
		}
		for name, pair := range map[string][2][]float64{
			"u": {short.U, long.U}, "W": {short.W, long.W}, "nu": {{short.Nu}, {long.Nu}}, "b": {short.B, long.B}, "sizes": {short.Sizes, long.Sizes},
		} {
			size := 1.0
			for _, v := range pair[1] {
				size = math.Max(size, math.Abs(v))
			}
			for i := range pair[1] {
				if !(math.Abs(pair[0][i]-pair[1][i]) <= 1e-9*size) {
					t.Fatalf("%s with %d units: gradient of %s[%d] is %.12g, the general way %.12g", x, k, name, i, pair[0][i], pair[1][i])
				}
			}
		}
	}
}

func BenchmarkGaussianSlots(b *testing.B) {
	const n, k = 20, 50
	c := NewCatalogue(n, k, Gaussian, Options{Size: 2, Centred: true})
	r := rng.Stream(1, "bench")
	items, levels := make([]int, n), make([]int, n)
	for i := range c.W {
		c.W[i] = 0.1 * r.NormFloat64()
	}
	for i := range items {
		items[i], levels[i] = i, r.IntN(5)
	}
	m, err := c.Model(items)
	if err != nil {
		b.Fatal(err)
	}
	x, err := partition.FromLevels(levels)
	if err != nil {
		b.Fatal(err)
	}
	for name, l := range map[string]*SlotLikelihood{"short": {}, "general": {slow: true}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				l.Evaluate(m, x)
			}
		})
	}
}
