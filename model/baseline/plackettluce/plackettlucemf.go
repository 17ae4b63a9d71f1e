package plackettluce

import (
	"context"
	"math"

	"fubini/core/logprob"
	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/factor"
	"fubini/model/baseline/fitting"
)

// MF is plackett-luce-mf: Plackett-Luce with a worth for every user and item, exp(b_i + P_u . Q_i). The best item is
// drawn with a probability proportional to its worth, then the best of the rest, and so on (Truyen, Phung and Venkatesh
// 2011; Plackett 1975). The model has no ties: those of ratings are broken at random, or summed over all orders.
type MF struct {
	factor.Options
	Ties  TieRule  // treatment of tied ratings
	Sizes SizeRule // distribution of the sizes of ties, for likelihoods
}

// TieRule is the treatment of tied ratings, for which Plackett-Luce has no probability.
type TieRule int

// The ways to treat tied ratings.
const (
	TiesBroken TieRule = iota // broken at random, anew in each epoch
	TiesFixed                 // broken at random once for each user, as by a sort
	TiesSummed                // the sum of the probabilities of all orders
)

// NewMF returns plackett-luce-mf with its default settings.
func NewMF() *MF {
	return &MF{Options: factor.ListDefaults(0.1, 4)}
}

// Settings implements [model.Recipe].
func (m *MF) Settings() []setting.Setting {
	return append(factor.ListSettings(&m.Options, NewMF().Options),
		setting.Choice(&m.Ties, TiesBroken, setting.Setting{Name: "ties", Means: "what becomes of tied ratings"}, "broken", "fixed", "summed"),
		// Scores do not depend on it: a search has nothing to find.
		setting.Choice(&m.Sizes, SizesFitted, setting.Setting{Name: "sizes", Means: "distribution of tie sizes, for likelihoods", Low: 1, High: 1}, "fitted", "uniform"))
}

// Fit implements [model.Recipe].
func (m *MF) Fit(ctx context.Context, set *ratings.Set, r model.Run) (model.Model, error) {
	return fitting.Fit(ctx, "plackett-luce-mf", m.Settings(), set, r, func(run fitting.Run) (model.Model, error) {
		l := &plackettLuce{Ties: m.Ties, Sizes: tieSizes{Rule: m.Sizes}}
		l.Sizes.fit(set)
		return fit(set, run, m.Options, m.Ties == TiesBroken, func(*ratings.Set) factor.Loss { return l })
	})
}

// Load implements [model.Recipe].
func (m *MF) Load(f *modelfile.File, items int) (model.Model, error) {
	l := new(plackettLuce)
	return load("plackett-luce-mf", f, items, l, l.Sizes.check)
}

// plackettLuce is minus the log probability of a list.
type plackettLuce struct {
	Ties  TieRule  `json:"ties"`
	Sizes tieSizes `json:"sizes"`
}

func (l *plackettLuce) Kept() any { return l }

func (l *plackettLuce) Of(values []float32, scores, slope, _ []float64, row *factor.Row) float64 {
	list := rank(values, places(values))
	if l.Ties == TiesSummed || row.User < 0 { // somebody folded in has no epochs to even out one draw
		clear(slope)
		return -summedOrders(scores, list, slope)
	}
	keys := row.RandomKeys(l.Ties == TiesFixed)
	for t := range list.len() {
		shuffle(list.tier(t), keys)
	}
	return strictOrder(scores, list.order, slope)
}

// strictOrder is minus the log probability of an order without ties,
//
//	sum_k log(sum of the worths from place k on) - s_k,
//
// and its slope.
func strictOrder(scores []float64, order []int, slope []float64) float64 {
	rest := make([]float64, len(order)) // log worth from a place on
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

// summedOrders is the log probability of the ties of a list given their sizes, which sums over all orders of each;
// minus its slope is added.
func summedOrders(scores []float64, list *tiers, slope []float64) float64 {
	var q tieOrders
	rest := make([]float64, list.len()) // log worth below a tie
	sum := math.Inf(-1)
	for t := list.len() - 1; t >= 0; t-- {
		rest[t] = sum
		for _, i := range list.tier(t) {
			sum = logprob.Add(sum, scores[i])
		}
	}
	by := make([]float64, len(list.order))
	var total float64
	// The worth below the ties above pulls at all items further down: the log of the sum of -restSlope/W so far.
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

// logLikelihood sums over the orders of ties, whatever the loss, and adds the log probability of their sizes.
func (l *plackettLuce) logLikelihood(scores []float64, list *tiers) float64 {
	return summedOrders(scores, list, make([]float64, len(scores))) + l.Sizes.logProb(list)
}
