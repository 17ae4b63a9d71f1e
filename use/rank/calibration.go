package rank

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fubini/core/cholesky"
	"fubini/core/logprob"
	"fubini/model/latent"
)

// Placed is a rating that was held back: the log weights of its slots before any
// calibration, the sizes of the person's tiers, the shares of the slots, and the
// slot it has.
type Placed struct {
	Weights []float64
	Sizes   []int
	Shares  []float64
	Slot    int
}

// FewestPlaced is how many held-back ratings a reading is fitted to at least: some
// dozens for each of its parameters.
const FewestPlaced = 300

// ErrNoReading comes from held-back ratings that say too little, or that the model
// is wrong.
var ErrNoReading = errors.New("the odds cannot be calibrated")

// FitReading finds the reading under which held-back ratings are likeliest, with a
// weak pull to the log weights as they are, which decides what the data leave open.
// The log likelihood is concave, so Newton's steps find its top. See
// docs/maths.md#calibration.
func FitReading(placed []Placed) (latent.Reading, error) {
	if len(placed) < FewestPlaced {
		return latent.Reading{}, fmt.Errorf("rank: %w by %d held-back ratings; it takes %d", ErrNoReading, len(placed), FewestPlaced)
	}
	const most, enough = 100, 1e-8
	p := asTheyAre
	value, gradient, hessian := readingLikelihood(placed, p)
	for range most {
		step := newtonStep(gradient, hessian)
		var gain float64
		for k := range step {
			gain += step[k] * gradient[k]
		}
		if !(gain > enough) {
			return settled(p)
		}
		for share := 1.0; ; share /= 2 { // until the likelihood rises
			trial := p
			for k := range trial {
				trial[k] += share * step[k]
			}
			if v, g, h := readingLikelihood(placed, trial); v >= value {
				p, value, gradient, hessian = trial, v, g, h
				break
			}
			if share < 1e-9 {
				return settled(p)
			}
		}
	}
	return latent.Reading{}, fmt.Errorf("rank: %w: no end in %d steps", ErrNoReading, most)
}

// settled is the reading that was found, if it is one.
func settled(p vector) (latent.Reading, error) {
	r := latent.ReadingOf(p)
	if !(r.Power > 0) {
		return r, fmt.Errorf("rank: %w: ratings are the likelier the less the model believes in them (power %g)", ErrNoReading, r.Power)
	}
	return r, nil
}

const size = latent.ReadingSize

type (
	vector = [size]float64
	matrix [size][size]float64
)

// asTheyAre is the reading that changes nothing.
var asTheyAre = latent.Reading{Power: 1}.Parameters()

// pull is the precision of the pull to the identity, in held-back ratings.
const pull = 1.0

// readingLikelihood is the log likelihood less the pull, with its gradient and
// minus its Hessian.
func readingLikelihood(placed []Placed, p vector) (value float64, gradient vector, hessian matrix) {
	for k := range p {
		d := p[k] - asTheyAre[k]
		value -= pull * d * d / 2
		gradient[k] -= pull * d
		hessian[k][k] += pull
	}
	var logs []float64
	var features []vector
	for _, each := range placed {
		logs, features = logs[:0], slices.Grow(features[:0], len(each.Weights))[:len(each.Weights)]
		latent.SlotFeatures(each.Weights, each.Sizes, each.Shares, features)
		for _, f := range features {
			var sum float64
			for k, v := range f {
				sum += p[k] * v
			}
			logs = append(logs, sum)
		}
		norm := logprob.SumExp(logs)
		value += logs[each.Slot] - norm
		var mean vector
		for s, f := range features {
			odds := math.Exp(logs[s] - norm)
			for k, v := range f {
				mean[k] += odds * v
				if v == 0 {
					continue
				}
				for j, w := range f[:k+1] {
					hessian[k][j] += odds * v * w
				}
			}
		}
		for k, v := range mean {
			gradient[k] += features[each.Slot][k] - v
			for j, w := range mean[:k+1] {
				hessian[k][j] -= v * w
			}
		}
	}
	for k := range hessian {
		for j := range k {
			hessian[j][k] = hessian[k][j]
		}
	}
	return value, gradient, hessian
}

// newtonStep solves hessian step = gradient. The pull keeps the matrix positive
// definite.
func newtonStep(gradient vector, hessian matrix) vector {
	var flat [size * size]float64
	for k, row := range hessian {
		copy(flat[k*size:], row[:])
	}
	cholesky.MustFactorise(flat[:], size)
	cholesky.SolveLower(flat[:], gradient[:])
	cholesky.SolveUpper(flat[:], gradient[:])
	return gradient
}
