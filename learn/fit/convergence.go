package fit

import (
	"fmt"
	"math"
	"slices"
)

// runaway reports a maximum at infinity: parameters that grow without bound because they
// separate the data perfectly. With chains the sign of it is a statistic with almost no
// variance; without chains, lists of probability 1. A log weight above 1e4 is one too.
func (f *fit) runaway() error {
	for k, v := range f.theta {
		if math.Abs(v)*math.Sqrt(f.first[k]) > 1e4 {
			return fmt.Errorf("%w: %s runs away to %.3g; use a prior", ErrNotConverged, f.family.Name(k), v)
		}
	}
	if k := f.scale.collapsed(f.first); !f.exact && k >= 0 {
		return fmt.Errorf("%w: %s seems to run away, because some parameters explain the data without fault; use a prior", ErrNotConverged, f.family.Name(k))
	}
	if !f.exact {
		return nil
	}
	for _, l := range f.learn {
		if !l.certain {
			return nil
		}
	}
	return fmt.Errorf("%w: the parameters run away, because they explain the data without fault; use a prior", ErrNotConverged)
}

// residual is the length of the Newton step along a mean gradient, in standard errors.
func (f *fit) residual(gradient []float64) float64 {
	step := slices.Clone(gradient)
	f.scale.solve(step, 1e-9)
	var square float64
	for k, g := range gradient {
		square += g * step[k]
	}
	return math.Sqrt(square * float64(len(f.learn)) / float64(len(gradient)))
}

// removeRedundant projects the point onto the complement of the redundant directions,
// unless a prior holds them: they change no distribution, and would drift.
func (f *fit) removeRedundant() {
	if f.Precision > 0 {
		return
	}
	for _, direction := range f.family.Redundant() {
		var along, square float64
		for k, v := range direction {
			along += f.theta[k] * v
			square += v * v
		}
		for k, v := range direction {
			f.theta[k] -= along / square * v
		}
	}
}

func (f *fit) distance() float64 {
	var total float64
	chains := 0
	for _, l := range f.learn {
		if !l.exact {
			total += l.distance
			chains++
		}
	}
	if chains == 0 {
		return 0
	}
	return total / float64(chains)
}

// mean is a running average of vectors.
type mean struct {
	value []float64
	count int
}

func newMean(like []float64) mean { return mean{value: make([]float64, len(like))} }

func (m *mean) add(v []float64) {
	m.count++
	for k := range v {
		m.value[k] += (v[k] - m.value[k]) / float64(m.count)
	}
}
