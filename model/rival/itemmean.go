package rival

import (
	"fmt"

	"fubini/data/ratings"
)

// ItemMean ranks items by their mean rating, drawn towards the mean of all
// ratings as if each item had some more ratings of just that value. Everybody
// gets the same order; many models are no better.
type ItemMean struct {
	mean []float64
}

// FitItemMean computes the means; shrink is the number of imagined ratings.
func FitItemMean(s *ratings.Set, shrink float64) (*ItemMean, error) {
	if !(shrink >= 0) {
		return nil, fmt.Errorf("rival: item means shrunk by %g; it must be 0 or more", shrink)
	}
	if s.Len() == 0 {
		return nil, fmt.Errorf("rival: no ratings to learn from")
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
	m := &ItemMean{mean: make([]float64, len(total))}
	for i := range total {
		if count[i]+shrink == 0 {
			m.mean[i] = all
			continue
		}
		m.mean[i] = (total[i] + shrink*all) / (count[i] + shrink)
	}
	return m, nil
}

// Score writes the mean of each item.
func (m *ItemMean) Score(items []uint32, scores []float64) {
	for k, i := range items {
		scores[k] = m.mean[i]
	}
}
