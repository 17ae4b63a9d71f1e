package cofirank

import (
	"math"

	"fubini/model/baseline/fitting"
)

// simplexQP maximises offset·α - ½ αᵀHα over the α that are not negative and sum to one: the dual of a bundle of
// planes. H is held row by row with room to grow.
type simplexQP struct {
	size   int // planes
	room   int
	matrix []float64 // H, in rows of length room
	bend   []float64 // the diagonal of H, by itself: its numbers lie far apart there
	offset []float64
	alpha  []float64
	slope  []float64 // offset - Hα
}

// reset removes all planes and makes room for as many as given.
func (q *simplexQP) reset(room int) {
	if q.room < room {
		q.room = room
		q.matrix = make([]float64, room*room)
		q.offset, q.alpha, q.slope = make([]float64, room), make([]float64, room), make([]float64, room)
		q.bend = make([]float64, room)
	}
	q.size = 0
}

func (q *simplexQP) row(t int) []float64 { return q.matrix[t*q.room:][:q.size] }

// add appends a plane that has no weight yet, or all if it is the first. The caller then fills in its products with all
// planes by put.
func (q *simplexQP) add(offset float64) {
	t := q.size
	q.size++
	q.offset[t], q.alpha[t] = offset, 0
	if t == 0 {
		q.alpha[0] = 1
	}
}

func (q *simplexQP) put(s, t int, product float64) {
	q.matrix[s*q.room+t], q.matrix[t*q.room+s] = product, product
	if s == t {
		q.bend[s] = product
	}
}

// solve climbs from the present α until no α is better by more than the tolerance, and returns the value. It shifts
// weight between two planes at a time: to the steepest, from the one that promises most. The value never falls.
func (q *simplexQP) solve(tolerance float64) float64 {
	slope, alpha, bends := q.slope[:q.size], q.alpha[:q.size], q.bend[:q.size]
	steepest, mean := 0, 0.0
	for s := range slope {
		slope[s] = q.offset[s] - fitting.Dot(q.row(s), alpha)
		mean += alpha[s] * slope[s]
		if slope[s] > slope[steepest] {
			steepest = s
		}
	}
	for range 1000 + 100*q.size {
		high := slope[steepest]
		if high-mean <= tolerance { // bounds what is still to be gained
			break
		}
		row := q.row(steepest)[:len(slope)]
		from, most := -1, 0.0
		for s, a := range alpha {
			if climb := high - slope[s]; a > 0 && climb > 0 {
				bend := max(bends[steepest]+bends[s]-2*row[s], 1e-300)
				step := climb / bend
				if a < step {
					step = a
				}
				if gain := step * (climb - 0.5*step*bend); gain > most {
					from, most = s, gain
				}
			}
		}
		if from < 0 {
			break
		}
		other := q.row(from)[:len(slope)]
		step := (high - slope[from]) / max(bends[steepest]+bends[from]-2*row[from], 1e-300)
		if step >= alpha[from] {
			step = alpha[from]
			alpha[from] = 0
		} else {
			alpha[from] -= step
		}
		alpha[steepest] += step
		steepest, mean, high = 0, 0, math.Inf(-1)
		for s, v := range slope {
			v -= step * (row[s] - other[s])
			slope[s] = v
			mean += alpha[s] * v
			if v > high {
				steepest, high = s, v
			}
		}
	}
	var value float64
	for s, a := range alpha {
		value += a * (q.offset[s] - 0.5*fitting.Dot(q.row(s), alpha))
	}
	return value
}
