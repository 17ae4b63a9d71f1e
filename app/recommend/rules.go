package recommend

import (
	"math"

	"fubini/learn/modelstore"
)

// Rules decide which items are recommended, how many, and whether with odds.
type Rules struct {
	Count   int     `json:"count"`       // items for a person
	Support int     `json:"min_support"` // least number of training ratings of an item
	Novelty float64 `json:"novelty"`     // times the log of an item's ratings is subtracted from its score
	Odds    bool    `json:"odds"`        // of every place among the person's tiers
	Only    []int   `json:"-"`           // if not nil, only these items
	Exclude []int   `json:"-"`           // none of these
}

// handicaps are subtracted from the scores of items; +Inf for those that are not recommended.
func (r Rules) handicaps(saved *modelstore.Saved) []float64 {
	handicap := make([]float64, len(saved.ItemIDs))
	for i, seen := range saved.Seen {
		handicap[i] = r.Novelty * math.Log(1+float64(seen))
		if int(seen) < r.Support || r.Only != nil {
			handicap[i] = math.Inf(1)
		}
	}
	for _, i := range r.Only {
		if seen := saved.Seen[i]; int(seen) >= r.Support {
			handicap[i] = r.Novelty * math.Log(1+float64(seen))
		}
	}
	for _, i := range r.Exclude {
		handicap[i] = math.Inf(1)
	}
	return handicap
}
