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
	Seed  uint64 // of the first division into folds
	Seeds int    // number of divisions, with seeds from Seed on; 0 means one
	// Judged is the number of folds of a division that are left out in turn and judged, the first ones; 0 means all.
	Judged int
	// Most is the largest number of orders of a fold that are judged, and by which settings are chosen: a long list
	// takes an annealing. 0 means no bound.
	Most int
	Jobs int
	// Store, if not nil, keeps what each model gave each fold, for a run that is broken off.
	Store   cells.Store
	Program string // named in the store
	// Observe, if not nil, is called before each model of each fold.
	Observe func(model string, seed uint64, fold int)

	fits map[string]predictions // of one fold
}

// Contender is a model of [Likelihood] with settings to choose from.
type Contender struct {
	Name, Model string
	Settings    []map[string]float64
}

// Contenders has the models of [Likelihood], those of `fubini fit` first, with about nine settings each: precisions of priors, for ours weights by
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
	return append(fitContenders(set), []Contender{
		{"osm", "osm", visible},
		{"latent-osm", cells.Chained, hidden},
		{"pmop", "pmop", baselines(map[string]float64{})},
		{"davidson-luce", "davidson-luce", baselines(map[string]float64{"largest": float64(items)})}, // every tie is possible
		{"plackett-luce-mf, ties summed out", "plackett-luce-mf", baselines(map[string]float64{"ties": 2})},
	}...)
}

// LikelihoodRow is the log likelihood of the held-out lists under one model.
type LikelihoodRow struct {
	Name     string
	Orders   int     // held out; with several divisions a person is there more than once
	Mean, SE float64 // of the log likelihood of an order, nats; the error is over people
	Minus    float64 // mean over orders of the log likelihood under the first contender minus that under this one
	MinusSE  float64
	Anneal   float64 // mean standard error of log Z, zero where it is exact
	Chosen   map[string]float64
	Programs []string // that made its cells, in order; see [cells.Runner]
}

// foldKey describes what a contender gives one fold.
type foldKey struct {
	cells.FitKey
	Name     string               `json:"name"`
	Folds    int                  `json:"folds"`
	Fold     int                  `json:"fold"`
	Most     int                  `json:"most"`
	Settings []map[string]float64 `json:"choices"`
}

// foldOutcome is the log likelihood of the held-out orders of one fold, and the settings chosen.
type foldOutcome struct {
	cells.Origin
	Logs   []float64          `json:"logs"`
	Spread float64            `json:"spread"` // mean standard error of log Z
	Chosen map[string]float64 `json:"chosen"`
}

// fold is the outcome of a contender on a fold, from the store if it is there.
func (l Likelihood) fold(ctx context.Context, c Contender, f int, split ratings.Split, test []heldOrder) (*foldOutcome, error) {
	key := foldKey{cells.FitKey{Data: l.Data.Name, Digest: l.Data.Set.Fingerprint(), Seed: l.Seed, Model: c.Model}, c.Name, l.Folds, f, l.Most, c.Settings}
	if c.Model == byVotes {
		key.Model = ""
	}
	prefix := fmt.Sprintf("%s-%d-%d-%s", l.Data.Name, l.Seed, f, strings.Map(plain, c.Name))
	return cells.Once(&cells.Runner{Store: l.Store, Jobs: l.Jobs, Program: l.Program}, prefix, key, func() (*foldOutcome, error) {
		if l.Observe != nil {
			l.Observe(c.Name, l.Seed, f)
		}
		best, err := l.choose(ctx, c, split.Training)
		if err != nil {
			return nil, err
		}
		logs, spread, err := l.judge(ctx, c.Model, best, split.Training, test, carefully)
		if err != nil {
			return nil, fmt.Errorf("paper: %s on %s: %w", c.Name, l.Data.Name, err)
		}
		return &foldOutcome{Logs: logs, Spread: spread, Chosen: best}, nil
	})
}

// plain is a letter of a file name.
func plain(r rune) rune {
	if r == ' ' || r == ',' {
		return '-'
	}
	return r
}

// Run returns the rows, best first; the uniform distribution over all
// tier lists of the same items is one of them.
func (l Likelihood) Run(ctx context.Context, contenders []Contender) ([]LikelihoodRow, error) {
	rows := make([]LikelihoodRow, len(contenders)+1)
	values := make([][]float64, len(rows)) // the uniform distribution is last
	var people []int
	seeds := max(1, l.Seeds)
	for s := range seeds {
		one := l
		one.Seed += uint64(s)
		folds, err := one.Data.Set.UserFolds(one.Folds, one.Seed)
		if err != nil {
			return nil, fmt.Errorf("paper: %s: %w", l.Data.Name, err)
		}
		if l.Judged > 0 {
			folds = folds[:min(l.Judged, len(folds))]
		}
		for f, split := range folds {
			test := one.some(split.Holdout.Set())
			one.fits = map[string]predictions{}
			for _, x := range test {
				people = append(people, x.user)
				values[len(contenders)] = append(values[len(contenders)], -partition.LogFubini(x.Order.N()))
			}
			for c, contender := range contenders {
				out, err := one.fold(ctx, contender, f, split, test)
				if err != nil {
					return nil, err
				}
				values[c] = append(values[c], out.Logs...)
				rows[c].Name = contender.Name
				if !slices.Contains(rows[c].Programs, out.Program) {
					rows[c].Programs = append(rows[c].Programs, out.Program)
				}
				rows[c].Anneal += out.Spread / float64(seeds*len(folds))
				if f == 0 && s == 0 {
					rows[c].Chosen = out.Chosen
				}
			}
		}
	}
	rows[len(contenders)].Name = "uniform"
	for c := range rows {
		row := &rows[c]
		row.Orders = len(values[c])
		slices.Sort(row.Programs)
		row.Mean, row.SE = overPeople(values[c], people)
		difference := make([]float64, row.Orders)
		for k := range difference {
			difference[k] = values[0][k] - values[c][k]
		}
		row.Minus, row.MinusSE = overPeople(difference, people)
	}
	slices.SortStableFunc(rows, func(a, b LikelihoodRow) int { return cmp.Compare(b.Mean, a.Mean) })
	return rows, nil
}

// overPeople is the mean of values with its standard error, where values of one person may be alike.
func overPeople(values []float64, people []int) (mean, se float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	of := map[int]float64{}
	for k, v := range values {
		of[people[k]] += (v - mean) / float64(len(values))
	}
	var square float64
	for _, u := range slices.Sorted(maps.Keys(of)) {
		square += of[u] * of[u]
	}
	n := float64(len(of))
	return mean, math.Sqrt(square * n / max(1, n-1))
}

// heldOrder is a tier list held back from training.
type heldOrder struct {
	user  int
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
		all = append(all, heldOrder{u, row.Items, list})
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
	if name == byVotes {
		logs, err = l.predicted(ctx, settings, training.Set(), held)
		return logs, 0, err
	}
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

// NoCommit is how a table names a program of which no commit is known: what it made cannot be made again.
const NoCommit = "**no commit**"

// commits names the programs of a row.
func (r *LikelihoodRow) commits() string {
	names := slices.Clone(r.Programs)
	for k, name := range names {
		if name == "" || name == "devel" {
			names[k] = NoCommit
		}
	}
	return strings.Join(names, ", ")
}

// WriteLikelihood writes the rows as a table in Markdown, where ours is the name of the first contender. Each row has the commits of the
// programs that made it, and [NoCommit] for those built without one.
func WriteLikelihood(w io.Writer, ours string, rows []LikelihoodRow) error {
	fmt.Fprintf(w, "\n| model | orders | nats per order | standard error | %s minus it, 95 %% | error of log Z | settings of the first fold | commit |\n|---|---:|---:|---:|---:|---:|---|---|\n", ours)
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
		if _, err := fmt.Fprintf(w, "| %s | %d | %.4f | %.4f | %s | %.3f | %s | %s |\n", r.Name, r.Orders, r.Mean, r.SE, minus, r.Anneal, strings.Join(settings, ", "), r.commits()); err != nil {
			return err
		}
	}
	return nil
}
