package modelstore

import (
	"testing"

	"fubini/model/latent"
	"fubini/model/latent/planted"
	"fubini/model/osm"
)

// A binary unit's share is its mean probability; a Gaussian unit's is how often its mean is positive.
func TestUnitSharesByHand(t *testing.T) {
	lists, err := osm.PackedOf(planted.Table(t, []float32{2, 1}, []float32{2, 1}, []float32{1, 2}))
	if err != nil {
		t.Fatal(err)
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
		got := shares(catalogue, lists, 1)
		if !(got[0] >= c.low && got[0] <= c.high) {
			t.Errorf("units %v: share %g, not from %g to %g", c.units, got[0], c.low, c.high)
		}
	}
}
