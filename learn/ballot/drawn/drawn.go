// Package drawn is support for tests of fits to votes: designs with every kind of parameter, and votes drawn at random.
package drawn

import (
	"math"

	"fubini/core/rng"
	"fubini/learn/ballot"
	"fubini/model/osm"
)

// Votes are votes of any length up to most on six items, with covariates and raters, drawn at random.
func Votes(d ballot.Design, count, most int, seed uint64) ballot.Votes {
	r := rng.Stream(seed, "votes")
	votes := ballot.Votes{Start: []int32{0}}
	all := make([]int, d.Items)
	for range count {
		rng.Permutation(r, all)
		n := 2 + r.IntN(most-1)
		tiers := make([]int32, n)
		for k := range tiers {
			switch d.Space {
			case ballot.WithoutTies:
				tiers[k] = int32(k)
			case ballot.TwoTiers:
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

// Full is a design with every kind of parameter.
func Full(ties ballot.Ties, space ballot.Space) ballot.Design {
	return ballot.Design{Items: 6, Ties: ties, Space: space, Raters: 3, Places: []string{"home", "length"}, Votes: []string{"hurry"},
		Item: ballot.Columns{Names: []string{"price"}, Values: []float64{1, 3, -2, 0.5, 1, 4}},
		Pairs: osm.Features{
			Ties:   []osm.Feature{{Name: "near", Value: func(i, j int) float64 { return 1 / (1 + math.Abs(float64(i-j))) }}},
			Orders: []osm.Feature{{Name: "next", Value: func(i, j int) float64 { return float64(i*i-2*j) / 10 }}},
		}}
}

// Designs are designs with every kind of parameter, of all forms of ties and all spaces, by name.
func Designs() map[string]ballot.Design {
	designs := map[string]ballot.Design{}
	for t, ties := range []string{"common", "item", "distance"} {
		for s, space := range []string{"all", "orders", "two"} {
			d := Full(ballot.Ties(t), ballot.Space(s))
			designs[ties+" "+space] = d
			if d.Space != ballot.WithoutTies {
				d.Sizes = d.Items
				designs[ties+" "+space+" sizes"] = d
			}
		}
	}
	return designs
}

// Point is a point of as many parameters away from the start.
func Point(dim int) []float64 {
	r := rng.Stream(3, "point")
	theta := make([]float64, dim)
	for k := range theta {
		theta[k] = 0.5 * r.NormFloat64()
	}
	return theta
}
