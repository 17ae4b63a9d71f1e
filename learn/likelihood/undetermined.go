package likelihood

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"fubini/core/cholesky"
	"fubini/learn/ballot"
)

// remedy is what helps where the votes leave parameter k open: a prior on worths is one on worths and tie weights of items alone. The
// weight of ties runs away with worths, where an item lost or tied whenever it was compared.
func (d *Data) remedy(k int) string {
	if k < d.Items || k >= d.Layout.Tie && k < d.Distance || d.Space != ballot.WithoutTies && k == d.Nu {
		return "use a prior on worths: --prior learn"
	}
	return "leave it out"
}

// runaway is a parameter whose maximum is at infinity, or -1. There steps stay as long as they
// were, while likelihood and information come to rest: that of the parameter itself, or of a direction that it is part of.
func (d *Data) runaway(first, last *point, theta, step []float64, prior ballot.Precision) int {
	far, lost := -1, false // lost: the parameter has hardly any information left
	for k := range d.Global {
		if precision, _ := d.prior(k, prior); precision > 0 || !(math.Abs(step[k]) > 1e-3*math.Abs(theta[k])) {
			continue
		}
		at := k*d.Global + k
		switch own := last.information[at] < 1e-4*first.information[at]; {
		case own && (!lost || far >= d.Items), !own && !lost && (far < 0 || math.Abs(step[k]) >= math.Abs(step[far])/2):
			far, lost = k, own // of several that run together a worth, or the last, which can be left out
		}
	}
	if lost {
		return far
	}
	if far >= 0 && d.variance(last, far, prior) > 1e6*d.variance(first, far, prior) {
		return far
	}
	return -1
}

// variance is that of parameter k by the information at a point; NaN where that is not positive.
func (d *Data) variance(p *point, k int, prior ballot.Precision) float64 {
	factor, column := d.regular(p, prior), make([]float64, d.Global)
	if !cholesky.Factorise(factor, d.Global) {
		return math.NaN()
	}
	column[k] = 1
	cholesky.SolveLower(factor, column)
	cholesky.SolveUpper(factor, column)
	return column[k]
}

// undetermined names what votes and prior leave open.
func (d *Data) undetermined(p *point, prior ballot.Precision) error {
	a, size := d.matrix(p, prior)
	for k := range d.Global {
		if !(a[k*d.Global+k] > 1e-12*size[0]) {
			return fmt.Errorf("fit: no vote depends on %s; %s", d.Name(k), d.remedy(k))
		}
	}
	var others []string
	for k := d.Items; k < d.Global && len(others) < 8; k++ {
		others = append(others, d.Name(k))
	}
	if len(others) == 0 {
		return errors.New("fit: the votes leave a combination of the worths undetermined; use a prior on worths")
	}
	return fmt.Errorf("fit: the votes leave a combination of worths and of %s undetermined; leave out what the others explain, or use a prior on worths", strings.Join(others, ", "))
}
