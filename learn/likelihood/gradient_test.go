package likelihood

import (
	"math"
	"slices"
	"testing"

	"fubini/learn/ballot"
	"fubini/learn/ballot/drawn"
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

// The gradient is the slope of the value, in all forms and lengths.
func TestGradientIsTheSlope(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: not with -short")
	}
	all := drawn.Designs()
	for name, d := range drawn.Designs() {
		d.Slots = true
		all[name+" slots"] = d
	}
	for name, design := range all {
		t.Run(name, func(t *testing.T) {
			design.Raters = 0 // package reliability has tests of its own
			d := must[*Data](t)(Group(design, drawn.Votes(design, 25, 6, 1)))
			theta := drawn.Point(d.All)
			here := must[*point](t)(d.evaluate(t.Context(), theta, 2, true))
			const h = 1e-5
			for k := range d.Global {
				moved := slices.Clone(theta)
				moved[k] = theta[k] + h
				up := must[*point](t)(d.evaluate(t.Context(), moved, 1, false)).value
				moved[k] = theta[k] - h
				down := must[*point](t)(d.evaluate(t.Context(), moved, 1, false)).value
				if slope := (up - down) / (2 * h); !(math.Abs(slope-here.gradient[k]) <= 1e-5*(1+math.Abs(slope))) {
					t.Errorf("%s: gradient %g, slope %g", d.Name(k), here.gradient[k], slope)
				}
			}
		})
	}
}

// The information is the mean of the squared score over all outcomes, by its definition.
func TestInformationIsTheMeanSquareOfTheScore(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: not with -short")
	}
	for name, design := range drawn.Designs() {
		t.Run(name, func(t *testing.T) {
			design.Raters = 0
			votes := drawn.Votes(design, 12, 5, 2)
			d := must[*Data](t)(Group(design, votes))
			theta := drawn.Point(d.All)
			here := must[*point](t)(d.evaluate(t.Context(), theta, 1, true))
			want := make([]float64, d.All*d.All)
			for v := range votes.Weight { // each vote in place of every outcome that it might have had
				one := votes
				one.Start = []int32{0, votes.Start[v+1] - votes.Start[v]}
				one.Item = votes.Item[votes.Start[v]:votes.Start[v+1]]
				one.Weight = []float64{1}
				one.Place = votes.Place[int(votes.Start[v])*2 : int(votes.Start[v+1])*2]
				one.Vote = votes.Vote[v : v+1]
				all := d.NewLocal()
				all.Load(theta, int32(v))
				for _, tiers := range all.Outcomes() {
					one.Tier = tiers
					single := must[*Data](t)(Group(design, one))
					at := must[*point](t)(single.evaluate(t.Context(), theta, 1, false))
					for i, x := range at.gradient {
						for j, y := range at.gradient {
							want[i*d.All+j] += votes.Weight[v] * math.Exp(at.value) * x * y
						}
					}
				}
			}
			got := func(i, j int) float64 { return here.information[i*d.Global+j] }
			for i := range d.All {
				for j := range i + 1 {
					if w := want[i*d.All+j]; !(math.Abs(got(i, j)-w) <= 1e-6*(1+math.Abs(w))) {
						t.Errorf("%s, %s: %g, want %g", d.Name(i), d.Name(j), got(i, j), w)
					}
				}
			}
		})
	}
}

// At the maximum the gradient is that of the prior, whatever the number of workers and the order of votes, and votes
// that are put together count as they do apart. With reliabilities or a curve of ties Newton's steps come near linearly,
// otherwise the last one leaves no more than rounding.
func TestMaximumIsOne(t *testing.T) {
	for _, c := range []struct {
		name        string
		ties        ballot.Ties
		raters      int
		slots       bool
		slope, move float64
	}{
		{"common", ballot.CommonTies, 0, false, 1e-6, 1e-8},
		{"item", ballot.ItemTies, 0, false, 1e-6, 1e-8},
		{"common slots", ballot.CommonTies, 0, true, 1e-6, 1e-8},
		{"common raters", ballot.CommonTies, 3, false, 2e-2, 1e-3},
		{"distance", ballot.DistanceTies, 0, false, 5e-2, 1e-3},
		{"item raters slots", ballot.ItemTies, 3, true, 2e-2, 1e-3},
	} {
		if testing.Short() && !(c.slots && c.raters > 0) {
			continue // the last case has a part of every other
		}
		ties := c.name
		design := drawn.Full(c.ties, ballot.AllOrders)
		design.Raters, design.Slots = c.raters, c.slots
		count := 300
		if testing.Short() {
			count = 100
		}
		votes := drawn.Votes(design, count, 4, 4)
		o := Defaults()
		o.Prior = ballot.Precision{Worth: 0.5, Tie: 2, Spread: 3}
		d := must[*Data](t)(Group(design, votes))
		fit := must[*Fit](t)(d.Maximise(t.Context(), o))
		for k, g := range fit.point.gradient {
			precision, mean := d.prior(k, o.Prior)
			if g -= precision * (fit.Theta[k] - mean); !(math.Abs(g) <= c.slope) {
				t.Errorf("%s: slope %g of %s at the maximum", ties, g, d.Name(k))
			}
		}
		o.Jobs = 1
		if again := must[*Fit](t)(d.Maximise(t.Context(), o)); !slices.Equal(again.Theta, fit.Theta) {
			t.Errorf("%s: one worker has another result", ties)
		}
		apart := ballot.Votes{Start: []int32{0}} // each vote as often as its weight, backwards
		for v := len(votes.Weight) - 1; v >= 0; v-- {
			for range int(votes.Weight[v]) {
				low, high := votes.Start[v], votes.Start[v+1]
				apart.Item = append(apart.Item, votes.Item[low:high]...)
				apart.Tier = append(apart.Tier, votes.Tier[low:high]...)
				apart.Place = append(apart.Place, votes.Place[2*low:2*high]...)
				apart.Vote = append(apart.Vote, votes.Vote[v])
				if c.raters > 0 {
					apart.Rater = append(apart.Rater, votes.Rater[v])
				}
				apart.Weight = append(apart.Weight, 1)
				apart.Start = append(apart.Start, int32(len(apart.Item)))
			}
		}
		expanded := must[*Fit](t)(must[*Data](t)(Group(design, apart)).Maximise(t.Context(), o))
		for k := range fit.Theta {
			if !(math.Abs(expanded.Theta[k]-fit.Theta[k]) <= c.move) {
				t.Errorf("%s: %s is %g apart and %g together", ties, d.Name(k), expanded.Theta[k], fit.Theta[k])
			}
		}
	}
}

// Worths far apart leave the slot likelihood finite.
func TestSlotsOfFarWorths(t *testing.T) {
	design := ballot.Design{Items: 3, Slots: true}
	d := must[*Data](t)(Group(design, drawn.Votes(design, 20, 3, 1)))
	p := must[*point](t)(d.evaluate(t.Context(), []float64{1e4, 0, -1e4, 3}, 1, true))
	if math.IsNaN(p.value) || math.IsInf(p.value, 0) || !(p.value < -1e4) {
		t.Errorf("slot log likelihood %g", p.value)
	}
}
