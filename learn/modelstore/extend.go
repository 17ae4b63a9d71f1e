package modelstore

import (
	"context"
	"fmt"
	"slices"

	"fubini/data/catalogue"
	"fubini/data/ratings"
	"fubini/learn/ascent"
	"fubini/learn/registry"
	"fubini/learn/slots"
	"fubini/model/osm"
)

// Added has the numbers of users, of new items and of ratings that [Extend] added.
type Added struct {
	Users, Items, Ratings int
}

// Extend adds new users and new items to a trained Ordered Set Model, without the ratings it
// was trained on. It trains on the new lists alone, with a warm start: the parameters of the
// model are the prior mean, and the number of ratings behind each is the prior's precision
// ([ascent.Options.WarmStart]). New items start at their prior mean: with co-occurrence
// features the regression prediction, else zero.
//
// A rating that was among the earlier ones counts twice, and an earlier user with a longer list
// counts as another user. The tie weight is fixed. The settings are those of the model. A model of
// picks is kept as it is, or left out if there are new items, of which it knows nothing.
func Extend(ctx context.Context, s *Saved, set *ratings.Set, r Request) (*Saved, Added, error) {
	fitted, ours := s.Model.(*registry.Latent)
	if !ours {
		return nil, Added{}, fmt.Errorf("modelstore: a model %s cannot be extended; train osm or latent-osm for that", s.Name)
	}
	if s.Visible() != nil || s.Board != nil {
		return nil, Added{}, fmt.Errorf("modelstore: the model is a fit to votes, which takes no ratings in: fit all votes together (fubini fit)")
	}
	old, features := fitted.Catalogue, fitted.CoOccurrence
	if r.Validate != 0 || r.Save != nil || r.Resume != nil {
		return nil, Added{}, fmt.Errorf("modelstore: no validation and no checkpoints while new ratings are taken into a model")
	}
	recipe, err := registry.New(s.Name)
	if err != nil {
		return nil, Added{}, err
	}
	if err := registry.Restore(s.Name, recipe, s.Settings, true); err != nil {
		return nil, Added{}, err
	}
	t, err := registry.TrainerOf(recipe)
	if err != nil {
		return nil, Added{}, err
	}
	if bySlots, may := t.(*slots.Options); may {
		bySlots.CoOccurrence = 0 // the point to start from is the mean of the prior now
	}
	o := t.Base()
	o.Units, o.Hidden, o.Size, o.Centred = old.Units, old.K, old.Size, old.Centred
	o.Sizes, o.Presence = old.Sizes != nil, old.V != nil
	if r.Epochs != 0 {
		o.Epochs = r.Epochs
	}
	o.Seed, o.Jobs = r.Seed, r.Jobs

	next := &Saved{
		Name: s.Name, Program: r.Program, Seed: r.Seed, Settings: s.Settings, History: slices.Clone(s.History), Odds: s.Odds,
		Data: s.Data + "+" + set.Fingerprint(), Ratings: s.Ratings + set.Len(), Users: s.Users + set.Users().Len(),
		ItemIDs: slices.Clone(s.ItemIDs), ItemNames: slices.Clone(s.ItemNames), Seen: slices.Clone(s.Seen),
		// What was measured on the old model does not hold for the next.
		About: About{Title: s.Title, Synthetic: s.Synthetic, ItemEmoji: slices.Clone(s.ItemEmoji), ItemGroups: slices.Clone(s.ItemGroups), ItemFacts: slices.Clone(s.ItemFacts)},
	}
	low, high := set.Range()
	next.Low, next.High = min(s.Low, low), max(s.High, high)
	added := Added{Users: set.Users().Len(), Ratings: set.Len()}
	place := make([]int, set.Items().Len()) // of the set's items in the model
	grown := make([]int, len(next.ItemIDs)) // items of the next model in the old; new ones are in none
	for i := range grown {
		grown[i] = i
	}
	for i := range place {
		id := set.Items().ID(uint32(i))
		at, known := s.Find(id)
		if !known {
			at = len(next.ItemIDs)
			next.ItemIDs = append(next.ItemIDs, id)
			next.ItemNames = append(next.ItemNames, shownName(set.Items(), uint32(i)))
			next.Seen = append(next.Seen, 0)
			grown = append(grown, -1)
			if next.ItemEmoji != nil {
				next.ItemEmoji = append(next.ItemEmoji, "")
			}
			if next.ItemGroups != nil {
				next.ItemGroups = append(next.ItemGroups, "")
			}
			if next.ItemFacts != nil {
				next.ItemFacts = append(next.ItemFacts, catalogue.Item{})
			}
			added.Items++
		}
		place[i] = at
	}
	start := old.Select(grown)
	lists, err := osm.PackedOf(set)
	if err != nil {
		return nil, added, err
	}
	for l := range lists {
		lists[l] = lists[l].Renumbered(place)
	}
	if features != nil && features.Loadings != nil {
		features.PredictNew(start, len(s.ItemIDs), lists)
	}
	o.WarmStart(start, next.Seen)
	for u := range set.Users().Len() {
		for _, i := range set.Row(u).Items {
			next.Seen[place[i]]++
		}
	}
	o.Observer = func(p ascent.Progress) {
		e := epochOf(p)
		next.History = append(next.History, e)
		if r.Observe != nil {
			r.Observe(e, p.Epochs)
		}
	}
	extended, err := t.Fit(ctx, len(next.ItemIDs), lists)
	if err != nil {
		return nil, added, err
	}
	next.Model = &registry.Latent{Catalogue: extended.Catalogue, CoOccurrence: features}
	if added.Items == 0 {
		next.Interest = s.Interest
	}
	return next, added, nil
}
