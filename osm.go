package fubini

import (
	"context"
	"fmt"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	osmodel "fubini/model/osm"
)

// OrderedSet is the Ordered Set Model of N items with worths and a weight of ties: a probability for every tier list.
type OrderedSet struct {
	worths *osmodel.Worths
	err    error
}

// OSM returns the Ordered Set Model of items with worths u and the tie parameter nu. On a pair the log odds of item i above
// item j are u_i - u_j. If a worth or nu is not a finite number, every method returns an error.
func OSM(worths []float64, nu float64) *OrderedSet {
	m, err := osmodel.NewWorths(worths, nu, osmodel.Options{})
	return &OrderedSet{m, err}
}

// mostExact is the number of items up to which a table of all subsets is made: 2^20 of them.
const mostExact = 20

func (m *OrderedSet) table() (*exact.Table, error) {
	if m.err != nil {
		return nil, m.err
	}
	if m.worths.N() > mostExact {
		return nil, fmt.Errorf("%d items are too many for an exact sum, which takes up to %d: use Anneal", m.worths.N(), mostExact)
	}
	return exact.NewTable(m.worths, partition.Space{})
}

// LogZ is the log of the sum of the weights of all tier lists, exactly, of up to 20 items.
func (m *OrderedSet) LogZ() (float64, error) {
	table, err := m.table()
	if err != nil {
		return 0, err
	}
	return table.LogZ(), nil
}

// Anneal estimates [OrderedSet.LogZ] for any number of items by annealed importance sampling, with its standard error.
func (m *OrderedSet) Anneal(ctx context.Context, seed uint64) (logZ, stdErr float64, err error) {
	if m.err != nil {
		return 0, 0, m.err
	}
	e, err := ais.Run(ctx, m.worths.Annealing(mcmc.ReinsertionMoves), ais.Options{Seed: seed})
	if err != nil {
		return 0, 0, err
	}
	return e.LogZ, e.StdErr, nil
}

// LogWeight is the log weight of a tier list, best tier first: less [OrderedSet.LogZ] it is its log probability.
func (m *OrderedSet) LogWeight(tiers [][]int) (float64, error) {
	x, err := partition.FromBlocks(tiers)
	if err != nil {
		return 0, err
	}
	if m.err != nil {
		return 0, m.err
	}
	if x.N() != m.worths.N() {
		return 0, fmt.Errorf("the tier list has %d items, and the model %d", x.N(), m.worths.N())
	}
	return m.worths.LogWeight(x), nil
}

// Sample draws n tier lists, best tier first: independent ones up to 20 items, and by reinsertion Gibbs beyond, one
// sweep over all items apart, after a burn-in of 1,000 sweeps.
func (m *OrderedSet) Sample(n int, seed uint64) ([][][]int, error) {
	if m.err != nil {
		return nil, m.err
	}
	x, r := partition.OneBlock(m.worths.N()), rng.Stream(seed, "sample")
	var next func()
	if table, err := m.table(); err == nil {
		next = func() { table.Draw(r, x) }
	} else {
		sweep, err := mcmc.ReinsertionMoves.Sweep(m.worths, partition.Space{})
		if err != nil {
			return nil, err
		}
		next = func() { sweep.Step(r, x, nil) }
		for range 1000 {
			next()
		}
	}
	draws := make([][][]int, n)
	for k := range draws {
		next()
		draws[k] = x.Blocks()
	}
	return draws, nil
}
