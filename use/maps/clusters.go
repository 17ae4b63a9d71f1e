package maps

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fubini/core/rng"
)

// Clusters is a partition of vectors into clusters, the largest first.
type Clusters struct {
	Of      []int       // cluster of each vector
	Centres [][]float64 // mean of each cluster
	Sizes   []int
	Inner   float64 // sum of squared distances to the centres
}

const (
	restarts   = 8
	mostRounds = 300
)

// KMeans divides vectors into k clusters with a small sum of squared distances to their
// centres: the best of several runs from k-means++ centres.
func KMeans(v Vectors, k int, seed uint64) (*Clusters, error) {
	if err := v.check(); err != nil {
		return nil, err
	}
	if k < 1 || k > v.Len() {
		return nil, fmt.Errorf("maps: %d clusters of %d vectors; there must be from one to as many as vectors", k, v.Len())
	}
	var best *Clusters
	for run := range restarts {
		if c := kMeansRun(v, k, rng.Stream(seed, "k-means", uint64(k), uint64(run))); best == nil || c.Inner < best.Inner {
			best = c
		}
	}
	best.sort()
	return best, nil
}

// kMeansRun alternates between nearest centres and means until nothing moves.
func kMeansRun(v Vectors, k int, r *rng.Rand) *Clusters {
	c := &Clusters{Of: make([]int, v.Len()), Centres: farApart(v, k, r), Sizes: make([]int, k)}
	for round := range mostRounds {
		if moved := c.assign(v); round > 0 && !moved {
			break
		}
		c.recentre(v)
	}
	return c
}

// farApart draws centres among the vectors: the first anywhere, each next with
// probability in proportion to its squared distance from those there are.
func farApart(v Vectors, k int, r *rng.Rand) [][]float64 {
	far := make([]float64, v.Len())
	for n := range far {
		far[n] = 1
	}
	var centres [][]float64
	for len(centres) < k {
		at := r.IntN(v.Len())
		if slices.Max(far) > 0 { // otherwise all vectors are centres already
			at = r.Pick(far)
		}
		centre := slices.Clone(v.Row(at))
		for n := range far {
			if d := distance2(v.Row(n), centre); len(centres) == 0 || d < far[n] {
				far[n] = d
			}
		}
		centres = append(centres, centre)
	}
	return centres
}

// assign gives every vector to its nearest centre, the first of equals.
func (c *Clusters) assign(v Vectors) (moved bool) {
	c.Inner = 0
	clear(c.Sizes)
	for n := range c.Of {
		at, least := 0, math.Inf(1)
		for k, centre := range c.Centres {
			if d := distance2(v.Row(n), centre); d < least {
				at, least = k, d
			}
		}
		if c.Of[n] != at {
			c.Of[n], moved = at, true
		}
		c.Sizes[at]++
		c.Inner += least
	}
	return moved
}

// recentre moves centres to the means of their clusters; one without vectors stays.
func (c *Clusters) recentre(v Vectors) {
	for k, centre := range c.Centres {
		if c.Sizes[k] > 0 {
			clear(centre)
		}
	}
	for n, k := range c.Of {
		for j, x := range v.Row(n) {
			c.Centres[k][j] += x / float64(c.Sizes[k])
		}
	}
}

// sort puts the largest cluster first, of equal ones that with the first vector.
func (c *Clusters) sort() {
	var order []int
	for k := range c.Centres {
		order = append(order, k)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(c.Sizes[b]-c.Sizes[a], slices.Index(c.Of, a)-slices.Index(c.Of, b))
	})
	centres, sizes := slices.Clone(c.Centres), slices.Clone(c.Sizes)
	for k, old := range order {
		c.Centres[k], c.Sizes[k] = centres[old], sizes[old]
	}
	for n, old := range c.Of {
		c.Of[n] = slices.Index(order, old)
	}
}

// mostJudged is the number of vectors, evenly chosen, that decide the number of clusters: silhouettes compare every pair.
const mostJudged = 2000

// Groups clusters vectors by k-means, with the k from 2 to most that has the highest mean
// silhouette, which it returns. The silhouette of a vector, from -1 to 1, compares its distance
// to its own cluster with that to the next. Fewer than three vectors are one cluster.
func Groups(v Vectors, most int, seed uint64) (best *Clusters, silhouette float64, err error) {
	if v.Len() < 3 {
		best, err = KMeans(v, 1, seed)
		return best, 0, err
	}
	silhouette = math.Inf(-1)
	for k := 2; k <= min(most, v.Len()-1); k++ {
		c, err := KMeans(v, k, seed)
		if err != nil {
			return nil, 0, err
		}
		if s := Silhouette(v, c); s > silhouette {
			best, silhouette = c, s
		}
	}
	if best == nil {
		return nil, 0, fmt.Errorf("maps: at most %d clusters; there must be two or more to choose from", most)
	}
	return best, silhouette, nil
}

// Silhouette is the mean silhouette of the vectors under a clustering; a vector alone in its
// cluster has 0.
func Silhouette(v Vectors, c *Clusters) float64 {
	stride := 1 + (v.Len()-1)/mostJudged
	var judged []int
	for n := 0; n < v.Len(); n += stride {
		judged = append(judged, n)
	}
	sizes := make([]float64, len(c.Centres))
	for _, n := range judged {
		sizes[c.Of[n]]++
	}
	var total float64
	sums := make([]float64, len(sizes))
	for _, n := range judged {
		own := c.Of[n]
		if sizes[own] < 2 {
			continue
		}
		clear(sums)
		for _, m := range judged {
			sums[c.Of[m]] += math.Sqrt(distance2(v.Row(n), v.Row(m)))
		}
		inside, outside := sums[own]/(sizes[own]-1), math.Inf(1)
		for k, s := range sums {
			if k != own && sizes[k] > 0 {
				outside = min(outside, s/sizes[k])
			}
		}
		if widest := max(inside, outside); widest > 0 && !math.IsInf(widest, 1) {
			total += (outside - inside) / widest
		}
	}
	return total / float64(len(judged))
}
