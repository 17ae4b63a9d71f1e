package league

import (
	"context"
	"fmt"
	"math"

	"fubini/core/logprob"
	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/infer/ais"
	"fubini/infer/mcmc"
	"fubini/model"
	"fubini/model/latent"
	"fubini/paper/cells"
)

// marginals are the log likelihoods of orders under a latent model, with the mean standard error of log Z. Each set of
// items has one log Z, exactly where it can be had. The fewer different sets there are, the longer each of them is
// annealed, up to `times` the least.
func (l Likelihood) marginals(ctx context.Context, c *latent.Catalogue, held []heldOrder, times float64) (logs []float64, spread float64, err error) {
	sets := map[string]*ais.Estimate{}
	for _, x := range held {
		sets[fmt.Sprint(x.Items)] = nil
	}
	times = max(1, times/math.Sqrt(float64(len(sets))))
	for _, x := range held {
		m, err := c.Model(x.Items)
		if err != nil {
			return nil, 0, err
		}
		z := sets[fmt.Sprint(x.Items)]
		if z == nil {
			if z, err = l.logZ(ctx, m, times); err != nil {
				return nil, 0, err
			}
			sets[fmt.Sprint(x.Items)] = z
		}
		logs = append(logs, m.LogWeight(x.Order)-z.LogZ)
		spread += z.StdErr
	}
	return logs, spread / float64(len(held)), nil
}

// logZ lists all orders of short lists, uses the subset table without units, and
// anneals otherwise.
func (l Likelihood) logZ(ctx context.Context, m *latent.Model, times float64) (*ais.Estimate, error) {
	const listed, tabled = 7, 16
	if m.N() <= listed || m.K() == 0 && m.N() <= tabled {
		logZ, err := m.ExactLogZ()
		return &ais.Estimate{LogZ: logZ}, err
	}
	return ais.Run(ctx, m.Annealing(mcmc.ReinsertionMoves, false), ais.Options{
		Steps: int(300 * times), Runs: int(20 * times), Seed: l.Seed, Jobs: l.Jobs,
	})
}

// mixtures are the log likelihoods of orders by somebody unknown, under a model that scores known people: means over a
// sample of training users. A model without factors scores everybody alike, and so one nobody does.
func (l Likelihood) mixtures(m cells.WeakOrders, set *ratings.Set, factors bool, held []heldOrder) (logs []float64) {
	const most = 200
	people := []model.Person{{Index: -1}}
	if factors {
		people = people[:0]
		users := make([]int, set.Users().Len())
		rng.Permutation(rng.Stream(l.Seed, "crowd"), users) // fixed: another name changes results
		for _, u := range users {
			if row := set.Row(u); len(row.Items) > 0 && len(people) < most {
				people = append(people, model.Person{Index: u, Known: row})
			}
		}
	}
	each := make([]float64, len(people))
	for _, x := range held {
		scores := make([]float64, len(x.items))
		for k, p := range people {
			m.Score(p, x.items, scores)
			each[k] = m.LogLikelihood(scores, x.Order)
		}
		logs = append(logs, logprob.MeanExp(each))
	}
	return logs
}
