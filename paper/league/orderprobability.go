package league

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/infer/ais"
	"fubini/model"
	"fubini/model/latent"
	"fubini/paper/cells"
)

// normaliser finds log Z, once for each set of items: exactly where it can.
type normaliser struct {
	catalogue *latent.Catalogue
	seed      uint64
	jobs      int
	known     map[string]ais.Estimate
	times     float64 // how many times the least steps and runs annealing takes
}

// newNormaliser is one for some orders: the fewer different sets of items they have, the
// longer each of them is annealed, up to `times` the least.
func newNormaliser(c *latent.Catalogue, orders []heldOrder, times float64, seed uint64, jobs int) *normaliser {
	sets := map[string]bool{}
	for _, x := range orders {
		sets[fmt.Sprint(x.Items)] = true
	}
	return &normaliser{
		catalogue: c, seed: seed, jobs: jobs, known: map[string]ais.Estimate{},
		times: math.Max(1, times/math.Sqrt(float64(len(sets)))),
	}
}

func (z *normaliser) logLikelihood(ctx context.Context, items []int, order *partition.Partition, spread *float64) (float64, error) {
	m, err := z.catalogue.Model(items)
	if err != nil {
		return 0, err
	}
	key := fmt.Sprint(items)
	e, ok := z.known[key]
	if !ok {
		if e, err = z.estimate(ctx, m); err != nil {
			return 0, err
		}
		z.known[key] = e
	}
	*spread += e.StdErr
	return m.LogWeight(order) - e.LogZ, nil
}

// estimate lists all orders of short lists, uses the subset table without units, and
// anneals otherwise.
func (z *normaliser) estimate(ctx context.Context, m *latent.Model) (ais.Estimate, error) {
	const listed, tabled = 7, 16
	if m.N() <= listed || m.K() == 0 && m.N() <= tabled {
		logZ, err := m.ExactLogZ()
		return ais.Estimate{LogZ: logZ}, err
	}
	e, err := ais.Run(ctx, m.Annealing(latent.Reinsertion, false), ais.Options{
		Steps: int(300 * z.times), Runs: int(20 * z.times), Seed: z.seed, Jobs: z.jobs,
	})
	if err != nil {
		return ais.Estimate{}, err
	}
	return *e, nil
}

// population is a sample of training users, whose scores stand for those of somebody unknown: the
// likelihood of an order is its mean over them. A model without factors scores
// everybody alike, and so one nobody does.
type population struct {
	model  cells.WeakOrders
	people []model.Person
	scores []float64
	each   []float64
}

func newPopulation(m cells.WeakOrders, set *ratings.Set, factors bool, seed uint64) *population {
	c := &population{model: m, people: []model.Person{{Index: -1}}}
	if !factors {
		return c
	}
	const most = 200
	c.people = c.people[:0]
	users := make([]int, set.Users().Len())
	rng.Permutation(rng.Stream(seed, "crowd"), users)
	for _, u := range users {
		if row := set.Row(u); len(row.Items) > 0 && len(c.people) < most {
			c.people = append(c.people, model.Person{Index: u, Known: row})
		}
	}
	return c
}

func (c *population) logLikelihood(x heldOrder) float64 {
	c.scores = slices.Grow(c.scores[:0], len(x.items))[:len(x.items)]
	c.each = c.each[:0]
	for _, p := range c.people {
		c.model.Score(p, x.items, c.scores)
		c.each = append(c.each, c.model.LogLikelihood(c.scores, x.Order))
	}
	return logprob.MeanExp(c.each)
}
