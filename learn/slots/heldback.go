package slots

import (
	"context"
	"errors"
	"math"
	"slices"

	"fubini/core/parallel"
	"fubini/core/rng"
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
	tasteErrors = 1.5
	leastErrors = 2 // gain by which a change stays, in standard errors
)

// change is a change of one precision that may be tried.
type change struct {
	of     func(p *ascent.Prior) *float64
	factor float64
	least  float64 // gain by which it stays, in nats an item
}

// changes are tried in turn. For each there is a kind of data on which the default was too far off: lists whose items say nothing of their owners, as where
// items are assigned (V); items that are in so many lists that their worths need next to no prior (U); and tastes much stronger than those in ratings of films, as in planted sets (W). A small gain
// by a weaker prior of W would not do: likelihoods may then be higher and orders worse.
var changes = []change{
	{func(p *ascent.Prior) *float64 { return &p.V }, 16, 0},
	{func(p *ascent.Prior) *float64 { return &p.U }, 1. / 4, 0},
	{func(p *ascent.Prior) *float64 { return &p.W }, 1. / 4, 0.015},
}

// Resolve resolves Auto of Batch and Epochs by the lists and, for small sets whose items are in many lists, chooses the precisions of the prior that
// are Auto: those with the highest likelihood of the slots of items held back, where that is clearly above that of the defaults.
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
	best, err := t.likelihoods(ctx, base)
	if err != nil || best == nil {
		return err
	}
	if o.Prior.Tastes == ascent.ByData {
		o.Prior.Tastes = ascent.Never
		next := base
		next.Tastes = ascent.Always
		before := t.order
		found, err := t.likelihoods(ctx, next)
		if err != nil {
			return err
		}
		// The order of items held back, and not their likelihood: tastes are better in their directions, and no better in how sure they are.
		if gain, stdErr := gainOf(t.order, before); gain > tasteErrors*stdErr {
			best, base, o.Prior.Tastes = found, next, ascent.Always
		}
	}
	o.shorten(byData)
	for _, c := range changes {
		if *c.of(&o.Prior) != ascent.Auto || c.of(&base) == &base.V && !o.Presence || c.of(&base) == &base.W && base.Tastes == ascent.Always {
			continue
		}
		next := base
		*c.of(&next) *= c.factor
		found, err := t.likelihoods(ctx, next)
		if err != nil {
			return err
		}
		if gain, stdErr := gainOf(found, best); gain > max(c.least, leastErrors*stdErr) {
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
	order []float64
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

// likelihoods fits the lists with a prior. Of each list with items held back it returns the mean, over these, of the log probability of the
// item's slot given the order of all others. A fit that diverged has none.
func (t *heldBack) likelihoods(ctx context.Context, prior ascent.Prior) ([]float64, error) {
	o := t.Options
	if o.Prior = prior; o.usesTastes() && o.sampled == nil {
		var err error
		if o.sampled, err = tastesOf(ctx, t.items, o.Hidden, o.Size, t.lists, o.Seed, o.Jobs); err != nil {
			return nil, err
		}
		t.sampled = o.sampled
	}
	fitted, err := o.Fit(ctx, t.items, t.lists)
	if errors.Is(err, ascent.ErrDiverged) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	type scratch struct {
		osm.Unpacker
		latent.Model
		latent.SlotLikelihood
	}
	found, own := make([]float64, len(t.whole)), make([]scratch, parallel.Size(len(t.whole), t.Jobs))
	parallel.Until(ctx, len(t.whole), t.Jobs, func(worker, l int) {
		if len(t.held[l]) > 0 {
			s := &own[worker]
			list := s.List(t.whole[l])
			fitted.Refill(&s.Model, list.Items)
			found[l] = s.Slots(&s.Model, list.Order, t.held[l]) / float64(len(t.held[l]))
		}
	})
	t.order = make([]float64, len(t.whole))
	var un osm.Unpacker
	c := fitted.Catalogue
	for l := range t.whole {
		if len(t.held[l]) < 2 {
			continue
		}
		list := un.List(t.lists[l])
		a := make([]float64, c.K)
		root := math.Sqrt(float64(len(list.Items)))
		for b := range list.Order.Len() {
			sc := c.ItemScore(list.Order, b)
			for _, at := range list.Order.Block(b) {
				for k := range a {
					a[k] += sc * c.W[list.Items[at]*c.K+k]
					if c.V != nil {
						a[k] += c.V[list.Items[at]*c.K+k] / root
					}
				}
			}
		}
		sc := make([]float64, len(t.held[l]))
		for h, at := range t.held[l] {
			j := int(t.whole[l].Items[at])
			sc[h] = c.U[j]
			for k := range a {
				v := 0.0
				if c.V != nil {
					v = c.V[j*c.K+k] / root
				}
				sc[h] += c.W[j*c.K+k] * (a[k] + v)
			}
		}
		good, pairs := 0.0, 0.0
		for x, ax := range t.held[l] {
			for y, ay := range t.held[l] {
				if t.whole[l].Tiers[ax] < t.whole[l].Tiers[ay] {
					pairs++
					if sc[x] > sc[y] {
						good++
					}
				}
			}
		}
		if pairs > 0 {
			t.order[l] = good / pairs
		}
	}
	return found, ctx.Err()
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
