package latent_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/stattest"
	"fubini/model/latent"
)

// slotLogLikelihood is the definition, by weighing every slot of every item whole.
func slotLogLikelihood(m *latent.Model, x *partition.Partition) (total float64) {
	slots := stattest.NewSlow(m).NewSlots()
	for item := range x.N() {
		y := x.Clone()
		observed := y.Lift(item)
		weights := make([]float64, 2*y.Len()+1)
		slots.Weigh(y, item, weights)
		total += weights[observed] - logprob.SumExp(weights)
	}
	return total
}

func TestSlotLikelihoodAgainstItsDefinition(t *testing.T) {
	for n := 1; n <= 4; n++ {
		each(t, n, 3, func(t *testing.T, p latent.Parameters, o latent.Options, m *latent.Model) {
			var l latent.SlotLikelihood
			for x := range partition.All(n) {
				if got, want := l.Evaluate(m, x), slotLogLikelihood(m, x); !near(got, want, 1e-11) {
					t.Fatalf("%s: %.14g, slot by slot %.14g", x, got, want)
				}
				for some := range n { // the first items, and the others
					first, rest := make([]int, 0, n), make([]int, 0, n)
					for item := range n {
						if item < some {
							first = append(first, item)
						} else {
							rest = append(rest, item)
						}
					}
					if a, b, want := l.Slots(m, x, first), l.Slots(m, x, rest), slotLogLikelihood(m, x); !near(a+b, want, 1e-11) || some == 0 && a != 0 {
						t.Fatalf("%s: %.14g of the first %d items and %.14g of the others, together %.14g", x, a, some, b, want)
					}
				}
			}
		})
	}
}

// The gradient of every parameter but the units' tie weights, by central differences of
// the definition.
func TestSlotGradientByFiniteDifferences(t *testing.T) {
	const n, k = 6, 3
	r, x := rng.Stream(1, "slot gradient"), partition.OneBlock(n)
	uniform := partition.NewUniform(n)
	each(t, n, k, func(t *testing.T, p latent.Parameters, o latent.Options, m *latent.Model) {
		var l latent.SlotLikelihood
		for range 6 {
			uniform.Draw(r, x)
			l.Evaluate(m, x)
			check := func(name string, parameter *float64, told float64) {
				t.Helper()
				const step = 1e-5
				was := *parameter
				at := func(v float64) float64 {
					*parameter = v
					return slotLogLikelihood(must[*latent.Model](t)(latent.New(p, o)), x)
				}
				slope := (at(was+step) - at(was-step)) / (2 * step)
				*parameter = was
				if !(math.Abs(slope-told) <= 1e-7*math.Max(1, math.Abs(slope))) {
					t.Errorf("%s, %s: slope %.9g, gradient %.9g", x, name, slope, told)
				}
			}
			for i := range n {
				check(fmt.Sprintf("u[%d]", i), &p.U[i], l.U[i])
				for j := range k {
					check(fmt.Sprintf("W[%d][%d]", i, j), &p.W[i][j], l.W[i*k+j])
				}
			}
			check("nu", &p.Nu, l.Nu)
			for s := range p.Sizes {
				if s%(len(p.Sizes)/2) > 0 { // of no items there are no tiers
					check(fmt.Sprintf("sizes[%d]", s), &p.Sizes[s], l.Sizes[s])
				}
			}
			for j := range k {
				check(fmt.Sprintf("b[%d]", j), &p.B[j], l.B[j])
			}
		}
	})
}

func TestSlotLikelihoodDoesNotAllocate(t *testing.T) {
	const items, k = 40, 8
	c := latent.NewCatalogue(items, k, latent.Gaussian, latent.Options{Size: 2, Centred: true})
	r := rng.Stream(1, "slot allocations")
	for i := range c.W {
		c.W[i] = 0.1 * r.NormFloat64()
	}
	all := make([]int, items)
	rng.Permutation(r, all)
	m := must[*latent.Model](t)(c.Model(all))
	var l latent.SlotLikelihood
	long, short := partition.OneBlock(items), partition.OneBlock(10)
	partition.NewUniform(items).Draw(r, long)
	partition.NewUniform(10).Draw(r, short)
	l.Evaluate(m, long)
	if a := testing.AllocsPerRun(20, func() {
		c.Refill(m, all[:10])
		l.Evaluate(m, short)
		c.Refill(m, all)
		l.Evaluate(m, long)
	}); a != 0 {
		t.Errorf("%g allocations", a)
	}
}

// A refilled model is the model of its items.
func TestRefillEqualsModel(t *testing.T) {
	const items, k = 9, 3
	for _, units := range []latent.Units{latent.Binary, latent.Gaussian} {
		c := latent.Shape{Items: items, K: k, Units: units, Options: latent.Options{Size: 2, Centred: true}, Largest: 5}.New()
		r := rng.Stream(1, "refill")
		for _, list := range [][]float64{c.U, c.W, c.NuK, c.B} {
			for i := range list {
				list[i] = r.NormFloat64()
			}
		}
		copy(c.Sizes, sizes(6))
		m := must[*latent.Model](t)(c.Model([]int{0, 1, 2, 3, 4, 5}))
		for _, list := range [][]int{{4, 2, 8}, {1, 0}, {8, 7, 6, 5, 4, 3, 2}, {3}} {
			c.Refill(m, list)
			fresh := must[*latent.Model](t)(c.Model(list))
			x := partition.OneBlock(len(list))
			partition.NewUniform(len(list)).Draw(r, x)
			if a, b := m.LogWeight(x), fresh.LogWeight(x); a != b {
				t.Errorf("%v: refilled %g, fresh %g", list, a, b)
			}
		}
		if _, err := c.Model([]int{9}); err == nil {
			t.Error("an item outside the catalogue was taken")
		}
	}
}

func BenchmarkSlotLikelihood(b *testing.B) {
	for _, c := range []struct{ n, k int }{{10, 20}, {20, 20}, {20, 50}, {50, 50}} {
		for _, units := range []latent.Units{latent.Binary, latent.Gaussian} {
			m := must[*latent.Model](b)(latent.New(parameters(1, units, c.n, c.k, 0.1), latent.Options{Size: 2, Centred: true}))
			levels := make([]int, c.n)
			r := rng.Stream(1, "bench levels")
			for i := range levels {
				levels[i] = r.IntN(5)
			}
			x, err := partition.FromLevels(levels)
			if err != nil {
				b.Fatal(err)
			}
			var l latent.SlotLikelihood
			b.Run(fmt.Sprintf("%v/N=%d/K=%d", units, c.n, c.k), func(b *testing.B) {
				for b.Loop() {
					l.Evaluate(m, x)
				}
			})
		}
	}
}

// What presence says: the model of a list has it in its biases, a refilled model
// too, and the gradient of V is that of the biases, shared out.
func TestPresenceByFiniteDifferences(t *testing.T) {
	const items, k = 7, 2
	for _, units := range []latent.Units{latent.Binary, latent.Gaussian} {
		c := latent.Shape{Items: items, K: k, Units: units, Options: latent.Options{Size: 2, Centred: true}, Presence: true}.New()
		r := rng.Stream(1, "presence")
		for _, list := range [][]float64{c.U, c.W, c.B, c.V} {
			for i := range list {
				list[i] = r.NormFloat64()
			}
		}
		list := []int{4, 0, 5, 2}
		x, err := partition.FromLevels([]int{2, 1, 2, 3})
		if err != nil {
			t.Fatal(err)
		}
		var l latent.SlotLikelihood
		refilled := &latent.Model{}
		c.Refill(refilled, list)
		if got, want := l.Evaluate(refilled, x), slotLogLikelihood(must[*latent.Model](t)(c.Model(list)), x); !near(got, want, 1e-11) {
			t.Errorf("%v: refilled %g, built anew %g", units, got, want)
		}
		for i := range items {
			for j := range k {
				const step = 1e-5
				at := func(v float64) float64 {
					was := c.V[i*k+j]
					defer func() { c.V[i*k+j] = was }()
					c.V[i*k+j] += v
					return slotLogLikelihood(must[*latent.Model](t)(c.Model(list)), x)
				}
				told := 0.0
				if slices.Contains(list, i) {
					told = latent.Presence(len(list)) * l.B[j]
				}
				if slope := (at(step) - at(-step)) / (2 * step); !(math.Abs(slope-told) <= 1e-7) {
					t.Errorf("%v: V[%d][%d] has slope %.9g, gradient %.9g", units, i, j, slope, told)
				}
			}
		}
	}
}
