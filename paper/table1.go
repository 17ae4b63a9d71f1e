package paper

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fubini/core/partition"
	"fubini/model"
	"fubini/paper/cells"
)

// likelihoodRow is a row of Table 1: a model, and what is computed of it.
type likelihoodRow struct {
	label  string
	model  string
	set    map[string]float64
	how    annealed
	drawn  bool // predictive: by draws of the units
	users  int
	paper  string // row of the paper's table beside it
	only   int    // the one M that it is computed for; 0 for all
	strict bool
}

// likelihoodHidden is the paper's K, likelihoodGiven its N.
const (
	likelihoodHidden = 10
	likelihoodGiven  = 10
	userChunk        = 10 // users of a cell
	orderedProbit    = 1
)

// likelihoodRows lists the rows, strict orders first.
func (r *Reproduction) likelihoodRows() (list []likelihoodRow) {
	hidden := map[string]float64{"hidden": likelihoodHidden}
	s := r.Size
	list = append(list, likelihoodRow{label: "Plackett-Luce.MF", model: "plackett-luce-mf", set: hidden, strict: true, users: s.Users, paper: "Plackett-Luce.MF", how: annealed{Strict: true}})
	paper, ours := labelled(paperLabel)[0], labelled(oursLabel)[0]
	short := annealed{Steps: s.Annealing[0][0], Runs: s.Annealing[0][1], Strict: true}
	drawn := annealed{Steps: s.DrawSteps, Runs: s.DrawRuns}
	for _, e := range []entry{paper, ours} {
		strictDrawn := drawn
		strictDrawn.Strict = true
		set := r.with(e, likelihoodHidden)
		list = append(list,
			likelihoodRow{label: e.label + " given T = M, marginal, " + short.String(), model: e.model, set: set, how: short, users: s.Users, strict: true},
			likelihoodRow{label: e.label + " given T = M, predictive", model: e.model, set: set, how: strictDrawn, drawn: true, users: s.Users, strict: true})
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
			if e.label == oursLabel && k > 0 {
				break // the four pairs are the paper's; the error of ours is small with one
			}
			how, users := annealed{Steps: pair[0], Runs: pair[1], SplitMerge: e.label == paperLabel}, s.Users
			label := e.label + ", marginal, " + how.String()
			if k == len(s.Annealing)-1 && s.FewUsers < users {
				users = s.FewUsers
				label += fmt.Sprintf(", first %d users only", users)
			}
			list = append(list, likelihoodRow{label: label, model: e.model, set: set, how: how, users: users, paper: beside})
		}
		if e.label == paperLabel { // the same with better moves, and the truth
			how := annealed{Steps: s.Annealing[0][0], Runs: s.Annealing[0][1]}
			list = append(list,
				likelihoodRow{label: e.label + ", marginal, " + how.String() + ", reinsertion", model: e.model, set: set, how: how, users: s.Users, paper: beside},
				likelihoodRow{label: e.label + ", marginal, exact", model: e.model, set: set, how: annealed{Exact: true}, users: s.Users, paper: beside, only: min(exactTo, slices.Min(s.Lengths))})
		}
		list = append(list, likelihoodRow{label: e.label + ", predictive", model: e.model, set: set, how: drawn, drawn: true, users: s.Users, paper: beside})
	}
	for _, e := range labelled(printedLabel, tiesLabel) { // what each correction brings
		set, how := r.with(e, likelihoodHidden), annealed{Steps: s.Annealing[0][0], Runs: s.Annealing[0][1]}
		list = append(list,
			likelihoodRow{label: e.label + ", marginal, " + how.String() + ", reinsertion", model: e.model, set: set, how: how, users: s.Users},
			likelihoodRow{label: e.label + ", predictive", model: e.model, set: set, how: drawn, drawn: true, users: s.Users})
	}
	return list
}

// String shows temperatures and runs as the paper does.
func (a annealed) String() string { return fmt.Sprintf("S = %d, R = %d", a.Steps, a.Runs) }

const table1Note = `Two sample spaces. The first group of rows gives a probability to each of the M! strict orders, the second to each of the Fubini(M) orders with ties; numbers
may be compared inside a group, never across: the paper's own two rows are one of each. A strict order is made of ratings by breaking ties at random, which no model can foresee.
Inside a group, predictive rows, Plackett-Luce.MF and the ordinal baseline have seen the ratings given of the same user; marginal rows have not, and know only what all users share.
The row of Plackett-Luce.MF with ties sums over the orders of tied items and is multiplied by a distribution of block sizes fitted to the training lists, without which it would sum to
2^(M-1) over the second space; the ordinal baseline is summed over all choices of levels that give the same order with ties. The paper's sampler has its four pairs of S and R; rows by
reinsertion, ours among them, need but one.`

// table1 estimates the likelihood of held-out orders.
func (r *Reproduction) table1(ctx context.Context) (*Result, error) {
	d, given, seed := r.Data, r.Size.given(likelihoodGiven), r.seeds(1)
	test := slices.Max(r.Size.Lengths)
	if err := r.enough(d, "table1", given, test); err != nil {
		return nil, err
	}
	rows := r.likelihoodRows()
	fitted := map[string]model.Model{}                // while the program runs
	runs := make([]map[int][]*likelihoods, len(rows)) // by M
	for k := range rows {
		runs[k] = map[int][]*likelihoods{}
	}
	// Some users after others, so that a run that is broken off has all rows for some.
	for first := 0; first < r.Size.Users; first += userChunk {
		for k, row := range rows {
			if err := r.addLikelihoods(ctx, d, given, seed[0], test, first, row, fitted, runs[k]); err != nil {
				return nil, err
			}
		}
	}
	if r.plan.Counting {
		return nil, nil
	}
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
	users, bias := 0, 0.0
	for k, row := range rows {
		line := Line{Label: row.label, Model: row.model, Settings: row.set}
		for _, length := range r.Size.Lengths {
			v, of := pooledLikelihood(runs[k][length])
			if !row.drawn && row.how.Steps == 0 {
				v.Noise = nil // nothing was left to chance
			}
			if p, there := publishedTable1[row.paper][length]; there && v.Ours != nil {
				v.Paper = &p
			}
			users = max(users, of)
			if row.drawn {
				bias = max(bias, halfSquare(runs[k][length]))
			}
			line.Values = append(line.Values, v)
		}
		if row.strict {
			strict.Rows = append(strict.Rows, line)
		} else {
			ties.Rows = append(ties.Rows, line)
		}
	}
	return &Result{
		Title: fmt.Sprintf("Table 1: mean log likelihood of %d users' held-out orders, %s, N = %d, K = %d", users, d.Name, given, likelihoodHidden), Data: r.facts(d), Seeds: seed,
		Notes: []string{table1Note, fmt.Sprintf("± is the standard error over users. In brackets is that of the estimate itself: of annealing in marginal rows, by the delta method over draws of the units, "+
			"what annealing adds included, in predictive ones. It is the error of the runs seen: where rows of one model that differ in S and R alone lie further apart than it, annealing has not got there, "+
			"and the lower of them is nearer the truth. Predictive rows are logs of means over %d draws, given each of which the sum over orders is exact, up to M = %d, and over %d draws annealed with S = %d, R = %d beyond; "+
			"the log of a mean errs low, on average over users by about half the squared error, here no more than %.2f. The paper's figures are those of MovieLens 10M.",
			r.Size.Draws, exactTo, r.Size.LongDraws, r.Size.DrawSteps, r.Size.DrawRuns, bias)},
		Tables: []Table{strict, ties},
	}, nil
}

// addLikelihoods adds the cells of a row for the users from one on.
func (r *Reproduction) addLikelihoods(ctx context.Context, d cells.Data, given int, seed uint64, test, first int, row likelihoodRow, fitted map[string]model.Model, runs map[int][]*likelihoods) error {
	for _, length := range r.Size.Lengths {
		if row.only != 0 && length != row.only || first >= row.users {
			continue
		}
		key := likelihoodKey{r.fitKey(d, given, seed, row.model, row.set), length, test, first, min(userChunk, row.users-first), row.how, r.draws(row, length)}
		label := fmt.Sprintf("%s, Table 1, %s, M = %d, users from %d", d.Name, row.label, length, first)
		run, err := cells.Get(ctx, r.plan, d.Name+"-likelihood", key, row.model, row.set, label, func() (*likelihoods, error) {
			return r.likelihoods(ctx, d, key, fitted)
		})
		if err != nil {
			return err
		}
		runs[length] = append(runs[length], run)
	}
	return nil
}

// draws of the units that a row takes for lists of a length; 0 for the marginal.
func (r *Reproduction) draws(row likelihoodRow, length int) int {
	switch {
	case !row.drawn:
		return 0
	case length <= exactTo:
		return r.Size.Draws
	}
	return r.Size.LongDraws
}

// halfSquare is half the mean squared error of the estimates of some cells: by how much
// a log of a mean errs low.
func halfSquare(runs []*likelihoods) (half float64) {
	users := 0
	for _, run := range runs {
		for _, e := range run.Noise {
			half += e * e / 2
			users++
		}
	}
	return half / float64(max(1, users))
}

// logFactorial is log n!.
func logFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}
