package osm_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/infer/ais"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	"fubini/infer/stattest"
	"fubini/model/osm"
)

// tiered is a worth model with weights by tier size, up to four, and the weights.
func tiered(t testing.TB, n int) (*osm.Worths, osm.SizeWeights) {
	g := osm.NewSizeWeights(min(n, 4))
	copy(g, []float64{0, -0.4, 1.1, -0.7, 0.9}[:min(n, 4)+1])
	_, last := g.Rows()
	copy(last, []float64{0, 0.8, -1.2, 0.5, -0.3}[:len(last)])
	m := must[*osm.Worths](t)(osm.NewWorths(normals("tiered", n), 0.3, osm.Options{Size: 3}))
	m.SetSizes(g, 1)
	return m, g
}

// The definition: what the pairs weigh, plus a number for the size of every tier, plus one
// for that of the last.
func TestSizesWeighWholeTiers(t *testing.T) {
	for n := 1; n <= 6; n++ {
		m, g := tiered(t, n)
		bare := must[*osm.Worths](t)(osm.NewWorths(normals("tiered", n), 0.3, osm.Options{Size: 3}))
		every, last := g.Rows()
		at := func(row []float64, s int) float64 {
			if s < len(row) {
				return row[s]
			}
			return 0 // five and six have no weight
		}
		for x := range partition.All(n) {
			want := bare.LogWeight(x)
			blocks := x.Blocks()
			for _, block := range blocks {
				want += at(every, len(block))
			}
			want += at(last, len(blocks[len(blocks)-1]))
			if got := m.LogWeight(x); !near(got, want, 1e-13) {
				t.Fatalf("%s: log weight %g, by its tiers %g", x, got, want)
			}
			counts := osm.NewSizeWeights(g.Most())
			counts.Count(x, 1)
			var total float64
			for k, v := range counts {
				total += v * g[k]
			}
			if !near(total, g.Total(x), 1e-13) {
				t.Fatalf("%s: tiers weigh %g, by their counts %g", x, g.Total(x), total)
			}
		}
	}
}

// The subset table agrees with listing: log Z, so that probabilities sum to 1, pairs, and
// the tiers of each size; in ordinary arithmetic and in logarithms.
func TestSizesInTheSubsetTable(t *testing.T) {
	for _, times := range []float64{1, 150} {
		for n := 1; n <= 6; n++ {
			m, g := tiered(t, n)
			m.SetSizes(g, times)
			for _, space := range []partition.Space{{}, partition.AtMost(3), {Min: min(2, n), Max: n}} {
				list := must[*exact.Listing](t)(exact.List(m, space))
				table := must[*exact.Table](t)(exact.NewTable(m, space))
				if !near(table.LogZ(), list.LogZ, 1e-12) {
					t.Fatalf("%d items, %+v: log Z %.14g, listed %.14g", n, space, table.LogZ(), list.LogZ)
				}
				got, want := table.Moments(), list.Moments()
				for s := 1; s <= n; s++ {
					tiers := list.Mean(func(x *partition.Partition) (count float64) {
						for b := range x.Len() {
							if x.Size(b) == s {
								count++
							}
						}
						return count
					})
					if !near(got.Blocks(s), tiers, 1e-10) || !near(want.Blocks(s), tiers, 1e-10) || !near(got.Last(s), want.Last(s), 1e-10) {
						t.Fatalf("%d items: %g tiers of %d, %g the last; listed %g, %g", n, got.Blocks(s), s, got.Last(s), tiers, want.Last(s))
					}
				}
				for i := range n {
					for j := range n {
						if i != j && (!near(got.Above(i, j), want.Above(i, j), 1e-10) || !near(got.Tied(i, j), want.Tied(i, j), 1e-10)) {
							t.Fatalf("%d items: %d and %d: above %g, tied %g; listed %g, %g", n, i, j, got.Above(i, j), got.Tied(i, j), want.Above(i, j), want.Tied(i, j))
						}
					}
				}
			}
		}
	}
}

// forgetful is a model whose gains leave out the sizes of tiers.
type forgetful struct {
	*osm.Worths
	bare *osm.Worths
}

func (f forgetful) NewSlots() mcmc.Slots { return f.bare.NewSlots() }
func (f forgetful) SplitGain(x *partition.Partition, t int, upper []int) float64 {
	return f.bare.SplitGain(x, t, upper)
}

// Every kernel leaves the distribution unchanged; one that forgets the sizes does not.
func TestKernelsKeepToSizes(t *testing.T) {
	gaps := func(m osm.Model, n int) map[string]float64 {
		list := must[*exact.Listing](t)(exact.List(m, partition.Space{}))
		gap := func(k mcmc.Kernel[partition.Partition]) float64 {
			matrix := stattest.Transitions(list.States(), func(d rng.Dice, x *partition.Partition) { k.Step(d, x, nil) })
			return stattest.InvarianceGap(list.Probabilities(), matrix)
		}
		reinsertion := must[*mcmc.Reinsertion](t)(mcmc.NewReinsertion(m, partition.Space{}))
		all := map[string]float64{
			"split-merge": gap(must[*mcmc.SplitMerge](t)(mcmc.NewSplitMerge(m, partition.Space{}))),
			"reinsertion": gap(reinsertion.One()),
		}
		if n <= 4 {
			all["sweep"] = gap(reinsertion)
		}
		return all
	}
	for n := 1; n <= 5; n++ {
		m, g := tiered(t, n)
		for name, gap := range gaps(m, n) {
			if !(gap <= 1e-12) {
				t.Errorf("%d items, %s: one step moves the target by %g", n, name, gap)
			}
		}
		m.SetSizes(g, 400) // slots by logarithms
		for name, gap := range gaps(m, n) {
			if !(gap <= 1e-12) {
				t.Errorf("%d items, %s by logarithms: one step moves the target by %g", n, name, gap)
			}
		}
	}
	m, _ := tiered(t, 3)
	bare := must[*osm.Worths](t)(osm.NewWorths(normals("tiered", 3), 0.3, osm.Options{Size: 3}))
	for name, gap := range gaps(forgetful{m, bare}, 3) {
		if !(gap > 1e-3) {
			t.Errorf("the test cannot see that %s forgets the sizes of tiers: gap %g", name, gap)
		}
	}
}

// Annealing finds log Z with weights by tier size.
func TestSizesAnnealed(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	m, _ := tiered(t, 6)
	want := must[*exact.Table](t)(exact.NewTable(m, partition.Space{})).LogZ()
	for _, moves := range []mcmc.Moves{mcmc.ReinsertionMoves, mcmc.SplitMergeMoves} {
		e := must[*ais.Estimate](t)(ais.Run(context.Background(), m.Annealing(moves), ais.Options{Steps: 200, Runs: 1000, Seed: 1}))
		if !(math.Abs(e.LogZ-want) <= 4*e.StdErr) || !(e.StdErr < 0.03) {
			t.Errorf("moves %v: log Z %.4f ± %.4f, exactly %.4f", moves, e.LogZ, e.StdErr, want)
		}
	}
}

// redundant are the directions of worths, nu and weights by tier size that change no
// distribution, at right angles to each other: a constant on all worths; the tiers of a list have
// as many items as it has, one of them is the last, the largest there can be is the last too, and
// without size normalisation the pairs of a tier are counted by its size.
func redundant(f osm.WorthFamily) (all [][]float64) {
	worths, items, last, whole, pairs := make([]float64, f.Dim()), make([]float64, f.Dim()), make([]float64, f.Dim()), make([]float64, f.Dim()), make([]float64, f.Dim())
	for i := range f.Items {
		worths[i] = 1
	}
	for s := 1; s <= f.Tiers; s++ {
		n := float64(s)
		items[f.Items+s], last[f.Items+f.Tiers+s], pairs[f.Items+s] = n, 1, n*(n-1)/2
	}
	whole[f.Items+f.Tiers], whole[f.Items+2*f.Tiers] = 1, -1
	pairs[f.Items] = -1
	directions := [][]float64{worths, items, last, whole}
	if f.Size == 0 {
		directions = append(directions, pairs)
	}
	for _, direction := range directions {
		for _, before := range all {
			vec.AddTimes(direction, before, -vec.Dot(direction, before)/vec.Dot(before, before))
		}
		all = append(all, direction)
	}
	return all
}

// information is the Fisher information of lists: the sum of the covariances of their statistics,
// over all orders of each list.
func information(t testing.TB, family osm.Family, theta []float64, lists []osm.List) *mat.SymDense {
	t.Helper()
	sum := mat.NewSymDense(family.Dim(), nil)
	for _, list := range lists {
		bound := must[osm.Bound](t)(family.Bind(list.Items))
		bound.SetParameters(theta)
		listing := must[*exact.Listing](t)(exact.List(bound, partition.Space{}))
		s, mean := make([]float64, len(bound.Index())), make([]float64, len(bound.Index()))
		for x, p := range listing.All() {
			bound.Statistics(x, s)
			vec.AddTimes(mean, s, p)
		}
		for x, p := range listing.All() {
			bound.Statistics(x, s)
			full := mat.NewVecDense(family.Dim(), nil)
			for a, k := range bound.Index() {
				full.SetVec(k, s[a]-mean[a])
			}
			sum.SymRankOne(sum, p, full)
		}
	}
	return sum
}

// The directions that docs/maths.md calls redundant change no distribution, and no others do: the
// information has no other directions of zero, with lists of two lengths.
func TestRedundantSizes(t *testing.T) {
	lists := []osm.List{
		{Items: []int{0, 1, 2, 3}, Order: partition.OneBlock(4)},
		{Items: []int{3, 1, 0}, Order: partition.OneBlock(3)},
		{Items: []int{2, 0}, Order: partition.OneBlock(2)},
	}
	for _, size := range []float64{0, 2} {
		family := osm.WorthFamily{Items: 4, Options: osm.Options{Size: size}, Tiers: 4}
		theta := normals("redundant sizes", family.Dim())
		information := information(t, family, theta, lists)
		redundant := redundant(family)
		for a, direction := range redundant {
			v := mat.NewVecDense(family.Dim(), direction)
			var moved mat.VecDense
			moved.MulVec(information, v)
			if told := mat.Norm(&moved, 2); !(told <= 1e-9) {
				t.Errorf("size %g: lists tell %g of redundant direction %d", size, told, a)
			}
			for b, other := range redundant[:a] {
				if dot := mat.Dot(v, mat.NewVecDense(family.Dim(), other)); !(math.Abs(dot) <= 1e-9) {
					t.Errorf("size %g: redundant directions %d and %d are not at right angles: %g", size, a, b, dot)
				}
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(information, false) {
			t.Fatal("no eigenvalues")
		}
		zeros := 0
		for _, v := range eigen.Values(nil) {
			if v < 1e-9 {
				zeros++
			}
		}
		if zeros != len(redundant) {
			t.Errorf("size %g: %d directions of which lists tell nothing, %d are called redundant", size, zeros, len(redundant))
		}
	}
}

// Without weights, or with weights of zero, the model is the same to the bit.
func TestNoSizesAreNoSizes(t *testing.T) {
	const n = 8
	m := must[*osm.Worths](t)(osm.NewWorths(normals("none", n), 0.3, osm.Options{}))
	zero := must[*osm.Worths](t)(osm.NewWorths(normals("none", n), 0.3, osm.Options{}))
	zero.SetSizes(osm.NewSizeWeights(n), 1)
	taken := must[*osm.Worths](t)(osm.NewWorths(normals("none", n), 0.3, osm.Options{}))
	taken.SetSizes(osm.SizeWeights{0, 7, 0, 9}, 1)
	taken.SetSizes(nil, 1)
	for _, other := range []*osm.Worths{zero, taken} {
		a, b := partition.OneBlock(n), partition.OneBlock(n)
		ra, rb := rng.Stream(1, "same"), rng.Stream(1, "same")
		ka, kb := must[*mcmc.Reinsertion](t)(mcmc.NewReinsertion(m, partition.Space{})), must[*mcmc.Reinsertion](t)(mcmc.NewReinsertion(other, partition.Space{}))
		for range 100 {
			ka.Step(ra, a, nil)
			kb.Step(rb, b, nil)
			if a.String() != b.String() || m.LogWeight(a) != other.LogWeight(b) {
				t.Fatalf("%s and %s", a, b)
			}
		}
	}
}
