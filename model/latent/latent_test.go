package latent_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	"fubini/infer/stattest"
	"fubini/model/latent"
	"fubini/model/osm"
)

var (
	_ mcmc.SplitTarget          = (*latent.Marginal)(nil)
	_ mcmc.SlotTarget           = (*latent.Marginal)(nil)
	_ exact.Weigher             = (*latent.Model)(nil)
	_ mcmc.Kernel[latent.State] = (*latent.Alternating)(nil)
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

func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))
}

// parameters are drawn with a deviation; biases and tie weights of units too.
func parameters(seed uint64, units latent.Units, n, k int, deviation float64) latent.Parameters {
	r := rng.Stream(seed, "latent", uint64(units), uint64(n), uint64(k))
	draw := func(size int) []float64 {
		out := make([]float64, size)
		for i := range out {
			out[i] = deviation * r.NormFloat64()
		}
		return out
	}
	p := latent.Parameters{Units: units, U: draw(n), Nu: draw(1)[0], NuK: draw(k), B: draw(k), W: make([][]float64, n)}
	for i := range p.W {
		p.W[i] = draw(k)
	}
	return p
}

// sizes are weights by tier size for lists of n items; none for tiers of all of them.
func sizes(n int) osm.SizeWeights {
	r, g := rng.Stream(1, "sizes", uint64(n)), osm.NewSizeWeights(n-1)
	for _, row := range [][]float64{g[:n], g[n:]} {
		for s := 1; s < n; s++ {
			row[s] = r.NormFloat64()
		}
	}
	return g
}

// each runs a test for both kinds of units and several options, with weights by tier
// size and without.
func each(t *testing.T, n, k int, test func(t *testing.T, p latent.Parameters, o latent.Options, m *latent.Model)) {
	for _, units := range []latent.Units{latent.Binary, latent.Gaussian} {
		for _, o := range []latent.Options{{}, {Size: 2, Centred: true}, {Size: 3}} {
			t.Run(fmt.Sprintf("%v/%+v", units, o), func(t *testing.T) {
				p := parameters(1, units, n, k, 0.4)
				test(t, p, o, must[*latent.Model](t)(latent.New(p, o)))
			})
			t.Run(fmt.Sprintf("%v/%+v/sizes", units, o), func(t *testing.T) {
				p := parameters(1, units, n, k, 0.4)
				p.Sizes = sizes(n)
				test(t, p, o, must[*latent.Model](t)(latent.New(p, o)))
			})
		}
	}
}

// settings lists all h of k binary units.
func settings(k int) (all [][]float64) {
	for bits := range 1 << k {
		h := make([]float64, k)
		for j := range h {
			h[j] = float64(bits >> j & 1)
		}
		all = append(all, h)
	}
	return all
}

// The definition, spelled out: log joint = sum over pairs of the base and of
// every unit that is on, and over tiers of what their sizes weigh.
func TestJointWeightIsTheDefinition(t *testing.T) {
	const n, k = 4, 3
	p := parameters(2, latent.Binary, n, k, 0.7)
	p.Sizes = sizes(n)
	every, last := p.Sizes.Rows()
	m := must[*latent.Model](t)(latent.New(p, latent.Options{}))
	for x := range partition.All(n) {
		for _, h := range settings(k) {
			var want float64
			for b := range x.Len() {
				if s := x.Size(b); s < n {
					want += every[s]
					if b == x.Len()-1 {
						want += last[s]
					}
				}
			}
			for i := range n {
				for j := range i {
					worth := func(a int) float64 { // of item a under the base and all units that are on
						total := p.U[a]
						for u, on := range h {
							total += on * p.W[a][u]
						}
						return total
					}
					switch x.Relation(i, j) {
					case partition.Above:
						want += worth(i)
					case partition.Below:
						want += worth(j)
					case partition.Tied:
						want += (worth(i)+worth(j))/2 + p.Nu
						for u, on := range h {
							want += on * p.NuK[u]
						}
					}
				}
			}
			for u, on := range h {
				want += on * p.B[u]
			}
			if got := m.LogJoint(x, h); !near(got, want, 1e-12) {
				t.Fatalf("%s, h = %v: %g, by pairs %g", x, h, got, want)
			}
		}
	}
}

// Summing the joint weight over units gives the free energy, the posterior and
// the conditional, for binary units by listing and for one Gaussian unit after
// the other by quadrature.
func TestPosteriorsAndFreeEnergyAgainstSums(t *testing.T) {
	const n, k = 4, 3
	each(t, n, k, func(t *testing.T, p latent.Parameters, o latent.Options, m *latent.Model) {
		posterior := make([]float64, k)
		for x := range partition.All(n) {
			m.Posterior(x, posterior)
			if p.Units == latent.Binary {
				total := logprob.Zero
				on := make([]float64, k)
				for j := range on {
					on[j] = logprob.Zero
				}
				for _, h := range settings(k) {
					w := m.LogJoint(x, h)
					total = logprob.Add(total, w)
					for j, v := range h {
						if v == 1 {
							on[j] = logprob.Add(on[j], w)
						}
					}
				}
				if !near(m.LogWeight(x), total, 1e-12) {
					t.Fatalf("%s: log weight %g, summed over h %g", x, m.LogWeight(x), total)
				}
				for j := range on {
					if want := math.Exp(on[j] - total); !near(posterior[j], want, 1e-12) {
						t.Fatalf("%s: unit %d on with probability %g, summed %g", x, j, posterior[j], want)
					}
				}
				continue
			}
			// The joint is a product over units: integrate one at a time around
			// the others' means, by the trapezoid rule, which is exact for normals.
			for j := range k {
				h := append([]float64{}, posterior...)
				var sum, mean float64
				const step = 0.05
				top := m.LogJoint(x, h)
				for d := -10.0; d <= 10; d += step {
					h[j] = posterior[j] + d
					w := math.Exp(m.LogJoint(x, h) - top)
					sum += w * step
					mean += w * step * h[j]
				}
				if !near(mean/sum, posterior[j], 1e-9) || !near(sum, math.Sqrt(2*math.Pi), 1e-9) {
					t.Fatalf("%s: unit %d has mean %g and mass %g, posterior %g", x, j, mean/sum, sum, posterior[j])
				}
			}
			if want := m.LogJoint(x, posterior) + float64(k)*math.Log(2*math.Pi)/2; !near(m.LogWeight(x), want, 1e-12) {
				t.Fatalf("%s: log weight %g, integrated %g", x, m.LogWeight(x), want)
			}
		}
	})
}

// Given h, x follows the conditional: log weights differ by one constant.
func TestConditionalAgainstJoint(t *testing.T) {
	const n, k = 4, 3
	each(t, n, k, func(t *testing.T, p latent.Parameters, o latent.Options, m *latent.Model) {
		h := []float64{1, 0, 1}
		if p.Units == latent.Gaussian {
			h = []float64{0.7, -1.2, 2}
		}
		given := must[*osm.Worths](t)(m.Conditional(h))
		constant := math.NaN()
		for x := range partition.All(n) {
			d := m.LogJoint(x, h) - given.LogWeight(x)
			if math.IsNaN(constant) {
				constant = d
			}
			if !(math.Abs(d-constant) <= 1e-12) {
				t.Fatalf("%s: joint and conditional differ by %g, elsewhere by %g", x, d, constant)
			}
		}
	})
}

func TestExactLogZAgainstListing(t *testing.T) {
	for _, k := range []int{0, 1, 4} {
		each(t, 5, k, func(t *testing.T, p latent.Parameters, o latent.Options, m *latent.Model) {
			list := must[*exact.Listing](t)(exact.List(m, partition.Space{}))
			if got := must[float64](t)(m.ExactLogZ()); !near(got, list.LogZ, 1e-12) {
				t.Errorf("log Z %.14g, listed %.14g", got, list.LogZ)
			}
		})
	}
	big := must[*latent.Model](t)(latent.New(parameters(1, latent.Gaussian, 9, 2, 0.1), latent.Options{}))
	if _, err := big.ExactLogZ(); err == nil {
		t.Error("nine items with Gaussian units were listed")
	}
	wide := must[*latent.Model](t)(latent.New(parameters(1, latent.Binary, 15, 20, 0.1), latent.Options{}))
	if _, err := wide.ExactLogZ(); err == nil || !strings.Contains(err.Error(), "the limit") {
		t.Errorf("twenty units of fifteen items: %v", err)
	}
}

// Without units the model is the visible one.
func TestNoUnitsIsTheVisibleModel(t *testing.T) {
	p := parameters(3, latent.Binary, 5, 0, 1)
	p.Sizes = sizes(5)
	visible := must[*osm.Worths](t)(osm.NewWorths(p.U, p.Nu, osm.Options{Size: 4}))
	visible.SetSizes(p.Sizes, 1)
	m := must[*latent.Model](t)(latent.New(p, latent.Options{Size: 4}))
	p.W = nil
	bare := must[*latent.Model](t)(latent.New(p, latent.Options{Size: 4}))
	for x := range partition.All(5) {
		if a, b, c := visible.LogWeight(x), m.LogWeight(x), bare.LogWeight(x); !near(a, b, 1e-12) || !near(a, c, 1e-12) {
			t.Fatalf("%s: visible %g, latent %g and %g", x, a, b, c)
		}
	}
}

// Both kinds of kernel leave their target unchanged, computed by playing out
// the code itself: alternating on (x, h), and with h summed out on x.
func TestKernelsLeaveTargetUnchanged(t *testing.T) {
	const n, k = 3, 2
	each(t, n, k, func(t *testing.T, p latent.Parameters, o latent.Options, m *latent.Model) {
		list := must[*exact.Listing](t)(exact.List(m, partition.Space{}))
		target := latent.NewMarginal(m)
		reinsertion := must[*mcmc.Reinsertion](t)(mcmc.NewReinsertion(target, partition.Space{}))
		splitMerge := must[*mcmc.SplitMerge](t)(mcmc.NewSplitMerge(target, partition.Space{}))
		for name, kernel := range map[string]mcmc.Kernel[partition.Partition]{"reinsertion": reinsertion, "one": reinsertion.One(), "split-merge": splitMerge} {
			matrix := stattest.Transitions(list.States(), func(d rng.Dice, x *partition.Partition) { kernel.Step(d, x, nil) })
			if gap := stattest.InvarianceGap(list.Probabilities(), matrix); !(gap <= 1e-12) {
				t.Errorf("%s with units summed out moves the target by %g", name, gap)
			}
		}
		if p.Units == latent.Gaussian {
			return // units are drawn from a continuum, which cannot be played out
		}
		for _, moves := range []mcmc.Moves{mcmc.ReinsertionMoves, mcmc.SplitMergeMoves} {
			if moves == mcmc.SplitMergeMoves && testing.Short() {
				continue
			}
			alternating := must[*latent.Alternating](t)(latent.NewAlternatingMoves(m, moves, m.N()))
			matrix := stattest.Transitions(list.States(), func(d rng.Dice, x *partition.Partition) {
				s := latent.State{X: x, H: make([]float64, k)}
				alternating.Step(d, &s, nil)
			})
			if gap := stattest.InvarianceGap(list.Probabilities(), matrix); !(gap <= 1e-12) {
				t.Errorf("alternating, moves %d: the target moves by %g", moves, gap)
			}
		}
	})
}

// Gaussian units: chains that alternate agree with the listing.
func TestGaussianAlternationAgainstListing(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	const n, k, chains, draws = 5, 3, 4, 5000
	p := parameters(4, latent.Gaussian, n, k, 0.5)
	p.Sizes = sizes(n)
	p.NuK = nil // the square of a tie count makes two far modes, all tied or none
	m := must[*latent.Model](t)(latent.New(p, latent.Options{Size: 3, Centred: true}))
	list := must[*exact.Listing](t)(exact.List(m, partition.Space{}))
	truth := list.Moments()
	kernel := must[*latent.Alternating](t)(latent.NewAlternatingMoves(m, mcmc.ReinsertionMoves, m.N()))
	series := make([][][]float64, n)
	scores := make([]float64, n)
	for c := range chains {
		r := rng.Stream(1, "gaussian chain", uint64(c))
		s := latent.State{X: partition.OneBlock(n), H: make([]float64, k)}
		for range 100 {
			kernel.Step(r, &s, nil)
		}
		for i := range series {
			series[i] = append(series[i], nil)
		}
		for range draws {
			kernel.Step(r, &s, nil)
			for i, v := range s.X.Scores(scores) {
				series[i][c] = append(series[i][c], v)
			}
		}
	}
	for i := range n {
		z := stattest.ZScore(stattest.Mean(series[i]), mcmc.StandardError(series[i]), truth.Score(i))
		if !(math.Abs(z) <= 4.5) {
			t.Errorf("score of %d is off by %.1f standard errors", i, z)
		}
	}
}

// Fast gains and slots agree with weighing everything before and after.
func TestMarginalAgainstWholeWeights(t *testing.T) {
	const n, k = 5, 3
	each(t, n, k, func(t *testing.T, p latent.Parameters, o latent.Options, m *latent.Model) {
		fast, slow := latent.NewMarginal(m), stattest.NewSlow(m)
		r, x := rng.Stream(1, "marginal"), partition.OneBlock(n)
		uniform := partition.NewUniform(n)
		kept := fast.NewSlots()
		for range 300 {
			uniform.Draw(r, x)
			for b := range x.Len() {
				if size := x.Size(b); size > 1 {
					upper := append([]int{}, x.Block(b)[:1+r.IntN(size-1)]...)
					if a, w := fast.SplitGain(x, b, upper), slow.SplitGain(x, b, upper); !near(a, w, 1e-11) {
						t.Fatalf("split of %s at %d, %v up: %g, whole %g", x, b, upper, a, w)
					}
				}
				if b+1 < x.Len() {
					if a, w := fast.MergeGain(x, b), slow.MergeGain(x, b); !near(a, w, 1e-11) {
						t.Fatalf("merge of %s at %d: %g, whole %g", x, b, a, w)
					}
				}
			}
			kept.Load(x)
			for item := range n {
				from := x.Lift(item)
				kept.Lifted(x, item, from)
				a, w := make([]float64, 2*x.Len()+1), make([]float64, 2*x.Len()+1)
				kept.Weigh(x, item, a)
				slow.NewSlots().Weigh(x, item, w)
				for s := range a {
					if !near(a[s]-a[0], w[s]-w[0], 1e-10) {
						t.Fatalf("item %d of %s into slot %d: %g over slot 0, whole %g", item, x, s, a[s]-a[0], w[s]-w[0])
					}
				}
				to := r.IntN(len(a))
				x.Insert(to)
				kept.Inserted(x, item, to)
			}
		}
	})
}

func TestKernelsDoNotAllocate(t *testing.T) {
	const n, k = 20, 8
	each(t, n, k, func(t *testing.T, p latent.Parameters, o latent.Options, m *latent.Model) {
		r := rng.Stream(1, "allocations")
		s := latent.State{X: partition.OneBlock(n), H: make([]float64, k)}
		alternating := must[*latent.Alternating](t)(latent.NewAlternatingMoves(m, mcmc.ReinsertionMoves, m.N()))
		summed := must[*mcmc.Reinsertion](t)(mcmc.NewReinsertion(latent.NewMarginal(m), partition.Space{}))
		for range 50 { // scratch space grows to what it needs
			alternating.Step(r, &s, nil)
			summed.Step(r, s.X, nil)
		}
		if a := testing.AllocsPerRun(50, func() { alternating.Step(r, &s, nil) }); a != 0 {
			t.Errorf("%g allocations in an alternating step", a)
		}
		if a := testing.AllocsPerRun(50, func() { summed.Step(r, s.X, nil) }); a > 0.5 {
			t.Errorf("%g allocations in a sweep with units summed out", a)
		}
	})
}

// Annealing over random models: intervals hold the truth, alternating and
// summed out, for both kinds of units.
func TestAnnealingCoversTheTruth(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	const models = 60
	for _, units := range []latent.Units{latent.Binary, latent.Gaussian} {
		for _, summedOut := range []bool{false, true} {
			covered := 0
			var spread float64
			for s := range models {
				r := rng.Stream(1, "annealed", uint64(s))
				n, k := 2+r.IntN(5), 1+r.IntN(4)
				p := parameters(uint64(s), units, n, k, 0.3)
				if s%2 == 1 {
					p.Sizes = sizes(n)
				}
				m := must[*latent.Model](t)(latent.New(p, latent.Options{}))
				truth := must[float64](t)(m.ExactLogZ())
				e := must[*ais.Estimate](t)(ais.Run(context.Background(), m.Annealing(mcmc.ReinsertionMoves, summedOut), ais.Options{Steps: 150, Runs: 50, Seed: uint64(s)}))
				if low, high := e.Interval(); low <= truth && truth <= high {
					covered++
				}
				spread += e.StdErr / models
			}
			t.Logf("%v, summed out %v: mean standard error %.4f", units, summedOut, spread)
			if share := float64(covered) / models; !(share >= 0.88) {
				t.Errorf("%v, summed out %v: intervals hold the truth for %.2f of the models", units, summedOut, share)
			}
		}
	}
}

func TestBadParameters(t *testing.T) {
	good := parameters(1, latent.Binary, 3, 2, 1)
	for name, c := range map[string]struct {
		change func(p *latent.Parameters, o *latent.Options)
		says   string
	}{
		"no items":      {func(p *latent.Parameters, _ *latent.Options) { p.U = nil }, "at least one"},
		"missing row":   {func(p *latent.Parameters, _ *latent.Options) { p.W = p.W[:2] }, "rows for 2 items"},
		"ragged":        {func(p *latent.Parameters, _ *latent.Options) { p.W[1] = p.W[1][:1] }, "item 1"},
		"short biases":  {func(p *latent.Parameters, _ *latent.Options) { p.B = p.B[:1] }, "b has 1"},
		"short nu_k":    {func(p *latent.Parameters, _ *latent.Options) { p.NuK = p.NuK[:1] }, "nu_k has 1"},
		"NaN weight":    {func(p *latent.Parameters, _ *latent.Options) { p.W[2][1] = math.NaN() }, "NaN"},
		"infinite nu":   {func(p *latent.Parameters, _ *latent.Options) { p.Nu = math.Inf(1) }, "+Inf"},
		"NaN size":      {func(p *latent.Parameters, _ *latent.Options) { p.Sizes = osm.SizeWeights{0, 0, 0, math.NaN()} }, "tier of 1"},
		"negative size": {func(_ *latent.Parameters, o *latent.Options) { o.Size = -1 }, "normalisation -1"},
	} {
		p := parameters(1, latent.Binary, 3, 2, 1)
		var o latent.Options
		c.change(&p, &o)
		if _, err := latent.New(p, o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; expected it to say %q", name, err, c.says)
		}
	}
	if m := must[*latent.Model](t)(latent.New(good, latent.Options{})); m.N() != 3 || m.K() != 2 || m.Units() != latent.Binary {
		t.Errorf("%d items, %d units, %v", m.N(), m.K(), m.Units())
	}
	for _, name := range []string{"binary", "gaussian"} {
		if u, err := latent.ParseUnits(name); err != nil || u.String() != name {
			t.Errorf("%s: %v, %v", name, u, err)
		}
	}
	if _, err := latent.ParseUnits("ternary"); err == nil {
		t.Error("ternary units were taken")
	}
}

func BenchmarkSweep(b *testing.B) {
	const n, k = 20, 50
	for _, units := range []latent.Units{latent.Binary, latent.Gaussian} {
		m := must[*latent.Model](b)(latent.New(parameters(1, units, n, k, 0.1), latent.Options{Size: 2, Centred: true}))
		r := rng.Stream(1, "bench")
		s := latent.State{X: partition.OneBlock(n), H: make([]float64, k)}
		alternating := must[*latent.Alternating](b)(latent.NewAlternatingMoves(m, mcmc.ReinsertionMoves, m.N()))
		summed := must[*mcmc.Reinsertion](b)(mcmc.NewReinsertion(latent.NewMarginal(m), partition.Space{}))
		b.Run(fmt.Sprintf("%v/alternating", units), func(b *testing.B) {
			for b.Loop() {
				alternating.Step(r, &s, nil)
			}
		})
		b.Run(fmt.Sprintf("%v/summed out", units), func(b *testing.B) {
			for b.Loop() {
				summed.Step(r, s.X, nil)
			}
		})
	}
}

func ExampleModel_Posterior() {
	// One taste: it is for item 0 and against item 2.
	m, err := latent.New(latent.Parameters{
		U: []float64{0, 0, 0},
		W: [][]float64{{1}, {0}, {-1}},
	}, latent.Options{Centred: true})
	if err != nil {
		panic(err)
	}
	posterior := make([]float64, 1)
	for _, text := range []string{"0 > 1 > 2", "0~1~2", "2 > 1 > 0"} {
		x, _ := partition.Parse(text)
		m.Posterior(x, posterior)
		fmt.Printf("%-9s %.2f\n", text, posterior[0])
	}
	// Output:
	// 0 > 1 > 2 0.88
	// 0~1~2     0.50
	// 2 > 1 > 0 0.12
}
