package league

import (
	"context"
	"fmt"

	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/model"
)

// Outside judges scores that somebody else gave to the test ratings of a split,
// one for every user and item, in the form of ratings. A test rating without a
// score is an error.
func Outside(ctx context.Context, split ratings.Split, scores *ratings.Set, jobs int) (*evaluate.Result, error) {
	test := split.Holdout.Set()
	known := make([]map[uint32]float64, test.Users().Len())
	for u := range known {
		known[u] = map[uint32]float64{}
		id := test.Users().ID(uint32(u))
		theirs, there := scores.Users().Find(id)
		for _, i := range split.Holdout.Test(u).Items {
			if !there {
				return nil, fmt.Errorf("paper: no scores for user %q", id)
			}
			item, found := scores.Items().Find(test.Items().ID(i))
			if found {
				row := scores.Row(int(theirs))
				found = false
				for k, each := range row.Items {
					if each == item {
						known[u][i], found = float64(row.Values[k]), true
						break
					}
				}
			}
			if !found {
				return nil, fmt.Errorf("paper: no score of item %q for user %q", test.Items().ID(i), id)
			}
		}
	}
	return evaluate.Judge(ctx, outsider(known), split.Holdout, evaluate.Options{Jobs: jobs})
}

type outsider []map[uint32]float64

func (o outsider) Score(user model.Person, items []uint32, scores []float64) {
	for k, i := range items {
		scores[k] = o[user.Index][i]
	}
}
