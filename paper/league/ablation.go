package league

import (
	"context"
	"fmt"
	"io"
	"maps"

	"fubini/infer/mcmc"
	"fubini/judge/evaluate"
	"fubini/paper/cells"
)

// change is a change of settings.
type change struct {
	label string
	set   map[string]float64
}

// paperModel is the row of the paper's model with its acceptance ratio corrected.
const paperModel = "+ the corrected ratio (latent-osm-paper)"

// ladder leads from the model as printed to ours, one change at a time. Its lower half changes
// the paper's model, its upper half adds what is still missing from ours. Aside stand changes of our model, and of the paper's.
func ladder() (steps, aside []player) {
	so := map[string]float64{}
	for _, s := range []change{
		{"the paper's model with its printed acceptance ratio", map[string]float64{"moves": float64(mcmc.PrintedMoves)}},
		{paperModel, map[string]float64{"moves": float64(mcmc.SplitMergeMoves)}},
		{"+ reinsertion, two sweeps a visit", map[string]float64{"moves": float64(mcmc.ReinsertionMoves), "sweeps": 2}},
		{"+ scores centred and normalised by size, units without tie weights", map[string]float64{"raw": 0, "ties": cells.BaseTies}},
		{"+ steps as a share of a Newton step, falling to zero", map[string]float64{"absolute": 0, "rate": 0.1, "schedule": 0}},
	} {
		maps.Copy(so, s.set)
		steps = append(steps, player{name: s.label, model: "latent-osm-paper", set: maps.Clone(so)})
	}
	missing := map[string]float64{"batch": 100, "last": 1, "units": cells.BinaryUnits, "prior-v": cells.None}
	for _, s := range []struct{ label, without string }{
		{"+ priors (and 20 units)", ""},
		{"+ averaging over the second half", "last"},
		{"+ Gaussian units", "units"},
		{"+ presence", "prior-v"},
	} {
		delete(missing, s.without)
		steps = append(steps, player{name: s.label, model: cells.Chained, set: maps.Clone(missing)})
	}
	steps = append(steps,
		player{name: "+ slot likelihood in place of chains", model: "latent-osm", set: map[string]float64{"co-occurrence": cells.None}},
		player{name: "+ co-occurrence (latent-osm)", model: "latent-osm"})
	for _, other := range []change{
		{"latent-osm without presence", map[string]float64{"prior-v": cells.None}},
		{"without presence and co-occurrence", map[string]float64{"prior-v": cells.None, "co-occurrence": cells.None}},
		{"with 4 co-occurrence features", map[string]float64{"co-occurrence": 4}},
		{"with 32 co-occurrence features", map[string]float64{"co-occurrence": 32}},
		{"with binary units", map[string]float64{"units": cells.BinaryUnits}},
		{"with biases of the units", map[string]float64{"biases": 1}},
		{"with 10 units", map[string]float64{"hidden": 10}},
		{"with 40 units", map[string]float64{"hidden": 40}},
		{"with a prior of 30 on W", map[string]float64{"prior-w": 30}},
		{"with a prior of 120 on W", map[string]float64{"prior-w": 120}},
		{"with a prior of 5 on worths", map[string]float64{"prior-u": 5}},
		{"with a prior of 60 on worths", map[string]float64{"prior-u": 60}},
		{"with a prior of 20 on presence", map[string]float64{"prior-v": 20}},
		{"with size normalisation 1", map[string]float64{"size": 1}},
		{"with size normalisation 4", map[string]float64{"size": 4}},
		{"with 150 epochs", map[string]float64{"epochs": 150}},
		{"with all ties of the training lists broken at random", map[string]float64{"plain": 1}},
	} {
		aside = append(aside, player{name: other.label, model: "latent-osm", set: other.set})
	}
	for _, other := range []change{
		{"latent-osm-paper with 5 samples a visit", map[string]float64{"samples": 5}},
		{"latent-osm-paper with 5 times the moves before its sample", map[string]float64{"sweeps": 5}},
	} {
		aside = append(aside, player{name: other.label, model: "latent-osm-paper", set: other.set, against: paperModel})
	}
	return steps, aside
}

// Ablation compares the models from the paper's to ours, each with one change more.
type Ablation struct {
	Data  cells.Data
	Given []int
	Seeds []uint64
}

// Run returns a row for each model and number of given ratings, with the difference from the row before; for a change
// of our model, from our model.
func (a Ablation) Run(ctx context.Context, b *cells.Runner) (rows []Row, err error) {
	steps, aside := ladder()
	for _, given := range a.Given {
		results, err := play(ctx, b, a.Data, given, a.Seeds, append(steps, aside...))
		if err != nil {
			return nil, err
		}
		var before []*evaluate.Result
		for k, each := range append(steps, aside...) {
			result := results[each.name]
			other := before
			if each.against != "" {
				other = results[each.against]
			}
			row, err := newRow(each.name, given, result, result, other)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
			if k < len(steps) {
				before = result
			}
		}
	}
	return rows, nil
}

// WriteAblation writes the rows as Markdown tables.
func WriteAblation(w io.Writer, rows []Row) error {
	head := func(first Row) string {
		return fmt.Sprintf("\nN = %d\n\n| | ERR | NDCG@5 | NDCG@10 | gain in NDCG@5 |\n|---|---:|---:|---:|---:|\n", first.Given)
	}
	line := func(r Row) []string {
		return []string{r.Model, r.mean("err"), r.mean("ndcg@5"), r.mean("ndcg@10"), r.minus("ndcg@5")}
	}
	return writeTables(w, rows, head, line, func(int) string { return "" })
}
