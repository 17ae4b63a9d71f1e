package zoo

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"fubini/core/partition"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/model/osm"
	"fubini/use/rank"
)

// Calibrate asks whether an item stands in a place as often as the model says:
// every item of every user is taken out of their list in turn and placed again,
// and each of its places is a forecast. The users must not be those that the model
// learned from. Items that it does not know are left out; jobs below 1 means one
// for each core.
func (s *Saved) Calibrate(ctx context.Context, set *ratings.Set, jobs int) (*evaluate.Reliability, error) {
	if jobs < 1 {
		jobs = runtime.GOMAXPROCS(0)
	}
	// Users are cut into the same parts for any number of jobs, and the parts are
	// added up in their order, so that sums are the same to the last bit.
	const part = 50
	parts := make([]evaluate.Forecasts, (set.Users().Len()+part-1)/part)
	failures := make([]error, len(parts))
	var workers sync.WaitGroup
	free := make(chan struct{}, jobs)
	s.Find("") // the index is made before it is shared
	for k := range parts {
		free <- struct{}{}
		workers.Go(func() {
			defer func() { <-free }()
			for u := k * part; u < min((k+1)*part, set.Users().Len()) && failures[k] == nil; u++ {
				if failures[k] = ctx.Err(); failures[k] == nil {
					failures[k] = s.forecast(set, u, &parts[k])
				}
			}
		})
	}
	workers.Wait()
	var all evaluate.Forecasts
	for k := range parts {
		if failures[k] != nil {
			return nil, failures[k]
		}
		all.Merge(&parts[k])
	}
	result := all.Reliability()
	if result.Events == 0 {
		return nil, fmt.Errorf("zoo: nobody placed two items that the model knows: nothing to calibrate on")
	}
	return &result, nil
}

// forecast places every item of a user among their others.
func (s *Saved) forecast(set *ratings.Set, user int, to *evaluate.Forecasts) error {
	c, err := s.Catalogue()
	if err != nil {
		return err
	}
	whole, _, err := s.List(set, user)
	if err != nil || len(whole.Items) < 2 {
		return err
	}
	levels := whole.Order.Levels()
	for at, item := range whole.Items {
		order, err := partition.FromLevels(slices.Delete(slices.Clone(levels), at, at+1))
		if err != nil {
			return err
		}
		rest := osm.List{Items: slices.Delete(slices.Clone(whole.Items), at, at+1), Order: order}
		// Where it stood: with others in a tier, or alone in the gap that it leaves.
		tier := whole.Order.BlockOf(at)
		slot := 2 * tier
		if whole.Order.Size(tier) > 1 {
			slot++
		}
		person, err := rank.Read(c, rest)
		if err != nil {
			return err
		}
		odds := person.Place(item)
		for t, p := range odds.Tiers {
			to.Add(p, slot == 2*t+1)
		}
		for t, p := range odds.Gaps {
			to.Add(p, slot == 2*t)
		}
	}
	return nil
}
