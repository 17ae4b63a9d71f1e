package rank_test

import (
	"math"
	"slices"
	"testing"

	"fubini/model"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

// With Gaussian units a placement's part is what the score loses when the placed item
// has nothing to say any more, neither by its tier nor by its presence. With binary
// units it is not, and the explanation is marked as approximate.
func TestPartsAreWhatPlacementsChange(t *testing.T) {
	kinds(t, func(t *testing.T, c *latent.Catalogue) {
		tiers := list(t, "0~2 > 1 > 3~4", 5, 1, 0, 7, 3)
		const item = 6
		explained := func(c *latent.Catalogue, of osm.List) rank.Explanation {
			p, err := rank.Read(c, person(of))
			if err != nil {
				t.Fatal(err)
			}
			e, err := p.Explain(item)
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
		whole := explained(c, tiers)
		worst := 0.0
		for k, i := range tiers.Items {
			silent := c.Clone()
			clear(silent.W[i*c.K : (i+1)*c.K])
			clear(silent.V[i*c.K : (i+1)*c.K])
			worst = max(worst, math.Abs(whole.Score-explained(silent, tiers).Score-whole.Parts[k]))
		}
		tieless := c.Clone()
		clear(tieless.NuK)
		worst = max(worst, math.Abs(whole.Score-explained(tieless, tiers).Score-whole.Ties))
		if exact := worst <= 1e-12; exact == whole.Approximate {
			t.Errorf("parts are off by up to %g, approximate is %t", worst, whole.Approximate)
		}
	})
}

// The order of placements does not matter, and an item in the list
// that says nothing has the part 0.
func TestPartsDoNotDependOnOrder(t *testing.T) {
	kinds(t, func(t *testing.T, c *latent.Catalogue) {
		clear(c.W[1*c.K : 2*c.K])
		clear(c.V[1*c.K : 2*c.K])
		a, err := rank.Read(c, person(list(t, "0 > 1 > 2", 5, 1, 0)))
		if err != nil {
			t.Fatal(err)
		}
		b, err := rank.Read(c, person(list(t, "2 > 1 > 0", 0, 1, 5)))
		if err != nil {
			t.Fatal(err)
		}
		left, err := a.Explain(4)
		if err != nil {
			t.Fatal(err)
		}
		right, err := b.Explain(4)
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(right.Parts)
		for k := range left.Parts {
			if !(math.Abs(left.Parts[k]-right.Parts[k]) <= 1e-12) {
				t.Errorf("parts %v, in another order %v", left.Parts, right.Parts)
			}
		}
		if left.Parts[1] != 0 {
			t.Errorf("an item that says nothing adds %g", left.Parts[1])
		}
	})
}

// Parts sum to the score, presence and ties included.
func TestExplanationsSumToTheScore(t *testing.T) {
	kinds(t, func(t *testing.T, c *latent.Catalogue) {
		p, err := rank.Read(c, person(list(t, "0~2 > 1 > 3", 5, 1, 0, 7)))
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range []int{2, 3, 4, 6} {
			e, err := p.Explain(item)
			if err != nil {
				t.Fatal(err)
			}
			sum := e.Base + e.Ties
			for _, v := range e.Parts {
				sum += v
			}
			one := make([]float64, 1)
			p.Score([]int{item}, one)
			if !(math.Abs(sum-one[0]) <= 1e-12) || e.Score != one[0] {
				t.Errorf("item %d: parts sum to %.15g, the score is %.15g and explained as %.15g", item, sum, one[0], e.Score)
			}
			if e.Approximate != (c.Units == latent.Binary) {
				t.Errorf("approximate: %t", e.Approximate)
			}
		}
		if _, err := p.Explain(8); err == nil {
			t.Error("an item outside the catalogue was explained")
		}
		average, err := rank.Read(c, model.Person{})
		if err != nil {
			t.Fatal(err)
		}
		e, err := average.Explain(3)
		if err != nil || len(e.Parts) != 0 || !(math.Abs(e.Base-e.Score) <= 1e-12) {
			t.Errorf("of an average: %+v, %v", e, err)
		}
	})
}
