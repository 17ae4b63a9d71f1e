package league

import (
	"context"
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/infer/exact"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/paper/cells"
)

// ballots are people who approve of one to three of five candidates, some of whom are
// liked better.
func ballots(t testing.TB, people int) cells.Data {
	t.Helper()
	r, b := rng.Stream(1, "ballots"), ratings.NewBuilder()
	for u := range people {
		liked := make([]int, 5)
		rng.Permutation(r, liked)
		approved := map[int]bool{}
		for _, i := range liked[:1+r.IntN(3)] {
			approved[min(i, r.IntN(5))] = true
		}
		for i := range 5 {
			value := float32(1)
			if approved[i] {
				value = 2
			}
			if err := b.Add(fmt.Append(nil, "u", u), fmt.Append(nil, "c", i), value, ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return cells.Data{Name: "ballots", Set: set}
}

// Settings are chosen by people of the training part, whichever fold is left out.
func TestSettingsAreChosenInEveryFold(t *testing.T) {
	l := Likelihood{Data: ballots(t, 100), Folds: 5, Seed: 1, Jobs: 1}
	folds, err := l.Data.Set.UserFolds(l.Folds, l.Seed)
	if err != nil {
		t.Fatal(err)
	}
	good := map[string]float64{"epochs": 30, "prior-u": 1, "sizes": 1}
	c := Contender{Name: "osm", Model: "osm", Settings: []map[string]float64{{"epochs": 30, "prior-u": 1e6}, good}}
	for f, split := range folds {
		best, err := l.choose(context.Background(), c, split.Training)
		if err != nil {
			t.Fatalf("fold %d: %v", f, err)
		}
		if !maps.Equal(best, good) {
			t.Errorf("fold %d: chose %v", f, best)
		}
	}
	if _, err := l.choose(context.Background(), Contender{Name: "osm", Model: "osm"}, folds[0].Training); err == nil {
		t.Error("chose from nothing")
	}
}

// Where fewer folds are judged, all models have the same people, those of the first folds.
func TestFewerFoldsAreTheFirst(t *testing.T) {
	l := Likelihood{Data: ballots(t, 50), Folds: 5, Seed: 1, Jobs: 1}
	seen := map[int]bool{}
	l.Observe = func(_ string, _ uint64, fold int) { seen[fold] = true }
	contenders := []Contender{
		{"osm", "osm", []map[string]float64{{"epochs": 5, "prior-u": 1}}}, {"fit", byVotes, []map[string]float64{{"ties": 0}}},
	}
	for judged, orders := range map[int]int{0: 50, 2: 20, 9: 50} {
		l.Judged = judged
		clear(seen)
		rows, err := l.Run(t.Context(), contenders)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if r.Orders != orders || len(seen) != orders/10 || !seen[0] {
				t.Errorf("%d folds: %s has %d orders of folds %v, want %d", judged, r.Name, r.Orders, seen, orders)
			}
		}
	}
}

// latent-osm contains osm: what it may choose without hidden units osm may choose too, and
// both give every order the same probability then, with nothing left to chance.
func TestWithoutUnitsLatentIsTheVisibleModel(t *testing.T) {
	l := Likelihood{Data: ballots(t, 12), Folds: 5, Seed: 1, Jobs: 1}
	folds, err := l.Data.Set.UserFolds(l.Folds, l.Seed)
	if err != nil {
		t.Fatal(err)
	}
	settings := map[string][]map[string]float64{}
	for _, c := range Contenders(l.Data.Set) {
		if n := len(c.Settings); n > 10 || n < 9 && c.Model != byVotes {
			t.Errorf("%s has %d settings to choose from, others nine", c.Name, n)
		}
		settings[c.Name] = c.Settings
	}
	held, without := l.some(folds[0].Holdout.Set()), 0
	for _, one := range settings["latent-osm"] {
		if one["hidden"] > 0 {
			continue
		}
		without++
		same := maps.Clone(one)
		delete(same, "hidden")
		found := false
		for _, other := range settings["osm"] {
			found = found || maps.Equal(other, same)
		}
		if !found {
			t.Errorf("osm may not choose %v", same)
		}
		one, same = maps.Clone(one), maps.Clone(same)
		one["epochs"], same["epochs"] = 20, 20
		hidden, noise, err := l.judge(context.Background(), cells.Chained, one, folds[0].Training, held, roughly)
		if err != nil {
			t.Fatal(err)
		}
		visible, _, err := l.judge(context.Background(), "osm", same, folds[0].Training, held, roughly)
		if err != nil {
			t.Fatal(err)
		}
		for k := range held {
			if hidden[k] != visible[k] || noise != 0 {
				t.Fatalf("%v: order %d has log probability %g ± %g, under osm %g", one, k, hidden[k], noise, visible[k])
			}
		}
	}
	if without == 0 {
		t.Error("latent-osm always has hidden units")
	}
}

// Without units log Z is that of the subset table, with weights by tier size too.
func TestLogZWithoutUnitsIsExact(t *testing.T) {
	c := latent.Shape{Items: 5, Largest: 3}.New()
	copy(c.U, []float64{0.4, -0.3, 0.1, 0.7, -0.2})
	*c.Nu = 0.3
	copy(c.Sizes, []float64{0, -1, 0.5, 0.25, 0, 0.5, -0.5, 1})
	items := []int{0, 1, 2, 3, 4}
	x, err := partition.FromBlocks([][]int{{3}, {0, 2}, {1, 4}})
	if err != nil {
		t.Fatal(err)
	}
	u, err := osm.NewWorths(c.U, *c.Nu, osm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	u.SetSizes(c.Sizes, 1)
	table, err := exact.NewTable(u, partition.Space{})
	if err != nil {
		t.Fatal(err)
	}
	held := []heldOrder{{List: osm.List{Items: items, Order: x}}}
	got, spread, err := Likelihood{Seed: 1, Jobs: 1}.marginals(context.Background(), c, held, carefully)
	if want := u.LogWeight(x) - table.LogZ(); err != nil || !(math.Abs(got[0]-want) <= 1e-12) || spread != 0 {
		t.Errorf("log probability %.14g ± %g, by the table %.14g (%v)", got, spread, want, err)
	}
}

// Those of fit stay, whatever is named.
func TestAmongContenders(t *testing.T) {
	all := Contenders(ballots(t, 12).Set)
	var names []string
	for _, c := range Among(all, []string{"latent-osm", "plackett-luce-mf"}) {
		names = append(names, c.Name)
	}
	if want := "fit --hidden, with counts; fit --hidden; fit; fit --model plackett-luce; latent-osm; plackett-luce-mf, ties summed out"; strings.Join(names, "; ") != want {
		t.Errorf("%q", names)
	}
	if len(Among(all, nil)) != len(all) {
		t.Error("no name is not all")
	}
}

// A table names the commits that its rows were made by, and marks rows that nobody can make again.
func TestTableNamesCommits(t *testing.T) {
	var b strings.Builder
	rows := []LikelihoodRow{{Name: "osm", Programs: []string{"0123abcd4", "devel"}}, {Name: "fit", Programs: []string{"0123abcd4"}}, {Name: "uniform"}}
	if err := WriteLikelihood(&b, "fit", rows); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")[2:]
	for k, want := range []string{"| 0123abcd4, " + NoCommit + " |", "| 0123abcd4 |", "|  |"} {
		if !strings.HasSuffix(lines[k], want) {
			t.Errorf("%s does not end in %s", lines[k], want)
		}
	}
}
