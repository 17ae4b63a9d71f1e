package rank_test

import (
	"math"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

// The runs of sorted items that the table finds are the best of all tier lists, by
// listing them.
func TestLikeliestAgainstListing(t *testing.T) {
	r := rng.Stream(1, "likeliest")
	for trial := range 60 {
		n := 1 + trial%7
		worths := make([]float64, n)
		for i := range worths {
			worths[i] = math.Round(4*r.NormFloat64()) / 4 // some are equal
		}
		nu := []float64{-0.5, 0, 0.1, 0.4, 1}[trial%5]
		m, err := osm.NewWorths(worths, nu, osm.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var sizes osm.SizeWeights
		if trial%2 == 1 { // tiers of more than five items have no weight
			sizes = osm.NewSizeWeights(5)
			for k := range sizes {
				if k%6 != 0 {
					sizes[k] = 2 * r.NormFloat64()
				}
			}
		}
		best := make([]float64, n+1) // by tiers; 0 for any number
		for k := range best {
			best[k] = math.Inf(-1)
		}
		for x := range partition.All(n) {
			v := m.LogWeight(x) + sizes.Total(x)
			best[0], best[x.Len()] = max(best[0], v), max(best[x.Len()], v)
		}
		for tiers, want := range best {
			x, err := rank.Likeliest(worths, nu, sizes, tiers)
			if err != nil {
				t.Fatal(err)
			}
			if got := m.LogWeight(x) + sizes.Total(x); !(math.Abs(got-want) <= 1e-9) || tiers > 0 && x.Len() != tiers {
				t.Errorf("worths %v, nu %g, sizes %v, %d tiers: %s of log weight %g, by listing %g", worths, nu, sizes, tiers, x, got, want)
			}
		}
	}
	for _, bad := range []struct {
		worths []float64
		tiers  int
	}{{nil, 0}, {[]float64{1, 2}, 3}, {[]float64{1, 2}, -1}, {[]float64{1, math.NaN()}, 0}} {
		if _, err := rank.Likeliest(bad.worths, 0, nil, bad.tiers); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

// What is rebuilt is the most probable list given the units, by listing.
func TestRebuiltAgainstListing(t *testing.T) {
	kinds(t, func(t *testing.T, c *latent.Catalogue) {
		x := list(t, "0~2 > 1 > 3~4", 5, 1, 0, 7, 3)
		embedding, err := rank.Fold(c, x)
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.Model(x.Items)
		if err != nil {
			t.Fatal(err)
		}
		got, err := rank.Rebuild(c, embedding, x.Items, 0)
		if err != nil {
			t.Fatal(err)
		}
		for other := range partition.All(5) {
			if m.LogJoint(other, embedding) > m.LogJoint(got, embedding)+1e-9 {
				t.Fatalf("%s was rebuilt, %s is more probable", got, other)
			}
		}
		if _, err := rank.Rebuild(c, embedding[1:], x.Items, 0); err == nil {
			t.Error("half an embedding was taken")
		}
	})
}

// With a unit for every item, and the number of tiers given, every list comes
// back whole, ties and all.
func TestTiersComeBackWithEnoughUnits(t *testing.T) {
	const n = 6
	c := unitForEach(n)
	*c.Nu = 3 // would tie everything
	all := []int{0, 1, 2, 3, 4, 5}
	for x := range partition.All(n) {
		embedding, err := rank.Fold(c, osm.List{Items: all, Order: x})
		if err != nil {
			t.Fatal(err)
		}
		back, err := rank.Rebuild(c, embedding, all, x.Len())
		if err != nil {
			t.Fatal(err)
		}
		if !back.Equal(x) {
			t.Fatalf("%s came back as %s", x, back)
		}
	}
}

// By hand: two bits over the range from 0 to 8; a unit that never varies costs nothing.
func TestQuantiserByHand(t *testing.T) {
	rough, length, err := rank.Quantise([][]float64{{0, 5}, {1.9, 5}, {2.1, 5}, {5, 5}, {8, 5}}, 2)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range []float64{1, 1, 3, 5, 7} {
		if rough[n][0] != want || rough[n][1] != 5 {
			t.Errorf("embedding %d came back as %v, by hand %g", n, rough[n], want)
		}
	}
	if want := 0.4*math.Log2(2.5) + 0.6*math.Log2(5); !(math.Abs(length-want) <= 1e-12) { // two of five in one interval
		t.Errorf("%g bits an embedding, by hand %g", length, want)
	}
	for _, bits := range []int{0, rank.MostBits + 1} {
		if _, _, err := rank.Quantise([][]float64{{0}}, bits); err == nil {
			t.Errorf("%d bits were taken", bits)
		}
	}
	if _, _, err := rank.Quantise(nil, 4); err == nil {
		t.Error("ranges of nobody were taken")
	}
}

// More bits cost more and lose less, down to what the embedding itself loses.
func TestMoreBitsLoseLess(t *testing.T) {
	const n = 6
	c := unitForEach(n)
	var lists []osm.List
	r := rng.Stream(3, "lists")
	for range 200 {
		levels := make([]int, n)
		for i := range levels {
			levels[i] = r.IntN(4)
		}
		x, err := partition.FromLevels(levels)
		if err != nil {
			t.Fatal(err)
		}
		lists = append(lists, osm.List{Items: []int{0, 1, 2, 3, 4, 5}, Order: x})
	}
	embeddings := make([][]float64, len(lists))
	for n := range lists {
		embedding, err := rank.Fold(c, lists[n])
		if err != nil {
			t.Fatal(err)
		}
		embeddings[n] = embedding
	}
	if _, err := rank.Compress(c, lists, embeddings[1:], 6); err == nil {
		t.Error("an embedding is missing")
	}
	rows, err := rank.Compress(c, lists, embeddings, 6)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 8 || rows[0].Coded != 0 || rows[7].Bits != -1 {
		t.Fatalf("%+v", rows)
	}
	for k := 1; k <= 6; k++ {
		if !(rows[k].Coded >= rows[k-1].Coded) || rows[k].Coded > float64(k*n) || rows[k].Distance > rows[k-1].Distance+0.02 {
			t.Errorf("%d bits: %+v after %+v", k, rows[k], rows[k-1])
		}
	}
	if rows[7].Distance != 0 || rows[7].Tied != 0 || !(rows[6].Distance <= 0.01) || !(rows[1].Distance > 0.1) {
		t.Errorf("as it is %+v, six bits %+v, one bit %+v", rows[7], rows[6], rows[1])
	}
}
