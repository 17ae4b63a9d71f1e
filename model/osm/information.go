package osm

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
)

// InformationOptions say how Information finds the covariances it adds up.
type InformationOptions struct {
	ExactTo int    // lists of up to so many items are computed exactly; 0 means 10, negative none
	Sweeps  int    // sweeps of the chain for longer ones; 0 means 4000
	Seed    uint64 // of those chains
}

// Information is the Fisher information of the parameters at theta: the sum
// over lists of the covariance of their statistics. Lists of the same items are
// computed once. See docs/maths.md#fisher.
func Information(family Family, theta []float64, lists []List, options InformationOptions) (*mat.SymDense, error) {
	if options.ExactTo == 0 {
		options.ExactTo = 10
	}
	if options.Sweeps == 0 {
		options.Sweeps = 4000
	}
	if len(theta) != family.Dim() {
		return nil, fmt.Errorf("osm: %d parameters, the family has %d", len(theta), family.Dim())
	}
	times := map[string]int{}
	var distinct []List
	for _, list := range lists {
		key := fmt.Sprint(list.Items)
		if times[key]++; times[key] == 1 {
			distinct = append(distinct, list)
		}
	}
	information := mat.NewSymDense(family.Dim(), nil)
	for k, list := range distinct {
		bound, err := family.Bind(list.Items)
		if err != nil {
			return nil, err
		}
		var covariance *mat.SymDense
		if len(list.Items) <= options.ExactTo {
			covariance, err = exactCovariance(bound, theta)
		} else {
			covariance, err = sampledCovariance(bound, theta, list.Order, options.Sweeps, rng.Stream(options.Seed, "information", uint64(k)))
		}
		if err != nil {
			return nil, err
		}
		index := bound.Index()
		weight := float64(times[fmt.Sprint(list.Items)])
		for a, i := range index {
			for b, j := range index {
				if i <= j {
					information.SetSym(i, j, information.At(i, j)+weight*covariance.At(a, b))
				}
			}
		}
	}
	return information, nil
}

// exactCovariance is the derivative of the exact means by the parameters, by
// central differences: the covariance of a log-linear model. The step balances
// the error of the difference, step^2, against rounding over step.
func exactCovariance(bound Bound, theta []float64) (*mat.SymDense, error) {
	const step = 1e-4
	index := bound.Index()
	moved := slices.Clone(theta)
	defer bound.SetParameters(theta)
	means := func(k int, value float64) ([]float64, error) {
		moved[k] = value
		bound.SetParameters(moved)
		moved[k] = theta[k]
		table, err := exact.NewTable(bound, partition.Space{})
		if err != nil {
			return nil, err
		}
		out := make([]float64, len(index))
		bound.Expected(table.Moments(), out)
		return out, nil
	}
	covariance := mat.NewSymDense(len(index), nil)
	for a, k := range index {
		up, err := means(k, theta[k]+step)
		if err != nil {
			return nil, err
		}
		down, err := means(k, theta[k]-step)
		if err != nil {
			return nil, err
		}
		for b := range index {
			slope := (up[b] - down[b]) / (2 * step)
			if b < a {
				slope = (slope + covariance.At(a, b)) / 2 // both orders estimate the same
			}
			covariance.SetSym(a, b, slope)
		}
	}
	return covariance, nil
}

// sampledCovariance estimates it from a chain that starts at the observed order.
func sampledCovariance(bound Bound, theta []float64, start *partition.Partition, sweeps int, r *rng.Rand) (*mat.SymDense, error) {
	bound.SetParameters(theta)
	kernel, err := mcmc.NewReinsertion(bound, bound.N(), partition.Space{})
	if err != nil {
		return nil, err
	}
	x := start.Clone()
	for range 100 + sweeps/20 {
		kernel.Step(r, x, nil)
	}
	d := len(bound.Index())
	draws := mat.NewDense(sweeps, d, nil)
	mean := make([]float64, d)
	for s := range sweeps {
		kernel.Step(r, x, nil)
		row := draws.RawRowView(s)
		bound.Statistics(x, row)
		for k, v := range row {
			mean[k] += v / float64(sweeps)
		}
	}
	for s := range sweeps {
		row := draws.RawRowView(s)
		for k := range row {
			row[k] -= mean[k]
		}
	}
	covariance := mat.NewSymDense(d, nil)
	covariance.SymOuterK(1/float64(sweeps), draws.T())
	return covariance, nil
}

// StandardErrors are the square roots of the diagonal of the inverse
// information. Directions the family calls redundant are left out of the
// inverse, which for worths means the convention that they sum to zero. With a
// prior of the given precision on every parameter they are the standard
// deviations of the posterior's normal approximation instead. See
// docs/maths.md#fisher.
func StandardErrors(family Family, information *mat.SymDense, precision float64) ([]float64, error) {
	d := family.Dim()
	if !(precision >= 0) || math.IsInf(precision, 1) {
		return nil, fmt.Errorf("osm: a prior of precision %g; it must be 0 for none, or positive", precision)
	}
	sum := mat.NewSymDense(d, nil)
	sum.CopySym(information)
	for k := range d {
		sum.SetSym(k, k, sum.At(k, k)+precision)
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(sum, true) {
		return nil, fmt.Errorf("osm: the information matrix has no eigenvalues; is a number in it not finite?")
	}
	values := eigen.Values(nil) // ascending
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	// Differences and rounding blur zero by about 1e-7 of the largest value.
	floor := 1e-6 * math.Abs(values[d-1])
	undetermined := 0
	errors := make([]float64, d)
	for v, value := range values {
		if !(value > floor) {
			undetermined++
			continue
		}
		for k := range errors {
			errors[k] += vectors.At(k, v) * vectors.At(k, v) / value
		}
	}
	known := len(family.Redundant())
	if precision > 0 {
		known = 0
	}
	if undetermined > known {
		return nil, fmt.Errorf("osm: the data leave %d directions of the parameters undetermined; drop parameters or use a prior", undetermined-known)
	}
	for k := range errors {
		errors[k] = math.Sqrt(errors[k])
	}
	return errors, nil
}
