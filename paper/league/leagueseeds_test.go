package league_test

import (
	"context"
	"math"
	"testing"

	"fubini/judge/evaluate"
	"fubini/paper/cells"
	"fubini/paper/league"
)

// A row of the league is over all seeds: its means are those of the leagues with one
// seed each, averaged, as every user is in each; and the lead of ours is the difference
// of two such means.
func TestRowsAreOverAllSeeds(t *testing.T) {
	const given = 5
	data, seeds := small(t), []uint64{1, 2, 3}
	metrics := []string{"err", "ndcg@5", "ndcg@10"}
	theirs := func(given int, seed uint64) (map[string]*evaluate.Result, error) {
		split, err := data.Split(given, seed)
		if err != nil {
			return nil, err
		}
		r := &evaluate.Result{Metrics: metrics, Values: make([][]float64, len(metrics)), FitSeconds: float64(seed)}
		for u := range split.Holdout.Set().Users().Len() {
			if split.Holdout.Test(u).Len() == 0 {
				continue
			}
			r.Users = append(r.Users, u)
			for m := range metrics {
				r.Values[m] = append(r.Values[m], 0.1*float64(seed*seed)+0.001*float64(u)+float64(m))
			}
		}
		return map[string]*evaluate.Result{"theirs": r}, nil
	}
	run := func(seeds ...uint64) map[string]league.Row {
		play := league.League{Data: data, Given: []int{given}, Seeds: seeds, Models: []string{"item-mean"}, Ours: "item-mean", Others: theirs}
		rows, err := play.Run(context.Background(), &cells.Runner{Store: memory{}, Jobs: 1})
		if err != nil || len(rows) != 2 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		byName := map[string]league.Row{}
		for _, r := range rows {
			byName[r.Model] = r
		}
		return byName
	}
	all := run(seeds...)
	for _, m := range metrics {
		means := map[string]float64{}
		for _, seed := range seeds {
			for name, r := range run(seed) {
				means[name] += r.Means[m].Mean / float64(len(seeds))
			}
		}
		for name, want := range means {
			if got := all[name].Means[m].Mean; !(math.Abs(got-want) <= 1e-12) {
				t.Errorf("%s of %s over three seeds is %g, the mean of each seed's %g", m, name, got, want)
			}
		}
		if got, want := all["theirs"].Minus[m].Mean, means["item-mean"]-means["theirs"]; !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("ours is ahead in %s by %g, want %g", m, got, want)
		}
	}
	if one, other := run(seeds[0])["item-mean"].Means["ndcg@5"].Mean, run(seeds[1])["item-mean"].Means["ndcg@5"].Mean; one == other {
		t.Errorf("two seeds give the same mean %g: this test cannot fail", one)
	}
	if got := all["theirs"].FitTime; got != 2 {
		t.Errorf("fits of 1, 2 and 3 seconds took %g on average", got)
	}
}
