package league

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/registry"
	"fubini/model/osm"
	"fubini/paper/cells"
)

// Likelihood compares models by the log likelihood of whole tier lists of people who were not in the training data.
// Users are divided into folds. For each model the settings are chosen on a fifth of the training users; the model is
// then fitted to all of them, and judged on the fold left out.
type Likelihood struct {
	Data  cells.Data
	Folds int
	Seed  uint64
	// Most is the largest number of orders of a fold that are judged, and by which settings are chosen: a long list
	// takes an annealing. 0 means no bound.
	Most int
	Jobs int
	// Observe, if not nil, is called before each model of each fold.
	Observe func(model string, fold int)
}

// Contender is a model of [Likelihood] with settings to choose from.
type Contender struct {
	Name, Model string
	Settings    []map[string]float64
}

// Contenders has the models of [Likelihood] with about nine settings each: precisions of priors, for ours weights by
// tier size or none, and the number of hidden units or of factors, which is less than that of the items. Without units
// latent-osm is osm, with the same choices.
func Contenders(set *ratings.Set) []Contender {
	items := set.Items().Len()
	epochs := min(800, max(50, math.Round(200_000/float64(set.Users().Len()))))
	ours := func(u, sizes float64) map[string]float64 {
		one := map[string]float64{"epochs": epochs, "prior-u": u}
		if sizes > 0 {
			one["sizes"] = sizes
		}
		return one
	}
	var visible, hidden []map[string]float64
	for _, u := range []float64{0.1, 1, 10} {
		for _, sizes := range []float64{0, 0.1, 1} {
			visible = append(visible, ours(u, sizes))
		}
	}
	for _, c := range []struct{ units, w, u, sizes float64 }{
		{0, 0, 0.1, 0.1}, {0, 0, 0.1, 1}, {0, 0, 10, 1},
		{2, 2, 0.1, 0.1}, {2, 20, 0.1, 0.1}, {2, 2, 0.1, 1}, {2, 20, 0.1, 1}, {8, 2, 0.1, 1}, {8, 20, 0.1, 1},
		{2, 2, 0.1, 0},
	} {
		one := ours(c.u, c.sizes)
		one["hidden"] = c.units
		if c.units > 0 {
			one["prior-w"] = c.w
		}
		hidden = append(hidden, one)
	}
	baselines := func(more map[string]float64) (all []map[string]float64) {
		for _, factors := range []int{0, min(2, items-1), min(8, items-1)} {
			for _, prior := range []float64{0.5, 5, 50} {
				one := maps.Clone(more)
				one["hidden"], one["item-prior"] = float64(factors), prior
				all = append(all, one)
			}
		}
		return all
	}
	return []Contender{
		{"osm", "osm", visible},
		{"latent-osm", cells.Chained, hidden},
		{"pmop", "pmop", baselines(map[string]float64{})},
		{"davidson-luce", "davidson-luce", baselines(map[string]float64{"largest": float64(items)})}, // every tie is possible
		{"plackett-luce-mf, ties summed out", "plackett-luce-mf", baselines(map[string]float64{"ties": 2})},
	}
}

// LikelihoodRow is the log likelihood of the held-out lists under one model.
type LikelihoodRow struct {
	Name     string
	Orders   int
	Mean, SE float64 // of the log likelihood of an order, nats
	Minus    float64 // mean over orders of the log likelihood under latent-osm minus that under this one
	MinusSE  float64
	Anneal   float64 // mean standard error of log Z, zero where it is exact
	Chosen   map[string]float64
}

// Run returns the rows, best first; the uniform distribution over all
// tier lists of the same items is one of them.
func (l Likelihood) Run(ctx context.Context, contenders []Contender) ([]LikelihoodRow, error) {
	folds, err := l.Data.Set.UserFolds(l.Folds, l.Seed)
	if err != nil {
		return nil, fmt.Errorf("paper: %s: %w", l.Data.Name, err)
	}
	first := slices.IndexFunc(contenders, func(c Contender) bool { return c.Model == cells.Chained })
	if first < 0 {
		return nil, fmt.Errorf("paper: latent-osm must be among the models: others are compared with it")
	}
	rows := make([]LikelihoodRow, len(contenders)+1)
	values := make([][]float64, len(rows)) // the uniform distribution is last
	for f, split := range folds {
		test := l.some(split.Holdout.Set())
		for _, x := range test {
			values[len(contenders)] = append(values[len(contenders)], -partition.LogFubini(x.Order.N()))
		}
		for c, contender := range contenders {
			if l.Observe != nil {
				l.Observe(contender.Name, f)
			}
			best, err := l.choose(ctx, contender, split.Training)
			if err != nil {
				return nil, err
			}
			logs, spread, err := l.judge(ctx, contender.Model, best, split.Training, test, carefully)
			if err != nil {
				return nil, fmt.Errorf("paper: %s on %s: %w", contender.Name, l.Data.Name, err)
			}
			values[c] = append(values[c], logs...)
			rows[c].Name = contender.Name
			rows[c].Anneal += spread / float64(len(folds))
			if f == 0 {
				rows[c].Chosen = best
			}
		}
	}
	rows[len(contenders)].Name = "uniform"
	for c := range rows {
		row := &rows[c]
		row.Orders = len(values[c])
		row.Mean, row.SE = evaluate.MeanError(values[c])
		difference := make([]float64, row.Orders)
		for k := range difference {
			difference[k] = values[first][k] - values[c][k]
		}
		row.Minus, row.MinusSE = evaluate.MeanError(difference)
	}
	slices.SortStableFunc(rows, func(a, b LikelihoodRow) int { return cmp.Compare(b.Mean, a.Mean) })
	return rows, nil
}

// heldOrder is a tier list held back from training.
type heldOrder struct {
	items []uint32
	osm.List
}

// some returns the lists of a set with two items or more, no more of them than the
// bound.
func (l Likelihood) some(set *ratings.Set) []heldOrder {
	var all []heldOrder
	users := make([]int, set.Users().Len())
	rng.Permutation(rng.Stream(l.Seed, "likelihood"), users)
	for _, u := range users {
		row := set.Row(u)
		if len(row.Items) < 2 || l.Most > 0 && len(all) == l.Most {
			continue
		}
		list, err := osm.ListOf(row)
		if err != nil {
			panic(fmt.Sprintf("paper: %v", err)) // rows of two items have an order
		}
		all = append(all, heldOrder{row.Items, list})
	}
	return all
}

// choose returns the settings that find a fifth of the training users' orders the
// most likely, fitted to the rest.
func (l Likelihood) choose(ctx context.Context, c Contender, training ratings.Training) (map[string]float64, error) {
	// By a seed of its own: with that of the league the fifth would be the users of the
	// first fold, of whom training has nothing when that is the fold left out.
	inner, err := training.Set().UserFolds(5, rng.Stream(l.Seed, "settings").Uint64())
	if err != nil {
		return nil, err
	}
	held := l.some(inner[0].Holdout.Set())
	if len(held) == 0 {
		return nil, fmt.Errorf("paper: %s has no training users to choose settings by", l.Data.Name)
	}
	var best map[string]float64
	most := math.Inf(-1)
	for _, settings := range c.Settings {
		logs, _, err := l.judge(ctx, c.Model, settings, inner[0].Training, held, roughly)
		if err != nil {
			return nil, fmt.Errorf("paper: %s on %s: %w", c.Name, l.Data.Name, err)
		}
		if mean, _ := evaluate.MeanError(logs); mean > most {
			best, most = settings, mean
		}
	}
	if best == nil {
		return nil, fmt.Errorf("paper: %s on %s: no setting gave a likelihood", c.Name, l.Data.Name)
	}
	return best, nil
}

// How many times longer than the least a single set of items is annealed, in steps and in
// runs: to judge, and to choose settings, which differ by more.
const carefully, roughly = 12, 4

// judge fits a model and returns the log likelihood of every held order, with the
// mean standard error of annealing.
func (l Likelihood) judge(ctx context.Context, name string, settings map[string]float64, training ratings.Training, held []heldOrder, times float64) (logs []float64, spread float64, err error) {
	runner := &cells.Runner{Jobs: l.Jobs}
	fitted, err := runner.Fit(ctx, name, settings, training.Set(), l.Seed)
	if err != nil {
		return nil, 0, err
	}
	switch m := fitted.(type) {
	case registry.OrderedSet:
		return l.marginals(ctx, m.Parameters(), held, times)
	case cells.WeakOrders:
		return l.mixtures(m, training.Set(), settings["hidden"] > 0, held), 0, nil
	}
	return nil, 0, fmt.Errorf("%s gives tier lists no probability", name)
}

// WriteLikelihood writes the rows as a table in Markdown.
func WriteLikelihood(w io.Writer, rows []LikelihoodRow) error {
	fmt.Fprint(w, "\n| model | orders | nats per order | standard error | latent-osm minus it, 95 % | error of log Z | settings of the first fold |\n|---|---:|---:|---:|---:|---:|---|\n")
	for _, r := range rows {
		minus := "–"
		if r.MinusSE > 0 {
			minus = fmt.Sprintf("%+.4f [%+.4f, %+.4f]", r.Minus, r.Minus-1.96*r.MinusSE, r.Minus+1.96*r.MinusSE)
		}
		var settings []string
		for name, v := range r.Chosen {
			settings = append(settings, fmt.Sprintf("%s %g", name, v))
		}
		slices.Sort(settings)
		if _, err := fmt.Fprintf(w, "| %s | %d | %.4f | %.4f | %s | %.3f | %s |\n", r.Name, r.Orders, r.Mean, r.SE, minus, r.Anneal, strings.Join(settings, ", ")); err != nil {
			return err
		}
	}
	return nil
}
