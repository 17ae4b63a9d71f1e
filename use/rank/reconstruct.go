package rank

import (
	"fmt"
	"math"
	"slices"

	"fubini/core/partition"
	"fubini/core/vec"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Reconstruct orders the items of a list by their scores for the list's embedding, the highest first: the paper's rank
// reconstruction. The scores are in the order of the items.
func Reconstruct(c *latent.Catalogue, embedding []float64, items []int) (scores []float64, order *partition.Partition, err error) {
	scores = make([]float64, len(items))
	Complete(c, embedding, 0, items, scores) // their presence is in the embedding
	order, err = partition.FromScores(scores)
	return scores, order, err
}

// Rebuild is the most probable tier list of some items given an embedding, under the model of
// the list given its hidden units.
//
// With tiers > 0 the list has this number of tiers, and worths alone determine the ties. With 0
// the weights of ties and tier sizes determine the number. These weights were estimated for the
// place of one item, so that the mode for many items may be one large tie; with the number of
// tiers given they would still favour one large tier (on the demonstration world 0.42 of the
// pairs differ with them, 0.34 without).
func Rebuild(c *latent.Catalogue, embedding []float64, items []int, tiers int) (*partition.Partition, error) {
	if len(embedding) != c.K {
		return nil, fmt.Errorf("rank: an embedding of %d numbers for %d units", len(embedding), c.K)
	}
	m, err := c.Model(items)
	if err != nil {
		return nil, fmt.Errorf("rank: %w", err)
	}
	scale, _ := m.Scoring()
	worths := make([]float64, len(items))
	Complete(c, embedding, 0, items, worths)
	for k := range worths {
		worths[k] *= scale
	}
	if tiers > 0 {
		return Likeliest(worths, 0, nil, tiers)
	}
	return Likeliest(worths, scale*(*c.Nu+vec.Dot(embedding, c.NuK)), c.Sizes, 0)
}

// Likeliest is the tier list of the highest log weight under worths, a tie weight and weights by tier size, of all lists
// or, with tiers > 0, of those with this number of tiers. Whatever the sizes of the tiers, the sum of scores times
// worths is largest with items sorted by worth. So tiers are runs of the sorted items, and the best runs up to each item
// follow from those before: O(N^2), times the tiers if their number is given. Of equally probable lists it takes one
// with the larger last tier. See docs/maths.md#decoding.
func Likeliest(worths []float64, nu float64, sizes osm.SizeWeights, tiers int) (*partition.Partition, error) {
	n := len(worths)
	if n == 0 || tiers < 0 || tiers > n {
		return nil, fmt.Errorf("rank: %d tiers of %d items; there must be from one tier to as many as items", tiers, n)
	}
	sorted := Best(worths, n)
	sum := make([]float64, n+1) // of worths above
	for k, i := range sorted {
		sum[k+1] = sum[k] + worths[i]
	}
	if math.IsNaN(sum[n]) || math.IsInf(sum[n], 0) {
		return nil, fmt.Errorf("rank: a worth is not finite")
	}
	// gain is what the run from place a to b adds to the log weight.
	gain := func(a, b int) float64 {
		size := float64(b - a)
		return (sum[b]-sum[a])*(float64(n-b)+(size-1)/2) + nu*size*(size-1)/2 + sizes.At(b-a, b == n)
	}
	// best has the log weight of the best runs up to each place, with one run more in each round, or of any number in
	// a single one; from has where the last of them starts.
	rounds := max(tiers, 1)
	from := make([][]int, rounds)
	best := slices.Repeat([]float64{math.Inf(-1)}, n+1)
	best[0] = 0
	for r := range rounds {
		before := best
		if tiers > 0 {
			best = slices.Repeat([]float64{math.Inf(-1)}, n+1)
		}
		from[r] = make([]int, n+1)
		for b := 1; b <= n; b++ {
			for a := range b {
				if v := before[a] + gain(a, b); v > best[b] {
					best[b], from[r][b] = v, a
				}
			}
		}
	}
	levels := make([]int, n)
	for round, end, level := rounds-1, n, 0; end > 0; level++ {
		start := from[round][end]
		for _, i := range sorted[start:end] {
			levels[i] = level
		}
		if end = start; tiers > 0 {
			round--
		}
	}
	return partition.FromLevels(levels)
}
