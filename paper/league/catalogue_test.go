package league_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/paper/cells"
	"fubini/paper/league"
)

// halves has people who mostly pick from one half of the items.
func halves(t *testing.T) cells.Data {
	t.Helper()
	r := rng.Stream(1, "halves")
	b := ratings.NewBuilder()
	for u := range 60 {
		for i := range 40 {
			chance := 0.08
			if i%2 == u%2 {
				chance = 0.55
			}
			if r.Float64() < chance {
				if err := b.Add(fmt.Appendf(nil, "%02d", u), fmt.Appendf(nil, "%02d", i), float32(1+r.IntN(5)), int64(r.IntN(1000))); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return cells.Data{Name: "halves", Set: set, MinTest: 2}
}

// A catalogue league has a table for each kind of users, the best first, with ours compared pair by pair of the same users;
// baselines are tuned and ours is not; a second run finds all cells done.
func TestCatalogue(t *testing.T) {
	skipIfShort(t)
	var ran []cells.Cell
	runner := &cells.Runner{Store: memory{}, Jobs: 1, Observe: func(c cells.Cell) { ran = append(ran, c) }}
	play := league.Catalogue{Data: halves(t), Given: []int{4, 0}, Seeds: []uint64{1}, Models: []string{"popularity", "ease", "osm"}, Budget: 3, Ours: "osm"}
	rows, err := play.Run(t.Context(), runner)
	if err != nil {
		t.Fatal(err)
	}
	cases := []string{"known users", "new users, 4 ratings given", "new users, four fifths of their ratings given", "the last rating of known users"}
	if len(rows) != 12 || len(ran) != 12 {
		t.Fatalf("%d rows, %d cells", len(rows), len(ran))
	}
	for _, c := range ran {
		if (c.Budget == 0) != (c.Model == "osm") {
			t.Errorf("%s has %d fits to be tuned by", c.Model, c.Budget)
		}
	}
	for k, r := range rows {
		if r.Case != cases[k/3] {
			t.Errorf("row %d is of %s", k, r.Case)
		}
		if k%3 > 0 && !(r.Means["ndcg@10"].Mean <= rows[k-1].Means["ndcg@10"].Mean) {
			t.Errorf("%s: %s stands below %s", r.Case, r.Model, rows[k-1].Model)
		}
		part := rows[k/3*3 : k/3*3+3]
		ours := part[slices.IndexFunc(part, func(r league.CatalogueRow) bool { return r.Model == "osm" })]
		for m, e := range r.Means {
			d, compared := r.Minus[m]
			if compared == (r.Model == "osm") || compared && !(math.Abs(d.Mean-(ours.Means[m].Mean-e.Mean)) < 1e-12 && d.Low <= d.Mean && d.Mean <= d.High) {
				t.Errorf("%s, %s: %s has %+v, ours %+v, and the difference %+v", r.Case, m, r.Model, e, ours.Means[m], d)
			}
		}
		if _, rated := r.Means[cells.RatedName]; rated == (k >= 9) {
			t.Errorf("%s: rated items are judged: %t", r.Case, rated)
		}
	}
	// The halves are found by what people picked, and not by how much it is picked.
	by := func(k int, model string) league.CatalogueRow {
		return rows[k+slices.IndexFunc(rows[k:k+3], func(r league.CatalogueRow) bool { return r.Model == model })]
	}
	for k := 0; k < 12; k += 3 {
		// Of new people with four ratings there are too few for an interval.
		if d := by(k, "popularity").Minus["ndcg@10"]; !(d.Mean > 0.1) || k != 3 && !(d.Low > 0) || !(by(k, "ease").Means["ndcg@10"].Mean > by(k, "popularity").Means["ndcg@10"].Mean) {
			t.Errorf("%s: nobody is ahead of popularity: %+v", cases[k/3], d)
		}
	}
	again, err := play.Run(t.Context(), runner)
	if err != nil || len(ran) != 12 {
		t.Fatalf("a second run: %d cells in all, %v", len(ran), err)
	}
	if first, second := catalogueText(t, rows), catalogueText(t, again); first != second {
		t.Errorf("the second run has\n%s\nand the first\n%s", second, first)
	}
}

// Over several splits the intervals are for splits and users: crossed where every split has the same users, and by the means
// of splits where each has new users of its own. Of differences that remain after the correction the page has a star.
func TestCatalogueOverSplits(t *testing.T) {
	runner := &cells.Runner{Store: memory{}, Jobs: 1}
	play := league.Catalogue{Data: halves(t), Given: []int{4}, Seeds: []uint64{1, 2, 3}, Models: []string{"popularity", "ease"}, Ours: "ease"}
	rows, err := play.Run(t.Context(), runner)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		d, compared := r.Minus["ndcg@10"]
		if p, corrected := r.Holm["ndcg@10"]; compared != (r.Model == "popularity") || compared != corrected || compared && p != d.P {
			t.Errorf("%s, %s: compared %t, p %g corrected to %g", r.Case, r.Model, compared, d.P, p)
		}
		if compared && r.Case == "new users, 4 ratings given" {
			var means []float64
			for _, seed := range play.Seeds {
				play.Seeds = []uint64{seed}
				one, err := play.Run(t.Context(), runner)
				if err != nil {
					t.Fatal(err)
				}
				at := slices.IndexFunc(one, func(o league.CatalogueRow) bool { return o.Case == r.Case && o.Model == r.Model })
				means = append(means, one[at].Minus["ndcg@10"].Mean)
			}
			mean, se := stat.MeanStdDev(means, nil)
			if half := 4.302653 * se / math.Sqrt(3); !(math.Abs(d.Mean-mean) < 1e-12) || !(math.Abs(d.High-mean-half) < 1e-6) {
				t.Errorf("means of splits %v: %+v, want %g ± %g", means, d, mean, half)
			}
		}
	}
	var page bytes.Buffer
	if err := league.WriteCatalogue(&page, rows, "ease", func(string, map[string]float64) string { return "" }); err != nil {
		t.Fatal(err)
	}
	if text := page.String(); !strings.Contains(text, "splits and users drawn anew") || !strings.Contains(text, ") \\* |") {
		t.Errorf("the page has no star, or does not say what is drawn anew:\n%s", text)
	}
}

func catalogueText(t *testing.T, rows []league.CatalogueRow) string {
	t.Helper()
	var out bytes.Buffer
	err := league.WriteCatalogue(&out, rows, "osm", func(model string, set map[string]float64) string { return fmt.Sprintf(", %d set", len(set)) })
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The page has rated and all items side by side, says that ours is not tuned, and sets ours against the best baseline by each
// measure, which need not be the same one. The file has what the page has.
func TestCataloguePage(t *testing.T) {
	row := func(model string, ndcg, recall, minus float64) league.CatalogueRow {
		r := league.CatalogueRow{Case: "known users", Row: league.Row{Model: model, Users: 7, Splits: 1, Means: map[string]evaluate.Estimate{}, Minus: map[string]evaluate.Difference{}, FitTime: 2}}
		for _, m := range []string{"ndcg@10", "ndcg_binary@10", "mrr", cells.RatedName, evaluate.CoverageName, "popularity@10"} {
			r.Means[m] = evaluate.Estimate{Mean: ndcg, Low: ndcg - 0.01, High: ndcg + 0.01}
		}
		r.Means[cells.RatedName] = evaluate.Estimate{Mean: 0.777}
		r.Means["recall@20"] = evaluate.Estimate{Mean: recall}
		for m := range r.Means {
			if model != "osm" {
				r.Minus[m] = evaluate.Difference{Estimate: evaluate.Estimate{Mean: minus, Low: minus - 0.01, High: minus + 0.01}}
			}
		}
		return r
	}
	rows := []league.CatalogueRow{row("osm", 0.5, 0.4, 0), row("ease", 0.4, 0.2, 0.1), row("ials", 0.3, 0.5, 0.2)}
	rows[1].Chosen = []map[string]float64{nil, {"ridge": 3}}
	text := catalogueText(t, rows)
	for _, want := range []string{
		"### Known users (7 users)",
		"| **osm**, not tuned | 0.5000 | 0.5000 | 0.4000 | 0.5000 | 0.7770 | 0.5000 | 0.5000 |  |  |  | 2 |",
		"| ease | 0.4000 | 0.4000 | 0.2000 | 0.4000 | 0.7770 | 0.4000 | 0.4000 | +0.1000 (+0.0900 to +0.1100) |",
		"in ndcg@10 1.250 times ease, +0.1000 (+0.0900 to +0.1100)",
		"in recall@20 0.800 times ials, +0.2000",
		"ease, split 2, 1 set.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	delete(rows[1].Means, cells.RatedName)
	delete(rows[1].Minus, cells.RatedName)
	if text := catalogueText(t, rows); !strings.Contains(text, "| ease | 0.4000 | 0.4000 | 0.2000 | 0.4000 | - |") {
		t.Errorf("a measure that was not taken:\n%s", text)
	}
	var out bytes.Buffer
	if err := league.WriteCatalogueCSV(&out, rows); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&out).ReadAll() // which refuses lines of another length
	if err != nil || len(lines) != 4 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	at := func(line int, column string) string { return lines[line][slices.Index(lines[0], column)] }
	if at(2, "model") != "ease" || at(3, "ndcg@10_minus_low") != "0.19" || at(1, "ndcg@10_minus") != "" || at(2, cells.RatedName) != "" || at(3, cells.RatedName) != "0.777" || at(2, "settings") != "ridge=3" {
		t.Errorf("%v", lines)
	}
}
