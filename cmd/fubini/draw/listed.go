package draw

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/core/partition"
	"fubini/data/text"
	"fubini/infer/ais"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	"fubini/learn/modelstore"
	"fubini/model/latent"
	"fubini/model/osm"
)

// listed is the distribution of the tier lists of some items of a model file.
type listed struct {
	exact.Weigher
	space     partition.Space // of a fit to votes
	target    mcmc.Target
	steps     float64 // about those of an exact sum
	draws     func(ctx context.Context, space partition.Space) (exactDraws, error)
	logZ      func(ctx context.Context) (float64, error)
	annealing func(moves mcmc.Moves) (ais.Problem, error)
}

// component is one of the models that tier lists of a model file come from: of a fit to votes with hidden units there is one for
// every set of them, with its share of raters.
type component struct {
	logShare float64
	visible  *osm.Visible // potentials of a fit to votes; nil for those of the catalogue
}

func componentsOf(saved *modelstore.Saved) (all []component) {
	m := saved.Mixture()
	if m == nil {
		return []component{{0, saved.Visible()}}
	}
	for units, logShare := range osm.LogSetProbabilities(m.Shares) {
		all = append(all, component{logShare, m.Given(units)})
	}
	return all
}

// of is the distribution of the tier lists of items by their numbers: hidden units summed out, or the potentials of a fit to votes.
func (c component) of(p *cli.Program, saved *modelstore.Saved, items []int) (*listed, error) {
	if v := c.visible; v != nil {
		m, err := v.Model(items)
		if err != nil {
			return nil, err
		}
		l := &listed{Weigher: m, space: v.Space.Of(len(items)), target: m, steps: math.Pow(3, float64(len(items)))}
		l.draws = func(ctx context.Context, space partition.Space) (exactDraws, error) {
			return exactTable(ctx, p, m, space)
		}
		l.logZ = func(ctx context.Context) (float64, error) { return exactLogZ(ctx, p, m, l.space) }
		l.annealing = func(moves mcmc.Moves) (ais.Problem, error) { return v.Annealing(items, moves) }
		return l, nil
	}
	catalogue, err := saved.Catalogue()
	if err != nil {
		return nil, err
	}
	m, err := catalogue.Model(items)
	if err != nil {
		return nil, err
	}
	return &listed{Weigher: m, target: latent.NewMarginal(m), steps: m.ExactSteps(),
		draws: func(ctx context.Context, space partition.Space) (exactDraws, error) {
			return cli.Await(ctx, func() (*exact.Listing, error) { return exact.List(m, space) })
		},
		logZ:      func(ctx context.Context) (float64, error) { return cli.Await(ctx, m.ExactLogZ) },
		annealing: func(moves mcmc.Moves) (ais.Problem, error) { return m.Annealing(moves, false), nil },
	}, nil
}

// named are the distributions of items of a model file by their ids, one for each of its components.
func named(ctx context.Context, p *cli.Program, path string, ids []string) (all []*listed, shares []float64, err error) {
	if len(ids) == 0 {
		return nil, nil, exit.Usagef("--items is missing: ids or titles of items of the model, as in --items 1,50,100")
	}
	saved, _, err := input.ReadWith(path, (*modelstore.Saved).Catalogue)
	if err != nil {
		return nil, nil, err
	}
	finder, err := input.NewItems(ctx, p, saved, "")
	if err != nil {
		return nil, nil, err
	}
	var items []int
	for _, id := range ids {
		i, err := finder.One("items", id)
		if err != nil {
			return nil, nil, err
		}
		if slices.Contains(items, i) {
			return nil, nil, exit.Usagef("--items: item %s is named twice", cli.Quote(id))
		}
		items = append(items, i)
	}
	for _, c := range componentsOf(saved) {
		l, err := c.of(p, saved, items)
		if err != nil {
			return nil, nil, err
		}
		if _, _, err := l.space.Bounds(len(items)); err != nil {
			return nil, nil, exit.Usagef("--items: one item, and the sample space of the model has %s", tiers(l.space))
		}
		all, shares = append(all, l), append(shares, math.Exp(c.logShare))
	}
	return all, shares, nil
}

// outside is the reason why a tier list is not in the sample space; nil if it is.
func (l *listed) outside(x *partition.Partition) error {
	if l.space.Contains(x.Len()) {
		return nil
	}
	return fmt.Errorf("%s in %s, and the sample space of the model has %s; fit the votes with --space all for that", text.Count(x.N(), "item", "items"), text.Count(x.Len(), "tier", "tiers"), tiers(l.space))
}

func tiers(space partition.Space) string {
	if space.Min == 2 {
		return "two tiers"
	}
	return "orders without ties"
}

// anneal estimates log Z.
func (l *listed) anneal(ctx context.Context, f *annealFlags) (*ais.Estimate, error) {
	problem, err := l.annealing(f.moves())
	if err != nil {
		return nil, exit.Usagef("--kernel: %w", err)
	}
	return ais.Run(ctx, problem, f.Options)
}

// exactTable is exact.NewTable, which tells of long work and can be interrupted.
func exactTable(ctx context.Context, p *cli.Program, model exact.Pairwise, space partition.Space) (*exact.Table, error) {
	if n := model.N(); n > 16 && n <= exact.MaxItems { // from about a second on
		p.Tell("exact table of %s ...", text.Count(n, "item", "items"))
	}
	return cli.Await(ctx, func() (*exact.Table, error) { return exact.NewTable(model, space) })
}

// exactLogZ is log Z of such a table.
func exactLogZ(ctx context.Context, p *cli.Program, model exact.Pairwise, space partition.Space) (float64, error) {
	table, err := exactTable(ctx, p, model, space)
	if err != nil {
		return 0, err
	}
	return table.LogZ(), nil
}
