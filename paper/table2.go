package paper

import (
	"context"
	"fmt"

	"fubini/paper/cells"
)

// names of metrics in tables.
var metricNames = map[string]string{"err": "ERR", "ndcg@1": "N@1", "ndcg@5": "N@5", "ndcg@10": "N@10"}

// ColumnOf names a column of Tables 2 and 3.
func ColumnOf(given int, metric string) string {
	return fmt.Sprintf("N = %d: %s", given, metricNames[metric])
}

// table2 compares all models by rank completion on MovieLens.
func (r *Reproduction) table2(ctx context.Context) (*Result, error) {
	return r.comparison(ctx, "table2", "Table 2", r.Data, entries(), r.Size.Givens(10, 20, 50), []string{"err", "ndcg@5"},
		"The paper's figures are those of MovieLens 10M. N@T is NDCG@T; ± is the standard error over users.",
		fmt.Sprintf("Every model but the last two has K = %d hidden units, factors or classes, and its own defaults for the rest; %s and %s have their own defaults throughout. Nothing is tuned on the data shown.",
			r.Size.Hidden, BayesLabel, OursLabel))
}

// table3 compares three models, and ours, by rank completion on Netflix.
func (r *Reproduction) table3(ctx context.Context) (*Result, error) {
	d, note := r.netflix(", so differences from the paper are differences of data first of all")
	notes := append([]string{"The paper's figures are those of Netflix; ± is the standard error over users."}, note...)
	return r.comparison(ctx, "table3", "Table 3", d, labelled(PMFLabel, "ListRank.MF", PaperLabel, printedLabel, tiesLabel, BayesLabel, OursLabel), r.Size.Givens(10, 20),
		[]string{"err", "ndcg@1", "ndcg@5", "ndcg@10"}, notes...)
}

// comparison is a table of models by given ratings and metrics.
func (r *Reproduction) comparison(ctx context.Context, name, title string, d cells.Data, list []entry, givens []int, metrics []string, notes ...string) (*Result, error) {
	seeds := r.seeds(r.Size.Seeds)
	table := Table{Name: name, Digits: 3, Printed: 3, Rows: make([]Line, len(list))}
	for k, e := range list {
		table.Rows[k] = Line{Label: e.label, Model: e.model, Settings: r.settings(e)}
	}
	for _, given := range givens {
		if err := r.enough(d, name, given, d.MinTest); err != nil {
			return nil, err
		}
		runs := make([][]*cells.Outcome, len(list))
		for _, seed := range seeds {
			for k, e := range list {
				run, err := r.ranked(ctx, d, given, seed, e, r.settings(e))
				if err != nil {
					return nil, err
				}
				runs[k] = append(runs[k], run)
			}
		}
		for _, m := range metrics {
			column := ColumnOf(given, m)
			table.Columns = append(table.Columns, column)
			for k, e := range list {
				v := mean(m, runs[k]...)
				v.Paper = published(name, e.label, column)
				table.Rows[k].Values = append(table.Rows[k].Values, v)
			}
		}
	}
	result := r.result(d, seeds, fmt.Sprintf("%s: rank completion on %s, K = %d", title, d.Name, r.Size.Hidden), notes...)
	result.Tables = []Table{table}
	return result, nil
}
