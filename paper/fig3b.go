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
	var tops []int
	for top := 1; top <= cells.Deepest; top++ {
		tops = append(tops, top)
	}
	figure := chart.Chart{Name: "fig3b", Title: fmt.Sprintf("Rank completion, %s, N = %d", d.Name, given), X: "T (places)", Y: "NDCG@T"}
	table := Table{Name: "fig3b", Digits: 4, Columns: columns("T", tops)}
	for _, e := range entries() {
		run, err := r.ranked(ctx, d, given, seed[0], e, r.settings(e))
		if err != nil {
			return nil, err
		}
		line := Line{Label: e.label, Model: e.model, Settings: r.settings(e)}
		for _, top := range tops {
			v := mean(fmt.Sprintf("ndcg@%d", top), run)
			v.StdErr = nil // at every place much the same as in Table 2
			line.Values = append(line.Values, v)
		}
		table.Rows = append(table.Rows, line)
		curve := line.curve(tops)
		curve.Strong = e.label == PaperLabel || e.label == OursLabel
		figure.Add(curve)
	}
	result := r.result(d, seed, fmt.Sprintf("Figure 3b: rank completion on %s, N = %d, K = %d", d.Name, given, r.Size.Hidden),
		"The paper prints curves without numbers: there is nothing to subtract. Models are those of Table 2, on its first split.")
	result.Tables, result.Charts = []Table{table}, []chart.Chart{figure}
	return result, nil
}
