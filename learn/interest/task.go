package interest

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/data/ratings"
	"fubini/model/interest"
)

const (
	// fewestPeople is the least number of people whose lists choose the weights.
	fewestPeople = 20
	// candidates is the number of items, the highest by the weights that the search begins with, among which a hidden part is looked for.
	candidates = 120
	// depth is the number of items at the top in which the hidden ones count as found.
	depth = 20
	// wholeWeight is the weight of a list of which a fifth is hidden, beside 1 for those of which five or 20 items are left:
	// lists as they are, of people whom the model knows and of new ones. docs/ideas-interest.md has what was tried.
	wholeWeight = 2
)

// task is to find the hidden part of a list from the rest. It has the parts of the scores of the candidates.
type task struct {
	given                    int // number of items not hidden
	person                   int
	weight                   float64 // in the mean of tasks
	near, smooth, popularity []float64
	gain                     []float64 // 0 for an item that is not hidden
	ideal                    float64   // the largest possible sum of discounted gains

	power  float64   // of popularity in factor
	factor []float64 // room
	known  []value   // by the weights of the last calls of found
}

// value is what is found of a list by weights, of which these two numbers count.
type value struct{ smooth, popularity, found float64 }

// group is the number of people who are left out at a time: their products with P are made together, in about 40 MB, but for 64 at least.
// Each group costs a copy of P. A person has so many parts, and periods beside them.
func (l *lists) group(parts int) int {
	const most, fewest = 10_000_000, 64
	parts += max(1, min(mostPeriods, l.set.Len()/max(1, period*len(l.people))))
	return max(fewest, most/(parts*len(l.inputs)))
}

// tasks hides parts of the lists of people: all but five items, all but 20, and a fifth, which counts more;
// each a number of times. If the context ends, tasks are missing.
func (l *lists) tasks(ctx context.Context, m *interest.Model, people []int, draws int, p []float32, o Options) (tasks []task) {
	low := lowRank(m)
	rooms, all := make([]room, parallel.Size(len(people), o.Jobs)), []float32(nil)
	for some := range slices.Chunk(people, l.group(3*draws)) {
		if ctx.Err() != nil {
			break
		}
		parts, pieces, first, of := make([][]part, len(some)), make([][]sparse, len(some)), make([]int, len(some)), []sparse(nil)
		for k, u := range some {
			parts[k], pieces[k], first[k] = l.parts(u, draws, o.Seed), l.pieces(u), len(of)
			of = append(of, pieces[k]...)
			for _, part := range parts[k] {
				of = append(of, part.shorter)
			}
		}
		products, each := l.timesInto(ctx, p, of, &all, o.Jobs), make([][]task, len(some))
		parallel.Until(ctx, len(some), o.Jobs, func(worker, k int) {
			next := first[k] + len(pieces[k])
			without := l.absent(some[k], pieces[k], joined(products[first[k]:next]), &rooms[worker])
			var given []ratings.Row
			for _, part := range parts[k] {
				given = append(given, part.row)
			}
			rooms[worker].smoothed(m, low, given...)
			for n, part := range parts[k] {
				if t := l.hide(m, some[k], part, n, products[next+n], without, o.first(), &rooms[worker]); t.ideal > 0 {
					each[k] = append(each[k], t)
				}
			}
		})
		tasks = append(tasks, slices.Concat(each...)...)
	}
	return tasks
}

// part is what is given of a list.
type part struct {
	row     ratings.Row
	inputs  sparse
	shorter sparse // the given inputs, or, if hides, the others
	hides   bool
	weight  float64 // of the task
}

// parts draws the parts of a person's list that are given.
func (l *lists) parts(u, draws int, seed uint64) (parts []part) {
	row := l.set.Row(u)
	r := rng.Stream(seed, "interest hidden", uint64(u))
	for range draws {
		order := r.Perm(row.Len())
		most := min(row.Len()-1, int(math.Round(.8*float64(row.Len()))))
		for kind, given := range []int{5, 20, most} {
			if given < 1 || given > most {
				continue
			}
			at := slices.Clone(order[:given])
			slices.Sort(at)
			part := l.part(u, at)
			if kind == 2 {
				part.weight = wholeWeight
			}
			parts = append(parts, part)
		}
	}
	return parts
}

// part gives the placements at some places of a person's list, ascending.
func (l *lists) part(u int, at []int) part {
	row, next := l.set.Row(u), 0
	p := part{hides: 2*len(at) > row.Len(), weight: 1}
	for k, i := range row.Items {
		given := next < len(at) && at[next] == k
		if given {
			next++
			p.row.Items, p.row.Values = append(p.row.Items, i), append(p.row.Values, row.Values[k])
		}
		place := l.place[i]
		if place < 0 {
			continue
		}
		if given {
			p.inputs.places, p.inputs.weights = append(p.inputs.places, uint32(place)), append(p.inputs.weights, l.x(row.Values[k]))
		}
		if given != p.hides {
			p.shorter.places, p.shorter.weights = append(p.shorter.places, uint32(place)), append(p.shorter.weights, l.x(row.Values[k]))
		}
	}
	return p
}

// low is the low-rank part of a model with four bytes a number, some items after the other and of these unit by unit, so that their scores are computed side by
// side, and those of several lists from what stays in a core's first cache.
type low struct {
	units []uint32  // their numbers
	rows  []float32 // of each tile of items and each unit: Q times the gain of the item
}

// tile is the number of scores that are computed together.
const tile = 80

func lowRank(m *interest.Model) *low {
	s := &low{rows: make([]float32, (m.Items()+tile-1)/tile*tile*m.Units)}
	for k := range m.Units {
		s.units = append(s.units, uint32(k))
	}
	for i, gain := range m.Gain {
		for k, q := range m.In[i*m.Units : (i+1)*m.Units] {
			s.rows[(i/tile*m.Units+k)*tile+i%tile] = float32(q * gain)
		}
	}
	return s
}

// room is space for the scores of all items.
type room struct {
	near, smooth, score []float64
	hidden              []float64 // of the items that are hidden: 2 to the power of the rating; 0 for the others
	folded              interest.Folded
	embeddings, sums    []float32
	absent              absent
}

// smoothed writes into sums the low-rank part of the scores of all items that are not in a list, for some lists, one after the other.
func (r *room) smoothed(m *interest.Model, s *low, lists ...ratings.Row) {
	units, items := m.Units, m.Items()
	r.embeddings, r.sums = r.embeddings[:0], sized(r.sums, len(lists)*items)
	for _, list := range lists {
		if err := m.Embed(list, &r.folded); err != nil {
			panic(err) // the items are those of the set
		}
		for _, v := range r.folded.Embedding {
			r.embeddings = append(r.embeddings, float32(v))
		}
	}
	clear(r.sums)
	for from := 0; from < items; from += tile {
		rows := s.rows[from*units : (from+tile)*units]
		for k := range lists {
			vec.AddRowsAtSingle(r.sums[k*items+from:k*items+min(from+tile, items)], rows, tile, s.units, r.embeddings[k*units:(k+1)*units])
		}
	}
}

// take writes the low-rank part of the scores for the n-th list.
func (r *room) take(n int) {
	for i, v := range r.sums[n*len(r.smooth) : (n+1)*len(r.smooth)] {
		r.smooth[i] = float64(v)
	}
}

// of returns the space for a number of items, all scores 0.
func (r *room) of(items int) *room {
	for _, scores := range []*[]float64{&r.near, &r.smooth, &r.score} {
		if *scores == nil {
			*scores = make([]float64, items)
		}
		clear(*scores)
	}
	return r
}

// hide makes the task of finding a list from the n-th of its parts. The product of P with the shorter part is given, and changed.
func (l *lists) hide(m *interest.Model, u int, p part, n int, product []float32, without *absent, first weights, space *room) task {
	row, given := l.set.Row(u), p.row
	space = space.of(m.Items())
	near, smooth, score := space.near, space.smooth, space.score
	space.take(n)
	without.part(p, product, near)
	ratio := interest.Ratio(given, near, smooth)
	if space.hidden == nil {
		space.hidden = make([]float64, m.Items())
	}
	hidden := space.hidden
	for k, i := range row.Items {
		hidden[i] = math.Exp2(l.grade(row.Values[k]))
	}
	for _, i := range given.Items {
		hidden[i] = 0
	}
	t := task{person: u, given: given.Len(), weight: p.weight}
	share := ratio * first.smooth(given.Len())
	for i, s := range smooth {
		score[i] = near[i] + float64(share*s)
	}
	for _, i := range given.Items {
		score[i] = math.Inf(-1)
	}
	chosen := l.highest(candidates, score)
	t.near, t.smooth, t.popularity, t.gain = make([]float64, 0, len(chosen)), make([]float64, 0, len(chosen)), make([]float64, 0, len(chosen)), make([]float64, 0, len(chosen))
	for _, i := range chosen {
		picks, gain := len(l.picks[i].people), 0.0
		if hidden[i] > 0 {
			picks-- // that of the person
			gain = hidden[i] - 1
		}
		t.near, t.smooth = append(t.near, near[i]), append(t.smooth, ratio*smooth[i])
		t.popularity, t.gain = append(t.popularity, l.popularity(picks)), append(t.gain, gain)
	}
	all := make([]float64, 0, row.Len())
	for _, i := range row.Items {
		if hidden[i] > 0 {
			all = append(all, 1-hidden[i])
			hidden[i] = 0
		}
	}
	slices.Sort(all)
	for place, g := range all[:min(len(all), depth)] {
		t.ideal -= g / math.Log2(float64(place)+2)
	}
	return t
}

// highest returns the n inputs with the highest scores, of equal ones the first. Those of -Inf are left out. The most picked are looked at first: many of
// them are among the n, so that few others are put in their places for a while.
func (l *lists) highest(n int, scores []float64) []uint32 {
	items, least := make([]uint32, 0, n+1), math.Inf(-1) // no score below least is wanted
	for _, i := range l.popular {
		s := scores[i]
		if s < least || s == math.Inf(-1) {
			continue
		}
		from, to := 0, len(items) // where the item belongs
		for from < to {
			at := (from + to) / 2
			if other := items[at]; scores[other] > s || scores[other] == s && other < i {
				from = at + 1
			} else {
				to = at
			}
		}
		if items = slices.Insert(items, from, i); len(items) > n {
			items = items[:n]
		}
		if len(items) == n {
			least = scores[items[n-1]]
		}
	}
	return items
}

// order writes the scores of the candidates by weights into room for them.
func (t *task) order(w weights, room *[candidates]float64) []float64 {
	c := w.smooth(t.given)
	first, second := 1/(1+c), c/(1+c)
	if t.factor == nil {
		t.power, t.factor = math.NaN(), make([]float64, len(t.near))
	}
	if t.power != w[atPopularity] { // most steps of a search leave it as it is
		t.power = w[atPopularity]
		for k, popularity := range t.popularity {
			t.factor[k] = t.power * popularity
		}
		vec.Exp(t.factor)
	}
	scores := room[:len(t.near)]
	vec.Blend(scores, t.factor, t.near, t.smooth, first, second)
	return scores
}

// found is the share of the ideal gain that an order of the candidates by weights brings: NDCG@20. Most steps of a search go back, or change the weight of
// the low-rank part in lists of other lengths only, so that it is known.
func (t *task) found(w weights) float64 {
	const most = 4
	v := value{smooth: w.smooth(t.given), popularity: w[atPopularity]}
	for _, known := range t.known {
		if known.smooth == v.smooth && known.popularity == v.popularity {
			return known.found
		}
	}
	var room [candidates]float64
	v.found = t.discounted(t.order(w, &room), t.gain) / t.ideal
	if len(t.known) == most {
		copy(t.known, t.known[1:])
		t.known = t.known[:most-1]
	}
	t.known = append(t.known, v)
	return v.found
}

// logs are the logs by which gains are divided, by place.
var logs = func() (logs [depth]float64) {
	for place := range logs {
		logs[place] = math.Log2(float64(place) + 2)
	}
	return logs
}()

// discounted is the sum of the gains at the top of an order by scores, less the later they come. Of equal scores the first comes first.
func (t *task) discounted(scores, gains []float64) (sum float64) {
	var top [depth + 1]int // the candidates with the highest scores
	count, least := 0, math.Inf(-1)
	for k, s := range scores {
		if count == depth && s <= least {
			continue
		}
		at := count
		for ; at > 0 && s > scores[top[at-1]]; at-- {
			top[at] = top[at-1]
		}
		top[at] = k
		if count = min(count+1, depth); count == depth {
			least = scores[top[depth-1]]
		}
	}
	var found [candidates]float64
	var which [(candidates + 63) / 64]uint64 // of them are not 0, so that they are added in the order of the candidates
	for place, k := range top[:count] {
		if gains[k] != 0 {
			found[k] = gains[k] / logs[place]
			which[k/64] |= 1 << (k % 64)
		}
	}
	for word, left := range which {
		for ; left != 0; left &= left - 1 {
			sum += found[64*word+bits.TrailingZeros64(left)]
		}
	}
	return sum
}
