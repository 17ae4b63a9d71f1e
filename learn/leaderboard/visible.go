package leaderboard

import (
	"fmt"
	"slices"

	"fubini/learn/ballot"
	"fubini/learn/likelihood"
	"fubini/model/osm"
)

// visible is the model of a vote by a rater of reliability 1, with the covariates of its places
// and of itself 0. Hidden units, weights of tier sizes and choices have no place in it.
func visible(f *likelihood.Fit) (*osm.Visible, error) {
	if f.Sizes > 0 {
		return nil, fmt.Errorf("fit: a board has no weights of tier sizes; fit without them to keep it")
	}
	if f.Units > 0 || f.Choices {
		return nil, fmt.Errorf("fit: a board has worths and weights of pairs; hidden units and sequences of choices are not part of one")
	}
	v := &osm.Visible{Worths: f.Worths(), Space: f.Space}
	v.PairOrders = ofPairs(f, f.Pairs.Orders, f.G, func(i, j int) (int, int) { return i, j })
	if f.Space == ballot.WithoutTies {
		return v, nil
	}
	v.PairTies = ofPairs(f, f.Pairs.Ties, f.F, func(i, j int) (int, int) { return min(i, j), max(i, j) })
	v.Nu = f.Theta[f.Layout.Nu]
	if f.Ties == ballot.ItemTies {
		v.Deviations = slices.Clone(f.TieDeviations())
	}
	if f.Ties == ballot.DistanceTies {
		v.Distance = f.Theta[f.Distance]
	}
	return v, nil
}

// mixture is the model of a vote by somebody whose hidden units are not known, with covariates of places and votes 0.
func mixture(t *likelihood.Tastes) (*osm.Mixture, error) {
	base, err := visible(t.Given(0))
	if err != nil {
		return nil, err
	}
	m := &osm.Mixture{Shares: t.Shares, Base: base}
	for k := range t.Units {
		alone, err := visible(t.Given(1 << k))
		if err != nil {
			return nil, err
		}
		m.Units = append(m.Units, alone.Plus(-1, base))
	}
	return m, nil
}

// ofPairs is the sum of features of pairs by their coefficients, from index first of theta on, row by row; nil for none. Each is
// evaluated at the items that at makes of a row and a column.
func ofPairs(f *likelihood.Fit, features []osm.Feature, first int, at func(i, j int) (int, int)) []float64 {
	if len(features) == 0 {
		return nil
	}
	n := f.Items
	sums := make([]float64, n*n)
	for i := range n {
		for j := range n {
			if i == j {
				continue
			}
			a, b := at(i, j)
			for k, feature := range features {
				sums[i*n+j] += f.Theta[first+k] * feature.Value(a, b)
			}
		}
	}
	return sums
}
