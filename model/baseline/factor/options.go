// Package factor has matrix factorisation under any loss of a row of ratings, and the baselines pmf, biased-mf and
// listrank-mf. Scores are s_ui = b_i + c_u + P_u . Q_i. Squared errors are minimised by alternating least squares,
// other losses by steps along the gradient.
package factor

import (
	"cmp"
	"math"

	"fubini/core/setting"
	"fubini/model/baseline/fitting"
)

// Options are the settings that models with factors have in common.
type Options struct {
	Hidden    int     // factors; setting.Auto: the model's own number, or as many as there are users or items if that is less
	Epochs    int     // setting.Auto: early stopping
	Rate      float64 // size of the first steps
	UserPrior float64 // weight of half the squared user factors
	ItemPrior float64 // weight of half the squared item factors
	BiasPrior float64 // weight of half the squared biases
	Scale     float64 // size of random starts
	Start     Start   // initial factors
	Batch     int     // users between two updates of the items

	most int // factors where Hidden is setting.Auto and there are as many users and items; 0 means fitting.DefaultFactors
}

// Start is the way in which factors are initialised.
type Start int

// The initial factors.
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
