package likelihood

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/model/osm"
)

// drawnVotes are votes of any length up to most on six items, with covariates and raters, drawn at random.
func drawnVotes(d Design, count, most int, seed uint64) Votes {
	r := rng.Stream(seed, "votes")
	votes := Votes{Start: []int32{0}}
	all := make([]int, d.Items)
	for range count {
		rng.Permutation(r, all)
		n := 2 + r.IntN(most-1)
		tiers := make([]int32, n)
		for k := range tiers {
			switch d.Space {
			case WithoutTies:
				tiers[k] = int32(k)
			case TwoTiers:
				tiers[k] = int32(min(k, 1))
				if k > 1 {
					tiers[k] = int32(r.IntN(2))
				}
			default:
				tiers[k] = int32(r.IntN(n))
			}
		}
		for k := range n {
			votes.Item = append(votes.Item, int32(all[k]))
			for range d.Places {
				votes.Place = append(votes.Place, r.NormFloat64())
			}
		}
		votes.Tier = append(votes.Tier, tiers...)
		votes.Start = append(votes.Start, int32(len(votes.Item)))
		votes.Weight = append(votes.Weight, 1+float64(r.IntN(3)))
		for range d.Votes {
			votes.Vote = append(votes.Vote, r.NormFloat64())
		}
		if d.Raters > 0 {
			votes.Rater = append(votes.Rater, int32(r.IntN(d.Raters)))
		}
	}
	return votes
}

// full is a design with every kind of parameter.
func full(ties Ties, space Space) Design {
	return Design{Items: 6, Ties: ties, Space: space, Raters: 3, Places: []string{"home", "length"}, Votes: []string{"hurry"},
		Item: Columns{Names: []string{"price"}, Values: []float64{1, 3, -2, 0.5, 1, 4}},
		Pairs: osm.Features{
			Ties:   []osm.Feature{{Name: "near", Value: func(i, j int) float64 { return 1 / (1 + math.Abs(float64(i-j))) }}},
			Orders: []osm.Feature{{Name: "next", Value: func(i, j int) float64 { return float64(i*i-2*j) / 10 }}},
		}}
}

func designs() map[string]Design {
	designs := map[string]Design{}
	for t, ties := range []string{"common", "item", "distance"} {
		for s, space := range []string{"all", "orders", "two"} {
			d := full(Ties(t), Space(s))
			designs[ties+" "+space] = d
			if d.Space != WithoutTies {
				d.Sizes = d.Items
				designs[ties+" "+space+" sizes"] = d
			}
		}
	}
	return designs
}

// anywhere is a point away from the start.
func anywhere(d *Data) []float64 {
	r := rng.Stream(3, "point")
	theta := make([]float64, d.all)
	for k := range theta {
		theta[k] = 0.5 * r.NormFloat64()
	}
	return theta
}

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
	all := designs()
	for name, d := range designs() {
		d.Slots = true
		all[name+" slots"] = d
	}
	for name, design := range all {
		t.Run(name, func(t *testing.T) {
			d := must[*Data](t)(Group(design, drawnVotes(design, 25, 6, 1)))
			theta := anywhere(d)
			here := must[*point](t)(d.evaluate(t.Context(), theta, 2, true))
			const h = 1e-5
			for k := range theta {
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
	for name, design := range designs() {
		t.Run(name, func(t *testing.T) {
			votes := drawnVotes(design, 12, 5, 2)
			d := must[*Data](t)(Group(design, votes))
			theta := anywhere(d)
			here := must[*point](t)(d.evaluate(t.Context(), theta, 1, true))
			want := make([]float64, d.all*d.all)
			for v := range votes.Weight { // each vote in place of every outcome that it might have had
				one := votes
				one.Start = []int32{0, votes.Start[v+1] - votes.Start[v]}
				one.Item = votes.Item[votes.Start[v]:votes.Start[v+1]]
				one.Weight, one.Rater = []float64{1}, votes.Rater[v:v+1]
				one.Place = votes.Place[int(votes.Start[v])*2 : int(votes.Start[v+1])*2]
				one.Vote = votes.Vote[v : v+1]
				all := &local{Data: d, n: len(one.Item)}
				for _, tiers := range all.all() {
					one.Tier = tiers
					single := must[*Data](t)(Group(design, one))
					at := must[*point](t)(single.evaluate(t.Context(), theta, 1, false))
					for i, x := range at.gradient {
						for j, y := range at.gradient {
							want[i*d.all+j] += votes.Weight[v] * math.Exp(at.value) * x * y
						}
					}
				}
			}
			got := func(i, j int) float64 {
				switch i, j = max(i, j), min(i, j); {
				case i < d.global:
					return here.information[i*d.global+j]
				case j >= d.global:
					if i != j {
						return 0
					}
					return here.own[i-d.global]
				}
				for _, e := range here.mixed[i-d.global] {
					if e.at == j {
						return e.by
					}
				}
				return 0
			}
			for i := range d.all {
				for j := range i + 1 {
					if w := want[i*d.all+j]; !(math.Abs(got(i, j)-w) <= 1e-6*(1+math.Abs(w))) {
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
		ties        Ties
		raters      int
		slots       bool
		slope, move float64
	}{
		{"common", CommonTies, 0, false, 1e-6, 1e-8},
		{"item", ItemTies, 0, false, 1e-6, 1e-8},
		{"common slots", CommonTies, 0, true, 1e-6, 1e-8},
		{"common raters", CommonTies, 3, false, 2e-2, 1e-3},
		{"distance raters", DistanceTies, 3, false, 2e-2, 1e-3},
		{"item raters slots", ItemTies, 3, true, 2e-2, 1e-3},
	} {
		ties := c.name
		design := full(c.ties, AllOrders)
		design.Raters, design.Slots = c.raters, c.slots
		votes := drawnVotes(design, 300, 4, 4)
		o := Defaults()
		o.Prior = Precision{Worth: 0.5, Tie: 2, Reliability: 3}
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
		apart := Votes{Start: []int32{0}} // each vote as often as its weight, backwards
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

// Votes that cannot be fitted are refused by number, with the reason.
func TestBadVotesAreRefused(t *testing.T) {
	pair := func(i, j, a, b int32, weight float64) Votes {
		return Votes{Start: []int32{0, 2}, Item: []int32{i, j}, Tier: []int32{a, b}, Weight: []float64{weight}}
	}
	for want, c := range map[string]struct {
		Design
		Votes
	}{
		"fit: vote 1: item 2 is there twice":                                                                          {Design{Items: 3}, pair(2, 2, 0, 1, 1)},
		"fit: vote 1: item 3 is outside the catalogue of 3":                                                           {Design{Items: 3}, pair(2, 3, 0, 1, 1)},
		"fit: vote 1: weight -1; it must be positive and finite":                                                      {Design{Items: 3}, pair(1, 2, 0, 1, -1)},
		"fit: vote 1: weight NaN; it must be positive and finite":                                                     {Design{Items: 3}, pair(1, 2, 0, 1, math.NaN())},
		"fit: vote 1: it has a tie, and the sample space is orders without ties: choose the space of all weak orders": {Design{Items: 3, Space: WithoutTies}, pair(1, 2, 0, 0, 1)},
		"fit: vote 1: it has 1 tiers, and the sample space is two tiers: choose the space of all weak orders":         {Design{Items: 3, Space: TwoTiers}, pair(1, 2, 0, 0, 1)},
		"fit: no vote compares two items":                                                                             {Design{Items: 3}, Votes{Start: []int32{0}}},
	} {
		if _, err := Group(c.Design, c.Votes); fmt.Sprint(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
