package paper

import (
	"context"
	"fmt"
	"slices"

	"fubini/paper/cells"
	"fubini/paper/chart"
)

// byUnitsAxis is the axis of curves against the number of units, which a chart spreads.
const byUnitsAxis = "hidden units, K, spaced by log(1 + K)"

func (r *Reproduction) fig4a(ctx context.Context) (*Result, error) {
	return r.byUnits(ctx, "fig4a", "Figure 4a", r.Data, r.Size.given(20), nil)
}

func (r *Reproduction) fig4b(ctx context.Context) (*Result, error) {
	d, notes := r.netflix("")
	return r.byUnits(ctx, "fig4b", "Figure 4b", d, r.Size.given(10), notes)
}

// byUnits shows ERR against the number of hidden units. PMF has no value without
// any: its value at one is drawn there, and marked, as in the paper.
func (r *Reproduction) byUnits(ctx context.Context, name, which string, d cells.Data, given int, notes []string) (*Result, error) {
	if err := r.enough(d, name, given, d.MinTest); err != nil {
		return nil, err
	}
	seed, units := r.seeds(1), r.Size.Units
	figure := chart.Chart{Name: name, Title: fmt.Sprintf("Rank completion, %s, N = %d", d.Name, given), X: byUnitsAxis, Spread: true, Y: "ERR ± standard error"}
	table := Table{Name: name, Digits: 4, Columns: columns("K", units)}
	zero := slices.Index(units, 0)
	for _, e := range labelled(PaperLabel, OursLabel, PMFLabel) {
		line := Line{Label: e.label, Model: e.model, Settings: e.set}
		for _, k := range units {
			if e.label == PMFLabel {
				k = max(1, k)
			}
			run, err := r.ranked(ctx, d, given, seed[0], e, r.with(e, k))
			if err != nil {
				return nil, err
			}
			line.Values = append(line.Values, mean("err", run))
		}
		table.Rows = append(table.Rows, line)
		curve := line.curve(units)
		if e.label == PMFLabel && zero >= 0 && line.Values[zero].Ours != nil {
			curve.Hollow = []int{zero}
		}
		figure.Add(curve)
	}
	about := "The paper prints curves without numbers."
	if zero >= 0 {
		about += " PMF is not defined without factors: at K = 0 its value at K = 1 stands in, marked by a ring, as in the paper."
	}
	result := r.result(d, seed, fmt.Sprintf("%s: ERR on %s against the number of hidden units, N = %d", which, d.Name, given),
		append([]string{about + " ± is the standard error over users."}, notes...)...)
	result.Tables, result.Charts = []Table{table}, []chart.Chart{figure}
	return result, nil
}
