package rival

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
)

// PLPA is probabilistic latent preference analysis (Liu, Zhao and Yang, CIKM
// 2009): a few classes of taste, each a Bradley-Terry model of all items, and
// for every user the share of each class. A user who is shown two items first
// draws a class z and then prefers i to j as the class does:
//
//	P_u(i over j) = sum over z of P(z|u) sigma(theta_zi - theta_zj)
//
// It is learned from all pairs that a user rated differently; a pair with equal
// ratings says nothing.
type PLPA struct {
	Hidden    int     // classes; Auto: 10, or as many as there are users or items if that is less
	Prior     float64 // precision of the worths of a class about those that all have in common
	Common    float64 // precision of the common worths about zero
	Smoothing float64 // imagined pairs, an equal share in every class, for each pair of a user
	Spread    float64 // standard deviation of the worths at the start
	Epochs    int     // of plpaSweeps EM steps; Auto: early stopping
}

// NewPLPA has the default settings.
func NewPLPA() *PLPA {
	return &PLPA{Hidden: Auto, Prior: 10, Common: 10, Smoothing: 0.2, Spread: 0.1, Epochs: Auto}
}

// Settings implements [Recipe].
func (m *PLPA) Settings() []setting.Setting {
	d := NewPLPA()
	return []setting.Setting{
		setting.Int(&m.Hidden, d.Hidden, setting.Setting{Name: "hidden", Means: "classes of taste", Positive: true, Default: defaultFactors, Low: 2, High: 30, Log: true}),
		setting.Float(&m.Prior, d.Prior, setting.Setting{Name: "prior", Means: "precision of the worths of a class about the common ones", Positive: true, Low: 1, High: 100, Log: true}),
		setting.Float(&m.Common, d.Common, setting.Setting{Name: "common", Means: "precision of the common worths about zero", Positive: true, Low: 1, High: 50, Log: true}),
		setting.Float(&m.Smoothing, d.Smoothing, setting.Setting{Name: "smoothing", Means: "imagined pairs of all classes alike for each pair of a user", Positive: true, Low: 0.05, High: 0.5, Log: true}),
		setting.Float(&m.Spread, d.Spread, setting.Setting{Name: "spread", Means: "standard deviation of the worths at the start", Positive: true, Low: 0.1, High: 0.1}),
		setting.Int(&m.Epochs, d.Epochs, setting.Setting{Name: "epochs", Means: "of 5 EM steps; early stopping if not set", Positive: true, Default: math.NaN()}),
	}
}

func (m PLPA) resolved(users, items int) (PLPA, error) {
	if m.Hidden == Auto {
		m.Hidden = max(1, min(defaultFactors, users, items))
	}
	if m.Hidden < 1 {
		return m, fmt.Errorf("hidden %d must be positive", m.Hidden)
	}
	for _, s := range []struct {
		name  string
		value float64
	}{{"prior", m.Prior}, {"common", m.Common}, {"smoothing", m.Smoothing}, {"spread", m.Spread}} {
		if !(s.value > 0) || math.IsInf(s.value, 0) {
			return m, fmt.Errorf("%s %g must be positive and finite", s.name, s.value)
		}
	}
	return m, nil
}

// Fit implements [Recipe].
func (m *PLPA) Fit(ctx context.Context, set *ratings.Set, r Run) (Model, error) {
	run := under(ctx, r)
	settings, err := m.resolved(set.Users().Len(), set.Items().Len())
	if err != nil {
		return nil, fmt.Errorf("rival: plpa: %w", err)
	}
	l, err := learn(ctx, "plpa", set, run, schedule{Epochs: m.Epochs, Most: 100, Patience: 10}, func(set *ratings.Set) (*plpaLearner, error) {
		return newPLPALearner(settings, set, run)
	})
	if err != nil {
		return nil, err
	}
	return l.finished(), nil
}

// plpaModel scores by the mean worth of an item over the classes of a person.
type plpaModel struct {
	classes   int
	worth     []float64 // theta of item i and class z at i*classes+z
	gamma     []float64 // e^theta
	share     []float64 // P(z), over all users
	order     []uint32  // of items: says which pairs of a long list are compared
	smoothing float64
	users     []float64 // P(z|u) at u*classes+z; nil in a model from a file
	known     []bool    // users with a pair to learn from
}

// Score implements [Model].
func (m *plpaModel) Score(p Person, items []uint32, scores []float64) {
	mix := m.share
	switch {
	case p.Index >= 0 && p.Index < len(m.known) && m.known[p.Index]:
		mix = m.users[p.Index*m.classes:][:m.classes]
	case p.Known.Len() > 1:
		mix = m.foldIn(p.Known)
	}
	for k, i := range items {
		worth := m.worth[int(i)*m.classes:][:m.classes]
		var sum float64
		for z, w := range worth {
			sum += mix[z] * w
		}
		scores[k] = sum
	}
}

// foldIn finds P(z|u) of somebody by EM with the classes fixed. The penalised
// likelihood is concave in it, so any start leads to the one best answer.
func (m *plpaModel) foldIn(known ratings.Row) []float64 {
	pairs := plpaPairs(known, m.order, nil)
	if len(pairs) == 0 {
		return m.share
	}
	// chance of each pair under each class
	chance := make([]float64, 0, len(pairs)*m.classes)
	for _, pair := range pairs {
		better, worse := m.gamma[int(known.Items[pair.better])*m.classes:], m.gamma[int(known.Items[pair.worse])*m.classes:]
		for z := range m.classes {
			chance = append(chance, better[z]/(better[z]+worse[z]))
		}
	}
	const steps, enough = 200, 1e-7
	mix, count := slices.Clone(m.share), make([]float64, m.classes)
	for range steps {
		clear(count)
		for at := 0; at < len(chance); at += m.classes {
			row := chance[at:][:m.classes]
			var total float64
			for z, c := range row {
				total += mix[z] * c
			}
			for z, c := range row {
				count[z] += c / total
			}
		}
		for z := range count {
			count[z] *= mix[z]
		}
		if plpaShares(mix, count, m.imagined(len(pairs))) < enough {
			break
		}
	}
	return mix
}

// imagined is the Dirichlet prior of somebody with so many pairs: imagined pairs of
// each class. It grows with the pairs because those of one list hang together: a
// hundred of them tell much less than a hundred lists of two would.
func (m *plpaModel) imagined(pairs int) float64 {
	return m.smoothing * float64(pairs) / float64(m.classes)
}

// plpaShares sets P(z|u) to its best given the expected number of pairs of every
// class, under a symmetric Dirichlet prior worth so many imagined pairs of each,
// and returns how far it moved.
func plpaShares(mix, count []float64, imagined float64) (moved float64) {
	var total float64
	for _, c := range count {
		total += c + imagined
	}
	for z, c := range count {
		next := (c + imagined) / total
		moved = max(moved, math.Abs(next-mix[z]))
		mix[z] = next
	}
	return moved
}

func (m *plpaModel) setWorths() {
	m.gamma = make([]float64, len(m.worth))
	for k, w := range m.worth {
		m.gamma[k] = math.Exp(w)
	}
}

// plpaScalars is what a file keeps beside tensors.
type plpaScalars struct {
	Classes   int     `json:"classes"`
	Smoothing float64 `json:"smoothing"`
}

// Save implements [Model].
func (m *plpaModel) Save(f *modelfile.File) error {
	modelfile.Set(f, "worths", m.worth, len(m.order), m.classes)
	modelfile.Set(f, "shares", m.share, m.classes)
	modelfile.Set(f, "order", m.order, len(m.order))
	return f.SetJSON("rival", plpaScalars{m.classes, m.smoothing})
}

// Load implements [Recipe].
func (*PLPA) Load(f *modelfile.File, items int) (Model, error) {
	var scalars plpaScalars
	if err := f.JSON("rival", &scalars); err != nil {
		return nil, fmt.Errorf("rival: plpa: %w", err)
	}
	if scalars.Classes < 1 || !(scalars.Smoothing > 0) {
		return nil, fmt.Errorf("rival: plpa: the file has %d classes and smoothing %g", scalars.Classes, scalars.Smoothing)
	}
	m := &plpaModel{classes: scalars.Classes, smoothing: scalars.Smoothing}
	var errs [3]error
	m.worth, errs[0] = modelfile.Get[float64](f, "worths", items, m.classes)
	m.share, errs[1] = modelfile.Get[float64](f, "shares", m.classes)
	m.order, errs[2] = modelfile.Get[uint32](f, "order", items)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("rival: plpa: %w", err)
	}
	if slices.Min(m.share) <= 0 {
		return nil, fmt.Errorf("rival: plpa: a share of %g in the file", slices.Min(m.share))
	}
	for _, w := range m.worth {
		if math.Abs(w) > 300 { // e to twice that is still a number
			return nil, fmt.Errorf("rival: plpa: a worth of %g in the file", w)
		}
	}
	m.setWorths()
	return m, nil
}
