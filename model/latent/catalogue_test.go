package latent_test

import (
	"math"
	"testing"

	"fubini/model/latent"
)

// One number that is none is enough, wherever it stands.
func TestFinite(t *testing.T) {
	for _, wrong := range []float64{0, math.NaN(), math.Inf(1), math.Inf(-1)} {
		for name, spoil := range map[string]func(c *latent.Catalogue){
			"U":     func(c *latent.Catalogue) { c.U[1] = wrong },
			"W":     func(c *latent.Catalogue) { c.W[3] = wrong },
			"V":     func(c *latent.Catalogue) { c.V = []float64{0, 0, 0, wrong} },
			"Nu":    func(c *latent.Catalogue) { c.Nu = wrong },
			"Sizes": func(c *latent.Catalogue) { c.Sizes = []float64{0, wrong} },
		} {
			c := latent.NewCatalogue(2, 2, latent.Gaussian, latent.Options{})
			spoil(c)
			if got, want := c.Finite(), wrong == 0; got != want {
				t.Errorf("%s with %g: finite is %t", name, wrong, got)
			}
		}
	}
}
