package slots

import (
	"context"
	"errors"
	"math"
	"slices"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/learn/ascent"
	"fubini/model/latent"
	"fubini/model/osm"
)

// A choice of the prior's precision by items held back, for small sets whose items are in many lists. Elsewhere a choice would take
// long, or, where items are in few lists, it raises the likelihood of the places of items and not the order of recommendations:
// docs/ideas-ranking.md has the figures.
const (
	mostPlaces  = 100_000 // of all lists together
	heldShare   = 0.25    // of the items of a list
	trialEpochs = 0.5     // of the epochs of the fit, or of those that Auto stands for if these are fewer
	leastErrors = 2       // gain by which a weaker prior stays, in standard errors
	tasteErrors = 1.5     // gain by which sampled tastes are used
	tasteLength = 30      // mean length of lists from which on they are tried
)

// change is a change of one precision that may be tried.
type change struct {
	of     func(p *ascent.Prior) *float64
	factor float64
	errors float64 // gain by which it stays, in standard errors
	least  float64 // and in nats an item
}

// changes are tried in turn. For each there is a kind of data on which the default was too far off: lists whose items say nothing of their owners, as where
// items are assigned (V); items that are in so many lists that their worths need next to no prior (U); and tastes much stronger than those in ratings of films, as in planted sets (W). A small gain
// by a weaker prior of W would not do: likelihoods may then be higher and orders worse. The stronger prior of V is the one that takes less from lists, and stays by any gain.
var changes = []change{
	{func(p *ascent.Prior) *float64 { return &p.V }, 16, 0, 0},
	{func(p *ascent.Prior) *float64 { return &p.U }, 1. / 4, leastErrors, 0},
	{func(p *ascent.Prior) *float64 { return &p.W }, 1. / 4, leastErrors, 0.015},
}

// Resolve resolves Auto of Batch and Epochs by the lists and, for small sets whose items are in many lists, chooses the precisions of the prior that
// are Auto: those with the highest likelihood of the slots of items held back, where that is clearly above that of the defaults.
// Before that it chooses whether the prior has the mean of sampled tastes, where lists are long and its Tastes are ByData.
func (o *Options) Resolve(ctx context.Context, n int, lists []osm.Packed) error {
	byData := o.Epochs == ascent.Auto
	o.onLists(lists)
	if r := o.Resume; r != nil && len(r.Precisions) == 3 && !o.Prior.ByRule { // the run to resume had the choice
		for k, own := range []*float64{&o.Prior.U, &o.Prior.W, &o.Prior.V} {
			if *own == ascent.Auto {
				*own = r.Precisions[k]
			}
		}
		o.Prior.ByRule, o.Prior.Tastes = true, ascent.Never
		if r.Tastes != nil {
			o.Prior.Tastes = ascent.Always
		}
		o.shorten(byData)
		return nil
	}
	if !o.chooses(lists) {
		o.shorten(byData)
		return nil
	}
	o.Prior.ByRule = true
	t := newHeldBack(n, lists, *o)
	base := t.Prior
	best, err := t.values(ctx, base)
	if err != nil || best.slots == nil {
		return err
	}
	if o.Prior.Tastes == ascent.ByData {
		o.Prior.Tastes = ascent.Never
		if next := base; t.long() {
			next.Tastes = ascent.Always
			found, err := t.values(ctx, next)
			if err != nil {
				return err
			}
			// By correlations, and not by likelihood: what is sampled is better in its directions, and no better in how far to go.
			if gain, stdErr := gainOf(found.correlation, best.correlation); gain > tasteErrors*stdErr {
				best, base, o.Prior.Tastes = found, next, ascent.Always
			}
		}
	}
	o.shorten(byData)
	for _, c := range changes {
		if *c.of(&o.Prior) != ascent.Auto || c.of(&base) == &base.V && !o.Presence || c.of(&base) == &base.W && base.Tastes == ascent.Always {
			continue
		}
		next := base
		*c.of(&next) *= c.factor
		found, err := t.values(ctx, next)
		if err != nil {
			return err
		}
		if gain, stdErr := gainOf(found.slots, best.slots); gain > max(c.least, c.errors*stdErr) {
			best, base = found, next
			*c.of(&o.Prior) = *c.of(&next)
		}
	}
	return nil
}

// shorten takes fewer epochs where the data chose their number and the fit begins with sampled tastes.
func (o *Options) shorten(byData bool) {
	if byData && o.usesTastes() {
		o.Epochs = max(min(fewestEpochs, o.Epochs), int(fewerEpochs*float64(o.Epochs)))
	}
}

// long reports whether lists are long enough to try sampled tastes.
func (t *heldBack) long() bool {
	listed, places := len(t.whole), 0
	for _, list := range t.whole {
		places += len(list.Items)
	}
	next := t.Options
	next.Prior.Tastes = ascent.Always
	return next.usesTastes() && places >= tasteLength*listed
}

// chooses reports whether precisions are to be chosen.
func (o *Options) chooses(lists []osm.Packed) bool {
	p := &o.Prior
	if p.ByRule || o.Hidden == 0 || o.Units != latent.Gaussian || o.Levels != nil || o.Start != nil || p.Shares != nil {
		return false
	}
	listed, places := ascent.Counts(lists, o.Longest)
	return places <= mostPlaces && places > manyLists*listed && (p.U == ascent.Auto || p.W == ascent.Auto || p.V == ascent.Auto && o.Presence)
}

// heldBack has lists without the items held back, and the options of trial fits to them.
type heldBack struct {
	Options
	items int
	whole []osm.Packed
	held  [][]int      // places of each list that are held back
	lists []osm.Packed // without the places held back
}

// newHeldBack holds items back at random. Two items or more of a list are kept.
func newHeldBack(n int, lists []osm.Packed, o Options) *heldBack {
	t := &heldBack{Options: o, items: n, whole: lists}
	var unpacked osm.Unpacker
	for l, list := range lists {
		r := rng.Stream(o.Seed, "held back", uint64(l))
		places := make([]int, len(list.Items))
		rng.Permutation(r, places)
		count := max(0, min(int(heldShare*float64(len(places))+r.Float64()), len(places)-2))
		held, kept := places[:count], places[count:]
		slices.Sort(kept)
		t.held, t.lists = append(t.held, held), append(t.lists, osm.Pack([]osm.List{unpacked.Part(list, kept)})...)
	}
	byRule := o
	byRule.Epochs = ascent.Auto
	byRule.onLists(lists)
	t.Epochs = max(1, int(trialEpochs*float64(min(o.Epochs, byRule.Epochs)))) // somebody may ask for many
	t.Until, t.Observer, t.Save, t.Resume, t.Validate, t.Discount = 0, nil, nil, nil, nil, false
	listed, places := ascent.Counts(lists, o.Longest) // of all: as in the fit to come
	t.OnData(len(lists), float64(places)/float64(max(1, listed)), float64(places)/float64(max(1, len(lists))))
	return t
}

// judged has two values of each list by a trial fit, zero where too few items are held back: the mean, over these items, of the log
// probability of the item's slot given the order of all others; and the correlation of the normal scores of these items in the whole list with
// their scores for the owner, by the items kept. A fit that diverged has none.
type judged struct{ slots, correlation []float64 }

// judge is scratch space.
type judge struct {
	osm.Unpacker
	latent.Model
	latent.SlotLikelihood
	units, scores []float64
}

// values fits the lists with a prior and judges the fit by the items held back.
func (t *heldBack) values(ctx context.Context, prior ascent.Prior) (judged, error) {
	o := t.Options
	if o.Prior = prior; o.usesTastes() {
		if t.sampled == nil {
			var err error
			if t.sampled, err = tastesOf(ctx, t.items, o.Hidden, o.Size, t.lists, trialSweeps, o.Seed, o.Jobs); err != nil {
				return judged{}, err
			}
		}
		o.sampled, o.Epochs = t.sampled, max(1, int(fewerEpochs*float64(o.Epochs)))
	}
	fitted, err := o.Fit(ctx, t.items, t.lists)
	if errors.Is(err, ascent.ErrDiverged) {
		return judged{}, nil
	} else if err != nil {
		return judged{}, err
	}
	n := len(t.whole)
	found, own := judged{make([]float64, n), make([]float64, n)}, make([]judge, parallel.Size(n, t.Jobs))
	parallel.Until(ctx, n, t.Jobs, func(worker, l int) {
		if len(t.held[l]) > 0 {
			s := &own[worker]
			list := s.List(t.whole[l])
			fitted.Refill(&s.Model, list.Items)
			found.slots[l] = s.Slots(&s.Model, list.Order, t.held[l]) / float64(len(t.held[l]))
			found.correlation[l] = s.correlation(fitted.Catalogue, s.List(t.lists[l]), t.whole[l], t.held[l])
		}
	})
	return found, ctx.Err()
}

// correlation is that of scores and normal scores of the items at some places of a whole list; 0 where either are all the same.
func (s *judge) correlation(c *latent.Catalogue, kept osm.List, whole osm.Packed, held []int) float64 {
	s.units, s.scores = slices.Grow(s.units[:0], c.K)[:c.K], s.scores[:0]
	c.Embed(&s.Model, kept.Items, kept.Order, s.units)
	presence, places := c.OwnPresence(len(kept.Items)), normalScores(whole)
	var x, y float64
	for _, at := range held {
		i := int(whole.Items[at])
		score := c.U[i] + vec.Dot(s.units, c.W[i*c.K:(i+1)*c.K])
		if c.V != nil {
			score += float64(presence * vec.Dot(c.V[i*c.K:(i+1)*c.K], c.W[i*c.K:(i+1)*c.K]))
		}
		s.scores = append(s.scores, score)
		x, y = x+score, y+float64(places[at])
	}
	n := float64(len(held))
	var xx, xy, yy float64
	for k, at := range held {
		dx, dy := s.scores[k]-x/n, float64(places[at])-y/n
		xx, xy, yy = xx+float64(dx*dx), xy+float64(dx*dy), yy+float64(dy*dy)
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}

// gainOf is the mean over lists of the difference of two values of each, and its standard error; NaN without a value.
func gainOf(to, from []float64) (mean, stdErr float64) {
	if len(to) != len(from) {
		return math.NaN(), math.NaN()
	}
	var sum, squares float64
	for l, v := range to {
		d := v - from[l]
		sum += d
		squares += d * d
	}
	n := float64(len(to))
	mean = sum / n
	return mean, math.Sqrt(max(0, squares/n-mean*mean) / n)
}
