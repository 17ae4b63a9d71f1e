package paper

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/mcmc"
	"fubini/learn/ascent"
	"fubini/learn/registry"
	"fubini/model/osm"
	"fubini/paper/cells"
	"fubini/paper/chart"
)

// chainHistory is what was seen, epoch by epoch.
type chainHistory struct {
	cells.Origin
	Distance []float64 `json:"distance"` // Dist(sample, observed)
	Split    []float64 `json:"split"`    // accepted share
	Merge    []float64 `json:"merge"`
	Block    []float64 `json:"block"`    // mean items in a block of a chain
	Observed float64   `json:"observed"` // mean items in a block of the data
	Uniform  float64   `json:"uniform"`  // and of uniform draws, where chains start
}

// sampler is a model and a way to move its chains. The paper shares one tie weight
// between the base and all units; with base it is kept to the base.
type sampler struct {
	label string
	model string
	set   map[string]float64
	base  bool
}

// ChainsLabel is our model fitted as the paper fits its own; as a rule it does
// without chains.
const ChainsLabel = "latent-osm, by chains"

var samplers = []sampler{
	{"printed ratio", "latent-osm-paper", map[string]float64{"moves": float64(mcmc.PrintedMoves)}, false},
	{"corrected ratio", "latent-osm-paper", nil, false},
	{"printed ratio, ties in the base only", "latent-osm-paper", map[string]float64{"moves": float64(mcmc.PrintedMoves), "ties": cells.BaseTies}, true},
	{"corrected ratio, ties in the base only", "latent-osm-paper", map[string]float64{"ties": cells.BaseTies}, true},
	{ChainsLabel, cells.Chained, map[string]float64{"moves": float64(mcmc.SplitMergeMoves), "sweeps": 1, "count": 10}, true},
}

// fig3a watches the chains while models learn: the paper's with the acceptance
// ratio as printed, and with the right one; with the tie weight shared by all units, as
// printed, and without; and ours.
func (r *Reproduction) fig3a(ctx context.Context) (*Result, error) {
	const hidden = 20
	d, given, seed := r.Data, r.Size.given(10), r.seeds(1)
	if err := r.enough(d, "fig3a", given, d.MinTest); err != nil {
		return nil, err
	}
	table := Table{Name: "fig3a", Digits: 4, Columns: []string{
		"Dist" + FirstFifth, "Dist" + LastFifth, "splits" + FirstFifth, "splits" + LastFifth, "merges" + FirstFifth, "merges" + LastFifth, "items in a set" + LastFifth,
	}}
	epochs := fmt.Sprintf("epoch (pass over all users); thin lines: each, bold: mean of %d", swings)
	distance := chart.Chart{Name: "fig3a-distance", Title: "Learning progress", X: epochs, Y: "Dist(sample, observed), share of pairs", Window: swings}
	shared := chart.Chart{Name: "fig3a-acceptance", Title: "Accepted moves, tie weight shared", X: epochs, Y: "accepted share of moves tried", Window: swings}
	base := chart.Chart{Name: "fig3a-acceptance-base", Title: "Accepted moves, tie weight in the base only", X: epochs, Y: "accepted share of moves tried", Window: swings}
	blocks := chart.Chart{Name: "fig3a-blocks", Title: "Size of sets", X: epochs, Y: "mean items in a set", Window: swings}
	var first *chainHistory
	for _, s := range samplers {
		set := map[string]float64{"hidden": hidden, "epochs": float64(r.Size.CurveEpochs)}
		maps.Copy(set, s.set)
		key := r.fitKey(d, given, seed[0], s.model, set)
		h, err := cells.Get(ctx, r.plan, d.Name+"-chains", key, fmt.Sprintf("%s, chains, %s", d.Name, s.label), func() (*chainHistory, error) { return r.watch(ctx, d, key) })
		if err != nil {
			return nil, err
		}
		first = cmp.Or(first, h)
		table.Rows = append(table.Rows, Line{Label: s.label, Model: s.model, Settings: s.set,
			Values: slices.Concat(fifths(h.Distance), fifths(h.Split), fifths(h.Merge), fifths(h.Block)[1:])})
		accepted := &shared
		if s.base {
			accepted = &base
		}
		distance.Curves = append(distance.Curves, curveOf(s.label, h.Distance))
		accepted.Curves = append(accepted.Curves, curveOf("split, "+s.label, h.Split), curveOf("merge, "+s.label, h.Merge))
		blocks.Curves = append(blocks.Curves, curveOf("chains, "+s.label, h.Block))
	}
	for _, reference := range []struct {
		label string
		size  float64
	}{{"the data", first.Observed}, {"uniform draws", first.Uniform}} {
		blocks.Add(chart.Curve{Label: reference.label, Points: [][2]float64{{1, reference.size}, {float64(len(first.Block)), reference.size}}})
		values := make([]Value, len(table.Columns))
		values[len(values)-1] = Value{Ours: number(reference.size)}
		table.Rows = append(table.Rows, Line{Label: reference.label, Values: values})
	}
	result := r.result(d, seed, fmt.Sprintf("Figure 3a: learning progress on %s, N = %d, K = %d", d.Name, given, hidden),
		"The paper prints curves without numbers. Dist is the share of pairs of items whose relation (above, tied, below) differs between a user's chain and their list, mean over users. "+
			"The chains start from uniform draws; a visit makes 10 moves, with the units drawn once before; rate 0.01, blocks of 100 users.",
		"As printed, one tie weight stands in the base and in every unit, so that a step of it counts 1 + K times over; the rows and curves with ties in the base only do without.",
		"Splits and merges are shares of those tried that were accepted; impossible ones (nothing to split, nothing to merge) count as refused. Means are over the first and the last fifth of all epochs; "+
			"± is the standard error over epochs, with allowance for how alike neighbouring epochs are and for a trend ([how](maths.md#diagnostics)).",
		"The last row of curves is our model fitted the paper's way, by chains with 10 moves in a visit; as a rule it is fitted without chains.")
	result.Tables, result.Charts = []Table{table}, []chart.Chart{distance, shared, base, blocks}
	return result, nil
}

// swings is the number of epochs that the curves of Figure 3a are means of.
const swings = 5

// FirstFifth and LastFifth end the names of columns of Figure 3a.
const FirstFifth, LastFifth = " in the first fifth", " in the last fifth"

// fifths are the means over the first and the last fifth of epochs.
func fifths(history []float64) []Value {
	n := min(len(history), max(1, len(history)/5))
	return []Value{overEpochs(history[:n]), overEpochs(history[len(history)-n:])}
}

// overEpochs is a mean over epochs, with its standard error where there are enough.
func overEpochs(values []float64) Value {
	v := meanOf(values)
	v.StdErr = nil // of independent values
	if len(values) >= 4 {
		v.StdErr = number(mcmc.StandardError([][]float64{values}))
	}
	return v
}

// curveOf has one point for each epoch, from 1.
func curveOf(label string, values []float64) chart.Curve {
	c := chart.Curve{Label: label}
	for epoch, v := range values {
		c.Points = append(c.Points, [2]float64{float64(epoch + 1), v})
	}
	return c
}

// watch trains a model and notes what its chains do.
func (r *Reproduction) watch(ctx context.Context, d cells.Data, key cells.FitKey) (*chainHistory, error) {
	split, err := r.split(d, key.Given, key.Seed)
	if err != nil {
		return nil, err
	}
	set := split.Training.Set()
	lists, err := osm.PackedOf(set)
	if err != nil {
		return nil, err
	}
	recipe, err := cells.Configured(key.Model, key.Set)
	if err != nil {
		return nil, err
	}
	h := &chainHistory{}
	t, _ := registry.TrainerOf(recipe) // both models are of our family
	o := t.Base()
	o.Seed, o.Jobs = key.Seed, r.plan.Runner.Jobs
	o.Observer = func(p ascent.Progress) {
		h.Distance = append(h.Distance, p.Distance)
		h.Split, h.Merge = append(h.Split, p.Moves.Of(mcmc.Split).Rate()), append(h.Merge, p.Moves.Of(mcmc.Merge).Rate())
		var total float64
		for _, ranks := range p.State.Ranks {
			total += blockSize(ranks) / float64(len(p.State.Ranks))
		}
		h.Block = append(h.Block, total)
	}
	if _, err := t.Fit(ctx, set.Items().Len(), lists); err != nil {
		return nil, err
	}
	const draws = 10_000
	random, x, uniform := rng.Stream(key.Seed, "uniform blocks"), partition.OneBlock(key.Given), partition.NewUniform(key.Given)
	for range draws {
		uniform.Draw(random, x)
		h.Uniform += float64(x.N()) / float64(x.Len()) / draws
	}
	for _, l := range lists {
		h.Observed += float64(len(l.Tiers)) / float64(slices.Max(l.Tiers)+1) / float64(len(lists))
	}
	return h, nil
}

// blockSize is the mean number of items in a block of an order with these ranks.
func blockSize(ranks []uint16) float64 {
	var highest uint16
	for _, rank := range ranks {
		highest = max(highest, rank)
	}
	return float64(len(ranks)) / float64(highest+1)
}
