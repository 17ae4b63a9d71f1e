package paper

import (
	"context"
	"fmt"
	"math"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/exact"
	"fubini/learn/zoo"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/model/rival"
)

// examinee is a user of Table 1: what the models know of them, and an order of
// some of their other items.
type examinee struct {
	number int // among the users of the table
	person zoo.Person
	known  osm.List
	items  []uint32
	list   osm.List             // of these items, with the ties of the ratings
	strict *partition.Partition // the same with ties broken at random, as a sort leaves them
}

// estimate is a log likelihood, with the standard error of annealing; 0 where
// nothing was annealed.
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
func (a annealed) logZ(ctx context.Context, m *latent.Model, seed uint64, jobs int) (*ais.Estimate, error) {
	if a.Exact {
		logZ, err := m.ExactLogZ()
		return &ais.Estimate{LogZ: logZ}, err
	}
	moves := latent.Reinsertion
	if a.SplitMerge {
		moves = latent.SplitMerge
	}
	problem := m.Annealing(moves, false)
	if a.Strict {
		problem = strictAnnealing(m)
	}
	return ais.Run(ctx, problem, ais.Options{Steps: a.Steps, Runs: a.Runs, Seed: seed, Jobs: jobs})
}

// order is the one to weigh: with ties, or without.
func (a annealed) order(e *examinee) *partition.Partition {
	if a.Strict {
		return e.strict
	}
	return e.list.Order
}

// marginal is log P(X_test): the user's other ratings play no part.
func (a annealed) marginal(ctx context.Context, c *latent.Catalogue, e *examinee, seed uint64, jobs int) (estimate, error) {
	m, err := c.Model(e.list.Items)
	if err != nil {
		return estimate{}, err
	}
	z, err := a.logZ(ctx, m, seed, jobs)
	if err != nil {
		return estimate{}, err
	}
	return estimate{m.LogWeight(a.order(e)) - z.LogZ, z.StdErr}, nil
}

// predictive is the log of the sum over h of P(h given X_train) P(X_test given h),
// by draws of h. Given h the model is one of worths, whose log Z is exact for up to
// exactTo items and annealed beyond.
func (a annealed) predictive(ctx context.Context, c *latent.Catalogue, e *examinee, draws int, seed uint64, jobs int) (estimate, error) {
	known, err := c.Model(e.known.Items)
	if err != nil {
		return estimate{}, err
	}
	asked, err := c.Model(e.list.Items)
	if err != nil {
		return estimate{}, err
	}
	means, h := make([]float64, c.K), make([]float64, c.K)
	known.Posterior(e.known.Order, means)
	random := rng.Stream(seed, "units given the known list", uint64(e.number))
	logs := make([]float64, draws)
	var noise float64
	for k := range logs {
		for j, mean := range means {
			if c.Units == latent.Gaussian {
				h[j] = mean + random.NormFloat64()
			} else {
				h[j] = float64(random.Pick([]float64{1 - mean, mean}))
			}
		}
		worths, err := asked.Conditional(h)
		if err != nil {
			return estimate{}, err
		}
		z, err := a.visible(ctx, worths, seed+uint64(k), jobs)
		if err != nil {
			return estimate{}, err
		}
		logs[k] = worths.LogWeight(a.order(e)) - z.LogZ
		noise += z.StdErr / float64(draws)
	}
	return estimate{logprob.MeanExp(logs), noise}, nil
}

// exactTo is the longest list for which a worth model is summed out by the subset
// table: a millisecond.
const exactTo = 10

// visible finds log Z of a worth model.
func (a annealed) visible(ctx context.Context, worths *osm.Worths, seed uint64, jobs int) (*ais.Estimate, error) {
	n := worths.N()
	if n <= exactTo {
		space := partition.Space{}
		if a.Strict {
			space = partition.Permutations(n)
		}
		table, err := exact.NewTable(worths, space)
		if err != nil {
			return nil, err
		}
		return &ais.Estimate{LogZ: table.LogZ()}, nil
	}
	problem := worths.Annealing(false)
	if a.Strict {
		u := make([]float64, n)
		for i := range u {
			u[i] = worths.LogAbove(i, i)
		}
		m, err := latent.New(latent.Parameters{U: u}, latent.Options{})
		if err != nil {
			return nil, err
		}
		problem = strictAnnealing(m)
	}
	return ais.Run(ctx, problem, ais.Options{Steps: a.Steps, Runs: a.Runs, Seed: seed, Jobs: jobs})
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

// others is the log likelihood of a rival: of the strict order, or of the one with
// ties.
func others(model zoo.Fitted, e *examinee, strict bool) (float64, error) {
	scores := make([]float64, len(e.items))
	switch m := model.(type) {
	case rival.LevelModel:
		levels := make([][]float64, len(e.items))
		for k := range levels {
			levels[k] = make([]float64, len(m.Levels()))
		}
		m.LevelProbs(e.person, e.items, levels)
		return ordinal(levels, e.list.Order), nil
	case rival.WeakOrders:
		m.Score(e.person, e.items, scores)
		if strict {
			return plackettLuce(scores, e.strict), nil
		}
		return m.LogLikelihood(scores, e.list.Order), nil
	}
	return 0, fmt.Errorf("paper: %T gives orders no probability", model)
}
