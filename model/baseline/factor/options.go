// Package factor has matrix factorisation under any loss of a row of ratings, and the baselines pmf, biased-mf and
// listrank-mf. Scores are s_ui = b_i + c_u + P_u . Q_i. Squared errors are minimised by alternating least squares,
// other losses by steps along the gradient.
package factor

import (
	"cmp"
	"math"

	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/model/baseline/fitting"
)

// Options are the settings common to models with factors.
type Options struct {
	Hidden    int     // factors; setting.Auto: the model's own number, or as many as there are users or items if that is less
	Epochs    int     // setting.Auto: early stopping
	Rate      float64 // size of the first steps
	UserPrior float64 // weight of half the squared user factors
	ItemPrior float64 // weight of half the squared item factors
	BiasPrior float64 // weight of half the squared biases
	Scale     float64 // size of the random initial factors
	Start     Start   // initial factors
	Batch     int     // users between two updates of the items

	most int // factors where Hidden is setting.Auto and there are as many users and items; 0 means fitting.DefaultFactors
}

// Start is the distribution of the initial factors.
type Start int

// The distributions of the initial factors.
const (
	ownStart    Start = iota // the default of the model
	StartNormal              // all normal around zero
	// Users uniform in 0.8 to 1.2 of the scale, items normal with a tenth of it: at first all users agree.
	StartNonNegative
)

// factors is the number of factors, where there are as many users and items.
func (o Options) factors() int {
	if o.Hidden == setting.Auto {
		return cmp.Or(o.most, fitting.DefaultFactors)
	}
	return o.Hidden
}

// settings lists the fields by name, for a model with these defaults.
func (o *Options) settings(d Options) []setting.Setting {
	return []setting.Setting{
		setting.Int(&o.Hidden, d.Hidden, setting.Setting{Name: "hidden", Means: "factors", Default: float64(d.factors()), Low: 1, High: 100, Log: true}),
		setting.Int(&o.Epochs, d.Epochs, setting.Setting{Name: "epochs", Means: "passes over the data; early stopping if not set", Positive: true, Default: math.NaN()}),
		setting.Float(&o.Rate, d.Rate, setting.Setting{Name: "rate", Means: "size of the first steps", Positive: true, Low: d.Rate / 5, High: d.Rate * 5, Log: true}),
		setting.Float(&o.UserPrior, d.UserPrior, setting.Setting{Name: "user-prior", Means: "ridge on user factors", Default: math.NaN(), Low: d.UserPrior / 30, High: d.UserPrior * 30, Log: true}),
		setting.Float(&o.ItemPrior, d.ItemPrior, setting.Setting{Name: "item-prior", Means: "ridge on item factors", Default: math.NaN(), Low: d.ItemPrior / 30, High: d.ItemPrior * 30, Log: true}),
		setting.Float(&o.BiasPrior, d.BiasPrior, setting.Setting{Name: "bias-prior", Means: "ridge on biases", Low: d.BiasPrior / 30, High: d.BiasPrior * 30, Log: true}),
		setting.Float(&o.Scale, d.Scale, setting.Setting{Name: "scale", Means: "size of random starts", Low: d.Scale / 10, High: d.Scale * 10, Log: true}),
		setting.Choice(&o.Start, d.Start, setting.Setting{Name: "start", Means: "how factors begin", Low: 1, High: 2}, "own", "normal", "nonnegative"),
		setting.Int(&o.Batch, d.Batch, setting.Setting{Name: "batch", Means: "users between two updates of items", Positive: true}),
	}
}

// ListDefaults are the default settings of a model of ranked lists. The priors on factors are left to the data.
func ListDefaults(rate, biasPrior float64) Options {
	return Options{
		Hidden: setting.Auto, Epochs: setting.Auto, Rate: rate, UserPrior: setting.Auto, ItemPrior: setting.Auto, BiasPrior: biasPrior,
		Scale: 0.1, Start: StartNormal, Batch: 100,
	}
}

// ListSettings lists the settings of a model of ranked lists by name.
func ListSettings(o *Options, defaults Options) []setting.Setting {
	all := o.settings(defaults)
	for k := range all {
		switch all[k].Name {
		case "hidden":
			all[k].Means = "factors; 0 for worths alone, the same for everybody"
		case "user-prior", "item-prior":
			all[k].Low, all[k].High = 0.5, 50
		}
	}
	return all
}

// FitLists fits a model of ranked lists, with factors and item biases, by minimising a loss. Without factors it moves to
// the exact minimum, unless the loss is redrawn at random in each epoch.
func FitLists(set *ratings.Set, run fitting.Run, o Options, redrawn bool, loss func(set *ratings.Set) Loss) (*Learner, error) {
	o.Start = cmp.Or(o.Start, StartNormal)
	o.priors(set, run, loss(set))
	if o.Hidden != 0 || redrawn {
		// Factors have an effect only after some epochs, when the biases have converged.
		m, err := fitting.Learn(set, run, fitting.Schedule{Epochs: o.Epochs, Patience: 10}, func(set *ratings.Set) (fitting.Learner, error) {
			return New(set, run, o, Biases{Item: true}, loss(set))
		})
		if err != nil {
			return nil, err
		}
		return m.(*Learner), nil
	}
	l, err := New(set, run, o, Biases{Item: true}, loss(set))
	if err != nil {
		return nil, err
	}
	return l, l.Minimise()
}

// priors sets those on factors that have no value yet. With a prior p on both sides the penalty is, at best, p times
// the sum of the singular values of P Qᵀ (Srebro, Rennie and Jaakkola 2005), and factors stay at zero if p is above the
// largest singular value of the slopes by the scores there. Six tenths of it were best on held-back ratings of
// MovieLens, or close to it, for lists of 10 to 50 and for all losses of lists.
func (o *Options) priors(set *ratings.Set, run fitting.Run, l Loss) {
	none := *o
	none.Hidden, none.UserPrior, none.ItemPrior = 0, 0, 0
	if o.Hidden == 0 {
		*o = none
	}
	if o.UserPrior == setting.Auto || o.ItemPrior == setting.Auto {
		f, _ := New(set, run, none, Biases{Item: true}, l) // never too many factors
		prior := 0.6 * f.largestSlope()
		for _, p := range []*float64{&o.UserPrior, &o.ItemPrior} {
			if *p == setting.Auto {
				*p = prior
			}
		}
	}
}

// largestSlope is, to some per cent, the largest singular value of the matrix of slopes, by the power method.
func (f *Learner) largestSlope() float64 {
	f.gradient(f.order)
	x := make([]float64, f.set.Items().Len())
	for i := range x {
		x[i] = f.run.ItemStream("slope", i).NormFloat64()
	}
	norm := math.Sqrt(fitting.Dot(x, x))
	for range 30 {
		for i := range x {
			x[i] /= norm
		}
		next := make([]float64, len(x))
		for k := range f.block {
			b := &f.block[k]
			var y float64
			for j, i := range b.row.Items {
				y += b.slopes[j] * x[i]
			}
			for j, i := range b.row.Items {
				next[i] += b.slopes[j] * y
			}
		}
		x, norm = next, math.Sqrt(fitting.Dot(next, next))
		if norm == 0 {
			return 0
		}
	}
	return math.Sqrt(norm)
}
