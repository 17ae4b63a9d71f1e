package zoo

import (
	"context"

	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/train"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

// ourOptions are the settings of latent-osm, paperOptions those of
// latent-osm-paper.
func ourOptions() train.LatentOptions   { return train.LatentOptions{Units: latent.Gaussian} }
func paperOptions() train.LatentOptions { return train.Paper(50) }

// latentModel is the Latent Ordered Set Model with some settings of its trainer.
type latentModel struct {
	Settings
	options train.LatentOptions
}

func (m latentModel) Fit(ctx context.Context, training ratings.Training) (evaluate.Ranker, error) {
	lists, err := tierLists(training.Set())
	if err != nil {
		return nil, err
	}
	options := m.options
	options.Seed, options.Jobs = m.Seed, m.Jobs
	c, err := train.FitLatent(ctx, training.Set().Items().Len(), lists, options)
	if err != nil {
		return nil, err
	}
	return &latentRanker{catalogue: c}, nil
}

// tierLists are the orders of all users with two ratings or more.
func tierLists(set *ratings.Set) ([]osm.List, error) {
	var lists []osm.List
	for u := range set.Users().Len() {
		row := set.Row(u)
		if row.Len() < 2 {
			continue // a single item tells nothing
		}
		list, err := tierList(row)
		if err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	return lists, nil
}

func tierList(row ratings.Row) (osm.List, error) {
	order, err := ratings.Order(row)
	if err != nil {
		return osm.List{}, err
	}
	items := make([]int, row.Len())
	for k, i := range row.Items {
		items[k] = int(i)
	}
	return osm.List{Items: items, Order: order}, nil
}

// latentRanker scores by the paper's mean field: the worth of an item given
// the posterior means of the units.
type latentRanker struct{ catalogue *latent.Catalogue }

func (r *latentRanker) Score(user evaluate.User, items []uint32, scores []float64) {
	taste := r.catalogue.Unknown()
	if list, err := tierList(user.Known); err == nil { // nobody known has no list
		if known, err := rank.Fold(r.catalogue, list); err == nil {
			taste = known
		}
	}
	rank.Complete(r.catalogue, taste, items, scores)
}
