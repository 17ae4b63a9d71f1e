package league

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"fubini/core/partition"
	"fubini/data/ratings"
	"fubini/learn/ballot"
	"fubini/learn/likelihood"
	"fubini/learn/saturated"
	"fubini/model/osm"
)

// byVotes is the name of the models of `fubini fit` in [Likelihood], which no registry has.
const byVotes = "fit"

// Among are the contenders that are named, by the name in a table or that of the model, and those of `fubini fit`; all where no
// name is given.
func Among(contenders []Contender, names []string) []Contender {
	if names == nil {
		return contenders
	}
	return slices.DeleteFunc(slices.Clone(contenders), func(c Contender) bool {
		return c.Model != byVotes && !slices.Contains(names, c.Name) && !slices.Contains(names, c.Model)
	})
}

// fitContenders are the models of `fubini fit`, each list being a vote of somebody else, with the precisions of all priors
// learned: worths for all; Plackett and Luce's choices with Davidson's ties, where lists are short enough to form every
// set; tastes; and these with the counts of whole orders. Settings are flags: ties and sizes, hidden; counts is
// [saturated.Model].
func fitContenders(set *ratings.Set) []Contender {
	longest := 0
	for u := range set.Users().Len() {
		longest = max(longest, set.Row(u).Len())
	}
	var visible, tastes, counts []map[string]float64
	for _, sizes := range []float64{0, 1} {
		for ties := range ballot.TieNames {
			visible = append(visible, map[string]float64{"ties": float64(ties), "sizes": sizes})
		}
	}
	for _, c := range []struct{ hidden, sizes float64 }{{0, 0}, {0, 1}, {1, 1}, {2, 1}, {3, 1}} {
		tastes = append(tastes, map[string]float64{"hidden": c.hidden, "sizes": c.sizes})
		counts = append(counts, map[string]float64{"hidden": c.hidden, "sizes": c.sizes, "counts": 1})
	}
	all := []Contender{{"fit --hidden, with counts", byVotes, counts}, {"fit --hidden", byVotes, tastes}, {"fit", byVotes, visible}}
	if longest <= 8 {
		all = append(all, Contender{"fit --model plackett-luce", byVotes, []map[string]float64{{"choices": 1}}})
	}
	return all
}

// predicted fits votes, one of each person, and returns the log likelihood of every held order.
func (l Likelihood) predicted(ctx context.Context, settings map[string]float64, set *ratings.Set, held []heldOrder) ([]float64, error) {
	lists, err := osm.ListsOf(set)
	if err != nil {
		return nil, err
	}
	orders := make([]osm.List, len(held))
	for k, x := range held {
		orders[k] = x.List
	}
	p, err := l.predictions(ctx, settings, set, lists, orders)
	if err != nil || settings["counts"] == 0 {
		return p.held, err
	}
	counts, votes := saturated.Learn(votesOf(lists), p.own), votesOf(orders)
	return counts.Spread(votes, counts.Predict(votes, p.held)), nil
}

// predictions are the log probabilities of training lists and of held-out ones.
type predictions struct{ own, held []float64 }

// predictions fits votes, or takes what another contender had from the same fit.
func (l Likelihood) predictions(ctx context.Context, settings map[string]float64, set *ratings.Set, lists, held []osm.List) (p predictions, err error) {
	settings = maps.Clone(settings)
	delete(settings, "counts")
	key := fmt.Sprint(set.Fingerprint(), len(held), settings)
	if p, there := l.fits[key]; there {
		return p, nil
	}
	form := formOf(lists, settings["choices"] > 0)
	model, err := l.fitVotes(ctx, settings, form, lists, set.Items().Len())
	if err != nil {
		return p, err
	}
	if p.held, err = form.predict(ctx, model, held); err != nil {
		return p, err
	}
	if p.own, err = form.predict(ctx, model, lists); err == nil && l.fits != nil {
		l.fits[key] = p
	}
	return p, err
}

// predictor is a fit of the visible model or of tastes.
type predictor interface {
	Predict(ctx context.Context, votes ballot.Votes) ([]float64, error)
}

// fitVotes fits the lists that are in the space of the form. Where tastes do not converge there are too many of them for the
// votes, and one less is fitted.
func (l Likelihood) fitVotes(ctx context.Context, settings map[string]float64, form form, lists []osm.List, items int) (predictor, error) {
	votes, _ := form.inside(lists)
	d := ballot.Design{Items: items, Space: form.space, Choices: settings["choices"] > 0}
	o := likelihood.Defaults()
	o.Jobs, o.Prior.Worth = l.Jobs, 1
	if form.space != ballot.WithoutTies {
		d.Ties = ballot.Ties(settings["ties"])
		if d.Ties == ballot.ItemTies {
			o.Prior.Tie = 1
		}
		if settings["sizes"] > 0 {
			for v := range votes.Weight {
				d.Sizes = max(d.Sizes, int(votes.Start[v+1]-votes.Start[v]))
			}
			o.Prior.Size = 1
		}
	}
	data, err := likelihood.Group(d, votes)
	if err != nil {
		return nil, err
	}
	fit, err := data.Learn(ctx, o)
	if errors.Is(err, likelihood.ErrNotConverged) && d.Ties != ballot.CommonTies {
		return l.fitVotes(ctx, without(settings, "ties"), form, lists, items)
	}
	if err != nil || settings["hidden"] == 0 {
		return fit, err
	}
	d.Units, d.Cluster, o.Prior = int(settings["hidden"]), true, fit.Prior
	o.Prior.Unit = 1
	if data, err = likelihood.Group(d, votes); err != nil {
		return nil, err
	}
	tastes, err := data.Tastes(ctx, o)
	if errors.Is(err, likelihood.ErrNotConverged) {
		return l.fitVotes(ctx, without(settings, "hidden"), form, lists, items)
	}
	return tastes, err
}

// without is the settings with one less of one.
func without(settings map[string]float64, name string) map[string]float64 {
	fewer := maps.Clone(settings)
	fewer[name]--
	return fewer
}

// form is what the training lists leave possible: the space that all of them are in, votes without order apart, and a little
// of everything.
type form struct {
	space ballot.Space
	tied  float64         // share of lists all of whose items are tied, where the space has no place for them
	count map[int]float64 // of lists by their number of items
	sizes map[int]bool    // of tiers that are possible in choices; nil for all
}

// formOf is the smallest space of the paper that has the lists. Lists in at most two tiers are those of people who pick; of
// two items they are no more than pairs, and of three in two tiers all have one tie.
func formOf(lists []osm.List, choices bool) form {
	f := form{space: ballot.WithoutTies, count: map[int]float64{}}
	if choices {
		f.sizes = map[int]bool{}
	}
	two, shortest := true, math.MaxInt
	var tied float64
	for _, x := range lists {
		f.count[x.Order.N()]++
		shortest = min(shortest, x.Order.N())
		if x.Order.Len() < x.Order.N() {
			f.space = ballot.AllOrders
		}
		two = two && x.Order.Len() <= 2
		if x.Order.Len() == 1 {
			tied++
		}
		for t := range x.Order.Len() {
			if choices {
				f.sizes[len(x.Order.Block(t))] = true
			}
		}
	}
	if choices && !f.sizes[2] { // larger ties alone leave the weight of a tie of two at zero
		f.space, f.sizes = ballot.WithoutTies, nil
	}
	if two && shortest > 3 && !choices {
		f.space, f.tied = ballot.TwoTiers, tied/float64(len(lists))
	}
	return f
}

// inside are the lists that are in the space, as votes, and where each of them stands.
func (f form) inside(lists []osm.List) (votes ballot.Votes, at []int) {
	var some []osm.List
	for k, x := range lists {
		if f.possible(x.Order) {
			some, at = append(some, x), append(at, k)
		}
	}
	return votesOf(some), at
}

// possible is whether an order is in the space.
func (f form) possible(x *partition.Partition) bool {
	for t := range x.Len() {
		if f.sizes != nil && !f.sizes[len(x.Block(t))] {
			return false
		}
	}
	return f.space == ballot.AllOrders || f.space == ballot.WithoutTies && x.Len() == x.N() || f.space == ballot.TwoTiers && x.Len() == 2
}

// predict returns the log probabilities of lists, with those that are outside the space. Beside the training votes of each number of items stands half a vote for all
// outcomes: all compositions of tier sizes alike, and all lists of one composition alike. Nothing is impossible.
func (f form) predict(ctx context.Context, model predictor, lists []osm.List) ([]float64, error) {
	logs := make([]float64, len(lists))
	for k, x := range lists {
		logs[k] = math.Inf(-1)
		if f.space == ballot.TwoTiers && x.Order.Len() == 1 {
			logs[k] = math.Log(f.tied)
		}
	}
	votes, at := f.inside(lists)
	if len(at) > 0 {
		inside, err := model.Predict(ctx, votes)
		if err != nil {
			return nil, err
		}
		for n, k := range at {
			logs[k] = inside[n] + math.Log1p(-f.tied)
		}
	}
	f.spread(logs, lists)
	return logs, nil
}

// spread puts the half vote beside what a model predicts.
func (f form) spread(logs []float64, lists []osm.List) {
	for k, x := range lists {
		var sizes []int
		for t := range x.Order.Len() {
			sizes = append(sizes, len(x.Order.Block(t)))
		}
		logs[k] = saturated.HalfVote(logs[k], f.count[x.Order.N()], sizes)
	}
}

// votesOf are lists as votes, each by somebody else.
func votesOf(lists []osm.List) ballot.Votes {
	weights, raters := make([]float64, len(lists)), make([]int32, len(lists))
	for v := range lists {
		weights[v], raters[v] = 1, int32(v)
	}
	votes := saturated.Of(lists, weights)
	votes.Rater = raters
	return votes
}
