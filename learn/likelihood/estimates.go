package likelihood

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"fubini/learn/ballot"
	"fubini/model/osm"
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

// OfWorths is the covariance of [Fit.Worths] where c is that of the parameters.
func (f *Fit) OfWorths(c Covariance) Covariance {
	n, g, p := f.Items, f.Global, len(f.Item.Names)
	out := make(Covariance, n*n)
	if p == 0 {
		for i := range n {
			copy(out[i*n:(i+1)*n], c[i*g:i*g+n])
		}
		return out
	}
	x := func(i, j int) float64 { return f.Item.Values[i*p+j] }
	rows := make([]float64, n*g) // the rows of the worths
	for i := range n {
		copy(rows[i*g:(i+1)*g], c[i*g:(i+1)*g])
		for j := range p {
			for k := range g {
				rows[i*g+k] += x(i, j) * c[(f.Beta+j)*g+k]
			}
		}
	}
	row, column := make([]float64, n), make([]float64, n)
	var all float64
	for i := range n {
		for k := range n {
			v := rows[i*g+k]
			for j := range p {
				v += x(k, j) * rows[i*g+f.Beta+j]
			}
			out[i*n+k] = v
			row[i] += v / float64(n)
			column[k] += v / float64(n)
			all += v / float64(n*n)
		}
	}
	for i := range n { // less the mean
		for k := range n {
			out[i*n+k] += all - row[i] - column[k]
		}
	}
	return out
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

// tiesAndOrders are whether any pair of items is tied, and whether any is ordered.
func (d *Data) tiesAndOrders() (ties, orders bool) {
	for _, o := range d.Orders {
		tiers := slices.Clone(d.TiersOf(o.Vote))
		slices.Sort(tiers)
		kinds := len(slices.Compact(tiers))
		ties, orders = ties || kinds < len(tiers), orders || kinds > 1
		if ties && orders {
			break
		}
	}
	return ties, orders
}

// check refuses a design that does not fit the votes, priors that are no precisions, and votes that say nothing of the
// weight of ties: it has no prior, and would rise or fall without end.
func (d *Data) check(p ballot.Precision) error {
	if err := d.Design.Check(p); err != nil {
		return err
	}
	if d.Global > MaxParameters {
		return fmt.Errorf("fit: %d parameters beside reliabilities; errors need a matrix of all of them, and the limit is %d: use fubini train --model osm, which has none", d.Global, MaxParameters)
	}
	return d.checkTies()
}

func (d *Data) checkTies() error {
	if d.Space != ballot.AllOrders {
		return nil
	}
	switch ties, orders := d.tiesAndOrders(); {
	case !ties:
		return ErrNoTies
	case !orders:
		return errors.New("fit: all items were always tied, so the weight of ties rises for ever, and there is nothing to rank; add votes in which one item is above another")
	}
	return nil
}

// ErrNoTies is the error of votes without ties in a sample space with ties: the log weight of a tie falls for ever.
var ErrNoTies = errors.New("fit: no two items were ever tied, so the weight of ties falls for ever; choose the space of orders without ties")

// MaxParameters is the largest number of parameters beside reliabilities.
const MaxParameters = 5000

// Learn finds the precisions of the prior that are above zero in o by the data: it maximises
// the marginal likelihood of the precisions by Laplace's approximation (MacKay's fixed point),
// starting from those given, that of worths unless o.Fixed says otherwise. Worths have one more, of
// variance 1/5, added to them: without, votes that show no differences would make the worths
// certain to be equal. That of the spread of reliabilities stays.
func (d *Data) Learn(ctx context.Context, o Options) (*Fit, error) {
	if err := d.check(o.Prior); err != nil {
		return nil, err
	}
	theta, alike, err := d.start(ctx, o)
	if err != nil {
		return nil, err
	}
	unsettled := ""
	for range 200 {
		f, err := d.maximise(ctx, theta, o)
		if err != nil {
			return nil, err
		}
		c, err := f.Inverse()
		if err != nil {
			return nil, err
		}
		unsettled = ""
		update := func(what string, precision *float64, first, end int, lost float64) {
			if *precision == 0 || end == first {
				return
			}
			const extra, unit = 1, 0.2
			var square, spread float64
			for k := first; k < end; k++ {
				square += f.Theta[k] * f.Theta[k]
				spread += c[k*d.Global+k]
			}
			before := *precision
			determined := float64(end-first) - lost - before*spread // by the votes, not by the prior
			*precision = math.Min(1e6, (math.Max(determined, 1e-3)+extra)/(square+extra*unit))
			if math.Abs(math.Log(*precision/before)) > 1e-3 {
				unsettled = what
			}
		}
		if !o.Fixed {
			update("worths", &o.Prior.Worth, 0, d.Items, 1)
		}
		update("tie deviations", &o.Prior.Tie, d.Layout.Tie, d.Distance, 1)
		update("tier sizes", &o.Prior.Size, d.Layout.Size, d.W, 0)
		if theta, d = f.Theta, f.Data; unsettled == "" {
			f.alike = alike
			return f, nil
		}
	}
	return nil, fmt.Errorf("%w: the strength of the prior on %s goes up and down; give the precision of that on worths (--prior X)", ErrNotConverged, unsettled)
}
