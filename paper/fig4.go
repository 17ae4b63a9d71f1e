package paper

import (
	"context"
	"fmt"
	"slices"

	"fubini/paper/cells"
	"fubini/paper/chart"
)

func (r *Reproduction) fig4a(ctx context.Context) (*Result, error) {
	return r.byUnits(ctx, "fig4a", "Figure 4a", r.Data, r.Size.given(20), nil)
}

func (r *Reproduction) fig4b(ctx context.Context) (*Result, error) {
	d, own := r.netflix()
	var notes []string
	if !own {
		notes = []string{fmt.Sprintf("No Netflix data were given (--netflix): this is %s.", d.Name)}
	}
	return r.byUnits(ctx, "fig4b", "Figure 4b", d, r.Size.given(10), notes)
}

// byUnits shows ERR against the number of hidden units. PMF has no value without
// any: its value at one is drawn there, and marked, as in the paper.
func (r *Reproduction) byUnits(ctx context.Context, name, which string, d cells.Data, given int, notes []string) (*Result, error) {
	if err := r.enough(d, name, given, d.MinTest); err != nil {
		return nil, err
	}
	seed := r.seeds(1)
	list := labelled(paperLabel, oursLabel, pmfLabel)
	runs := map[string]map[int]*cells.Outcome{}
	for _, e := range list {
		runs[e.label] = map[int]*cells.Outcome{}
		for _, k := range r.Size.Units {
			if e.label == pmfLabel {
				k = max(1, k)
			}
			run, err := r.ranked(ctx, d, given, seed[0], e, r.with(e, k))
			if err != nil {
				return nil, err
			}
			runs[e.label][k] = run
		}
	}
	if r.plan.Counting {
		return nil, nil
	}
	figure := chart.Chart{Name: name, Title: fmt.Sprintf("Rank completion, %s, N = %d", d.Name, given), X: "hidden units, K, spaced by log(1 + K)", Spread: true, Y: "ERR ± standard error"}
	table := Table{Name: name, Digits: 4}
	for _, k := range r.Size.Units {
		table.Columns = append(table.Columns, fmt.Sprintf("K = %d", k))
	}
	for _, e := range list {
		line, curve := Line{Label: e.label, Model: e.model, Settings: e.set}, chart.Curve{Label: e.label}
		for _, k := range r.Size.Units {
			run, defined := runs[e.label][k]
			if !defined {
				run = runs[e.label][1]
			}
			v := mean([]*cells.Outcome{run}, "err")
			line.Values = append(line.Values, v)
			if v.Ours == nil {
				continue
			}
			if !defined {
				curve.Hollow = append(curve.Hollow, len(curve.Points))
			}
			curve.Points, curve.Errors = append(curve.Points, [2]float64{float64(k), *v.Ours}), append(curve.Errors, *v.StdErr)
		}
		table.Rows = append(table.Rows, line)
		if len(curve.Points) > 0 {
			figure.Curves = append(figure.Curves, curve)
		}
	}
	about := "The paper prints curves without numbers."
	if slices.Contains(r.Size.Units, 0) {
		about += " PMF is not defined without factors: at K = 0 its value at K = 1 stands in, marked by a ring, as in the paper."
	}
	return &Result{Title: fmt.Sprintf("%s: ERR on %s against the number of hidden units, N = %d", which, d.Name, given), Data: r.facts(d), Seeds: seed,
		Notes: append([]string{about + " ± is the standard error over users."}, notes...), Tables: []Table{table}, Charts: []chart.Chart{figure}}, nil
}
