package factor

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// ListRankMF is matrix factorisation by the cross entropy of top-one probabilities, those of each item to be the best of
// its list (Shi, Larson and Hanjalic 2010). It has no biases: BiasPrior has no effect.
type ListRankMF struct {
	Options
}

// listRankDefaults are the default settings. The paper has one prior for users and items. At a minimum only the product
// of two matters; on the way there it does better to leave users alone, on held-back training ratings of MovieLens.
func listRankDefaults() Options {
	return Options{Hidden: setting.Auto, Epochs: setting.Auto, Rate: 0.03, UserPrior: 0.00001, ItemPrior: 0.5, Scale: 1, Batch: 100, Start: StartNonNegative, most: 20}
}

// NewListRankMF returns listrank-mf with its default settings.
func NewListRankMF() *ListRankMF { return &ListRankMF{listRankDefaults()} }

// Settings implements [model.Recipe].
func (m *ListRankMF) Settings() []setting.Setting {
	return slices.DeleteFunc(m.all(), func(k setting.Setting) bool { return k.Name == "bias-prior" })
}

// all are the settings with the one that has no effect.
func (m *ListRankMF) all() []setting.Setting {
	all := m.settings(listRankDefaults())
	all[0].Positive = true // there is nothing but factors
	return all
}

// Fit implements [model.Recipe].
func (m *ListRankMF) Fit(ctx context.Context, set *ratings.Set, r model.Run) (model.Model, error) {
	return fitting.Fit(ctx, "listrank-mf", m.all(), set, r, func(run fitting.Run) (model.Model, error) {
		o := m.Options
		o.Start = cmp.Or(o.Start, StartNonNegative)
		low, high := set.Range()
		largest := cmp.Or(max(math.Abs(low), math.Abs(high)), 1)
		return fitting.Learn(set, run, fitting.Schedule{Epochs: o.Epochs, Patience: 30}, func(set *ratings.Set) (fitting.Learner, error) {
			return New(set, run, o, Biases{}, &topOne{Largest: largest})
		})
	})
}

// Load implements [model.Recipe].
func (m *ListRankMF) Load(f *modelfile.File, items int) (model.Model, error) {
	l := new(topOne)
	s, err := Load(f, items, l)
	switch {
	case err != nil:
		return nil, err
	case !(l.Largest > 0):
		return nil, fmt.Errorf("listrank-mf: the largest rating of a file is %g", l.Largest)
	}
	return s, nil
}

// topOne is the cross entropy of the chances q of each item to be the best of the list against the chances p that the
// ratings give it, minus sum_k p_k log q_k, with
//
//	p = softmax(value / largest value),  q = softmax(g(score)),  g(s) = 1 / (1 + e^-s)
type topOne struct {
	Largest float64 `json:"largest"`
}

func (l *topOne) Kept() any { return l }

func (l *topOne) Of(values []float32, scores, slope, _ []float64, _ *Row) float64 {
	wanted, curve := make([]float64, len(values)), make([]float64, len(values))
	var wantedSum, sum float64
	for k, v := range values {
		wanted[k] = math.Exp(float64(v) / l.Largest) // between 1/e and e
		wantedSum += wanted[k]
		g := 1 / (1 + math.Exp(-scores[k]))
		curve[k] = g * (1 - g)
		slope[k] = g
		sum += math.Exp(g)
	}
	logSum := math.Log(sum)
	var total float64
	for k, g := range slope {
		p := wanted[k] / wantedSum
		total -= p * (g - logSum)
		slope[k] = (math.Exp(g)/sum - p) * curve[k]
	}
	return total
}
