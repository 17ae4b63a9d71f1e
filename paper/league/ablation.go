package league

import (
	"context"
	"fmt"
	"io"
	"maps"
	"strings"

	"fubini/judge/evaluate"
	"fubini/paper/cells"
)

// rung is one step from the paper's model to ours.
type rung struct {
	label string
	model string
	set   map[string]float64 // on top of the model's own
	aside bool               // no step on the way, but one thing changed in our model
}

// ladder leads from the model as printed to ours, one change at a time. Its lower half changes
// the paper's model, its upper half adds what is still missing from ours.
func ladder() []rung {
	steps := []struct {
		label string
		set   map[string]float64
	}{
		{"the paper, to the letter, with the printed acceptance ratio", map[string]float64{"moves": cells.PrintedMoves}},
		{"+ the corrected ratio (latent-osm-paper)", map[string]float64{"moves": cells.SplitMergeMoves}},
		{"+ reinsertion, two sweeps a visit", map[string]float64{"moves": cells.ReinsertionMoves, "sweeps": 2}},
		{"+ scores centred and normalised by size, units without tie weights", map[string]float64{"raw": 0, "ties": cells.BaseTies}},
		{"+ steps as a share of a Newton step, falling to zero", map[string]float64{"absolute": 0, "rate": 0.1, "schedule": 0}},
	}
	so := map[string]float64{}
	var rungs []rung
	for _, s := range steps {
		maps.Copy(so, s.set)
		rungs = append(rungs, rung{label: s.label, model: "latent-osm-paper", set: maps.Clone(so)})
	}
	missing := map[string]float64{"batch": 100, "last": 1, "units": cells.BinaryUnits, "prior-v": cells.None}
	for _, s := range []struct{ label, without string }{
		{"+ priors (and 20 units)", ""},
		{"+ averaging over the second half", "last"},
		{"+ Gaussian units", "units"},
		{"+ presence", "prior-v"},
	} {
		delete(missing, s.without)
		rungs = append(rungs, rung{label: s.label, model: cells.Chained, set: maps.Clone(missing)})
	}
	rungs = append(rungs,
		rung{label: "+ slot likelihood in place of chains", model: "latent-osm", set: map[string]float64{"co-occurrence": cells.None}},
		rung{label: "+ co-occurrence (latent-osm)", model: "latent-osm"})
	for _, other := range []struct {
		label string
		set   map[string]float64
	}{
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
	} {
		rungs = append(rungs, rung{other.label, "latent-osm", other.set, true})
	}
	return rungs
}

// Ablation runs the ladder on some data.
type Ablation struct {
	Data  cells.Data
	Given []int
	Seeds []uint64
}

// Step is one rung at one number of given ratings, over all seeds.
type Step struct {
	Label string
	Given int
	Means map[string]evaluate.Estimate
	Gain  map[string]evaluate.Difference // over the rung before; where our model was changed, over it
}

// Run climbs the ladder.
func (a Ablation) Run(ctx context.Context, b *cells.Bench) ([]Step, error) {
	digest := a.Data.Set.Fingerprint()
	rungs := ladder()
	var steps []Step
	for _, given := range a.Given {
		var before *evaluate.Result
		for _, r := range rungs {
			var runs []*evaluate.Result
			for _, seed := range a.Seeds {
				split, err := a.Data.Split(given, seed)
				if err != nil {
					return nil, err
				}
				o, err := b.Run(ctx, cells.Cell{
					Data: a.Data.Name, Digest: digest, Filter: a.Data.Filter, Given: given, MinTest: a.Data.MinTest, Seed: seed, Model: r.model, Set: r.set,
				}, split)
				if err != nil {
					return nil, err
				}
				runs = append(runs, o.Result())
			}
			result := evaluate.Pool(runs)
			step := Step{Label: r.label, Given: given, Means: map[string]evaluate.Estimate{}, Gain: map[string]evaluate.Difference{}}
			for _, m := range leagueMetrics {
				mean, err := result.Mean(m, 1)
				if err != nil {
					return nil, err
				}
				step.Means[m] = mean
				if before == nil {
					continue
				}
				if step.Gain[m], err = evaluate.Compare(result, before, m, 1); err != nil {
					return nil, err
				}
			}
			steps = append(steps, step)
			if !r.aside {
				before = result
			}
		}
	}
	return steps, nil
}

// WriteAblation writes the ladder as Markdown tables.
func WriteAblation(w io.Writer, steps []Step) error {
	var b strings.Builder
	given := 0
	for _, s := range steps {
		if s.Given != given {
			given = s.Given
			fmt.Fprintf(&b, `
N = %d

| | ERR | NDCG@5 | NDCG@10 | gain in NDCG@5 |
|---|---:|---:|---:|---:|
`, given)
		}
		gain := ""
		if d, there := s.Gain["ndcg@5"]; there {
			gain = fmt.Sprintf("%+.4f (%+.4f to %+.4f)", d.Mean, d.Low, d.High)
		}
		fmt.Fprintf(&b, "| %s | %.4f | %.4f | %.4f | %s |\n", s.Label, s.Means["err"].Mean, s.Means["ndcg@5"].Mean, s.Means["ndcg@10"].Mean, gain)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
