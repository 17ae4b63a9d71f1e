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
		counts, by := make(counts, s.Items().Len()), scaleOf(s, m.Weights)
		for u := range s.Users().Len() {
			row := s.Row(u)
			for k, i := range row.Items {
				counts[i] += by.of(row.Values[k])
			}
		}
		return counts, nil
	})
}

// Load implements [model.Recipe].
func (m *Popularity) Load(f *modelfile.File, items int) (model.Model, error) {
	c, err := modelfile.Get[float64](f, "counts", items)
	return counts(c), err
}

// counts has the picks of each item.
type counts []float64

func (c counts) Score(_ model.Person, items []uint32, scores []float64) {
	for k, i := range items {
		scores[k] = c[i]
	}
}

func (c counts) Save(f *modelfile.File) error {
	modelfile.Set(f, "counts", []float64(c), len(c))
	return nil
}
