package zoo

import (
	"math"
	"testing"

	"fubini/data/ratings"
	"fubini/model/latent"
	"fubini/model/osm"
)

// table has a row of ratings for each user, of items from the first on; zero is none.
func table(t *testing.T, users ...[]float32) *ratings.Set {
	t.Helper()
	b := ratings.NewBuilder()
	for u, row := range users {
		for i, v := range row {
			if v == 0 {
				continue
			}
			if err := b.Add([]byte{byte('a' + u)}, []byte{byte('0' + i)}, v, ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Shares of slots are those of people with as many tiers, and even where there is nobody: no slot is impossible.
func TestSlotSharesByHand(t *testing.T) {
	// a and b have one tier each, at the top and at the bottom; c has all three levels; nobody has two tiers.
	c := newCalibration(table(t, []float32{3}, []float32{1, 1}, []float32{1, 2, 3}))
	want := [][]float64{
		// of six ratings three are 1, one is 2, two are 3; above, in and below the tier
		{(0 + (1.0+2)/6) / 2, (2.0/6 + 3.0/6) / 2, ((3.0+1)/6 + 0) / 2},
		{.2, .2, .2, .2, .2},
		{0, 2.0 / 6, 0, 1.0 / 6, 0, 3.0 / 6, 0},
	}
	if len(c.BySlots) != len(want) {
		t.Fatalf("%d numbers of tiers", len(c.BySlots))
	}
	for k, shares := range c.BySlots {
		for s := range want[k] {
			if !(math.Abs(shares[s]-want[k][s]) <= 1e-12) {
				t.Errorf("%d tiers: %v, by hand %v", k+1, shares, want[k])
				break
			}
		}
	}
}

// A binary unit's share is its mean probability; a Gaussian unit's is how often its mean is positive.
func TestUnitSharesByHand(t *testing.T) {
	var lists []osm.List
	s := table(t, []float32{2, 1}, []float32{2, 1}, []float32{1, 2})
	for u := range 3 {
		list, err := TierList(s.Row(u))
		if err != nil {
			t.Fatal(err)
		}
		lists = append(lists, list)
	}
	for _, c := range []struct {
		units     latent.Units
		low, high float64
	}{
		{latent.Gaussian, 2.0 / 3, 2.0 / 3}, // two of three like the first item better
		{latent.Binary, .4, .6},             // a little above and below one half, at weights of a tenth
	} {
		catalogue := latent.NewCatalogue(2, 1, c.units, latent.Options{})
		catalogue.W[0], catalogue.W[1] = .1, -.1
		got, err := shares(catalogue, lists)
		if err != nil {
			t.Fatal(err)
		}
		if !(got[0] >= c.low && got[0] <= c.high) {
			t.Errorf("units %v: share %g, not from %g to %g", c.units, got[0], c.low, c.high)
		}
	}
}
