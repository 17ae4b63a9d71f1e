package likelihood

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"fubini/learn/ballot"
	"fubini/learn/reliability"
	"fubini/model/osm"
	"fubini/use/board"
)

// Worths are the worths of all items: with covariates of items, the regression and the rest
// together. They sum to zero.
func (f *Fit) Worths() []float64 {
	worths := make([]float64, f.Items)
	var mean float64
	for i := range worths {
		worths[i] = f.Theta[i]
		for j := range f.Item.Names {
			worths[i] += f.Item.Values[i*len(f.Item.Names)+j] * f.Theta[f.Beta+j]
		}
		mean += worths[i] / float64(f.Items)
	}
	for i := range worths {
		worths[i] -= mean
	}
	return worths
}

// Parameter is the value of a parameter that is not a worth, tie deviation or reliability, with its standard error.
type Parameter struct {
	Name            string
	Value, StdError float64
	OnWorths        bool // on the scale of worths: of covariates of items and places, and of features of orders
}

// Others are the parameters beside worths, tie deviations and the spread of reliabilities.
func (f *Fit) Others(c Covariance) (others []Parameter) {
	for _, k := range f.beside() {
		others = append(others, Parameter{f.Name(k), f.Theta[k], math.Sqrt(c[k*f.Global+k]), f.onWorths(k)})
	}
	return others
}

// beside are the numbers of the parameters that no item, unit or rater has of its own.
func (f *Fit) beside() (all []int) {
	for k := f.Items; k < f.W; k++ {
		if k < f.Layout.Tie || k >= f.Distance {
			all = append(all, k)
		}
	}
	return all
}

// onWorths is whether parameter k is on the scale of worths.
func (f *Fit) onWorths(k int) bool {
	return k >= f.Beta && k < f.Alpha || k >= f.G && k < f.Layout.Size
}

// Free is the number of parameters: all but one for every redundant direction. Reliabilities are integrated out, and their
// spread is one parameter.
func (f *Fit) Free() int { return f.Global - len(f.Redundant()) }

// Nu is the log weight of a tie of items of equal worth, relative to either order; -Inf where
// there are no ties.
func (f *Fit) Nu() float64 {
	if f.Space == ballot.WithoutTies {
		return math.Inf(-1)
	}
	return f.Theta[f.Layout.Nu]
}

// TieDeviations returns the deviation of each item's tie weight from the common one; nil if all ties have one weight.
func (f *Fit) TieDeviations() []float64 { return f.Theta[f.Layout.Tie:f.Distance] }

// TieErrors are the standard errors of [Fit.TieDeviations], where c is the covariance of the parameters; nil for none.
func (f *Fit) TieErrors(c Covariance) (errors []float64) {
	for k := f.Layout.Tie; k < f.Distance; k++ {
		errors = append(errors, math.Sqrt(c[k*f.Global+k]))
	}
	return errors
}

// TierSizes are the weights of tiers by their size; nil for none.
func (f *Fit) TierSizes() osm.SizeWeights {
	if f.Layout.Size == f.W {
		return nil
	}
	sizes := osm.NewSizeWeights(f.Sizes)
	every, last := sizes.Rows()
	copy(every[1:], f.Theta[f.Layout.Size:])
	copy(last[1:], f.Theta[f.Layout.Size+f.Sizes:f.W])
	return sizes
}

// Pair are the probabilities that item i wins against item j, ties with it and loses, without
// covariates of places and votes, for a rater of reliability 1.
func (f *Fit) Pair(i, j int) (win, tie, loss float64) { return f.Chances(f.Theta, i, j) }

// Reliabilities are the posterior means of those of the raters, nil if all are equal.
func (f *Fit) Reliabilities() []float64 { return f.Theta[f.Global:] }

// ReliabilityErrors are the standard errors of the reliabilities, where c is the covariance of the parameters: what the votes of
// the rater leave open, and what is unknown of the parameters.
func (f *Fit) ReliabilityErrors(c Covariance) []float64 {
	errors := make([]float64, f.Raters)
	for r := range errors {
		own := &f.point.raters[r]
		variance := own.Variance
		for _, a := range own.Lean {
			for _, b := range own.Lean {
				variance += a.By * b.By * c[a.At*f.Global+b.At]
			}
		}
		errors[r] = math.Sqrt(variance)
	}
	return errors
}

// ReliabilityIntervals are the intervals of the reliabilities, where c is the covariance of the parameters. Where few votes tell of a
// rater, what is unknown of the spread is most of what is unknown, and intervals are by its posterior, not by the estimate alone.
func (f *Fit) ReliabilityIntervals(c Covariance, level float64) (low, high []float64) {
	g, at := f.Global, f.Spread
	of := c[at*g : (at+1)*g] // covariance of the log spread with all parameters
	spreads := reliability.Spreads(of[at])
	for r := range f.Raters {
		own := f.point.raters[r]
		var moves, open float64
		for _, a := range own.Lean {
			if a.At == at {
				continue
			}
			moves += a.By / own.Mean * of[a.At] / of[at]
			for _, b := range own.Lean {
				if b.At != at {
					open += a.By * b.By / (own.Mean * own.Mean) * (c[a.At*g+b.At] - of[a.At]*of[b.At]/of[at])
				}
			}
		}
		from, to := own.Interval(math.Exp(f.Theta[at]), spreads, moves, max(0, open), level)
		low, high = append(low, from), append(high, to)
	}
	return low, high
}

// SpreadOf is the spread of reliabilities, where c is the covariance of the parameters.
func (f *Fit) SpreadOf(c Covariance, level float64) *board.Spread {
	log, reach := f.Theta[f.Spread], distuv.UnitNormal.Quantile((1+level)/2)*math.Sqrt(c[f.Spread*(f.Global+1)])
	s := &board.Spread{Value: math.Exp(log), Low: math.Exp(log - reach), High: math.Exp(log + reach)}
	if !f.Slots && f.Prior.Worth == 0 {
		// No spread is at the edge of what there can be: half of the time the ratio is zero.
		p := 1.0
		if ratio := 2 * (f.LogLikelihood - f.alike); ratio > 0 {
			p = distuv.ChiSquared{K: 1}.Survival(ratio) / 2
		}
		s.P = &p
	}
	return s
}
