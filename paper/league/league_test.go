package league_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/paper/cells"
	"fubini/paper/cells/planted"
	"fubini/paper/league"
)

type memory = planted.Memory

var small = planted.Small

// Below a table stands how ours compares with the best baseline by each measure. Our
// own family is no baseline, and what cannot be decided is not called level.
func TestStandingInTheLeague(t *testing.T) {
	row := func(model string, mean, low, minus, high float64) league.Row {
		r := league.Row{Model: model, Given: 10, Means: map[string]evaluate.Estimate{}, Minus: map[string]evaluate.Difference{}, Holm: map[string]float64{}}
		for _, m := range []string{"err", "ndcg@5", "ndcg@10"} {
			r.Means[m], r.Holm[m] = evaluate.Estimate{Mean: mean}, 0.01
			r.Minus[m] = evaluate.Difference{Estimate: evaluate.Estimate{Mean: minus, Low: low, High: high}}
		}
		return r
	}
	for _, c := range []struct {
		rows []league.Row
		want string
	}{
		{[]league.Row{row("latent-osm", 0.6, 0, 0, 0), row("pmf", 0.59, 0.005, 0.01, 0.015)}, "in NDCG@5 ahead of pmf, +0.0100 (+0.0050 to +0.0150);"},
		{[]league.Row{row("osm", 0.61, -1, -1, -1), row("pmf", 0.59, 0.005, 0.009, 0.015)}, "in NDCG@5 ahead of pmf, +0.0090 (+0.0050 to +0.0150);"},
		{[]league.Row{row("pmf", 0.59, 0.005, 0.01, 0.015), row("bayesian-mf", 0.6, -0.002, 0.001, 0.004)}, "in ERR not told apart from bayesian-mf and no more than 0.003 behind it, +0.0010"},
		{[]league.Row{row("pmf", 0.59, -0.004, 0.001, 0.006)}, "in ERR not told apart from pmf, +0.0010"},
		{[]league.Row{row("pmf", 0.59, -0.009, -0.005, -0.001)}, "in NDCG@10 behind pmf, -0.0050"},
	} {
		var out bytes.Buffer
		if err := league.WriteLeague(&out, c.rows); err != nil || !strings.Contains(out.String(), c.want) {
			t.Errorf("%v\n%s\nlacks %q", err, out.String(), c.want)
		}
	}
	// An interval above zero that does not remain after the correction is no lead.
	chance := row("pmf", 0.59, 0.001, 0.004, 0.007)
	chance.Holm["ndcg@5"] = 0.2
	var out bytes.Buffer
	if err := league.WriteLeague(&out, []league.Row{chance}); err != nil || !strings.Contains(out.String(), "in NDCG@5 not told apart from pmf and no more than 0.003 behind it") || !strings.Contains(out.String(), "in ERR ahead of pmf") ||
		!strings.Contains(out.String(), `| +0.0040 (+0.0010 to +0.0070) \* | +0.0040 (+0.0010 to +0.0070) | +0.0040 (+0.0010 to +0.0070) \* |`) {
		t.Errorf("%v, a lead by chance in\n%s", err, out.String())
	}
	var alone bytes.Buffer
	if err := league.WriteLeague(&alone, []league.Row{row("latent-osm-paper", 0.5, 0, 0, 0)}); err != nil || strings.Contains(alone.String(), "baseline") {
		t.Errorf("%v, a baseline in\n%s", err, alone.String())
	}
}

// skipIfShort leaves out whole trainings where time is short: what several goroutines do
// here, the race detector sees in TestLikelihoodsForAnyNumberOfJobs, and what they do in
// training and judging it sees in the packages for that.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("whole trainings: not with -short")
	}
}

// A league has a row for every model, ours compared with each; the second run
// finds all cells done; another budget or seed is another cell.
func TestLeague(t *testing.T) {
	skipIfShort(t)
	store := memory{}
	runs := 0
	runner := &cells.Runner{Store: store, Jobs: 1, Observe: func(cells.Cell) { runs++ }}
	play := league.League{Data: small(t), Given: []int{5, 8}, Seeds: []uint64{1, 2}, Models: []string{"item-mean", "latent-osm"}, Budget: 2, Ours: "latent-osm"}
	rows, err := play.Run(context.Background(), runner)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 10 || runs != 20 || len(store) != 20 { // ours as it comes too, and with less evidence
		t.Fatalf("%d rows, %d runs, %d cells", len(rows), runs, len(store))
	}
	for _, r := range rows {
		if m := r.Means["ndcg@5"]; !(m.Mean > 0.5 && m.Low <= m.Mean && m.Mean <= m.High) {
			t.Errorf("%s at %d: %+v", r.Model, r.Given, m)
		}
		if _, compared := r.Minus["err"]; compared == (r.Model == "latent-osm") {
			t.Errorf("%s compared: %t", r.Model, compared)
		}
	}
	var first, second bytes.Buffer
	if err := league.WriteLeague(&first, rows); err != nil {
		t.Fatal(err)
	}
	five, eight := strings.Index(first.String(), "N = 5 (40 users)"), strings.Index(first.String(), "N = 8 (40 users)")
	if five < 0 || eight < five || strings.Count(first.String(), "N = ") != 2 || strings.Count(first.String(), "\n| latent-osm |") != 2 {
		t.Errorf("not one table for each N, with its heading:\n%s", first.String())
	}
	again, err := play.Run(context.Background(), runner)
	if err != nil {
		t.Fatal(err)
	}
	if err := league.WriteLeague(&second, again); err != nil {
		t.Fatal(err)
	}
	if runs != 20 || first.String() != second.String() {
		t.Errorf("%d runs in all; the second table is\n%s", runs, second.String())
	}
	play.Budget = 0
	if _, err := play.Run(context.Background(), runner); err != nil || runs != 24 {
		t.Errorf("another budget: %d runs, %v", runs, err)
	}
	var out bytes.Buffer
	if err := league.WriteLeagueCSV(&out, rows); err != nil || strings.Count(out.String(), "\n") != 11 {
		t.Errorf("%v, %s", err, out.String())
	}
	play.Ours = "pmf"
	if _, err := play.Run(context.Background(), runner); err == nil {
		t.Error("a league without ours")
	}
	for name := range store {
		if strings.Contains(name, "item-mean") { // in one of the two leagues below
			store[name] = []byte("{")
			break
		}
	}
	play.Ours, play.Budget = "latent-osm", 2
	_, damaged := play.Run(context.Background(), runner)
	play.Budget = 0
	_, other := play.Run(context.Background(), runner)
	if (damaged == nil) == (other == nil) {
		t.Errorf("a damaged cell: %v, %v", damaged, other)
	}
}

// Every rung of the ladder runs and has its gain over the one before.
func TestAblation(t *testing.T) {
	skipIfShort(t)
	steps, err := league.Ablation{Data: small(t), Given: []int{8}, Seeds: []uint64{1}}.Run(context.Background(), &cells.Runner{Store: memory{}})
	if err != nil {
		t.Fatal(err)
	}
	for k, s := range steps {
		if _, there := s.Minus["ndcg@5"]; there != (k > 0) || !(s.Means["ndcg@5"].Mean > 0.3) {
			t.Errorf("%s: %+v", s.Model, s)
		}
	}
	var out bytes.Buffer
	if err := league.WriteAblation(&out, steps); err != nil || !strings.Contains(out.String(), "presence") {
		t.Errorf("%v, %s", err, out.String())
	}
}

// Scores from outside are judged like our own: those of an oracle are perfect, and
// one that is missing is an error.
func TestOutside(t *testing.T) {
	data := small(t)
	split, err := data.Split(5, 1)
	if err != nil {
		t.Fatal(err)
	}
	result, err := league.Outside(context.Background(), split, data.Set, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := result.Average("ndcg@10"); !(math.Abs(got-1) <= 1e-12) {
		t.Errorf("the oracle has NDCG@10 %g", got)
	}
	if _, err := league.Outside(context.Background(), split, split.Training.Set(), 1); err == nil || !strings.Contains(err.Error(), "no score") {
		t.Errorf("scores of other ratings: %v", err)
	}
}

// Where people's lists come from two camps, models that know of camps or of worths
// find unseen lists more likely than chance does, and the rows are comparable: all
// over the same orders, best first, each a distribution.
func TestLikelihoodLeague(t *testing.T) {
	skipIfShort(t)
	r := rng.Stream(1, "camps")
	b := ratings.NewBuilder()
	for u := range 150 {
		camp := float64(u%2*2 - 1)
		for i := range 4 {
			v := math.Round(2 + camp*(float64(i)-1.5) + 0.3*r.NormFloat64())
			if err := b.Add(fmt.Append(nil, u), fmt.Append(nil, i), float32(v), ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	contenders := league.Contenders(set)
	for c := range contenders { // one with factors or units, where there is one
		contenders[c].Settings = contenders[c].Settings[max(0, len(contenders[c].Settings)-2):]
	}
	play := league.Likelihood{Data: cells.Data{Name: "camps", Set: set}, Folds: 3, Seed: 1, Most: 30, Jobs: 1}
	rows, err := play.Run(context.Background(), contenders)
	if err != nil {
		t.Fatal(err)
	}
	means := map[string]float64{}
	for k, row := range rows {
		if row.Orders != 90 || !(row.Mean < 0) || !(row.Minus > -0.1) {
			t.Errorf("%+v", row)
		}
		if k > 0 && !(row.Mean <= rows[k-1].Mean) {
			t.Errorf("%s stands below %s", row.Name, rows[k-1].Name)
		}
		means[row.Name] = row.Mean
	}
	if want := -math.Log(75); !(math.Abs(means["uniform"]-want) < 1e-12) {
		t.Errorf("uniform over the 75 orders of four items is %g, not %g", want, means["uniform"])
	}
	for hidden, visible := range map[string]string{"latent-osm": "osm", "fit --hidden": "fit", "fit --hidden, with counts": "fit"} {
		if !(means[hidden] > means[visible]+0.5) || !(means[hidden] > means["uniform"]+1) {
			t.Errorf("%s does not see two camps: %v", hidden, means)
		}
	}
	var table bytes.Buffer
	if err := league.WriteLikelihood(&table, contenders[0].Name, rows); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(table.String(), "\n| "); lines != len(rows)+1 {
		t.Errorf("%d lines for %d rows:\n%s", lines, len(rows), table.String())
	}
	if _, err := (league.Likelihood{Data: cells.Data{Set: set}, Folds: 1}).Run(context.Background(), contenders); err == nil {
		t.Error("one fold was taken")
	}
}
