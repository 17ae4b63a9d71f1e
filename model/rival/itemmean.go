package rival

import (
	"context"
	"fmt"
	"math"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
)

// ItemMean ranks items by their mean rating, drawn towards the mean of all
// ratings as if each item had some more ratings of just that value. Everybody
// gets the same order; many models are no better.
type ItemMean struct {
	Shrink float64 // imagined ratings
}

// NewItemMean has the default settings.
func NewItemMean() *ItemMean { return &ItemMean{Shrink: 5} }

// Settings implements [Recipe].
func (m *ItemMean) Settings() []setting.Setting {
	return []setting.Setting{
		setting.Float(&m.Shrink, NewItemMean().Shrink, setting.Setting{Name: "shrink", Means: "imagined ratings of the mean of all", Low: 0.5, High: 100, Log: true}),
	}
}

// Fit computes the means.
func (m *ItemMean) Fit(_ context.Context, s *ratings.Set, _ Run) (Model, error) {
	shrink := m.Shrink
	if !(shrink >= 0) || math.IsInf(shrink, 1) {
		return nil, fmt.Errorf("rival: item-mean: shrink %g must be finite and not negative", shrink)
	}
	if s.Len() == 0 {
		return nil, fmt.Errorf("rival: item-mean: %w", errNoRatings)
	}
	total, count := make([]float64, s.Items().Len()), make([]float64, s.Items().Len())
	var all float64
	for u := range s.Users().Len() {
		row := s.Row(u)
		for k, i := range row.Items {
			total[i] += float64(row.Values[k])
			count[i]++
			all += float64(row.Values[k])
		}
	}
	all /= float64(s.Len())
	means := make(general, len(total))
	for i := range total {
		if count[i]+shrink == 0 {
			means[i] = all
			continue
		}
		means[i] = (total[i] + shrink*all) / (count[i] + shrink)
	}
	return means, nil
}

// Load implements [Recipe].
func (m *ItemMean) Load(f *modelfile.File, items int) (Model, error) {
	scores, err := modelfile.Get[float64](f, "scores", items)
	return general(scores), err
}

// general is one score for each item, the same for everybody.
type general []float64

func (g general) Score(_ Person, items []uint32, scores []float64) {
	for k, i := range items {
		scores[k] = g[i]
	}
}

func (g general) Save(f *modelfile.File) error {
	modelfile.Set(f, "scores", []float64(g), len(g))
	return nil
}
