package rival

import "math"

// pathPlacing solves the problem of [placing] another way, without levels: by
// shortest augmenting paths (Jonker and Volgenant 1987). A place at a time takes the
// item that costs least, whoever held it takes another, and so on to an item that
// nobody holds. Prices make sure of the answer: nothing costs less than the prices
// of its place and item together, and what was chosen costs just that.
//
// If there were no gains, the order by score would be best, with prices known
// beforehand: that is where it starts from, so that only the places of the top are
// left to be given away. And below the top, where the order by score stays, a path
// that goes to the next item up or down costs no more than one that jumps: places
// there look at their neighbours only.
type pathPlacing struct {
	*placing

	placeOf    []int // of an item; negative while it has none
	scores     []float64
	gains      []float64
	placePrice []float64
	itemPrice  []float64
	noise      float64 // differences in cost that are rounding

	distance []float64 // to an item; -Inf once it is reached for good
	open     []float64 // the same; +Inf once it is reached for good
	final    []float64 // the same; only for those reached for good
	before   []int     // the item that was given up for this one; negative at the start
	reached  []int
}

func (p *pathPlacing) reset(n int) {
	if cap(p.placeOf) < n {
		p.placeOf, p.before, p.reached = make([]int, n), make([]int, n), make([]int, 0, n)
		p.placePrice, p.itemPrice = make([]float64, n), make([]float64, n)
		p.distance, p.open, p.final = make([]float64, n), make([]float64, n), make([]float64, n)
	}
	p.placeOf, p.before = p.placeOf[:n], p.before[:n]
	p.placePrice, p.itemPrice = p.placePrice[:n], p.itemPrice[:n]
	p.distance, p.open, p.final = p.distance[:n], p.open[:n], p.final[:n]
}

// solve finds placeOf for at most as many items as there are weights.
func (p *pathPlacing) solve(scores, gains []float64) {
	n := len(scores)
	p.reset(n)
	p.scores, p.gains = scores, gains
	p.noise = 1e-13 * (1 + p.weight[0]*(scores[0]-scores[n-1]))
	p.itemPrice[n-1] = 0
	for j := n - 2; j >= 0; j-- {
		p.itemPrice[j] = p.itemPrice[j+1] - p.weight[j+1]*(scores[j]-scores[j+1])
	}
	for j := range n {
		p.placePrice[j], p.placeOf[j] = 0, -1
		if j >= len(p.discount) {
			p.placePrice[j], p.placeOf[j] = -p.weight[j]*scores[j]-p.itemPrice[j], j
		}
	}
	for place := range min(len(p.discount), n) {
		p.augment(place)
	}
}

// augment gives away one more place, along the cheapest path (Dijkstra).
func (p *pathPlacing) augment(place int) {
	n := len(p.scores)
	prices, distance, open := p.itemPrice[:n], p.distance[:n], p.open[:n]
	for j := range distance {
		distance[j], open[j] = math.Inf(1), math.Inf(1)
	}
	reached := p.reached[:0]
	at, item, length := place, -1, 0.0 // the place that looks for an item, the one it gave up, and the path to there
	for {
		next := p.look(at, item, length)
		if next < 0 {
			least := math.Inf(1)
			for j, d := range open {
				if d < least {
					next, least = j, d
				}
			}
		}
		item, length = next, open[next]
		if at = p.placeOf[item]; at < 0 {
			break
		}
		reached = append(reached, item)
		p.final[item] = length
		distance[item], open[item] = math.Inf(-1), math.Inf(1)
	}
	// What was reached gets dearer by how much nearer it is than the end.
	for _, j := range reached {
		nearer := length - p.final[j]
		prices[j] -= nearer
		p.placePrice[p.placeOf[j]] += nearer
	}
	p.placePrice[place] += length
	for item >= 0 {
		previous := p.before[item]
		if previous < 0 {
			p.placeOf[item] = place
		} else {
			p.placeOf[item] = p.placeOf[previous]
		}
		item = previous
	}
	p.reached = reached
}

// look shortens distances by way of a place that gave up an item. It returns the
// nearest item, or -1 where that takes another look at all of them.
func (p *pathPlacing) look(at, item int, length float64) (next int) {
	n, top := len(p.scores), len(p.discount)
	scores, prices, distance := p.scores[:n], p.itemPrice[:n], p.distance[:n]
	open, before := p.open[:n], p.before[:n]
	base, c := length-p.placePrice[at], p.weight[at]
	if at < top {
		d, gains, least := p.discount[at], p.gains[:n], math.Inf(1)
		for j, f := range scores {
			far := open[j]
			if through := base + d*gains[j] - c*f - prices[j]; through < distance[j] {
				far = through
				distance[j], open[j], before[j] = through, through, item
			}
			if far < least {
				next, least = j, far
			}
		}
		return next
	}
	next = -1
	for _, step := range [...]int{1, -1} {
		for j := item + step; j >= 0 && j < n; j += step {
			if through := base - c*scores[j] - prices[j]; through < distance[j] {
				distance[j], open[j], before[j] = through, through, item
				if through <= length+p.noise {
					next = j
				}
			}
			if p.placeOf[j] >= top {
				break
			}
		}
	}
	return next
}
