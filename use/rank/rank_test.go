package rank_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

// The mean-field score is the log of the paper's product over seen items, up to
// what all candidates share: with everything seen tied below the new item, each
// pair gives its worth under the base and the expected units.
func TestCompletionIsTheMeanFieldScore(t *testing.T) {
	for _, units := range bothUnits {
		c := catalogue(units, 9, 3)
		seen := list(t, "1 > 0~2", 4, 2, 7)
		embedding, err := rank.Fold(c, seen)
		if err != nil {
			t.Fatal(err)
		}
		candidates := []uint32{0, 1, 8}
		scores := make([]float64, 3)
		rank.Complete(c, embedding, c.OwnPresence(2), candidates, scores)
		for n, j := range candidates {
			var want float64 // the mean, over the seen, of log psi(j > i) under base and units
			for range seen.Items {
				want += c.U[j] / 3
				for k, h := range embedding {
					want += h * c.W[int(j)*3+k] / 3
				}
			}
			if !(math.Abs(scores[n]-want) <= 1e-12) {
				t.Errorf("%v: item %d scores %g, the product's logarithm over the seen %g", units, j, scores[n], want)
			}
		}
	}
}

// Scores do not depend on how items are numbered, nor on the order of the units.
func TestScoresDoNotDependOnNumbering(t *testing.T) {
	const items, k = 8, 4
	for _, units := range bothUnits {
		c := catalogue(units, items, k)
		r := rng.Stream(2, "numbering")
		item, unit := make([]int, items), make([]int, k)
		rng.Permutation(r, item)
		rng.Permutation(r, unit)
		other := latent.NewCatalogue(items, k, units, c.Options)
		for i := range items {
			other.U[item[i]] = c.U[i]
			for j := range k {
				other.W[item[i]*k+unit[j]] = c.W[i*k+j]
			}
		}
		for j := range k {
			other.B[unit[j]] = c.B[j]
		}
		seen := list(t, "0~1 > 2 > 3", 5, 1, 0, 6)
		renamed := osm.List{Items: []int{item[5], item[1], item[0], item[6]}, Order: seen.Order}
		a, err := rank.Fold(c, seen)
		if err != nil {
			t.Fatal(err)
		}
		b, err := rank.Fold(other, renamed)
		if err != nil {
			t.Fatal(err)
		}
		x, y := make([]float64, items), make([]float64, items)
		all := []int{0, 1, 2, 3, 4, 5, 6, 7}
		rank.Complete(c, a, c.OwnPresence(2), all, x)
		rank.Complete(other, b, other.OwnPresence(2), all, y)
		for i := range items {
			if !(math.Abs(x[i]-y[item[i]]) <= 1e-12) {
				t.Errorf("%v: item %d scores %g, renumbered %g", units, i, x[i], y[item[i]])
			}
		}
	}
}

// With a unit for every item the embedding can hold a list whole: it comes back in
// its order from the posterior vector alone.
func TestReconstructionWithEnoughUnits(t *testing.T) {
	const n = 6
	c := unitForEach(n)
	for x := range partition.All(n) {
		all := []int{0, 1, 2, 3, 4, 5}
		embedding, err := rank.Fold(c, osm.List{Items: all, Order: x})
		if err != nil {
			t.Fatal(err)
		}
		scores, order, err := rank.Reconstruct(c, embedding, all)
		if err != nil {
			t.Fatal(err)
		}
		if !order.Equal(x) {
			t.Fatalf("%s came back as %s from %v", x, order, scores)
		}
	}
}

// The embedding of a list is the mean of the units under the model's own joint weight
// with it: of binary units by summing over all settings; of Gaussian ones, whose
// density is symmetric around its mean, by comparing both sides.
func TestFoldingInIsTheModelsPosterior(t *testing.T) {
	kinds(t, func(t *testing.T, c *latent.Catalogue) {
		seen := list(t, "2 > 0~1 > 3", 4, 2, 7, 0)
		embedding, err := rank.Fold(c, seen)
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.Model(seen.Items)
		if err != nil {
			t.Fatal(err)
		}
		if c.Units == latent.Gaussian {
			r := rng.Stream(4, "posterior")
			for range 20 {
				up, down := slices.Clone(embedding), slices.Clone(embedding)
				for k := range embedding {
					step := r.NormFloat64()
					up[k], down[k] = up[k]+step, down[k]-step
				}
				if a, b := m.LogJoint(seen.Order, up), m.LogJoint(seen.Order, down); !(math.Abs(a-b) <= 1e-9) {
					t.Errorf("on the two sides of the embedding the log density is %g and %g", a, b)
				}
			}
			return
		}
		means, total := make([]float64, c.K), 0.0
		for setting := range 1 << c.K {
			h := make([]float64, c.K)
			for k := range h {
				h[k] = float64(setting >> k & 1)
			}
			weight := math.Exp(m.LogJoint(seen.Order, h))
			total += weight
			for k, on := range h {
				means[k] += on * weight
			}
		}
		for k, mean := range means {
			if !(math.Abs(embedding[k]-mean/total) <= 1e-12) {
				t.Errorf("unit %d: embedding %g, summed over all settings %g", k, embedding[k], mean/total)
			}
		}
	})
}

func TestStrangersAndMistakes(t *testing.T) {
	c := catalogue(latent.Binary, 5, 2)
	embedding, err := rank.Fold(c, osm.List{})
	if err != nil || !slices.Equal(embedding, c.PriorMeans()) {
		t.Errorf("a stranger has the embedding %v (%v)", embedding, err)
	}
	if _, err := rank.Fold(c, list(t, "0 > 1", 0, 9)); err == nil {
		t.Error("an item outside the catalogue was taken")
	}
	if _, err := rank.Fold(c, osm.List{Items: []int{0}}); err == nil {
		t.Error("a list without an order was taken")
	}
	if got := rank.Best([]float64{1, 3, 2, 3}, 3); !slices.Equal(got, []int{1, 3, 2}) {
		t.Errorf("the best three are %v", got)
	}
	if got := rank.Best([]float64{1}, 5); len(got) != 1 {
		t.Errorf("the best five of one are %v", got)
	}
}

func ExampleFold() {
	// One embedding: for item 0 and against item 1; item 2 is like 0, item 3 like 1.
	c := latent.NewCatalogue(4, 1, latent.Gaussian, latent.Options{Size: 2, Centred: true})
	copy(c.W, []float64{1, -1, 1, -1})
	x, _ := partition.Parse("0 > 1")
	embedding, err := rank.Fold(c, osm.List{Items: []int{0, 1}, Order: x})
	if err != nil {
		panic(err)
	}
	scores := make([]float64, 2)
	rank.Complete(c, embedding, c.OwnPresence(2), []int{2, 3}, scores)
	fmt.Println(scores)
	// Output: [2 -2]
}
