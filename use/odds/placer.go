package odds

import (
	"fmt"
	"math"
	"slices"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/infer/mcmc"
	"fubini/model"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

// Placer computes the odds of items among the tiers of one person. It holds scratch space: one for each goroutine.
type Placer struct {
	*rank.Folded
	calibration *Calibration
	sizes       []int     // of the tiers
	ratings     []float64 // of the tiers, best first; nil where they are not known
	guesses     Guesses   // of the ratings, where they are not known

	// Visible has the potentials of a fit to votes, which has no hidden units; nil means those of the catalogue.
	Visible *osm.Visible

	// To place one more item: the model of the list with it, the order with the item at the bottom, and its slots.
	items []int
	moved []float64 // from the posterior means of the units to the embedding; nil without a population
	model *latent.Model
	order *partition.Partition
	slots mcmc.Slots
}

// NewPlacer folds a person's preferences into a catalogue. The calibration corrects the odds;
// nil means none. A person without items has a single slot.
func NewPlacer(c *latent.Catalogue, calibration *Calibration, person model.Person) (*Placer, error) {
	folded, err := rank.Read(c, person)
	if err != nil {
		return nil, err
	}
	return Among(folded, calibration, person)
}

// Among returns the placer of a person whose preferences were folded in before.
func Among(folded *rank.Folded, calibration *Calibration, person model.Person) (p *Placer, err error) {
	c := folded.Catalogue
	p = &Placer{Folded: folded, calibration: calibration, model: &latent.Model{}}
	levels := []int{1} // of the new item, below all others
	if n := len(p.List.Items); n > 0 {
		levels, p.sizes = append(p.List.Order.Levels(), 0), sizesOf(p.List.Order)
	}
	if p.order, err = partition.FromLevels(levels); err != nil {
		return nil, fmt.Errorf("odds: %w", err)
	}
	p.items = append(slices.Clone(p.List.Items), 0)
	if n := len(p.List.Items); n > 0 && c.Population != nil {
		posterior := make([]float64, c.K)
		c.Refill(p.model, p.List.Items)
		p.model.Posterior(p.List.Order, posterior)
		p.moved = posterior
		for k, v := range p.Embedding {
			p.moved[k] = v - posterior[k]
		}
	}
	if person.TiersOnly && calibration != nil {
		p.guesses = calibration.guesses(p.sizes, meanWorth(c, p.List.Items))
	} else if !person.TiersOnly {
		p.ratings = tierRatings(person.Known)
	}
	return p, nil
}

// sizesOf are the sizes of the tiers of a list, best first.
func sizesOf(order *partition.Partition) (sizes []int) {
	for t := range order.Len() {
		sizes = append(sizes, order.Size(t))
	}
	return sizes
}

// normalise replaces log weights by probabilities.
func normalise(weights []float64) {
	norm := logprob.SumExp(weights)
	for s, w := range weights {
		weights[s] = math.Exp(w - norm)
	}
}

// meanWorth is the mean worth of some items; 0 without any.
func meanWorth[I int | uint32](c *latent.Catalogue, items []I) (mean float64) {
	for _, i := range items {
		mean += c.U[i] / float64(len(items))
	}
	return mean
}

// Place returns the odds of an item that the person has not placed: the probability of each slot given the rest of the
// list, with the hidden units summed out, corrected by the calibration. See docs/maths.md#reinsertion.
func (p *Placer) Place(item int) Odds {
	weights := p.logWeights(item)
	if p.calibration != nil {
		p.calibration.correct(weights, p.sizes, p.ratings, p.guesses)
	}
	normalise(weights)
	odds := Odds{Tiers: make([]float64, len(p.sizes)), Gaps: make([]float64, len(p.sizes)+1)}
	for s, w := range weights {
		if s%2 == 0 {
			odds.Gaps[s/2] = w
		} else {
			odds.Tiers[s/2] = w
		}
	}
	odds.Rank, odds.Low, odds.High = odds.RankAmong(p.sizes, RankHolds)
	return odds
}

// logWeights are those of all slots of an item, before any correction, less the highest: gap, tier, gap, and so on.
func (p *Placer) logWeights(item int) []float64 {
	n := len(p.List.Items)
	weights := make([]float64, 2*len(p.sizes)+1)
	if p.Visible != nil {
		if n > 0 {
			p.Visible.Slots(p.List.Order, p.List.Items, item, weights)
		}
		return fromHighest(weights)
	}
	p.items[n] = item
	fresh := p.slots == nil
	if fresh {
		p.Catalogue.Refill(p.model, p.items)
	} else {
		p.Catalogue.Replace(p.model, item)
	}
	if c := p.Catalogue; p.moved != nil {
		p.model.AddToBiases(p.moved, 1)
		if c.V != nil { // the presence of the item is that in a list of the mean length
			p.model.AddToBiases(c.V[item*c.K:(item+1)*c.K], 1/math.Sqrt(max(c.Population.Length, float64(n))+1)-latent.Presence(n+1))
		}
	}
	if fresh { // the item is a block of its own at the bottom, which does not stay when it is lifted
		p.slots = latent.NewMarginal(p.model).NewSlots()
		p.slots.Load(p.order)
	}
	from := p.order.Lift(n)
	p.slots.Lifted(p.order, n, from)
	if !p.slots.Weigh(p.order, n, weights) {
		for s, w := range weights {
			weights[s] = math.Log(w)
		}
	}
	p.order.Insert(from)
	p.slots.Inserted(p.order, n, from)
	return fromHighest(weights)
}

// fromHighest subtracts the highest log weight from all.
func fromHighest(weights []float64) []float64 {
	most := slices.Max(weights)
	for s := range weights {
		weights[s] -= most
	}
	return weights
}
