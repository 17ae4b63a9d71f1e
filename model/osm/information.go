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

// InformationOptions choose between exact and simulated covariances in [Information].
type InformationOptions struct {
	ExactTo int    // lists of at most this length have exact covariances; 0 means 10, negative none
	Sweeps  int    // sweeps of the Markov chain of a longer list; 0 means 4000
	Seed    uint64 // of the chains
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
	if err := Validate(family, lists); err != nil {
		return nil, err
	}
	if len(theta) != family.Dim() {
		return nil, fmt.Errorf("osm: %d parameters, the family has %d", len(theta), family.Dim())
	}
	for k, v := range theta {
		if !finite(v) {
			return nil, fmt.Errorf("osm: parameter %s is %g; it must be finite", family.Name(k), v)
		}
	}
	if options.Sweeps < 0 {
		return nil, fmt.Errorf("osm: %d sweeps; it must be positive", options.Sweeps)
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

// listed is the largest list whose covariance is found by listing.
const listed = 6

// listedCovariance is the definition, over all orders of the list.
func listedCovariance(bound Bound, theta []float64) (*mat.SymDense, error) {
	bound.SetParameters(theta)
	list, err := exact.List(bound, partition.Space{})
	if err != nil {
		return nil, err
	}
	d := len(bound.Index())
	mean, s := make([]float64, d), make([]float64, d)
	for x, p := range list.All() {
		bound.Statistics(x, s)
		for k, v := range s {
			mean[k] += p * v
		}
	}
	covariance := mat.NewSymDense(d, nil)
	for x, p := range list.All() {
		bound.Statistics(x, s)
		for k := range s {
			s[k] -= mean[k]
		}
		covariance.SymRankOne(covariance, p, mat.NewVecDense(d, s))
	}
	return covariance, nil
}

// exactCovariance is the derivative of the exact means by the parameters, by
// central differences: the covariance of a log-linear model. The step is small
// beside the inverse of the statistic's own deviation, estimated
// from exact draws: that balances the error of the difference against rounding, whatever
// the unit of the feature.
func exactCovariance(bound Bound, theta []float64) (*mat.SymDense, error) {
	if bound.N() <= listed {
		return listedCovariance(bound, theta)
	}
	index := bound.Index()
	deviation, err := deviations(bound, theta)
	if err != nil {
		return nil, err
	}
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
		if deviation[a] == 0 {
			continue // a statistic that never changes
		}
		step := 1e-4 / deviation[a]
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
			if b < a && deviation[b] > 0 {
				slope = (slope + covariance.At(a, b)) / 2 // both orders estimate the same
			}
			covariance.SetSym(a, b, slope)
		}
	}
	return covariance, nil
}

// deviations are the standard deviations of the statistics over 200 exact draws.
func deviations(bound Bound, theta []float64) ([]float64, error) {
	bound.SetParameters(theta)
	table, err := exact.NewTable(bound, partition.Space{})
	if err != nil {
		return nil, err
	}
	const draws = 200
	r, x := rng.Stream(0, "deviations"), partition.OneBlock(bound.N())
	d := len(bound.Index())
	s, mean, square := make([]float64, d), make([]float64, d), make([]float64, d)
	for n := 1.0; n <= draws; n++ { // Welford's running sums
		table.Draw(r, x)
		bound.Statistics(x, s)
		for k, v := range s {
			before := v - mean[k]
			mean[k] += before / n
			square[k] += before * (v - mean[k])
		}
	}
	for k := range square {
		square[k] = math.Sqrt(square[k] / draws)
	}
	return square, nil
}

// sampledCovariance estimates it from a chain that starts at the observed order.
func sampledCovariance(bound Bound, theta []float64, start *partition.Partition, sweeps int, r *rng.Rand) (*mat.SymDense, error) {
	bound.SetParameters(theta)
	kernel, err := mcmc.NewReinsertion(bound, partition.Space{})
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

// StandardErrors are the square roots of the diagonal of the inverse information. The inverse
// is taken on the complement of the family's redundant directions; worths then sum to zero.
// With a normal prior of the given precision on every parameter they are posterior standard
// deviations by the normal approximation. See docs/maths.md#fisher.
func StandardErrors(family Family, information *mat.SymDense, precision float64) ([]float64, error) {
	d := family.Dim()
	if information.SymmetricDim() != d {
		return nil, fmt.Errorf("osm: an information matrix of %d parameters, the family has %d", information.SymmetricDim(), d)
	}
	if !(precision >= 0) || math.IsInf(precision, 1) {
		return nil, fmt.Errorf("osm: a prior of precision %g; it must be 0 for none, or positive", precision)
	}
	sum := mat.NewSymDense(d, nil)
	sum.CopySym(information)
	size := mat.Trace(sum) / float64(d)
	if !finite(size) {
		return nil, fmt.Errorf("osm: the information matrix holds a number that is not finite")
	}
	for k := range d {
		sum.SetSym(k, k, sum.At(k, k)+precision)
	}
	// A redundant direction v is given information of its own, v v^T, and what
	// that adds to the inverse, v v^T over the fourth power of the length, is taken
	// out again.
	redundant := family.Redundant()
	if precision > 0 {
		redundant = nil
	}
	for _, direction := range redundant {
		sum.SymRankOne(sum, size, mat.NewVecDense(d, direction))
	}
	// Scaled to a unit diagonal, so that parameters in few lists count as
	// much as those in many.
	unit := make([]float64, d)
	for k := range unit {
		if unit[k] = math.Sqrt(sum.At(k, k)); !(unit[k] > 0) {
			return nil, fmt.Errorf("osm: the data hold nothing about %s; drop it or use a prior", family.Name(k))
		}
	}
	for i := range d {
		for j := i; j < d; j++ {
			sum.SetSym(i, j, sum.At(i, j)/(unit[i]*unit[j]))
		}
	}
	var factors mat.Cholesky
	// The information is known to about 1e-8, so a condition beyond 1e9 is no
	// more than rounding.
	if !factors.Factorize(sum) || !(factors.Cond() < 1e9) {
		return nil, fmt.Errorf("osm: the data leave a combination of the parameters undetermined; drop parameters or use a prior")
	}
	var inverse mat.SymDense
	if err := factors.InverseTo(&inverse); err != nil {
		return nil, fmt.Errorf("osm: the information matrix cannot be inverted: %w", err)
	}
	errors := make([]float64, d)
	for k := range errors {
		variance := inverse.At(k, k) / (unit[k] * unit[k])
		for _, direction := range redundant {
			var square float64
			for _, v := range direction {
				square += v * v
			}
			variance -= direction[k] * direction[k] / (size * square * square)
		}
		errors[k] = math.Sqrt(variance)
	}
	return errors, nil
}
