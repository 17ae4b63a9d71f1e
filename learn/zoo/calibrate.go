package zoo

import (
	"context"
	"fmt"
	"slices"

	"fubini/core/parallel"
	"fubini/core/partition"
	"fubini/data/ratings"
	"fubini/judge/calibrate"
	"fubini/judge/evaluate"
	"fubini/model/osm"
	"fubini/use/rank"
)

// Calibrate asks whether an item stands in a place as often as the model says:
// every item of every user is taken out of their list in turn and placed again,
// and each of its places is an event. The users must not be those that the model
// learned from. Items that it does not know are left out; jobs below 1 means one
// for each core.
func (s *Saved) Calibrate(ctx context.Context, set *ratings.Set, jobs int) (*evaluate.Reliability, error) {
	s.Find("") // the index is made before it is shared
	found := make([]calibrate.Events, set.Users().Len())
	err := parallel.Each(ctx, len(found), jobs, func(_, u int) error { return s.forecast(set, u, &found[u]) })
	if err != nil {
		return nil, err
	}
	var all calibrate.Events
	for u := range found {
		all.Join(&found[u])
	}
	if all.Ratings == 0 {
		return nil, fmt.Errorf("zoo: nobody placed two items that the model knows: nothing to calibrate on")
	}
	result := all.Reliability()
	return &result, nil
}

// forecast places every item of a user among their others.
func (s *Saved) forecast(set *ratings.Set, user int, to *calibrate.Events) error {
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
		to.Add(person.Place(item).Slots(), slot)
	}
	return nil
}
