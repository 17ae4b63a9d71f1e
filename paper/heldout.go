package paper

import (
	"context"
	"fmt"
	"math"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/infer/ais"
	"fubini/infer/mcmc"
	"fubini/model"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/paper/cells"
	"fubini/use/odds"
)

// examinee is a user of Table 1: what the models know of them, and an order of
// some of their other items.
type examinee struct {
	number int // among the users of the table
	person model.Person
	known  osm.List
	items  []uint32
	list   osm.List             // of these items, with the ties of the ratings
	strict *partition.Partition // the same with ties broken at random, as a sort leaves them
}

// estimate is a log likelihood, with the standard error of annealing and of draws; 0
// where nothing was left to chance.
type estimate struct{ logLik, noise float64 }

// annealed is how log Z is found.
type annealed struct {
	Steps      int  `json:"steps"`
	Runs       int  `json:"runs"`
	SplitMerge bool `json:"split_merge,omitempty"`
	Exact      bool `json:"exact,omitempty"`
	Strict     bool `json:"strict,omitempty"`
}

// logZ finds log Z of a model over weak orders, or over strict ones.
func (a annealed) logZ(ctx context.Context, m *latent.Model, seed uint64) (*ais.Estimate, error) {
	if a.Exact {
		logZ, err := m.ExactLogZ()
		return &ais.Estimate{LogZ: logZ}, err
	}
	moves := mcmc.ReinsertionMoves
	if a.SplitMerge {
		moves = mcmc.SplitMergeMoves
	}
	problem := m.Annealing(moves, false)
	if a.Strict {
		problem = m.StrictAnnealing()
	}
	return a.run(ctx, problem, seed)
}

// run anneals on one core: users go side by side.
func (a annealed) run(ctx context.Context, problem ais.Problem, seed uint64) (*ais.Estimate, error) {
	return ais.Run(ctx, problem, ais.Options{Steps: a.Steps, Runs: a.Runs, Seed: seed, Jobs: 1})
}

// order is the one to weigh: with ties, or without.
func (a annealed) order(e *examinee) *partition.Partition {
	if a.Strict {
		return e.strict
	}
	return e.list.Order
}

// marginal is log P(X_test): the user's other ratings play no part.
func (a annealed) marginal(ctx context.Context, c *latent.Catalogue, e *examinee, seed uint64) (estimate, error) {
	m, err := c.Model(e.list.Items)
	if err != nil {
		return estimate{}, err
	}
	z, err := a.logZ(ctx, m, seed)
	if err != nil {
		return estimate{}, err
	}
	return estimate{m.LogWeight(a.order(e)) - z.LogZ, z.StdErr}, nil
}

// plackettLuce is the log probability of a strict order under Plackett-Luce with
// these log worths: the best item is chosen, then the best of the rest.
func plackettLuce(scores []float64, order *partition.Partition) (total float64) {
	rest := math.Inf(-1)
	for t := order.Len() - 1; t >= 0; t-- {
		score := scores[order.Block(t)[0]]
		rest = logprob.Add(rest, score)
		total += score - rest
	}
	return total
}

// ordinal is the log probability of a weak order when every item has a level by
// itself, with probability levels[item][level], ascending: the sum over all choices
// of falling levels for the blocks.
func ordinal(levels [][]float64, order *partition.Partition) float64 {
	count := len(levels[0])
	above := make([]float64, count) // log probability of the blocks so far, the last at each level
	for t := range order.Len() {
		now := make([]float64, count)
		for l := range now {
			before := 0.0
			if t > 0 {
				before = logprob.SumExp(append([]float64{math.Inf(-1)}, above[l+1:]...))
			}
			now[l] = before
			for _, i := range order.Block(t) {
				now[l] += math.Log(levels[i][l])
			}
		}
		above = now
	}
	return logprob.SumExp(above)
}

// others is the log likelihood of a baseline: of the strict order, or of the one with
// ties.
func others(model model.Model, e *examinee, strict bool) (float64, error) {
	scores := make([]float64, len(e.items))
	switch m := model.(type) {
	case odds.LevelModel:
		levels := make([][]float64, len(e.items))
		for k := range levels {
			levels[k] = make([]float64, len(m.Levels()))
		}
		m.LevelProbs(e.person, e.items, levels)
		return ordinal(levels, e.list.Order), nil
	case cells.WeakOrders:
		m.Score(e.person, e.items, scores)
		if strict {
			return plackettLuce(scores, e.strict), nil
		}
		return m.LogLikelihood(scores, e.list.Order), nil
	}
	return 0, fmt.Errorf("paper: %T gives orders no probability", model)
}
