package interest

import (
	"context"
	"math"
	"slices"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/data/ratings"
	"fubini/model/interest"
)

// What follows what in time. Docs/interest.md has the formulas, and docs/ideas-interest.md the measurements behind the constants.
const (
	// fade is the weight of a pair of placements with a place more between them, over that of one with a place less.
	fade = .8
	// window is the largest distance in places of a pair that counts: one more would weigh 0.0015.
	window = 30
	// fromPower and toPower are the powers of the numbers of lists with the earlier and the later item by which a weight is divided,
	// and fewLists is added to these numbers.
	fromPower, toPower, fewLists = .8, .3, 5
	// recent is the weight of a placement, over that of the next later one, when it is asked what comes next.
	recent = .7
	// followers is the number of weights kept for each item, and mostFollowers that of all: 80 MB in a file.
	followers, mostFollowers = 100, 10_000_000
	// mostOrdered is about the largest number of placements that pairs are counted in: those of people at even distances.
	mostOrdered = 5_000_000
	// lastTasks is the number of people whose last item is looked for in order to choose the strength.
	lastTasks = 500
)

// strengths are those that are tried; the first of the best is taken.
var strengths = []float64{1, .5, 2, .25, 4, .125, 8, 0}

// sequences are lists in the order of time, one after the other. Items of the same time stand together, in any order.
type sequences struct {
	places   []place
	start    []uint32     // of each list
	of       []int        // the person of each list
	at       [][]standing // of each item
	from, to []float64    // of each item: the powers of its number of lists by which weights are divided
}

// place is an item in a sequence, and where the items of the same time begin and end.
type place struct{ item, first, last uint32 }

// standing is where an item stands in the sequences, and where its list ends.
type standing struct{ at, end uint32 }

// ordered puts the lists of people at even distances into the order of time.
func (l *lists) ordered() *sequences {
	s := &sequences{at: make([][]standing, len(l.picks))}
	every, order := (l.set.Len()+mostOrdered-1)/mostOrdered, []int(nil)
	s.places = make([]place, 0, l.set.Len()/every)
	for i, picks := range l.picks {
		s.at[i] = make([]standing, 0, len(picks.people)/every)
	}
	for k := 0; k < len(l.people); k += every {
		row := l.set.Row(l.people[k])
		order = sized(order, row.Len())
		byTime(row.Times, order)
		s.of, s.start = append(s.of, l.people[k]), append(s.start, uint32(len(s.places)))
		for from := 0; from < len(order); {
			to := from + 1
			for to < len(order) && row.Times[order[to]] == row.Times[order[from]] {
				to++
			}
			first := uint32(len(s.places))
			for _, n := range order[from:to] {
				item := row.Items[n]
				s.at[item] = append(s.at[item], standing{uint32(len(s.places)), s.start[len(s.start)-1] + uint32(row.Len())})
				s.places = append(s.places, place{item, first, first + uint32(to-from) - 1})
			}
			from = to
		}
	}
	s.start = append(s.start, uint32(len(s.places)))
	s.from, s.to = make([]float64, len(s.at)), make([]float64, len(s.at))
	for i := range s.at {
		s.from[i], s.to[i] = divisors(len(s.at[i]))
	}
	return s
}

// divisors are the powers of a number of lists by which weights are divided: for the earlier item of a pair, and for the later one.
func divisors(lists int) (from, to float64) {
	n := float64(lists + fewLists)
	return math.Pow(n, fromPower), math.Pow(n, toPower)
}

// tally has sums of weights by item, and the items whose sum is not 0: few of a large catalogue follow one item.
type tally struct {
	sums  []float64
	items []uint32

	weights, sizes []float64 // room
}

// newTally has room for a number of items, one of them written beyond those that count: see add.
func newTally(items int) tally {
	return tally{sums: make([]float64, items), items: make([]uint32, 0, items+1)}
}

// add adds a weight above 0 to the sum of an item. The item is written behind the others whether it is new or not: a processor cannot foresee which.
func (t *tally) add(item uint32, weight float64) {
	sum, count := t.sums[item], len(t.items)
	t.items[:count+1][count] = item
	if sum == 0 {
		count++
	}
	t.items, t.sums[item] = t.items[:count], sum+weight
}

// clear removes all sums.
func (t *tally) clear() {
	for _, item := range t.items {
		t.sums[item] = 0
	}
	t.items = t.items[:0]
}

// manyItems is the share of the items of a catalogue, one in so many, from which on looking at all of them is quicker than sorting.
const manyItems = 16

// sort brings the items of a tally into ascending order.
func (t *tally) sort() {
	if manyItems*len(t.items) < len(t.sums) {
		slices.Sort(t.items)
		return
	}
	t.items = t.items[:0]
	for item, sum := range t.sums {
		if sum != 0 {
			t.items = append(t.items, uint32(item))
		}
	}
}

// pairs adds to sums, by item, the weights of the pairs of the item at a place with those that follow it in its list. The place of items of the same time is the
// mean of theirs; each of two such items follows the other in half of all orders, with (size + 1) / 3 places between them on average.
func (s *sequences) pairs(of standing, sums *tally) {
	first, last := s.places[of.at].first, s.places[of.at].last
	if more := last - first; more < uint32(len(tied)) {
		for other := first; other <= last; other++ {
			if other != of.at {
				sums.add(s.places[other].item, tied[more])
			}
		}
	}
	for _, other := range s.places[last+1 : of.end] {
		apart := other.first + other.last - first - last // twice the distance
		if apart > 2*window {
			break
		}
		sums.add(other.item, fading[apart])
	}
}

// fading is the weight of a pair by twice its distance in places.
var fading = func() (weights [2*window + 1]float64) {
	for apart := range weights {
		weights[apart] = math.Pow(fade, max(0, float64(apart)/2-1))
	}
	return weights
}()

// tied is the weight of a pair of items of the same time by the number of such items, less one.
var tied = func() (weights [3*window - 1]float64) {
	for more := range weights {
		weights[more] = math.Pow(fade, max(0, float64(more+2)/3-1)) / 2
	}
	return weights
}()

// follow counts what follows what: the weight of item i for item j is the sum over their pairs, divided by powers of the numbers of
// lists with each. The largest of each item are kept.
func (l *lists) follow(ctx context.Context, s *sequences, jobs int) interest.Weights {
	items := len(l.picks)
	keep := min(followers, max(1, mostFollowers/max(1, items)))
	rows, tallies := make([]column, items), make([]tally, parallel.Size(items, jobs))
	parallel.Until(ctx, items, jobs, func(worker, i int) {
		t := &tallies[worker]
		if t.sums == nil {
			*t = newTally(items)
		}
		const ahead = 4
		for k, of := range s.at[i] {
			if k+ahead < len(s.at[i]) {
				vec.Fetch(&s.places[s.at[i][k+ahead].at].item)
			}
			s.pairs(of, t)
		}
		t.sort() // of equal weights the first are kept
		t.weights = sized(t.weights, len(t.items))
		weights := t.weights
		for k, j := range t.items {
			weights[k] = t.sums[j] / (s.from[i] * s.to[j])
		}
		rows[i] = strongest(weights, keep, &t.sizes)
		for k, place := range rows[i].places {
			rows[i].places[k] = int32(t.items[place])
		}
		t.clear()
	})
	w := interest.Weights{Start: make([]int64, 1, items+1)}
	for _, row := range rows {
		for k, j := range row.places {
			w.Target, w.Value = append(w.Target, uint32(j)), append(w.Value, row.values[k])
		}
		w.Start = append(w.Start, int64(len(w.Target)))
	}
	return w
}

// order fits what people pick after what, in a set with times. The strength is the one with which the last items of people's lists are
// best found from the rest, without these people in the counts and in the regressions.
func (l *lists) order(ctx context.Context, m *interest.Model, p []float32, o Options) error {
	s := l.ordered()
	m.Next = &interest.Next{Weights: l.follow(ctx, s, o.Jobs), Recent: recent, Strength: strengths[0]}
	if len(s.of) < fewestPeople {
		return ctx.Err()
	}
	count := min(lastTasks, len(s.of))
	found := make([][]float64, count) // by each strength
	low, rooms, group, all := lowRank(m), make([]room, parallel.Size(count, o.Jobs)), l.group(1), []float32(nil)
	for from := 0; from < count && ctx.Err() == nil; from += group {
		to := min(from+group, count)
		var of []sparse
		var pieces [][]sparse
		var first []int
		var parts []part
		var hidden []uint32
		for k := from; k < to; k++ {
			n := k * len(s.of) / count
			u := s.of[n]
			part, item := l.withoutLast(u, s.places[s.start[n+1]-1].first, s.start[n+1], s, o.Seed)
			parts, hidden, pieces, first = append(parts, part), append(hidden, item), append(pieces, l.pieces(u)), append(first, len(of))
			of = append(append(of, pieces[k-from]...), part.shorter)
		}
		products := l.timesInto(ctx, p, of, &all, o.Jobs)
		parallel.Until(ctx, to-from, o.Jobs, func(worker, k int) {
			n := (from + k) * len(s.of) / count
			if parts[k].row.Len() > 0 && l.place[hidden[k]] >= 0 {
				next := first[k] + len(pieces[k])
				without := l.absent(s.of[n], pieces[k], joined(products[first[k]:next]), &rooms[worker])
				found[from+k] = l.findLast(m, low, s, n, parts[k], hidden[k], products[next], without, &rooms[worker])
			}
		})
	}
	best := -1.0
	for k, strength := range strengths {
		var sum float64
		for _, each := range found {
			if each != nil {
				sum += each[k]
			}
		}
		if sum > best {
			best, m.Next.Strength = sum, strength
		}
	}
	return ctx.Err()
}

// withoutLast hides the last item of a person's list, of those of the last time one by lot.
func (l *lists) withoutLast(u int, first, end uint32, s *sequences, seed uint64) (p part, hidden uint32) {
	row := l.set.Row(u)
	hidden = s.places[first+uint32(rng.Stream(seed, "interest last", uint64(u)).IntN(int(end-first)))].item
	at := make([]int, 0, row.Len()-1)
	for k, i := range row.Items {
		if i != hidden {
			at = append(at, k)
		}
	}
	p = l.part(u, at)
	for _, k := range at {
		p.row.Times = append(p.row.Times, row.Times[k])
	}
	return p, hidden
}

// findLast returns the discount of the place of a hidden last item by each strength, 0 beyond the first places, for the n-th list of the
// sequences. The product of P with the shorter part is given.
func (l *lists) findLast(m *interest.Model, low *low, s *sequences, n int, p part, hidden uint32, product []float32, without *absent, space *room) []float64 {
	space = space.of(m.Items())
	near, smooth, later := space.near, space.smooth, space.score
	space.smoothed(m, low, p.row)
	space.take(0)
	without.part(p, product, near)
	first, second := m.Shares(p.row.Len(), interest.Ratio(p.row, near, smooth))
	s.later(&m.Next.Weights, n, p.row, hidden, later)
	ratio := interest.Ratio(p.row, near, later)
	for _, i := range p.row.Items {
		near[i] = math.NaN() // which is never above
	}
	base := func(j uint32) (score, slope float64) {
		return m.Factor[j] * (float64(first*near[j]) + float64(second*smooth[j])), ratio * later[j]
	}
	score, slope := base(hidden)
	above := make([]int, len(strengths))
	for _, j := range l.inputs {
		other, along := base(j)
		if other <= score && along <= slope { // by no strength
			continue
		}
		for k, strength := range strengths {
			if other+float64(strength*along) > score+float64(strength*slope) {
				above[k]++
			}
		}
	}
	found := make([]float64, len(strengths))
	for k, place := range above {
		if place < depth {
			found[k] = 1 / logs[place]
		}
	}
	return found
}

// rounded is the share of a sum of weights below which what is left without one list is rounding: stored weights have four bytes.
const rounded = 1e-6

// later writes the scores of what comes after a list whose hidden item is its last one, as counts without the list's own person have
// them: other items that are not in the list have no pairs with it, so that only the numbers of lists change.
func (s *sequences) later(w *interest.Weights, n int, given ratings.Row, hidden uint32, scores []float64) {
	own := newTally(len(scores))
	stands := make(map[uint32]uint32, given.Len())
	for at := s.start[n]; at < s.start[n+1]; at++ {
		stands[s.places[at].item] = at
	}
	_, to := divisors(len(s.at[hidden]) - 1)
	var score float64 // of the hidden item
	for k, age := range given.Ages() {
		weight := math.Pow(recent, age)
		if weight < interest.Faded {
			continue
		}
		i := given.Items[k]
		from, _ := divisors(len(s.at[i]) - 1)
		first, last := w.Start[i], w.Start[i+1]
		vec.AddAt(scores, w.Target[first:last], w.Value[first:last], weight*(s.from[i]/from), 0)
		own.clear()
		s.pairs(standing{stands[i], s.start[n+1]}, &own)
		all := w.At(i, hidden) * s.from[i] * s.to[hidden]
		if others := all - own.sums[hidden]; others > rounded*all {
			score += float64(weight * (others / (from * to)))
		}
	}
	scores[hidden] = score
}
