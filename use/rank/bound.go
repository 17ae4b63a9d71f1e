package rank

import (
	"math"
	"slices"

	"fubini/core/vec"
	"fubini/data/ratings"
	"fubini/model/interest"
	"fubini/model/osm"
)

// search is the search for the n best items of one person.
type search struct {
	*CatalogueIndex
	*CatalogueScratch
	n        int
	length   float64 // of the embedding of taste
	presence float64 // of an item in the person's list
	off      float64 // the largest error of a bound
	least    float32 // an item with a lower bound is not among the best, whatever its taste
}

// find puts the n best items for a list into the scratch, given its embedding and the low-rank part of the interest in
// all items.
func (x *CatalogueIndex) find(list osm.List, known ratings.Row, smooth []float32, n int, hide []int, s *CatalogueScratch) error {
	q := search{CatalogueIndex: x, CatalogueScratch: s, n: n, least: -math.MaxFloat32}
	x.picks.FoldNear(known, &s.folded)
	if c := x.catalogue; c != nil {
		s.embedding = slices.Grow(s.embedding[:0], c.K)[:c.K]
		if err := fold(c, &s.model, list, s.embedding); err != nil {
			return err
		}
		q.length = math.Sqrt(vec.Dot(s.embedding, s.embedding))
		q.presence = c.OwnPresence(known.Len())
	}
	for _, i := range known.Items {
		smooth[i] = float32(math.Inf(-1))
	}
	for _, i := range hide {
		smooth[i] = float32(math.Inf(-1))
	}
	q.bound(smooth, known.Len() == 0)
	q.best, q.seeds = q.best[:0], q.seeds[:0]
	// Some items with high bounds come first, which makes least high for the others.
	if n <= len(q.highest) {
		q.seeds = top(q.highest, 0, n, q.seeds)
		for _, seed := range q.seeds {
			from := seed.Item * vec.Run
			q.keep(from + slices.Index(q.bounds[from:], seed.narrow))
		}
	} else if n <= mostInOrder {
		q.seeds = top(q.bounds, 0, n, q.seeds)
		for _, seed := range q.seeds {
			q.keep(seed.Item)
		}
	}
	for r, highest := range q.highest {
		if !(highest >= q.least) {
			continue
		}
		for k, bound := range q.bounds[r*vec.Run : min((r+1)*vec.Run, len(q.bounds))] {
			if bound >= q.least {
				q.keep(r*vec.Run + k)
			}
		}
	}
	return nil
}

// bound computes the interest in all items, discounted by handicaps; minus infinity, or NaN, for those that are not
// recommended. The error has a part from the rounding of the low-rank part, and eight roundings to float32 of each part;
// a vector is as long as any element is large.
func (q *search) bound(smooth []float32, empty bool) {
	items, f := len(q.scale), &q.folded
	length := math.Sqrt(vec.Dot(f.Embedding, f.Embedding))
	q.off = f.Second*q.rounded*length + 8*0x1p-23*q.tallest*f.First*f.Length
	q.bounds = slices.Grow(q.bounds[:0], items)[:items]
	runs := (items + vec.Run - 1) / vec.Run
	q.highest = slices.Grow(q.highest[:0], runs)[:runs]
	first, second := float32(f.First), float32(f.Second)
	if smooth = smooth[:items]; empty { // no discount is a bound too
		for i, v := range f.Near {
			smooth[i] += float32(v)
		}
		first, second = 0, 1
	}
	vec.Mix(q.bounds, q.highest, q.scale, f.Near, smooth, first, second)
}

// keep scores an item, unless it cannot be among the best, and takes it out of the search.
func (q *search) keep(item int) {
	bound := float64(q.bounds[item])
	q.bounds[item] = float32(math.Inf(-1))
	var score float64
	full := len(q.best) == q.n
	if q.catalogue == nil {
		score = q.at(item, q.folded.At(q.picks, item), 0)
	} else {
		strength, limit := q.picks.Taste, logAbove(bound+q.off+margin*math.Abs(bound))
		if full && limit+strength*q.tastes[item].limit(q.length, q.presence) < q.best[q.n-1].Score {
			return
		}
		taste := q.taste(item)
		if full && limit+strength*taste+margin*math.Abs(taste) < q.best[q.n-1].Score {
			return
		}
		score = q.at(item, q.folded.At(q.picks, item), taste)
	}
	if !insert(&q.best, q.n, Scored{item, score}) || len(q.best) < q.n {
		return
	}
	lowest := q.best[q.n-1].Score
	if q.catalogue != nil {
		lowest = interest.Unlog(lowest - q.picks.Taste*q.most.limit(q.length, q.presence))
	}
	q.least = max(-math.MaxFloat32, float32(lowest-q.off-margin*math.Abs(lowest)))
}

// logAbove is at least the logarithm of a score as [interest.Log] continues it, and at most 0.06 more: 2^e (1 + f), with f
// from 0 to 1, has the binary logarithm e + f + 0.0861 at most.
func logAbove(score float64) float64 {
	if score < 0x1p-9 {
		return interest.Log(score)
	}
	bits := math.Float64bits(score)
	return math.Ln2 * (float64(bits)*0x1p-52 - 1023 + .0861)
}

// margin is far above the relative errors of float32 and of logarithms.
const margin = 1e-6

// limit bounds the score of taste.
func (t taste) limit(length, presence float64) float64 {
	limit := t.worth + t.reach*length + t.presence*presence
	return limit + margin*(math.Abs(t.worth)+t.reach*length+math.Abs(t.presence))
}

// boundTaste prepares the bounds on scores of taste.
func (x *CatalogueIndex) boundTaste() {
	c := x.catalogue
	x.most = taste{math.Inf(-1), 0, math.Inf(-1)}
	for i, worth := range c.U {
		w := c.W[i*c.K : (i+1)*c.K]
		each := taste{worth: worth, reach: math.Sqrt(vec.Dot(w, w))}
		if c.V != nil {
			each.presence = vec.Dot(w, c.V[i*c.K:(i+1)*c.K])
		}
		x.tastes = append(x.tastes, each)
		x.most = taste{max(x.most.worth, each.worth), max(x.most.reach, each.reach), max(x.most.presence, each.presence)}
	}
}

// taste is the score of an item by taste, that of [Complete].
func (q *search) taste(item int) float64 {
	c, t := q.catalogue, &q.tastes[item]
	score := t.worth + vec.Dot(c.W[item*c.K:(item+1)*c.K], q.embedding)
	if c.V != nil && q.presence > 0 {
		score += float64(q.presence * t.presence)
	}
	return score
}

// insert puts an item among the n best, if it is one of them.
func insert(best *[]Scored, n int, item Scored) bool {
	found := *best
	if len(found) == n && Compare(item, found[n-1]) > 0 {
		return false
	}
	if len(found) < n {
		found = append(found, Scored{})
	}
	at := len(found) - 1
	for ; at > 0 && Compare(item, found[at-1]) < 0; at-- {
		found[at] = found[at-1]
	}
	found[at] = item
	*best = found
	return true
}
