package factor

import (
	"context"
	"math"
	"slices"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// MF is matrix factorisation by alternating least squares. Items are ranked by the predicted rating. Without biases it
// is pmf, probabilistic matrix factorisation (Salakhutdinov and Mnih 2007): the posterior mode under normal errors and
// normal priors of the factors. With biases of users and items it is biased-mf (Koren, Bell and Volinsky 2009).
type MF struct {
	Hidden    int     // factors; setting.Auto: 10, or as many as there are users or items if that is less
	Epochs    int     // sweeps over users and items; setting.Auto: early stopping
	Prior     float64 // precision of factors, for errors of precision 1 and ratings of deviation 1; 0 for none
	Means     Means   // pmf only: means of the normal priors of factors
	BiasPrior float64 // biased-mf only: weight of half the squared biases

	biased bool
}

// NewPMF returns pmf with its default settings.
func NewPMF() *MF { return &MF{Hidden: setting.Auto, Epochs: setting.Auto, Prior: 10} }

// NewBiasedMF returns biased-mf with its default settings.
func NewBiasedMF() *MF {
	return &MF{Hidden: setting.Auto, Epochs: setting.Auto, Prior: 11, BiasPrior: 8, Means: MeansZero, biased: true}
}

// Means are the means of the normal priors of factors.
type Means int

// The prior means are estimated, or zero.
const (
	MeansLearned Means = iota // estimated with the factors, after the adaptive priors of the paper
	MeansZero                 // fixed at zero
)

// Settings implements [model.Recipe].
func (m *MF) Settings() []setting.Setting {
	other := "bias-prior"
	if m.biased {
		other = "means"
	}
	return slices.DeleteFunc(m.settings(), func(s setting.Setting) bool { return s.Name == other })
}

// settings are those of both models.
func (m *MF) settings() []setting.Setting {
	d, hidden := NewPMF(), "factors"
	if m.biased {
		d, hidden = NewBiasedMF(), "factors; 0 for biases alone"
	}
	return []setting.Setting{
		setting.Int(&m.Hidden, d.Hidden, setting.Setting{Name: "hidden", Means: hidden, Positive: !m.biased, Default: fitting.DefaultFactors, Low: 1, High: 100, Log: true}),
		setting.Int(&m.Epochs, d.Epochs, setting.Setting{Name: "epochs", Means: "sweeps over users and items; early stopping if not set", Positive: true, Default: math.NaN()}),
		setting.Float(&m.Prior, d.Prior, setting.Setting{Name: "prior", Means: "ridge on factors, for ratings with deviation 1", Low: 2, High: 50, Log: true}),
		setting.Choice(&m.Means, d.Means, setting.Setting{Name: "means", Means: "of the priors"}, "learned", "zero"),
		setting.Float(&m.BiasPrior, d.BiasPrior, setting.Setting{Name: "bias-prior", Means: "ridge on biases", Low: 0.5, High: 30, Log: true}),
	}
}

// Fit implements [model.Recipe].
func (m *MF) Fit(ctx context.Context, set *ratings.Set, r model.Run) (model.Model, error) {
	name := "pmf"
	if m.biased {
		name = "biased-mf"
	}
	return fitting.Fit(ctx, name, m.settings(), set, r, func(run fitting.Run) (model.Model, error) {
		return fitting.Learn(set, run, fitting.Schedule{Epochs: m.Epochs, Patience: 10}, func(set *ratings.Set) (fitting.Learner, error) {
			return newAlternating(set, run, m.options(), Biases{m.biased, m.biased}, m.Means == MeansLearned)
		})
	})
}

// Load implements [model.Recipe].
func (m *MF) Load(f *modelfile.File, items int) (model.Model, error) {
	return loadLeastSquares(f, items)
}

// options are the settings of the engine. Users and items share one prior: to make P larger and Q smaller by the same
// factor changes no score, so that only the product of two priors would matter. The scale is that of the first users.
func (m *MF) options() Options {
	return Options{Hidden: m.Hidden, UserPrior: m.Prior, ItemPrior: m.Prior, BiasPrior: m.BiasPrior, Start: StartNormal, Scale: 1}
}
