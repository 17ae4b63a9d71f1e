package picks

import (
	"context"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// Popularity scores an item by the number of people who have it in their lists.
type Popularity struct {
	Weights Weights
}

// NewPopularity returns popularity with its default settings.
func NewPopularity() *Popularity { return new(Popularity) }

// Settings implements [model.Recipe].
func (m *Popularity) Settings() []setting.Setting {
	return []setting.Setting{m.Weights.setting(NewPopularity().Weights)}
}

// Fit implements [model.Recipe].
func (m *Popularity) Fit(ctx context.Context, s *ratings.Set, run model.Run) (model.Model, error) {
	return fitting.Fit(ctx, "popularity", m.Settings(), s, run, func(fitting.Run) (model.Model, error) {
		counts, by := make([]float64, s.Items().Len()), scaleOf(s, m.Weights)
		for u := range s.Users().Len() {
			row := s.Row(u)
			for k, i := range row.Items {
				counts[i] += by.of(row.Values[k])
			}
		}
		return &fitting.Scores{Tensor: "counts", Of: counts}, nil
	})
}

// Load implements [model.Recipe].
func (m *Popularity) Load(f *modelfile.File, items int) (model.Model, error) {
	return fitting.LoadScores(f, "counts", items)
}
