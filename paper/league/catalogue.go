package league

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"fubini/judge/evaluate"
	"fubini/paper/cells"
)

// Catalogue is a league in which all items are ranked: for known users, of whom a random fifth of the ratings or the last one
// is to be found, and for new ones with some ratings given. Levels are 1 to 5. Every baseline is tuned with the same number of
// fits on the training part, for the same kind of users; ours has its default settings, and its row says so.
type Catalogue struct {
	Data   cells.Data
	Given  []int // of new users; 0 for four fifths of their ratings
	Seeds  []uint64
	Models []string // baselines
	Budget int
	Ours   string // ranks all items by interest and taste, and rated ones by taste
}

// CatalogueRow is one model for one kind of users.
type CatalogueRow struct {
	Row
	Case   string
	Chosen []map[string]float64 // settings, for each seed
}

// catalogueMetrics are the columns, in their order.
var catalogueMetrics = []string{"ndcg@10", "ndcg_binary@10", "recall@20", "mrr", cells.RatedName, evaluate.CoverageName, "popularity@10"}

// Run returns the rows by kind of users, the best NDCG@10 first.
func (l Catalogue) Run(ctx context.Context, b *cells.Runner) (rows []CatalogueRow, err error) {
	add := func(name, protocol string, given int) {
		if err == nil {
			var part []CatalogueRow
			part, err = l.rows(ctx, b, name, protocol, given)
			rows = append(rows, part...)
		}
	}
	add("known users", cells.KnownUsers, 0)
	for _, given := range l.Given {
		name := fmt.Sprintf("new users, %d ratings given", given)
		if given == 0 {
			name = "new users, four fifths of their ratings given"
		}
		add(name, cells.NewUsers, given)
	}
	add("the last rating of known users", cells.LastRating, 0)
	return rows, err
}

// comparedMetrics are the measures in which ours is compared with every other model.
var comparedMetrics = catalogueMetrics[:3]

// rows are those of one kind of users.
func (l Catalogue) rows(ctx context.Context, b *cells.Runner, name, protocol string, given int) (rows []CatalogueRow, err error) {
	results := map[string][]*evaluate.Result{}
	models := append(slices.DeleteFunc(slices.Clone(l.Models), func(m string) bool { return m == l.Ours }), l.Ours)
	for _, m := range models {
		row := CatalogueRow{Row: Row{Model: m, Given: given, Splits: len(l.Seeds), Means: map[string]evaluate.Estimate{}, Minus: map[string]evaluate.Difference{}}, Case: name}
		budget := l.Budget
		if m == l.Ours {
			budget = 0
		}
		for _, seed := range l.Seeds {
			split, err := l.Data.WholeSplit(protocol, given, seed)
			if err != nil {
				return nil, fmt.Errorf("paper: %s: %w", name, err)
			}
			cell := cells.Cell{Data: l.Data.Name, Digest: l.Data.Set.Fingerprint(), Given: given, MinTest: l.Data.MinTest, Seed: seed, Model: m, Budget: budget, Protocol: protocol}
			if m == l.Ours || m == "interest" { // the others see no groups and years, and have one cell with a catalogue and without
				cell.Kinds = l.Data.Set.Items().Kinds().Fingerprint()
			}
			o, err := b.Run(ctx, cell, split)
			if err != nil {
				return nil, err
			}
			chosen := o.Chosen
			if chosen == nil && budget > 0 {
				chosen = map[string]float64{} // the defaults: a file has no empty map
			}
			results[m], row.Chosen = append(results[m], o.Result()), append(row.Chosen, chosen)
			row.FitTime += o.FitTime / float64(len(l.Seeds))
		}
		rows = append(rows, row)
	}
	minus := evaluate.Crossed
	if protocol == cells.NewUsers { // every split has new users of its own
		minus = evaluate.Nested
	}
	var all []*Row
	for k := range rows {
		row := &rows[k].Row
		if err := row.compare(results[row.Model], results[l.Ours], row.Model == l.Ours, minus); err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	correct(all, comparedMetrics)
	slices.SortFunc(rows, func(a, b CatalogueRow) int {
		return cmp.Or(cmp.Compare(b.Means["ndcg@10"].Mean, a.Means["ndcg@10"].Mean), strings.Compare(a.Model, b.Model))
	})
	return rows, nil
}

// compare fills in the means of results, one for each split, and the differences from ours, by minus.
func (r *Row) compare(results, ours []*evaluate.Result, same bool, minus func(a, b []*evaluate.Result, metric string, seed uint64) (evaluate.Difference, error)) (err error) {
	result := evaluate.Pool(results)
	r.Users = len(result.Users)
	for _, m := range catalogueMetrics {
		var d evaluate.Difference
		switch {
		case m == evaluate.CoverageName:
			r.Means[m], d = result.Coverage.Estimate(), evaluate.CompareCoverage(evaluate.Pool(ours).Coverage, result.Coverage)
		case m == cells.RatedName && !slices.Contains(result.Metrics, m):
			continue // a single rating is held out
		default:
			if r.Means[m], err = result.Mean(m, 1); err != nil {
				return err
			}
			if d, err = minus(ours, results, m, 1); err != nil {
				return err
			}
		}
		if !same {
			r.Minus[m] = d
		}
	}
	return nil
}

// WriteCatalogue writes the rows as Markdown: a table for each kind of users, and below it ours against the best baseline by
// each measure, and the settings that tuning chose.
func WriteCatalogue(w io.Writer, rows []CatalogueRow, ours string, settings func(model string, set map[string]float64) string) error {
	var b strings.Builder
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(r CatalogueRow) bool { return r.Case != rows[0].Case })
		if n < 0 {
			n = len(rows)
		}
		writeCase(&b, rows[:n], ours, settings)
		rows = rows[n:]
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeCase(b *strings.Builder, rows []CatalogueRow, ours string, settings func(model string, set map[string]float64) string) {
	fmt.Fprintf(b, `
### %s (%d users)

| model | NDCG@10 | NDCG@10, 4 or more | recall@20 | MRR | rated only: NDCG@10 | coverage | popularity | ours ahead in NDCG@10 | in NDCG@10, 4 or more | in recall@20 | fit, s |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
`, strings.ToUpper(rows[0].Case[:1])+rows[0].Case[1:], rows[0].Users)
	for _, r := range rows {
		line := []string{r.Model}
		if r.Model == ours {
			line[0] = "**" + ours + "**, not tuned"
		}
		for _, m := range catalogueMetrics {
			text := "-"
			if e, there := r.Means[m]; there {
				text = fmt.Sprintf("%.4f", e.Mean)
			}
			line = append(line, text)
		}
		for _, m := range comparedMetrics {
			line = append(line, r.minus(m))
		}
		fmt.Fprintf(b, "| %s | %.3g |\n", strings.Join(line, " | "), r.FitTime)
	}
	others := slices.DeleteFunc(slices.Clone(rows), func(r CatalogueRow) bool { return r.Model == ours })
	if len(others) == len(rows) || len(others) == 0 {
		return
	}
	own := rows[slices.IndexFunc(rows, func(r CatalogueRow) bool { return r.Model == ours })]
	var parts []string
	for _, m := range comparedMetrics {
		best := slices.MaxFunc(others, func(a, b CatalogueRow) int { return cmp.Compare(a.Means[m].Mean, b.Means[m].Mean) })
		parts = append(parts, fmt.Sprintf("in %s %.3f times %s, %s", m, own.Means[m].Mean/best.Means[m].Mean, best.Model, interval(best.Minus[m].Estimate)))
	}
	b.WriteString(own.footnote())
	fmt.Fprintf(b, "\nOurs against the best baseline by each measure: %s.\n", strings.Join(parts, "; "))
	for _, r := range others {
		for k, chosen := range r.Chosen {
			if chosen != nil {
				fmt.Fprintf(b, "\n%s, split %d%s.\n", r.Model, k+1, settings(r.Model, chosen))
			}
		}
	}
}

// WriteCatalogueCSV writes the rows with all means, differences and intervals.
func WriteCatalogueCSV(w io.Writer, rows []CatalogueRow) error {
	header := metricColumns(catalogueMetrics, "case", "model", "users")
	lines := [][]string{append(header, "settings", "fit_s")}
	for _, r := range rows {
		line := []any{r.Case, r.Model, r.Users}
		line = appendEstimates(line, catalogueMetrics, r.Means, r.Minus)
		var chosen []string
		for _, set := range r.Chosen {
			for _, name := range slices.Sorted(maps.Keys(set)) {
				chosen = append(chosen, fmt.Sprintf("%s=%g", name, set[name]))
			}
		}
		lines = append(lines, texts(append(line, strings.Join(chosen, " "), fmt.Sprintf("%.3g", r.FitTime))...))
	}
	return csv.NewWriter(w).WriteAll(lines)
}
