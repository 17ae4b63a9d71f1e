package recommend

import (
	"math"

	"fubini/learn/zoo"
)

// Rules say what may come.
type Rules struct {
	Support int          // ratings that an item must have had
	Novelty float64      // times the log of an item's ratings is taken from its score
	Only    map[int]bool // if not nil, these items alone
	Exclude map[int]bool // not these
}

// Handicaps are taken from the scores of items: all of it from those that are not
// to come.
func (r Rules) Handicaps(saved *zoo.Saved) []float64 {
	handicap := make([]float64, len(saved.ItemIDs))
	for i, seen := range saved.Seen {
		handicap[i] = r.Novelty * math.Log(1+float64(seen))
		if int(seen) < r.Support || r.Only != nil && !r.Only[i] || r.Exclude[i] {
			handicap[i] = math.Inf(1)
		}
	}
	return handicap
}
