package rival

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

	scores, gains []float64
	levels        []int32
	next          []int // of the same level, or negative
	head          []int // of each level, the best that is not in the top; negative without one
	item          []int // in each place of the top, then all heads
	noise         float64

	distance []float64
	before   []int // the item whose place takes this one; negative at the start of a path
	seen     []int // by which walk back along paths
}

// reset makes room for n items of so many levels.
func (p *placing) reset(n, levels int) {
	if cap(p.placeOf) < n {
		p.placeOf, p.next, p.head = make([]int, n), make([]int, n), make([]int, n)
		p.before, p.seen, p.distance = make([]int, n), make([]int, n), make([]float64, n)
	}
	p.placeOf, p.next, p.head = p.placeOf[:n], p.next[:n], p.head[:levels]
	p.before, p.seen, p.distance = p.before[:n], p.seen[:n], p.distance[:n]
}

// solve finds placeOf for at most as many items as there are weights. Levels
// number the different gains from 0, and top has the level in each place of the
// top, for as many places as there are items: any that can be, to begin with, and
// those of the answer in the end.
func (p *placing) solve(scores, gains []float64, levels []int32, count int, top []int32) {
	p.reset(len(scores), count)
	p.scores, p.gains, p.levels = scores, gains, levels
	p.noise = 1e-13 * (1 + p.weight[0]*(scores[0]-scores[len(scores)-1]))
	for {
		p.arrange(top)
		from := p.cycle()
		if from < 0 {
			return
		}
		for j := from; ; {
			if place := p.placeOf[p.before[j]]; place < len(top) {
				top[place] = p.levels[j]
			}
			if j = p.before[j]; j == from {
				break
			}
		}
	}
}

// arrange gives places to all items, by the levels of the top.
func (p *placing) arrange(top []int32) {
	for level := range p.head {
		p.head[level] = -1
	}
	for j := len(p.levels) - 1; j >= 0; j-- {
		level := p.levels[j]
		p.next[j], p.placeOf[j] = p.head[level], -1
		p.head[level] = j
	}
	p.item = p.item[:0]
	for place, level := range top {
		j := p.head[level]
		p.head[level], p.placeOf[j] = p.next[j], place
		p.item = append(p.item, j)
	}
	place := len(top)
	for j, at := range p.placeOf {
		if at < 0 {
			p.placeOf[j] = place
			place++
		}
	}
	for _, j := range p.head {
		if j >= 0 {
			p.item = append(p.item, j)
		}
	}
}

// cycle returns an item on a cycle that gains something, along before, or -1.
func (p *placing) cycle() int {
	top := min(len(p.discount), len(p.scores))
	for j := range p.distance {
		p.distance[j], p.before[j], p.seen[j] = 0, -1, -1
	}
	for round := 0; ; round++ {
		p.pass(top)
		if !p.take(top) {
			return -1
		}
		for _, j := range p.item[:top] {
			if p.before[j] < 0 {
				continue
			}
			walk := round*top + p.placeOf[j]
			for ; j >= 0 && p.seen[j] < round*top; j = p.before[j] {
				p.seen[j] = walk
			}
			if j >= 0 && p.seen[j] == walk {
				return j
			}
		}
	}
}

// pass shortens paths by what places below the top take: up and down from
// neighbour to neighbour.
func (p *placing) pass(top int) {
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
			if placeOf[j] >= top {
				from, weight = j, p.weight[placeOf[j]]
				here = distance[j] + weight*scores[j]
			}
		}
	}
}

// take shortens paths by what places of the top take, and says whether it did.
func (p *placing) take(top int) (shorter bool) {
	for place, from := range p.item[:top] {
		c, d := p.weight[place], p.discount[place]
		here := p.distance[from] + c*p.scores[from] - d*p.gains[from]
		for _, j := range p.item {
			if through := here + d*p.gains[j] - c*p.scores[j]; through < p.distance[j]-p.noise {
				p.distance[j], p.before[j] = through, from
				shorter = true
			}
		}
	}
	return shorter
}
