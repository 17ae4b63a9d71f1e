package league

import (
	"context"
	"fmt"
	"slices"

	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/model"
)

// Outside computes the metrics of scores that another program gave to the test ratings of a split,
// one for every user and item, in the form of ratings. A test rating without a
// score is an error.
func Outside(ctx context.Context, split ratings.Split, scores *ratings.Set, jobs int) (*evaluate.Result, error) {
	test := split.Holdout.Set()
	known := make(outsider, test.Users().Len())
	for u := range known {
		known[u] = map[uint32]float64{}
		id := test.Users().ID(uint32(u))
		theirs, there := scores.Users().Find(id)
		for _, i := range split.Holdout.Test(u).Items {
			if !there {
				return nil, fmt.Errorf("paper: no scores for user %q", id)
			}
			item, found := scores.Items().Find(test.Items().ID(i))
			row := scores.Row(int(theirs))
			at := slices.Index(row.Items, item)
			if !found || at < 0 {
				return nil, fmt.Errorf("paper: no score of item %q for user %q", test.Items().ID(i), id)
			}
			known[u][i] = float64(row.Values[at])
		}
	}
	return evaluate.Judge(ctx, known, split.Holdout, evaluate.Options{Jobs: jobs})
}

// outsider has the score of each item for each user.
type outsider []map[uint32]float64

// Score implements [evaluate.Ranker].
func (o outsider) Score(user model.Person, items []uint32, scores []float64) {
	for k, i := range items {
		scores[k] = o[user.Index][i]
	}
}
