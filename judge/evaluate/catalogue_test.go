package evaluate_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/model"
)

// setOf has ratings as "user item value" with single letters.
func setOf(t *testing.T, lines ...string) *ratings.Set {
	t.Helper()
	b := ratings.NewBuilder()
	for _, line := range lines {
		var user, item string
		var value float32
		if _, err := fmt.Sscan(line, &user, &item, &value); err != nil {
			t.Fatal(err)
		}
		if err := b.Add([]byte(user), []byte(item), value, ratings.NoTime); err != nil {
			t.Fatal(err)
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Whole-catalogue metrics on a catalogue of 30 items, by hand. The model ranks the items a to z, then 0 to 3. Person x knows b
// and held out a (5), d (4) and e (2); person y knows a and c and held out z (4) and b (3).
func TestCatalogueMetricsByHand(t *testing.T) {
	letters := "abcdefghijklmnopqrstuvwxyz0123"
	train := []string{"x b 5", "y a 4", "y c 1"}
	for _, l := range letters { // somebody who has everything
		train = append(train, fmt.Sprintf("w %c 3", l))
	}
	split, err := ratings.Divided(setOf(t, train...), nil, setOf(t, "x a 5", "x d 4", "x e 2", "y z 4", "y b 3"))
	if err != nil {
		t.Fatal(err)
	}
	items := split.Training.Set().Items()
	byLetter := ranker(func(_ model.Person, i uint32) float64 {
		return -float64(slices.Index([]byte(letters), items.ID(i)[0]))
	})
	metrics, err := evaluate.SplitMetrics(split, "exp2", evaluate.All, true)
	if err != nil {
		t.Fatal(err)
	}
	got := run(t, byLetter, split, evaluate.Options{Metrics: metrics, Candidates: evaluate.All, Shown: true})
	discount := func(place float64) float64 { return 1 / math.Log2(1+place) }
	// x sees a c d e f ...: a at 1, d at 3, e at 4. y sees b d e ...: b at 1, z at 24, below the twenty.
	for metric, want := range map[string][2]float64{
		"ndcg@10": {(31 + 15*discount(3) + 3*discount(4)) / (31 + 15*discount(2) + 3*discount(3)),
			7 / (15 + 7*discount(2))},
		"ndcg_binary@10": {(1 + discount(3)) / (1 + discount(2)), 0},
		"recall@20":      {1, 0},
		"mrr":            {1, 1.0 / 24},
		// x is shown a and c (two of three people), and eight items that one has; y is shown b (two), and nine.
		"popularity@10": {(2.0/3*2 + 8.0/3) / 10, (2.0/3 + 9.0/3) / 10},
	} {
		m := slices.Index(got.Metrics, metric)
		if m < 0 {
			t.Fatalf("no %s among %v", metric, got.Metrics)
		}
		for k := range 2 {
			if v := got.Values[m][k]; !(math.Abs(v-want[k]) < 1e-12) {
				t.Errorf("%s of person %d is %.6f, by hand %.6f", metric, k, v, want[k])
			}
		}
	}
	// x is shown a, c to k, y b and d to l: twelve of thirty; without x ten, without y ten.
	if c := got.Coverage; !(math.Abs(c.Share-12.0/30) < 1e-9) || !(math.Abs(slices.Min(c.Without)-10.0/30) < 1e-9) {
		t.Errorf("coverage %+v", c)
	}
}

// Where scores tie, each order of the tied items is as likely: with two users and twenty items of one score, an item is
// shown to neither with probability 1/4.
func TestCoverageOfTies(t *testing.T) {
	var train, test []string
	for i := range 20 {
		train = append(train, fmt.Sprintf("w %02d 3", i))
	}
	test = append(test, "x 00 5", "y 01 5")
	split, err := ratings.Divided(setOf(t, train...), nil, setOf(t, test...))
	if err != nil {
		t.Fatal(err)
	}
	got := run(t, indifferent, split, evaluate.Options{Candidates: evaluate.All, Shown: true})
	if !(math.Abs(got.Coverage.Share-0.75) < 1e-8) || !(math.Abs(slices.Min(got.Coverage.Without)-0.5) < 1e-8) {
		t.Errorf("coverage %+v", got.Coverage)
	}
	if v := got.Values[len(got.Metrics)-1][0]; !(math.Abs(v-1) < 1e-12) {
		t.Errorf("everybody has every item, and their share is %g", v)
	}
}

// The interval of coverage holds its expectation over samples of users about as often as it should, and that of a
// difference holds zero for two rules that are equal by construction; results do not depend on the jobs.
func TestCoverageIntervals(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	const repetitions, users, items = 100, 40, 150
	shares := make([]float64, repetitions)
	estimates := make([]evaluate.Estimate, repetitions)
	zero := 0
	for k := range repetitions {
		b := ratings.NewBuilder()
		for i := range items {
			if err := b.Add([]byte("all"), fmt.Appendf(nil, "%03d", i), 3, ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
		var test []string
		for u := range users {
			test = append(test, fmt.Sprintf("u%03d 000 4", u))
		}
		set, _, err := b.Build(ratings.Refuse)
		if err != nil {
			t.Fatal(err)
		}
		split, err := ratings.Divided(set, nil, setOf(t, test...))
		if err != nil {
			t.Fatal(err)
		}
		// Items of low number are better on the whole; users differ.
		rule := func(name string) ranker {
			r := rng.Stream(uint64(k), name)
			luck := make([]float64, split.Training.Set().Users().Len()*items)
			for n := range luck {
				luck[n] = r.Float64()
			}
			return func(p model.Person, i uint32) float64 { return 2*luck[p.Index*items+int(i)] - float64(i)/items }
		}
		one := run(t, rule("one"), split, evaluate.Options{Candidates: evaluate.All, Shown: true, Jobs: 1})
		two := run(t, rule("two"), split, evaluate.Options{Candidates: evaluate.All, Shown: true})
		if k == 0 {
			again := run(t, rule("one"), split, evaluate.Options{Candidates: evaluate.All, Shown: true, Jobs: 7})
			if again.Coverage.Share != one.Coverage.Share || !slices.Equal(again.Coverage.Without, one.Coverage.Without) {
				t.Error("one job and seven have different coverage")
			}
		}
		estimates[k] = one.Coverage.Estimate()
		shares[k] = estimates[k].Mean
		if d := evaluate.CompareCoverage(one.Coverage, two.Coverage); d.Low <= 0 && 0 <= d.High {
			zero++
		}
	}
	truth, _ := evaluate.MeanError(shares)
	held := 0
	for _, e := range estimates {
		if e.Low <= truth && truth <= e.High {
			held++
		}
	}
	// 100 repetitions have a standard error of 0.022; the jackknife of a count of distinct items errs to the wide side.
	for what, count := range map[string]int{"its expectation": held, "zero": zero} {
		if share := float64(count) / repetitions; !(share > 0.85) {
			t.Errorf("95 %% intervals hold %s in %.3f of cases", what, share)
		}
	}
}

// Without ratings every held-out item is one to find; on half stars and on scales to ten, 4 of 5 is where liking begins.
func TestRelevantLevels(t *testing.T) {
	for name, c := range map[string]struct {
		train, test []string
		want        float64 // recall@20 of one user whose items are all within the first twenty
		items       int
	}{
		"picks alone":           {[]string{"w a 1", "w b 1", "w c 1"}, []string{"x a 1", "x b 1"}, 1, 2},
		"half stars":            {[]string{"w a 0.5", "w b 5", "w c 3"}, []string{"x a 3.5", "x b 3"}, 0, 0},
		"half stars, one liked": {[]string{"w a 0.5", "w b 5", "w c 3"}, []string{"x a 3.5", "x b 4"}, 1, 1},
		"to ten":                {[]string{"w a 0", "w b 10", "w c 3"}, []string{"x a 7", "x b 8"}, 1, 1},
	} {
		split, err := ratings.Divided(setOf(t, c.train...), nil, setOf(t, c.test...))
		if err != nil {
			t.Fatal(err)
		}
		metrics, err := evaluate.SplitMetrics(split, "exp2", evaluate.All, true)
		if err != nil {
			t.Fatal(err)
		}
		got := run(t, indifferent, split, evaluate.Options{Metrics: metrics, Candidates: evaluate.All})
		if v := got.Average("recall@20"); v != c.want {
			t.Errorf("%s: recall %g, not %g", name, v, c.want)
		}
		if v := got.Average("p@10") * 10; !(math.Abs(v-float64(c.items)) < 1e-12) {
			t.Errorf("%s: %g items to find, not %d", name, v, c.items)
		}
	}
}
