package maps

import (
	"cmp"
	"slices"

	"fubini/core/rng"
)

// Region is a part of a map and the item that stands for it.
type Region struct {
	Item   int   // exemplar: of the quarter of its items nearest to the middle, the first in the order given
	Middle Point // mean of the places
	Items  int   // number of items
}

// Regions divides places on the map into at most k regions by k-means, the largest first. Items are numbers of items in
// the order in which they are preferred as exemplars, such as the best known first.
func (m *ItemMap) Regions(items []int, k int, seed uint64) ([]Region, error) {
	if k = min(k, len(items)); k < 1 {
		return nil, nil
	}
	v := Vectors{Dim: 2, Data: make([]float64, 0, 2*len(items))}
	for _, i := range items {
		v.Data = append(v.Data, m.points[i].X, m.points[i].Y)
	}
	if err := v.check(); err != nil {
		return nil, err
	}
	c := kMeansRun(v, k, rng.Stream(seed, "regions"))
	c.sort()
	regions := make([]Region, 0, k)
	for at, centre := range c.Centres {
		if c.Sizes[at] == 0 {
			continue
		}
		regions = append(regions, Region{Item: items[exemplar(v, c, at)], Middle: Point{centre[0], centre[1]}, Items: c.Sizes[at]})
	}
	return regions, nil
}

// exemplar is, of the quarter of a cluster's vectors nearest to its centre, the first.
func exemplar(v Vectors, c *Clusters, cluster int) int {
	var members []int
	for n, of := range c.Of {
		if of == cluster {
			members = append(members, n)
		}
	}
	far := func(n int) float64 { return distance2(v.Row(n), c.Centres[cluster]) }
	slices.SortStableFunc(members, func(a, b int) int { return cmp.Compare(far(a), far(b)) })
	return slices.Min(members[:(len(members)+3)/4])
}
