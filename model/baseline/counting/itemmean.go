// Package counting has the baseline of item means: scores that are the same for everybody.
package counting

import (
	"context"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// ItemMean scores an item by its mean rating, shrunk to the mean of all ratings.
type ItemMean struct {
	Shrink float64 // number of pseudo-ratings of the overall mean added to each item
}

// NewItemMean returns item-mean with its default settings.
func NewItemMean() *ItemMean { return &ItemMean{Shrink: 5} }

// Settings implements [model.Recipe].
func (m *ItemMean) Settings() []setting.Setting {
	return []setting.Setting{
		setting.Float(&m.Shrink, NewItemMean().Shrink, setting.Setting{Name: "shrink", Means: "pseudo-ratings of the overall mean added to each item", Low: 0.5, High: 100, Log: true}),
	}
}

// Fit implements [model.Recipe].
func (m *ItemMean) Fit(ctx context.Context, s *ratings.Set, run model.Run) (model.Model, error) {
	return fitting.Fit(ctx, "item-mean", m.Settings(), s, run, func(fitting.Run) (model.Model, error) { return &fitting.Scores{Tensor: "scores", Of: m.means(s)}, nil })
}

func (m *ItemMean) means(s *ratings.Set) []float64 {
	means, count := make([]float64, s.Items().Len()), make([]float64, s.Items().Len())
	var all float64
	for u := range s.Users().Len() {
		row := s.Row(u)
		for k, i := range row.Items {
			means[i] += float64(row.Values[k])
			count[i]++
			all += float64(row.Values[k])
		}
	}
	all /= float64(s.Len())
	for i, n := range count {
		if n+m.Shrink > 0 {
			means[i] = (means[i] + m.Shrink*all) / (n + m.Shrink)
		} else {
			means[i] = all
		}
	}
	return means
}

// Load implements [model.Recipe].
func (m *ItemMean) Load(f *modelfile.File, items int) (model.Model, error) {
	return fitting.LoadScores(f, "scores", items)
}
