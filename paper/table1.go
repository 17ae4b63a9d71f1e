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
	label string
	model string
	set   map[string]float64
	how   annealed
	drawn bool // predictive: by draws of the units
	users int
	paper string // row of the paper's table beside it
	only  int    // the one M that it is computed for; 0 for all
}

// likelihoodHidden is the paper's K, likelihoodGiven its N.
const (
	likelihoodHidden = 10
	likelihoodGiven  = 10
	userChunk        = 10 // users of a cell
)

// likelihoodRows lists the rows, strict orders first.
func (r *Reproduction) likelihoodRows() (list []likelihoodRow) {
	s := r.Size
	pairs := make([]annealed, len(s.Annealing))
	for k, pair := range s.Annealing {
		pairs[k] = annealed{Steps: pair[0], Runs: pair[1]}
	}
	drawn := annealed{Steps: s.DrawSteps, Runs: s.DrawRuns}
	strictly := func(how annealed) annealed { how.Strict = true; return how }
	add := func(row likelihoodRow) {
		if row.users == 0 {
			row.users = s.Users
		}
		list = append(list, row)
	}
	of := func(e entry, what string, how annealed) likelihoodRow { // of a latent model
		return likelihoodRow{label: e.label + what, model: e.model, set: r.with(e, likelihoodHidden), how: how}
	}
	predictive := func(e entry, what string, how annealed) likelihoodRow {
		row := of(e, what+", predictive", how)
		row.drawn = true
		return row
	}
	hidden := map[string]float64{"hidden": likelihoodHidden}
	add(likelihoodRow{label: "Plackett-Luce.MF", model: "plackett-luce-mf", set: hidden, paper: "Plackett-Luce.MF", how: annealed{Strict: true}})
	for _, e := range labelled(PaperLabel, OursLabel) {
		add(of(e, " given T = M, marginal, "+pairs[0].String(), strictly(pairs[0])))
		add(predictive(e, " given T = M", strictly(drawn)))
	}
	add(likelihoodRow{label: "Plackett-Luce.MF, orders of ties summed, times block sizes", model: "plackett-luce-mf", set: hidden})
	add(likelihoodRow{label: "ordinal baseline (bayesian-mf, ordered probit)", model: "bayesian-mf", set: map[string]float64{"hidden": likelihoodHidden, "response": cells.OrderedProbit}})
	for _, e := range labelled(PaperLabel) {
		beside := func(row likelihoodRow) {
			row.paper = "Latent OSM"
			add(row)
		}
		for k, how := range pairs {
			row := of(e, ", marginal, "+how.String(), how)
			row.how.SplitMerge = true
			if k == len(pairs)-1 && s.FewUsers < s.Users {
				row.users = s.FewUsers
				row.label += fmt.Sprintf(", first %d users only", row.users)
			}
			beside(row)
		}
		beside(of(e, ", marginal, "+pairs[0].String()+", reinsertion", pairs[0])) // the same with better moves
		row := of(e, ", marginal, exact", annealed{Exact: true})                  // and the truth
		row.only = min(exactTo, slices.Min(s.Lengths))
		beside(row)
		beside(predictive(e, "", drawn))
	}
	for _, e := range labelled(OursLabel) { // the four pairs are the paper's; the error of ours is small with one
		add(of(e, ", marginal, "+pairs[0].String(), pairs[0]))
		add(predictive(e, "", drawn))
	}
	for _, e := range labelled(printedLabel, tiesLabel) { // what each correction brings
		add(of(e, ", marginal, "+pairs[0].String()+", reinsertion", pairs[0]))
		add(predictive(e, "", drawn))
	}
	return list
}

// AnnealingLabel shows temperatures and runs as the paper does.
func AnnealingLabel(steps, runs int) string { return fmt.Sprintf("S = %d, R = %d", steps, runs) }

func (a annealed) String() string { return AnnealingLabel(a.Steps, a.Runs) }

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
			for _, length := range r.Size.Lengths {
				if row.only != 0 && length != row.only || first >= row.users {
					continue
				}
				key := likelihoodKey{r.fitKey(d, given, seed[0], row.model, row.set), length, test, first, min(userChunk, row.users-first), row.how, r.draws(row, length)}
				label := fmt.Sprintf("%s, Table 1, %s, M = %d, users from %d", d.Name, row.label, length, first)
				run, err := cells.Get(ctx, r.plan, d.Name+"-likelihood", key, label, func() (*likelihoods, error) {
					return r.likelihoods(ctx, d, key, fitted)
				})
				if err != nil {
					return nil, err
				}
				runs[k][length] = append(runs[k][length], run)
			}
		}
	}
	lengths := columns("M", r.Size.Lengths)
	strict := Table{Name: "strict", Title: "Strict orders: M! of them", Digits: 2, Printed: 1, Columns: lengths, Rows: []Line{{Label: "uniform, -log M!"}}}
	ties := Table{Name: "ties", Title: "Orders with ties: Fubini(M) of them", Digits: 2, Printed: 1, Columns: lengths, Rows: []Line{{Label: "uniform, -log Fubini(M)"}}}
	for _, length := range r.Size.Lengths {
		strict.Rows[0].Values = append(strict.Rows[0].Values, Value{Ours: number(-logFactorial(length))})
		ties.Rows[0].Values = append(ties.Rows[0].Values, Value{Ours: number(-partition.LogFubini(length))})
	}
	users, bias := 0, 0.0
	for k, row := range rows {
		line := Line{Label: row.label, Model: row.model, Settings: row.set}
		for n, length := range r.Size.Lengths {
			v, square := pooledLikelihood(runs[k][length])
			if !row.drawn && row.how.Steps == 0 {
				v.Noise = nil // nothing was left to chance
			}
			if v.Ours != nil {
				v.Paper = published("table1", row.paper, lengths[n])
			}
			users = max(users, len(v.users))
			if row.drawn {
				bias = max(bias, square/2)
			}
			line.Values = append(line.Values, v)
		}
		to := &ties
		if row.how.Strict {
			to = &strict
		}
		to.Rows = append(to.Rows, line)
	}
	result := r.result(d, seed, fmt.Sprintf("Table 1: mean log likelihood of %d users' held-out orders, %s, N = %d, K = %d", users, d.Name, given, likelihoodHidden),
		table1Note, fmt.Sprintf("± is the standard error over users. In brackets is that of the estimate itself: of annealing in marginal rows, by the delta method over draws of the units, "+
			"what annealing adds included, in predictive ones. It is the error of the runs seen: where rows of one model that differ in S and R alone lie further apart than it, annealing has not got there, "+
			"and the lower of them is nearer the truth. Predictive rows are logs of means over %d draws, given each of which the sum over orders is exact, up to M = %d, and over %d draws annealed with S = %d, R = %d beyond; "+
			"the log of a mean errs low, on average over users by about half the squared error, here no more than %.2f. The paper's figures are those of MovieLens 10M.",
			r.Size.Draws, exactTo, r.Size.LongDraws, r.Size.DrawSteps, r.Size.DrawRuns, bias))
	result.Tables = []Table{strict, ties}
	return result, nil
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

// logFactorial is log n!.
func logFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}
