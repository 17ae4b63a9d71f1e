// Package plpa has probabilistic latent preference analysis, a mixture of Bradley-Terry models (Liu, Zhao and Yang 2009).
package plpa

import (
	"cmp"
	"context"
	"math"
	"slices"

	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// Recipe is pLPA with its settings. Each latent class is a Bradley-Terry model of all items, and each user has a
// distribution over the classes. User u prefers item i to item j with probability
//
//	P_u(i over j) = sum over z of P(z|u) sigma(theta_zi - theta_zj)
//
// The data are the pairs of items that a user rated differently.
type Recipe struct {
	Hidden    int     // classes; setting.Auto: 10, or as many as there are users or items if that is less
	Prior     float64 // precision of the worths of a class about those that all have in common
	Common    float64 // precision of the common worths about zero
	Smoothing float64 // pseudo-pairs for each pair of a user, the same number in every class
	Spread    float64 // standard deviation of the worths at the start
	Epochs    int     // of 5 EM steps; setting.Auto: early stopping
}

// New returns plpa with its default settings.
func New() *Recipe {
	return &Recipe{Hidden: setting.Auto, Prior: 10, Common: 10, Smoothing: 0.2, Spread: 0.1, Epochs: setting.Auto}
}

// Settings implements [model.Recipe].
func (m *Recipe) Settings() []setting.Setting {
	d := New()
	return []setting.Setting{
		setting.Int(&m.Hidden, d.Hidden, setting.Setting{Name: "hidden", Means: "classes of taste", Positive: true, Default: fitting.DefaultFactors, Low: 2, High: 30, Log: true}),
		setting.Float(&m.Prior, d.Prior, setting.Setting{Name: "prior", Means: "precision of the worths of a class about the common ones", Positive: true, Low: 1, High: 100, Log: true}),
		setting.Float(&m.Common, d.Common, setting.Setting{Name: "common", Means: "precision of the common worths about zero", Positive: true, Low: 1, High: 50, Log: true}),
		setting.Float(&m.Smoothing, d.Smoothing, setting.Setting{Name: "smoothing", Means: "pseudo-pairs for each pair of a user, the same number in every class", Positive: true, Low: 0.05, High: 0.5, Log: true}),
		setting.Float(&m.Spread, d.Spread, setting.Setting{Name: "spread", Means: "standard deviation of the worths at the start", Positive: true, Low: 0.1, High: 0.1}),
		setting.Int(&m.Epochs, d.Epochs, setting.Setting{Name: "epochs", Means: "of 5 EM steps; early stopping if not set", Positive: true, Default: math.NaN()}),
	}
}

// Fit implements [model.Recipe].
func (m *Recipe) Fit(ctx context.Context, set *ratings.Set, r model.Run) (model.Model, error) {
	return fitting.Fit(ctx, "plpa", m.Settings(), set, r, func(run fitting.Run) (model.Model, error) {
		l, err := fitting.Learn(set, run, fitting.Schedule{Epochs: m.Epochs, Most: 100, Patience: 10}, func(set *ratings.Set) (fitting.Learner, error) {
			return newLearner(*m, set, run)
		})
		if err != nil {
			return nil, err
		}
		return l.(*learner).finished(), nil
	})
}

// pair is two places in a row of ratings.
type pair struct{ better, worse int32 }

// partners bounds the comparisons of one item of a long list on each side, so that work grows with the list and not
// with its square. Lists of up to 51 items have all their pairs.
const partners = 25

// pairsOf appends the pairs of a row with different ratings: all of them, or in a long list those of items that are
// near each other on a circle in a random order.
func pairsOf(row ratings.Row, order []uint32, pairs []pair) []pair {
	add := func(a, b int) {
		switch va, vb := row.Values[a], row.Values[b]; {
		case va > vb:
			pairs = append(pairs, pair{int32(a), int32(b)})
		case va < vb:
			pairs = append(pairs, pair{int32(b), int32(a)})
		}
	}
	n := row.Len()
	if n <= 2*partners+1 {
		for a := range n {
			for b := range a {
				add(a, b)
			}
		}
		return pairs
	}
	circle := make([]int, n)
	for k := range circle {
		circle[k] = k
	}
	slices.SortFunc(circle, func(a, b int) int { return cmp.Compare(order[row.Items[a]], order[row.Items[b]]) })
	for k, a := range circle {
		for step := 1; step <= partners; step++ {
			add(a, circle[(k+step)%n])
		}
	}
	return pairs
}
