package paper

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/learn/zoo"
	"fubini/model/latent"
)

// likelihoodKey is one row of Table 1 for some of its users.
type likelihoodKey struct {
	Data   string             `json:"data"`
	Digest string             `json:"fingerprint"`
	Filter bool               `json:"filter"`
	Given  int                `json:"given"`
	Seed   uint64             `json:"seed"`
	Model  string             `json:"model"`
	Set    map[string]float64 `json:"settings"`
	Length int                `json:"length"` // M
	Test   int                `json:"test"`   // ratings that a user must have beside those given
	First  int                `json:"first"`  // user, and how many
	Users  int                `json:"users"`
	How    annealed           `json:"how"`
	Draws  int                `json:"draws,omitempty"` // of the units; 0 for the marginal
}

// likelihoods are those of the users.
type likelihoods struct {
	Values []float64 `json:"values"`
	Noise  []float64 `json:"noise"`
	Tied   []float64 `json:"tied,omitempty"` // log probability that all items tie, of marginals over orders with ties
	Time   float64   `json:"time_s"`
}

func (l *likelihoods) seconds() float64 { return l.Time }

// likelihoodRow is a row of Table 1: a model, and what is computed of it.
type likelihoodRow struct {
	label  string
	model  string
	set    map[string]float64
	how    annealed
	draws  int
	users  int
	paper  string // row of the paper's table beside it
	only   int    // the one M that it is computed for; 0 for all
	strict bool
	all    bool // shown among the probabilities that all items tie
}

// likelihoodHidden is the paper's K, likelihoodGiven its N.
const (
	likelihoodHidden = 10
	likelihoodGiven  = 10
	userChunk        = 25 // users of a cell
	orderedProbit    = 1
)

// likelihoodRows lists the rows, strict orders first.
func (r *Reproduction) likelihoodRows() (list []likelihoodRow) {
	hidden := map[string]float64{"hidden": likelihoodHidden}
	s := r.Size
	list = append(list, likelihoodRow{label: "Plackett-Luce.MF", model: "plackett-luce-mf", set: hidden, strict: true, users: s.Users, paper: "Plackett-Luce.MF", how: annealed{Strict: true}})
	paper := entry{label: paperLabel, model: "latent-osm-paper"}
	ours := entry{label: oursLabel, model: "latent-osm"}
	short := annealed{Steps: s.Annealing[1][0], Runs: s.Annealing[1][1], Strict: true}
	drawn := annealed{Steps: s.DrawSteps, Runs: s.DrawRuns}
	for _, e := range []entry{paper, ours} {
		strictDrawn := drawn
		strictDrawn.Strict = true
		set := r.with(e, likelihoodHidden)
		list = append(list,
			likelihoodRow{label: e.label + " given T = M, marginal, " + short.String(), model: e.model, set: set, how: short, users: s.Users, strict: true},
			likelihoodRow{label: e.label + " given T = M, predictive", model: e.model, set: set, how: strictDrawn, draws: s.Draws, users: s.Users, strict: true})
	}
	list = append(list,
		likelihoodRow{label: "Plackett-Luce.MF, orders of ties summed, times block sizes", model: "plackett-luce-mf", set: hidden, users: s.Users},
		likelihoodRow{label: "ordinal baseline (bayesian-mf, ordered probit)", model: "bayesian-mf", set: map[string]float64{"hidden": likelihoodHidden, "response": orderedProbit}, users: s.Users})
	for _, e := range []entry{paper, ours} {
		set := r.with(e, likelihoodHidden)
		beside := ""
		if e.label == paperLabel {
			beside = "Latent OSM"
		}
		for k, pair := range s.Annealing {
			how, users := annealed{Steps: pair[0], Runs: pair[1], SplitMerge: e.label == paperLabel}, s.Users
			if k == len(s.Annealing)-1 {
				users = min(users, s.FewUsers)
			}
			list = append(list, likelihoodRow{label: e.label + ", marginal, " + how.String(), model: e.model, set: set, how: how, users: users, paper: beside, all: e.label == oursLabel && k == 1})
		}
		if e.label == paperLabel { // the same with better moves, and the truth
			how := annealed{Steps: s.Annealing[1][0], Runs: s.Annealing[1][1]}
			list = append(list,
				likelihoodRow{label: e.label + ", marginal, " + how.String() + ", reinsertion", model: e.model, set: set, how: how, users: s.Users, paper: beside, all: true},
				likelihoodRow{label: e.label + ", marginal, exact", model: e.model, set: set, how: annealed{Exact: true}, users: s.Users, paper: beside, only: min(exactTo, slices.Min(s.Lengths)), all: true})
		}
		list = append(list, likelihoodRow{label: e.label + ", predictive", model: e.model, set: set, how: drawn, draws: s.Draws, users: s.Users, paper: beside})
	}
	return list
}

// String shows temperatures and runs as the paper does.
func (a annealed) String() string { return fmt.Sprintf("S = %d, R = %d", a.Steps, a.Runs) }

const table1Note = `Two sample spaces. The first group of rows gives a probability to each of the M! strict orders, the second to each of the Fubini(M) orders with ties; numbers
may be compared inside a group, never across: the paper's own two rows are one of each. A strict order is made of ratings by breaking ties at random, which no model can foresee.
Inside a group, predictive rows, Plackett-Luce.MF and the ordinal baseline have seen the ratings given of the same user; marginal rows have not, and know only what all users share.
The row of Plackett-Luce.MF with ties sums over the orders of tied items and is multiplied by a distribution of block sizes fitted to the training lists, without which it would sum to
2^(M-1) over the second space; the ordinal baseline is summed over all choices of levels that give the same order with ties.`

// table1 estimates the likelihood of held-out orders.
func (r *Reproduction) table1() (func() (*Result, error), error) {
	d, given, seed := r.Data, r.Size.given(likelihoodGiven), r.seeds(1)
	test := slices.Max(r.Size.Lengths)
	if err := d.enough("table1", given, test); err != nil {
		return nil, err
	}
	rows := r.likelihoodRows()
	fitted := map[string]zoo.Fitted{} // while the program runs
	runs := make([]map[int][]promise[likelihoods], len(rows))
	for k, row := range rows {
		runs[k] = map[int][]promise[likelihoods]{}
		for _, length := range r.Size.Lengths {
			if row.only != 0 && length != row.only {
				continue
			}
			for first := 0; first < row.users; first += userChunk {
				key := likelihoodKey{d.Name, r.digest(d), d.Filter, given, seed[0], row.model, row.set, length, test, first, min(userChunk, row.users-first), row.how, row.draws}
				label := fmt.Sprintf("%s, Table 1, %s, M = %d, users from %d", d.Name, row.label, length, first)
				run, err := add(r.plan, d.Name+"-likelihood", key, label, row.cost(length, key.Users), func(ctx context.Context) (*likelihoods, error) {
					return r.likelihoods(ctx, d, key, fitted)
				})
				if err != nil {
					return nil, err
				}
				runs[k][length] = append(runs[k][length], run)
			}
		}
	}
	return func() (*Result, error) {
		strict := Table{Name: "strict", Title: "Strict orders: M! of them", Digits: 2, Printed: 1}
		ties := Table{Name: "ties", Title: "Orders with ties: Fubini(M) of them", Digits: 2, Printed: 1}
		uniform := [2]Line{{Label: "uniform, -log M!"}, {Label: "uniform, -log Fubini(M)"}}
		for _, length := range r.Size.Lengths {
			column := fmt.Sprintf("M = %d", length)
			strict.Columns, ties.Columns = append(strict.Columns, column), append(ties.Columns, column)
			uniform[0].Values = append(uniform[0].Values, Value{Ours: number(-logFactorial(length))})
			uniform[1].Values = append(uniform[1].Values, Value{Ours: number(-partition.LogFubini(length))})
		}
		strict.Rows, ties.Rows = append(strict.Rows, uniform[0]), append(ties.Rows, uniform[1])
		tied := Table{Name: "all tied", Title: "Probability that all M items tie, under the model, mean over users", Digits: 4, Columns: ties.Columns}
		users := 0
		for k, row := range rows {
			line := Line{Label: row.label}
			for _, length := range r.Size.Lengths {
				v, of := pooledLikelihood(runs[k][length])
				if p, there := publishedTable1[row.paper][length]; there && v.Ours != nil {
					v.Paper = &p
				}
				users = max(users, of)
				line.Values = append(line.Values, v)
			}
			if row.all {
				tied.Rows = append(tied.Rows, allTied(row, r.Size.Lengths, runs[k]))
			}
			if row.strict {
				strict.Rows = append(strict.Rows, line)
			} else {
				ties.Rows = append(ties.Rows, line)
			}
		}
		return &Result{
			Title: fmt.Sprintf("Table 1: mean log likelihood of %d users' held-out orders, %s, N = %d, K = %d", users, d.Name, given, likelihoodHidden), Data: r.facts(d), Seeds: seed,
			Notes:  []string{table1Note, "± is the standard error over users; results.json has that of annealing beside it (noise). The paper's figures are those of MovieLens 10M."},
			Tables: []Table{strict, ties, tied},
		}, nil
	}, nil
}

// allTied is how likely a model finds it that all items tie.
func allTied(row likelihoodRow, lengths []int, runs map[int][]promise[likelihoods]) Line {
	line := Line{Label: row.label}
	for _, length := range lengths {
		var chances []float64
		for _, run := range runs[length] {
			for _, v := range run.get().Tied {
				chances = append(chances, math.Exp(v))
			}
		}
		v := Value{}
		if len(chances) > 0 {
			average, _ := averageOf(chances)
			v.Ours = number(average)
		}
		line.Values = append(line.Values, v)
	}
	return line
}

// cost is a rough measure, in the unit of rankCost.
func (row likelihoodRow) cost(length, users int) float64 {
	sweeps := float64(row.how.Steps * row.how.Runs)
	switch {
	case row.draws > 0 && length <= exactTo:
		sweeps = float64(row.draws) * 100
	case row.draws > 0:
		sweeps *= float64(row.draws)
	case row.how.Exact:
		sweeps = 1e5
	}
	return 0.1 + sweeps*float64(length*users)*4e-7
}

// pooledLikelihood is the mean over the users of some cells, and their number.
func pooledLikelihood(runs []promise[likelihoods]) (v Value, users int) {
	var values []float64
	var noise float64
	for _, run := range runs {
		values = append(values, run.get().Values...)
		for _, e := range run.get().Noise {
			noise += e * e
		}
	}
	if len(values) == 0 {
		return Value{}, 0
	}
	average, stdErr := averageOf(values)
	return Value{Ours: number(average), StdErr: number(stdErr), Noise: number(math.Sqrt(noise) / float64(len(values)))}, len(values)
}

// likelihoods runs one cell. Fewer users than asked for are all there are.
func (r *Reproduction) likelihoods(ctx context.Context, d Data, key likelihoodKey, fitted map[string]zoo.Fitted) (*likelihoods, error) {
	start := time.Now()
	split, err := r.split(d, key.Given, key.Seed)
	if err != nil {
		return nil, err
	}
	model, err := r.fitted(ctx, split, key, fitted)
	if err != nil {
		return nil, err
	}
	people, err := examinees(split, key)
	if err != nil {
		return nil, err
	}
	out := &likelihoods{Values: []float64{}, Noise: []float64{}}
	jobs := r.plan.Bench.Jobs
	for _, e := range people {
		var found estimate
		var c *latent.Catalogue
		if ours, ok := model.(*zoo.Latent); ok {
			c = ours.Catalogue
		}
		seed := key.Seed + uint64(e.number)*1000
		switch {
		case c == nil:
			found.logLik, err = others(model, e, key.How.Strict)
		case key.Draws > 0:
			found, err = key.How.predictive(ctx, c, e, key.Draws, seed, jobs)
		default:
			found, err = key.How.marginal(ctx, c, e, seed, jobs)
		}
		if err != nil {
			return nil, err
		}
		out.Values, out.Noise = append(out.Values, found.logLik), append(out.Noise, found.noise)
		if c != nil && key.Draws == 0 && !key.How.Strict {
			out.Tied = append(out.Tied, found.allTied)
		}
	}
	out.Time = time.Since(start).Seconds()
	return out, nil
}

// fitted is the model of a cell, fitted once while the program runs.
func (r *Reproduction) fitted(ctx context.Context, split ratings.Split, key likelihoodKey, known map[string]zoo.Fitted) (zoo.Fitted, error) {
	name := fmt.Sprint(key.Model, key.Set)
	if m, there := known[name]; there {
		return m, nil
	}
	recipe, err := configured(key.Model, key.Set)
	if err != nil {
		return nil, err
	}
	m, err := recipe.Fit(ctx, split.Training.Set(), zoo.Run{Seed: key.Seed, Jobs: r.plan.Bench.Jobs})
	if err == nil {
		known[name] = m
	}
	return m, err
}

// examinees are the users of a cell: of those with enough held-out ratings, in an
// order of chance, the first and so many; of each the first M of their held-out
// ratings, in an order of chance, so that a longer list holds the shorter ones.
func examinees(split ratings.Split, key likelihoodKey) (list []*examinee, err error) {
	users := make([]int, split.Holdout.Set().Users().Len())
	rng.Permutation(rng.Stream(key.Seed, "likelihood users"), users)
	users = slices.DeleteFunc(users, func(u int) bool { return split.Holdout.Test(u).Len() < key.Test })
	for n := key.First; n < min(key.First+key.Users, len(users)); n++ {
		u := users[n]
		row, known := split.Holdout.Test(u), split.Holdout.Known(u)
		places := make([]int, row.Len())
		rng.Permutation(rng.Stream(key.Seed, "likelihood items", uint64(u)), places)
		places = places[:key.Length]
		e := &examinee{number: n, person: zoo.Person{Index: u, Known: known}}
		part := ratings.Row{}
		for _, at := range places {
			part.Items, part.Values = append(part.Items, row.Items[at]), append(part.Values, row.Values[at])
		}
		e.items = part.Items
		if e.list, err = listOf(part); err != nil {
			return nil, err
		}
		if e.known, err = listOf(known); err != nil {
			return nil, err
		}
		// Places are in an order of chance already: it breaks the ties.
		scores := make([]float64, key.Length)
		for k, v := range part.Values {
			scores[k] = float64(v) - float64(k)/float64(2*key.Length)
		}
		if e.strict, err = partition.FromScores(scores); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}
