package rival

import "math"

// placing gives items places, one each, so that the sum over items of
//
//	weight[place] score[item] - discount[place] gain[item]
//
// is largest. Weights fall from place to place and scores from item to item,
// both strictly; places beyond the discounts, below the top, have none.
//
// It is a linear assignment problem. Of two items of equal gain the better score
// has the better place, or they would change places; and below the top the order is
// by score. So an answer is known by the gains in the places of the top: by the
// level that each place takes its next item from. solve starts from such levels and
// improves them until nothing is left to be gained, along cycles: a place takes the
// item of another, that one of a third, and so on back to the first (Klein 1967).
// A cycle is found where shortest paths do not come to an end (Bellman and Ford);
// where they do, their lengths prove that there is none.
//
// Few steps of a cycle have to be looked at. A place of the top takes an item of the
// top, or of every level the best that is left: to take a worse one is never better
// than to have the places between move up. And a place below the top takes an item
// of the top or its neighbour there: a longer way is no worse in short steps.
type placing struct {
	weight   []float64 // of places
	discount []float64 // of places of the top

	placeOf []int // of an item

	top           int // places
	scores, gains []float64
	levels        []int32
	next          []int   // of the same level, or negative
	head          []int   // of each level, the best that is not in the top; negative without one
	noise         float64 // differences that are rounding

	// Shortest paths to an item, from anywhere: lengths may begin with any numbers,
	// and good ones need little change.
	distance []float64
	before   []int // the item whose place takes this one; negative at the start of a path
	seen     []int // by which walk back along paths

	// What places of the top may take: the items there, then all heads.
	offers []offer
	taken  []float64 // the lengths from which places of the top last took something
}

// offer is an item that a place of the top may take.
type offer struct {
	distance, score, gain float64
	item                  int
}

// placeNote is what is worth remembering of a place: a level, one more than its
// number and zero for none, if the place is of the top; and a price, so that no item
// costs less than the prices of it and a place together.
type placeNote struct {
	level int32
	price float32
}

// reset makes room for n items of so many levels.
func (p *placing) reset(n, levels int) {
	if cap(p.placeOf) < n {
		p.placeOf, p.next, p.head = make([]int, n), make([]int, n), make([]int, n)
		p.before, p.seen, p.distance = make([]int, n), make([]int, n), make([]float64, n)
	}
	p.placeOf, p.next, p.head = p.placeOf[:n], p.next[:n], p.head[:levels]
	p.before, p.seen, p.distance = p.before[:n], p.seen[:n], p.distance[:n]
	p.top = min(len(p.discount), n)
}

// solve finds placeOf for at most as many items as there are weights. Levels
// number the different gains from 0. It starts from the notes of an earlier answer,
// or of any, and leaves its own.
func (p *placing) solve(scores, gains []float64, levels []int32, count int, notes []placeNote) {
	p.reset(len(scores), count)
	p.scores, p.gains, p.levels = scores, gains, levels
	p.noise = 1e-13 * (1 + p.weight[0]*(scores[0]-scores[len(scores)-1]))
	if notes[0].level == 0 {
		for place := range notes[:p.top] {
			notes[place].level = 1 + levels[place]
		}
	}
	p.arrange(notes)
	for j, place := range p.placeOf {
		p.distance[j] = p.cost(place, j) - float64(notes[place].price)
	}
	// Far fewer cycles than this are there to find; where scores are so large beside
	// their differences that gains are all rounding, they would not end.
	left := len(scores) * len(scores)
	for from := p.cycle(); from >= 0 && p.gain(from) > 0 && left > 0; from = p.cycle() {
		left--
		for j := from; ; {
			if place := p.placeOf[p.before[j]]; place < p.top {
				notes[place].level = 1 + levels[j]
			}
			if j = p.before[j]; j == from {
				break
			}
		}
		p.arrange(notes)
	}
	// Lengths of paths only ever fall: prices are told from the first one, or they
	// would grow from answer to answer until rounding is all there is.
	first := 0.0
	for j, place := range p.placeOf {
		if place == 0 {
			first = p.cost(place, j) - p.distance[j]
		}
	}
	for j, place := range p.placeOf {
		notes[place].price = float32(p.cost(place, j) - p.distance[j] - first)
	}
}

// gain is what the cycle through an item gains; above zero, but for rounding.
func (p *placing) gain(from int) (gain float64) {
	for j := from; ; {
		before := p.before[j]
		gain += p.cost(p.placeOf[j], j) - p.cost(p.placeOf[before], j)
		if j = before; j == from {
			return gain
		}
	}
}

func (p *placing) cost(place, item int) float64 {
	cost := -p.weight[place] * p.scores[item]
	if place < p.top {
		cost += p.discount[place] * p.gains[item]
	}
	return cost
}

// arrange gives places to all items, by the levels of the top.
func (p *placing) arrange(notes []placeNote) {
	for level := range p.head {
		p.head[level] = -1
	}
	for j := len(p.levels) - 1; j >= 0; j-- {
		level := p.levels[j]
		p.next[j], p.placeOf[j] = p.head[level], -1
		p.head[level] = j
	}
	p.offers = p.offers[:0]
	for place, note := range notes[:p.top] {
		level := note.level - 1
		j := p.head[level]
		p.head[level], p.placeOf[j] = p.next[j], place
		p.offers = append(p.offers, offer{score: p.scores[j], gain: p.gains[j], item: j})
	}
	if p.top == len(p.placeOf) {
		return
	}
	place := p.top
	for j, at := range p.placeOf {
		if at < 0 {
			p.placeOf[j] = place
			place++
		}
	}
	for _, j := range p.head {
		if j >= 0 {
			p.offers = append(p.offers, offer{score: p.scores[j], gain: p.gains[j], item: j})
		}
	}
}

// cycle returns an item on a cycle that gains something, along before, or -1.
func (p *placing) cycle() int {
	for j := range p.before {
		p.before[j], p.seen[j] = -1, -1
	}
	p.taken = p.taken[:0]
	for range p.top {
		p.taken = append(p.taken, math.Inf(1))
	}
	below := true
	// A path has no more steps than there are items: only rounding takes more rounds.
	for first := 0; first <= len(p.placeOf)*p.top; first += p.top { // the first walk of a round
		if below && p.top < len(p.placeOf) {
			p.pass()
		}
		var shorter bool
		if shorter, below = p.take(); !shorter {
			return -1
		}
		for place := range p.top {
			j, walk := p.offers[place].item, first+place
			for ; j >= 0 && p.seen[j] < first; j = p.before[j] {
				p.seen[j] = walk
			}
			if j >= 0 && p.seen[j] == walk {
				return j
			}
		}
	}
	return -1
}

// pass shortens paths by what places below the top take: up and down from
// neighbour to neighbour.
func (p *placing) pass() {
	n := len(p.scores)
	scores, distance, placeOf, before := p.scores, p.distance[:n], p.placeOf[:n], p.before[:n]
	for _, step := range [...]int{-1, 1} {
		from, here, weight := -1, 0.0, 0.0
		j := 0
		if step < 0 {
			j = n - 1
		}
		for ; j >= 0 && j < n; j += step {
			if from >= 0 {
				if through := here - weight*scores[j]; through < distance[j]-p.noise {
					distance[j], before[j] = through, from
				}
			}
			if placeOf[j] >= p.top {
				from, weight = j, p.weight[placeOf[j]]
				here = distance[j] + weight*scores[j]
			}
		}
	}
}

// take shortens paths by what places of the top take, and says whether it did, and
// whether any of those to items below the top.
func (p *placing) take() (shorter, below bool) {
	offers := p.offers
	for k := range offers {
		offers[k].distance = p.distance[offers[k].item] - p.noise
	}
	for place, taken := range p.taken {
		from := &offers[place]
		if from.distance >= taken {
			continue
		}
		p.taken[place] = from.distance
		c, d := p.weight[place], p.discount[place]
		here := from.distance + p.noise + c*from.score - d*from.gain
		for k := range offers {
			to := &offers[k]
			if through := here + d*to.gain - c*to.score; through < to.distance {
				to.distance = through - p.noise
				p.distance[to.item], p.before[to.item] = through, from.item
				shorter, below = true, below || k >= p.top
			}
		}
	}
	return shorter, below
}
