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
	"fubini/infer/mcmc"
	"fubini/model/latent"
	"fubini/model/osm"
)

// predictive is the log of the sum over h of P(h given X_train) P(X_test given h): of
// the mean of P(X_test given h) over draws of h. Given h the model is one of worths,
// whose log Z is exact for up to exactTo items and annealed beyond.
func (a annealed) predictive(ctx context.Context, c *latent.Catalogue, e *examinee, draws int, seed uint64) (estimate, error) {
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
	var list []drawn
	at := map[string]int{} // binary units fall the same way again and again
	for k := range draws {
		for j, mean := range means {
			if c.Units == latent.Gaussian {
				h[j] = mean + random.NormFloat64()
			} else {
				h[j] = float64(random.Pick([]float64{1 - mean, mean}))
			}
		}
		name := fmt.Sprint(h)
		if n, there := at[name]; there {
			list[n].times++
			continue
		}
		worths, err := asked.Conditional(h)
		if err != nil {
			return estimate{}, err
		}
		z, err := a.visible(ctx, worths, seed+uint64(k))
		if err != nil {
			return estimate{}, err
		}
		at[name] = len(list)
		list = append(list, drawn{1, worths.LogWeight(a.order(e)) - z.LogZ, z.StdErr})
	}
	return logMean(list), nil
}

// drawn is a draw of the units: how often it came, the log likelihood given it, and the
// standard error of that from annealing.
type drawn struct {
	times          int
	logLik, stdErr float64
}

// logMean is the log of the mean likelihood over draws, with its standard error by the
// delta method: that of the mean, divided by the mean. The spread of the draws holds
// what annealing adds to each of them; where one annealing serves several draws, these
// err together, and that is added.
func logMean(list []drawn) estimate {
	var logs []float64
	for _, d := range list {
		for range d.times {
			logs = append(logs, d.logLik)
		}
	}
	n, logMean := float64(len(logs)), logprob.MeanExp(logs)
	var spread, shared float64
	for _, d := range list {
		ratio, times := math.Exp(d.logLik-logMean), float64(d.times) // mean ratio 1
		spread += times * (ratio - 1) * (ratio - 1)
		shared += times * (times - 1) * ratio * ratio * d.stdErr * d.stdErr
	}
	return estimate{logMean, math.Sqrt(spread/(n-1)/n + shared/(n*n))}
}

// exactTo is the longest list for which a worth model is summed out by the subset
// table: a millisecond.
const exactTo = 10

// visible finds log Z of a worth model.
func (a annealed) visible(ctx context.Context, worths *osm.Worths, seed uint64) (*ais.Estimate, error) {
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
	if !a.Strict {
		return a.run(ctx, worths.Annealing(mcmc.ReinsertionMoves), seed)
	}
	u := make([]float64, n)
	for i := range u {
		u[i] = worths.LogAbove(i, i)
	}
	m, err := latent.New(latent.Parameters{U: u}, latent.Options{})
	if err != nil {
		return nil, err
	}
	return a.run(ctx, m.StrictAnnealing(), seed)
}
