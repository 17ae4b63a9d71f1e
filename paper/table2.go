package paper

import (
	"context"
	"fmt"

	"fubini/paper/cells"
)

// names of metrics in tables.
var metricNames = map[string]string{"err": "ERR", "ndcg@1": "N@1", "ndcg@5": "N@5", "ndcg@10": "N@10"}

// columnOf names a column of Tables 2 and 3.
func columnOf(given int, metric string) string {
	return fmt.Sprintf("N = %d: %s", given, metricNames[metric])
}

// table2 compares all models by rank completion on MovieLens.
func (r *Reproduction) table2(ctx context.Context) (*Result, error) {
	title := fmt.Sprintf("Table 2: rank completion on %s, K = %d", r.Data.Name, r.Size.Hidden)
	return r.comparison(ctx, "table2", title, r.Data, entries(), r.Size.givens(10, 20, 50), []string{"err", "ndcg@5"}, publishedTable2, []string{
		"The paper's figures are those of MovieLens 10M. N@T is NDCG@T; ± is the standard error over users.",
		fmt.Sprintf("Every model but the last two has K = %d hidden units, factors or classes, and its own defaults for the rest; %s and %s have their own defaults throughout. Nothing is tuned on the data shown.",
			r.Size.Hidden, bayesLabel, oursLabel),
	})
}

// comparison lays out a table of models by given ratings and metrics.
func (r *Reproduction) comparison(ctx context.Context, name, title string, d cells.Data, list []entry, givens []int, metrics []string, paper map[string]map[int]map[string]float64, notes []string) (*Result, error) {
	seeds := r.seeds(r.Size.Seeds)
	runs := map[string]map[int][]*cells.Outcome{}
	for _, given := range givens {
		if err := r.enough(d, name, given, d.MinTest); err != nil {
			return nil, err
		}
		for _, seed := range seeds {
			for _, e := range list {
				if missing(e.model) {
					continue
				}
				if runs[e.label] == nil {
					runs[e.label] = map[int][]*cells.Outcome{}
				}
				run, err := r.ranked(ctx, d, given, seed, e, r.settings(e))
				if err != nil {
					return nil, err
				}
				runs[e.label][given] = append(runs[e.label][given], run)
			}
		}
	}
	if r.plan.Counting {
		return nil, nil
	}
	table := Table{Name: name, Digits: 3, Printed: 3}
	for _, given := range givens {
		for _, m := range metrics {
			table.Columns = append(table.Columns, columnOf(given, m))
		}
	}
	for _, e := range list {
		line := Line{Label: e.label, Model: e.model, Settings: r.settings(e)}
		if missing(e.model) {
			line.Note = missingNote
		}
		for _, given := range givens {
			for _, m := range metrics {
				v := Value{}
				if line.Note == "" {
					v = mean(runs[e.label][given], m)
				}
				v.Paper = published(paper, e.label, given, m)
				line.Values = append(line.Values, v)
			}
		}
		table.Rows = append(table.Rows, line)
	}
	return &Result{Title: title, Data: r.facts(d), Seeds: seeds, Notes: notes, Tables: []Table{table}}, nil
}
