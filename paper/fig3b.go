package paper

import (
	"context"
	"fmt"

	"fubini/paper/cells"
	"fubini/paper/chart"
)

// fig3b shows NDCG@T for T = 1 to 10 of all models.
func (r *Reproduction) fig3b(ctx context.Context) (*Result, error) {
	d, given, seed := r.Data, r.Size.given(20), r.seeds(1)
	if err := r.enough(d, "fig3b", given, d.MinTest); err != nil {
		return nil, err
	}
	runs := map[string]*cells.Outcome{}
	for _, e := range entries() {
		if missing(e.model) {
			continue
		}
		var err error
		if runs[e.label], err = r.ranked(ctx, d, given, seed[0], e, r.settings(e)); err != nil {
			return nil, err
		}
	}
	if r.plan.Counting {
		return nil, nil
	}
	title := fmt.Sprintf("Figure 3b: rank completion on %s, N = %d, K = %d", d.Name, given, r.Size.Hidden)
	figure := chart.Chart{Name: "fig3b", Title: fmt.Sprintf("Rank completion, %s, N = %d", d.Name, given), X: "T (places)", Y: "NDCG@T"}
	table := Table{Name: "fig3b", Digits: 4}
	for top := 1; top <= cells.Deepest; top++ {
		table.Columns = append(table.Columns, fmt.Sprintf("T = %d", top))
	}
	for _, e := range entries() {
		line := Line{Label: e.label, Model: e.model, Settings: r.settings(e)}
		if missing(e.model) {
			line.Note = missingNote
			table.Rows = append(table.Rows, line)
			continue
		}
		curve := chart.Curve{Label: e.label, Strong: e.label == paperLabel || e.label == oursLabel}
		for top := 1; top <= cells.Deepest; top++ {
			v := mean([]*cells.Outcome{runs[e.label]}, fmt.Sprintf("ndcg@%d", top))
			v.StdErr = nil // at every place much the same as in Table 2
			line.Values = append(line.Values, v)
			if v.Ours != nil {
				curve.Points = append(curve.Points, [2]float64{float64(top), *v.Ours})
			}
		}
		table.Rows = append(table.Rows, line)
		if len(curve.Points) > 0 {
			figure.Curves = append(figure.Curves, curve)
		}
	}
	return &Result{Title: title, Data: r.facts(d), Seeds: seed, Tables: []Table{table}, Charts: []chart.Chart{figure},
		Notes: []string{"The paper prints curves without numbers: there is nothing to subtract. Models are those of Table 2, on its first split."}}, nil
}
