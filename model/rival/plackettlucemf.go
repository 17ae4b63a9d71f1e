package rival

import (
	"context"
	"fmt"
	"math"

	"fubini/core/logprob"
	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
)

// PlackettLuceMF is Plackett-Luce with a worth for every user and item,
// exp(b_i + P_u . Q_i): a list comes about by choosing the best item, then the
// best of the rest, each with a probability proportional to its worth (Truyen,
// Phung and Venkatesh 2011; Plackett 1975). As it knows no ties, those of ratings
// are put in some order, or summed over all orders.
type PlackettLuceMF struct {
	FactorOptions
	Ties  TieRule
	Sizes SizeRule
}

// TieRule says what becomes of tied ratings.
type TieRule int

// The ways to treat tied ratings.
const (
	TiesBroken TieRule = iota // a random order, a new one in each epoch
	TiesFixed                 // a random order for each user once and for all, as a sort would leave it
	TiesSummed                // the probability of all orders together
)

// NewPlackettLuceMF has the default settings.
func NewPlackettLuceMF() *PlackettLuceMF {
	return &PlackettLuceMF{FactorOptions: orderDefaults(0.1, 4)}
}

// Settings implements [Recipe].
func (m *PlackettLuceMF) Settings() []setting.Setting {
	return append(orderSettings(&m.FactorOptions, NewPlackettLuceMF().FactorOptions),
		setting.Choice(&m.Ties, TiesBroken, setting.Setting{Name: "ties", Means: "what becomes of tied ratings"}, "broken", "fixed", "summed"),
		// Scores do not depend on it: a search has nothing to find.
		setting.Choice(&m.Sizes, SizesFitted, setting.Setting{Name: "sizes", Means: "distribution of tie sizes, for likelihoods", Low: 1, High: 1}, "fitted", "uniform"))
}

// Fit implements [Recipe]. The model is of type [WeakOrders].
func (m *PlackettLuceMF) Fit(ctx context.Context, set *ratings.Set, r Run) (Model, error) {
	run := under(ctx, r)
	o, err := m.FactorOptions.resolved(NewPlackettLuceMF().FactorOptions, defaultFactors)
	switch {
	case err != nil:
		return nil, fmt.Errorf("rival: plackett-luce-mf: %w", err)
	case m.Ties < TiesBroken || m.Ties > TiesSummed:
		return nil, fmt.Errorf("rival: plackett-luce-mf: ties %d is neither broken, fixed nor summed", m.Ties)
	case m.Sizes != SizesFitted && m.Sizes != SizesUniform:
		return nil, fmt.Errorf("rival: plackett-luce-mf: sizes %d is neither fitted nor uniform", m.Sizes)
	}
	l := &plackettLuce{Ties: m.Ties, Sizes: tieSizes{Rule: m.Sizes}}
	l.Sizes.fit(set)
	f, err := learnOrders(ctx, "plackett-luce-mf", set, run, o, func(*ratings.Set) loss { return l })
	if err != nil {
		return nil, err
	}
	return newOrdersModel(f, l), nil
}

// Load implements [Recipe].
func (m *PlackettLuceMF) Load(f *modelfile.File, items int) (Model, error) {
	l := new(plackettLuce)
	s, err := loadFactors(f, items, l)
	if err != nil {
		return nil, err
	}
	if err := l.Sizes.check(); err != nil {
		return nil, fmt.Errorf("rival: plackett-luce-mf: %w", err)
	}
	return newOrdersModel(s, l), nil
}

// plackettLuce is minus the log probability of a list.
type plackettLuce struct {
	Ties  TieRule  `json:"ties"`
	Sizes tieSizes `json:"sizes"`
}

func (l *plackettLuce) kept() any { return l }

func (l *plackettLuce) of(values []float32, scores, slope []float64, row *rowScratch) float64 {
	list := newTiers(len(values), row)
	list.sort(values)
	clear(slope)
	if l.Ties == TiesSummed || row.user < 0 { // somebody folded in has no epochs to even out one draw
		return -summedOrders(scores, &list, slope, row)
	}
	draw := lots
	if l.Ties == TiesFixed {
		draw = steadyLots
	}
	drawn := draw(row)
	for t := range list.len() {
		shuffle(list.tier(t), drawn)
	}
	return strictOrder(scores, list.order, slope, row)
}

// strictOrder is minus the log probability of an order without ties,
//
//	sum_k log(sum of the worths from place k on) - s_k,
//
// and its slope.
func strictOrder(scores []float64, order []int, slope []float64, row *rowScratch) float64 {
	rest := row.floats(len(order)) // log worth from a place on
	sum := math.Inf(-1)
	var total float64
	for k := len(order) - 1; k >= 0; k-- {
		sum = logprob.Add(sum, scores[order[k]])
		rest[k] = sum
		total += sum - scores[order[k]]
	}
	seen := math.Inf(-1) // log of the sum of 1/rest up to a place
	for k, i := range order {
		seen = logprob.Add(seen, -rest[k])
		slope[i] = math.Exp(scores[i]+seen) - 1
	}
	return total
}

// summedOrders is the log probability of the ties of a list given their sizes,
// which sums over all orders of each; minus its slope is added.
func summedOrders(scores []float64, list *tiers, slope []float64, row *rowScratch) float64 {
	n := len(list.order)
	q := newTieOrders(n, row)
	rest := row.floats(list.len()) // log worth below a tie
	sum := math.Inf(-1)
	for t := list.len() - 1; t >= 0; t-- {
		rest[t] = sum
		for _, i := range list.tier(t) {
			sum = logprob.Add(sum, scores[i])
		}
	}
	by := row.floats(n)
	clear(by)
	var total float64
	// The worth below the ties above pulls at all items further down: the log of
	// the sum of -restSlope/W so far.
	pull := math.Inf(-1)
	for t := range list.len() {
		p, restSlope := q.logProb(scores, list.tier(t), rest[t], by)
		total += p
		for _, i := range list.tier(t) {
			slope[i] -= by[i] - math.Exp(scores[i]+pull)
		}
		if restSlope < 0 {
			pull = logprob.Add(pull, math.Log(-restSlope)-rest[t])
		}
	}
	return total
}

// logLikelihood sums over the orders of ties whatever was learned from, and has
// the probability of their sizes as a factor.
func (l *plackettLuce) logLikelihood(scores []float64, list *tiers, row *rowScratch) float64 {
	slope := row.floats(len(scores))
	clear(slope)
	return summedOrders(scores, list, slope, row) + l.Sizes.logProb(list)
}
