package rank

import (
	"fmt"
	"math"
	"slices"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/infer/mcmc"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Person is somebody whose tiers were read into a model: what it takes to score,
// place and explain items for them. It keeps scratch space: one for each
// goroutine.
type Person struct {
	catalogue *latent.Catalogue
	list      osm.List
	taste     []float64
	sizes     []int          // of the tiers
	values    []float64      // ratings of the tiers; nil where they are not known
	guess     latent.Guessed // what they may be, once it was asked for

	// To place one more item: the model of the list with it, the order with the item
	// at the bottom, and what weighs its slots.
	items []int
	model *latent.Model
	order *partition.Partition
	slots mcmc.Slots
}

// Read folds a tier list in. A list without items is a stranger.
func Read(c *latent.Catalogue, list osm.List) (*Person, error) {
	taste, err := Fold(c, list)
	if err != nil {
		return nil, err
	}
	p := &Person{catalogue: c, list: list, taste: taste}
	levels := []int{1} // of the new item, below all others
	if len(list.Items) > 0 {
		levels = append(list.Order.Levels(), 0)
		for t := range list.Order.Len() {
			p.sizes = append(p.sizes, list.Order.Size(t))
		}
	}
	if p.order, err = partition.FromLevels(levels); err != nil {
		return nil, fmt.Errorf("rank: %w", err)
	}
	p.items = append(slices.Clone(list.Items), 0)
	p.model = &latent.Model{}
	return p, nil
}

// MeanWorth is that of some items; 0 without any.
func MeanWorth(c *latent.Catalogue, items []int) (mean float64) {
	for _, i := range items {
		mean += c.U[i] / float64(len(items))
	}
	return mean
}

// Rated tells the rating that each of the person's tiers stands for, best first.
// Odds are the better for it where the model is calibrated: between four and five
// stars of five there is no room.
func (p *Person) Rated(values []float64) error {
	if len(values) != p.Tiers() {
		return fmt.Errorf("rank: ratings of %d tiers for somebody with %d", len(values), p.Tiers())
	}
	for t := 1; t < len(values); t++ {
		if !(values[t] < values[t-1]) {
			return fmt.Errorf("rank: ratings of tiers must fall, and %g comes after %g", values[t], values[t-1])
		}
	}
	p.values = values
	return nil
}

// Taste is the posterior means of the hidden units.
func (p *Person) Taste() []float64 { return p.taste }

// Tiers is the number of tiers that the person has.
func (p *Person) Tiers() int {
	if len(p.list.Items) == 0 {
		return 0
	}
	return p.list.Order.Len()
}

// Score writes the score of each item, none of which the person placed.
func (p *Person) Score(items []int, scores []float64) {
	Complete(p.catalogue, p.taste, len(p.list.Items), items, scores)
}

// Odds are the probabilities of every place that an item may take among
// somebody's tiers, together 1.
type Odds struct {
	Tiers []float64 // of standing in each tier, best first
	Gaps  []float64 // of standing alone above the first, between, and below the last
	// Rank is the expected rank among the person's items, 1 for the best, and Low to
	// High the ranks that hold it with a probability of [RankHolds] or more: see
	// [Person.Rank]. Without tiers all are 1.
	Rank, Low, High float64
}

// RankHolds is the least probability of the ranks from Low to High of [Odds].
const RankHolds = 0.8

// Slots are the odds in the order of places, from the top: gap, tier, gap, and so on.
func (o Odds) Slots() []float64 {
	slots := make([]float64, len(o.Tiers)+len(o.Gaps))
	for s := range slots {
		if s%2 == 0 {
			slots[s] = o.Gaps[s/2]
		} else {
			slots[s] = o.Tiers[s/2]
		}
	}
	return slots
}

// Tier is the likeliest tier, from 0, counting a gap's odds half for each of the
// tiers beside it; -1 where there are no tiers.
func (o Odds) Tier() int {
	best, most := -1, math.Inf(-1)
	for t, v := range o.Tiers {
		half := 2.0
		above, below := o.Gaps[t]/half, o.Gaps[t+1]/half
		if t == 0 {
			above *= half
		}
		if t == len(o.Tiers)-1 {
			below *= half
		}
		if v += above + below; v > most {
			best, most = t, v
		}
	}
	return best
}

// Place returns the odds of an item that the person has not placed: the
// probability of each slot given the rest of the list, the hidden units summed
// out, read as the catalogue's calibration says. See docs/maths.md#reinsertion.
func (p *Person) Place(item int) Odds {
	weights := p.Weigh(item)
	if c := p.catalogue.Calibration; c != nil {
		if p.values == nil && p.guess.Values == nil {
			p.guess = c.Guessed(p.sizes, MeanWorth(p.catalogue, p.list.Items))
		}
		c.Read(weights, p.sizes, p.values, p.guess)
	}
	norm := logprob.SumExp(weights)
	tiers := p.Tiers()
	odds := Odds{Tiers: make([]float64, tiers), Gaps: make([]float64, tiers+1)}
	for s, w := range weights {
		if w = math.Exp(w - norm); s%2 == 0 {
			odds.Gaps[s/2] = w
		} else {
			odds.Tiers[s/2] = w
		}
	}
	odds.Rank, odds.Low, odds.High = p.Rank(odds, RankHolds)
	return odds
}

// Weigh returns the log weights of all slots of an item that the person has not
// placed, before any calibration, less the highest: gap, tier, gap, and so on.
func (p *Person) Weigh(item int) []float64 {
	n := len(p.list.Items)
	p.items[n] = item
	p.catalogue.Refill(p.model, p.items)
	if p.slots == nil {
		p.slots = latent.NewMarginal(p.model).NewSlots()
	}
	p.slots.Load(p.order)
	from := p.order.Lift(n)
	p.slots.Lifted(p.order, n, from)
	weights := make([]float64, 2*p.Tiers()+1)
	if !p.slots.Weigh(p.order, n, weights) {
		for s, w := range weights {
			weights[s] = math.Log(w)
		}
	}
	p.order.Insert(from)
	p.slots.Inserted(p.order, n, from)
	most := slices.Max(weights)
	for s := range weights {
		weights[s] -= most
	}
	return weights
}

// Rank is the expected rank of an item among those the person has placed, from 1 for
// the best to one more than there are, and the ranks from low to high that hold it
// with at least the given probability, and leave out at most half of the rest on each
// side. An item in a tier has the middle of the ranks that the tier takes with it.
func (p *Person) Rank(o Odds, level float64) (expected, low, high float64) {
	tail := (1 - level) / 2
	above, passed := 0.0, 0.0 // items, and odds
	low, high = 1, 1
	step := func(rank, odds float64) {
		expected += rank * odds
		if passed <= tail {
			low = rank
		}
		if passed < 1-tail {
			high = rank
		}
		passed += odds
	}
	for t, gap := range o.Gaps {
		step(above+1, gap)
		if t < len(o.Tiers) {
			size := float64(p.sizes[t])
			step(above+1+size/2, o.Tiers[t])
			above += size
		}
	}
	return expected, low, high
}
