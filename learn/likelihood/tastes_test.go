package likelihood

import (
	"math"
	"os"
	"testing"
	"time"

	"fubini/core/rng"
)

// tasteWorld draws pair votes of raters of two tastes: those with the unit, three in ten, have other worths.
func tasteWorld(items, raters, each int, seed uint64) (votes Votes, base, unit []float64, has []bool) {
	r := rng.Stream(seed, "tastes")
	base, unit = make([]float64, items), make([]float64, items)
	for i := range items {
		base[i], unit[i] = r.NormFloat64(), 1.5*r.NormFloat64()
	}
	votes.Start = []int32{0}
	for rater := range int32(raters) {
		has = append(has, r.Float64() < 0.3)
		for range each {
			i := r.IntN(items)
			j := (i + 1 + r.IntN(items-1)) % items
			d := base[i] - base[j]
			if has[rater] {
				d += unit[i] - unit[j]
			}
			win, loss, tie := math.Exp(d/2), math.Exp(-d/2), math.Exp(-0.2)
			tiers := [][]int32{{0, 1}, {1, 0}, {0, 0}}[r.Pick([]float64{win, loss, tie})]
			votes.Item = append(votes.Item, int32(i), int32(j))
			votes.Tier = append(votes.Tier, tiers...)
			votes.Weight = append(votes.Weight, 1)
			votes.Rater = append(votes.Rater, rater)
			votes.Start = append(votes.Start, int32(len(votes.Item)))
		}
	}
	return votes, base, unit, has
}

func correlation(x, y []float64) float64 {
	var xy, xx, yy, mx, my float64
	for i := range x {
		mx += x[i] / float64(len(x))
		my += y[i] / float64(len(y))
	}
	for i := range x {
		xy += (x[i] - mx) * (y[i] - my)
		xx += (x[i] - mx) * (x[i] - mx)
		yy += (y[i] - my) * (y[i] - my)
	}
	return xy / math.Sqrt(xx*yy)
}

// recovered checks the boards of both tastes, their shares, and who has which.
func recovered(t *testing.T, tastes *Tastes, base, unit []float64, has []bool) {
	t.Helper()
	other := make([]float64, len(base))
	for i := range base {
		other[i] = base[i] + unit[i]
	}
	first, second := 0, 1 // which of the two sets of units is the base is free
	if correlation(tastes.Board(0), base)+correlation(tastes.Board(1), other) < correlation(tastes.Board(1), base)+correlation(tastes.Board(0), other) {
		first, second = 1, 0
	}
	if a, b := correlation(tastes.Board(first), base), correlation(tastes.Board(second), other); !(a > 0.97 && b > 0.95) {
		t.Errorf("the boards correlate by %.3f and %.3f with those planted", a, b)
	}
	right := 0.0
	for r, p := range tastes.Posterior {
		if (p[second] > 0.5) == has[r] {
			right++
		}
	}
	if share := right / float64(len(has)); !(share > 0.9) {
		t.Errorf("%.1f %% of the raters have their own taste", 100*share)
	}
	share := tastes.Shares[0]
	if second == 0 {
		share = 1 - share
	}
	if !(math.Abs(share-0.3) < 0.06) {
		t.Errorf("%.2f of the raters have the second taste, not 0.3", share)
	}
}

func TestTastesAreRecovered(t *testing.T) {
	votes, base, unit, has := tasteWorld(10, 400, 40, 1)
	d := must[*Data](t)(Group(Design{Items: 10, Units: 1, Cluster: true}, votes))
	o := Defaults()
	o.Prior = Precision{Worth: 0.01, Unit: 1}
	tastes := must[*Tastes](t)(d.Tastes(t.Context(), o))
	recovered(t, tastes, base, unit, has)
}

// A million votes of ten thousand raters: the time is linear in them.
func TestTastesOfAMillionVotes(t *testing.T) {
	if os.Getenv("FUBINI_LONG") == "" {
		t.Skip("long")
	}
	for _, raters := range []int{1000, 10000} {
		votes, base, unit, has := tasteWorld(40, raters, 100, 2)
		start := time.Now()
		d := must[*Data](t)(Group(Design{Items: 40, Units: 1, Cluster: true}, votes))
		o := Defaults()
		o.Prior = Precision{Worth: 0.01, Unit: 1}
		tastes := must[*Tastes](t)(d.Tastes(t.Context(), o))
		t.Logf("%d votes: %v, %d steps", len(votes.Weight), time.Since(start), tastes.Steps)
		recovered(t, tastes, base, unit, has)
	}
}
