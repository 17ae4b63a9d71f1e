package planted

import (
	"math"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/model/osm"
)

// Circles draws people of some circles. Each places a few items, a share of them such as
// their circle likes, and likes those better. It returns everybody's values of all items.
func Circles(people, items, count int, share float64, seed uint64) (lists []osm.List, values [][]float64) {
	r := rng.Stream(seed, "circles")
	for u := range people {
		all := make([]float64, items)
		for i := range all {
			if all[i] = 0.7 * r.NormFloat64(); i%count == u%count {
				all[i]++
			}
		}
		in := map[int]bool{}
		var list osm.List
		var own []float64
		for len(list.Items) < 5+u/count%3 {
			i := r.IntN(items)
			if in[i] || i%count != u%count && r.Float64() < share {
				continue
			}
			in[i] = true
			list.Items = append(list.Items, i)
			own = append(own, math.Round(all[i]))
		}
		x, err := partition.FromScores(own)
		if err != nil {
			panic(err)
		}
		list.Order = x
		lists, values = append(lists, list), append(values, all)
	}
	return lists, values
}

// Table has a row of ratings for each user, of items from the first on; zero is none.
func Table(t testing.TB, users ...[]float32) *ratings.Set {
	t.Helper()
	b := ratings.NewBuilder()
	for u, row := range users {
		for i, v := range row {
			if v == 0 {
				continue
			}
			if err := b.Add([]byte{byte('a' + u)}, []byte{byte('0' + i)}, v, ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
