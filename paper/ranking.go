package paper

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"fubini/infer/mcmc"
	"fubini/judge/evaluate"
	"fubini/paper/cells"
)

// entry is a row of the paper's comparisons: what it is called there, and which
// model of ours it is.
type entry struct {
	label string
	model string
	set   map[string]float64
	own   bool // settings are the model's own: the paper has no such row
}

// Rows of the tables.
const (
	PaperLabel   = "Latent OSM (latent-osm-paper)"
	printedLabel = "Latent OSM, printed acceptance ratio"
	tiesLabel    = "Latent OSM, ties in the base only"
	OursLabel    = "latent-osm"
	BayesLabel   = "bayesian-mf"
	PMFLabel     = "PMF"
)

// entries are the eight rows of Table 2 and ours.
func entries() []entry {
	return []entry{
		{label: PMFLabel, model: "pmf"},
		{label: "pLPA", model: "plpa"},
		{label: "ListRank.MF", model: "listrank-mf"},
		{label: "Plackett-Luce.MF", model: "plackett-luce-mf"},
		{label: "CoFiRank.Regress", model: "cofirank-regress"},
		{label: "CoFiRank.Ordinal", model: "cofirank-ordinal"},
		{label: "CoFiRank.N@10", model: "cofirank-ndcg"},
		{label: PaperLabel, model: "latent-osm-paper"},
		{label: printedLabel, model: "latent-osm-paper", set: map[string]float64{"moves": float64(mcmc.PrintedMoves)}},
		{label: tiesLabel, model: "latent-osm-paper", set: map[string]float64{"ties": cells.BaseTies}},
		{label: BayesLabel, model: "bayesian-mf", own: true},
		{label: OursLabel, model: "latent-osm", own: true},
	}
}

// labelled are the entries of some labels.
func labelled(labels ...string) []entry {
	return slices.DeleteFunc(entries(), func(e entry) bool { return !slices.Contains(labels, e.label) })
}

// with are the entry's settings with a number of hidden units; 0 for none.
func (r *Reproduction) with(e entry, hidden int) map[string]float64 {
	set := map[string]float64{"hidden": float64(hidden)}
	if hidden == 0 {
		set["hidden"] = cells.None
	}
	if e.model == "latent-osm-paper" && r.Size.Epochs > 0 {
		set["epochs"] = float64(r.Size.Epochs)
	}
	maps.Copy(set, e.set)
	return set
}

// settings are those of an entry in tables: K units, or its own.
func (r *Reproduction) settings(e entry) map[string]float64 {
	if e.own {
		return nil
	}
	return r.with(e, r.Size.Hidden)
}

// ranked lays out one model on one split, judged as the tables and curves need it.
func (r *Reproduction) ranked(ctx context.Context, d cells.Data, given int, seed uint64, e entry, set map[string]float64) (*cells.Outcome, error) {
	c := cells.Cell{Data: d.Name, Digest: r.digest(d), Filter: d.Filter, Given: given, MinTest: d.MinTest, Seed: seed, Model: e.model, Set: set, Deep: true}
	label := fmt.Sprintf("%s, N = %d, seed %d, %s", d.Name, given, seed, e.label)
	if hidden := set["hidden"]; hidden != 0 {
		label += fmt.Sprintf(", K = %g", max(0, hidden))
	}
	return cells.Get(ctx, r.plan, c.Prefix(), c, label, func() (*cells.Outcome, error) {
		split, err := r.split(d, given, seed)
		if err != nil {
			return nil, err
		}
		o, err := r.plan.Runner.Judge(ctx, c, split)
		if err != nil && ctx.Err() == nil { // shown in the table
			return &cells.Outcome{Cell: c, Origin: cells.Origin{Error: err.Error()}}, nil
		}
		return o, err
	})
}

// mean is the mean of a metric over users, each with the mean of all seeds, and its
// standard error. Without one of the runs there is none.
func mean(name string, runs ...*cells.Outcome) Value {
	results := make([]*evaluate.Result, len(runs))
	for k, run := range runs {
		if run.Error != "" {
			return Value{Unmade: true}
		}
		results[k] = run.Result()
	}
	pooled := evaluate.Pool(results)
	at := slices.Index(pooled.Metrics, name)
	if at < 0 {
		return Value{}
	}
	v := meanOf(pooled.Values[at])
	v.users, v.each = pooled.Users, pooled.Values[at]
	v.runs, v.metric = results, name
	return v
}

// meanOf is the mean of some values, with its standard error.
func meanOf(values []float64) Value {
	average, stdErr := evaluate.MeanError(values)
	return Value{Ours: number(average), StdErr: number(stdErr)}
}
