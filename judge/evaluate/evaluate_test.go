package evaluate_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/judge/metric"
	"fubini/model"
)

// world has users who rate items by a common quality and much noise.
func world(t testing.TB, users, items int) *ratings.Set {
	t.Helper()
	r := rng.Stream(1, "world")
	b := ratings.NewBuilder()
	for u := range users {
		for i := range items {
			if r.Float64() < 0.5 {
				v := math.Round(3 + 2*float64(i)/float64(items) - 1 + r.NormFloat64())
				if err := b.Add(fmt.Append(nil, u), fmt.Appendf(nil, "%03d", i), float32(min(5, max(1, v))), ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func given(t testing.TB, s *ratings.Set, n int) ratings.Split {
	t.Helper()
	split, err := s.Given(n, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	return split
}

// ranker is a function that ranks, and a model that needs no fitting.
type ranker func(user model.Person, item uint32) float64

func (f ranker) Score(user model.Person, items []uint32, scores []float64) {
	for k, i := range items {
		scores[k] = f(user, i)
	}
}

func (f ranker) Fit(context.Context, ratings.Training) (evaluate.Ranker, error) { return f, nil }

var (
	byQuality = ranker(func(_ model.Person, i uint32) float64 { return float64(i) })
	byChance  = ranker(func(u model.Person, i uint32) float64 {
		return rng.Stream(1, "chance", uint64(u.Index), uint64(i)).Float64()
	})
	indifferent = ranker(func(model.Person, uint32) float64 { return 0 })
)

func run(t testing.TB, m evaluate.Model, split ratings.Split, options evaluate.Options) *evaluate.Result {
	t.Helper()
	r, err := evaluate.Run(context.Background(), m, split, options)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestValuesAreThoseOfTheMetric(t *testing.T) {
	split := given(t, world(t, 30, 40), 5)
	result := run(t, byQuality, split, evaluate.Options{})
	if !slices.Equal(result.Metrics, []string{"err", "ndcg@1", "ndcg@5", "ndcg@10"}) {
		t.Fatalf("metrics %v", result.Metrics)
	}
	for k, u := range result.Users {
		test := split.Holdout.Test(u)
		scores, levels := make([]float64, test.Len()), make([]float64, test.Len())
		for j, i := range test.Items {
			scores[j], levels[j] = float64(i), float64(test.Values[j])
		}
		r, err := metric.Rank(scores, levels)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := result.Values[2][k], r.NDCG(5, metric.Exp2); got != want {
			t.Errorf("user %d: NDCG@5 %g, by hand %g", u, got, want)
		}
		if got, want := result.Values[0][k], r.ERR(0, metric.Graded(1, 5)); got != want {
			t.Errorf("user %d: ERR %g, by hand %g", u, got, want)
		}
	}
}

func TestAllCandidatesRankWhatIsNotKnown(t *testing.T) {
	s := world(t, 20, 30)
	split := given(t, s, 5)
	asked := map[int][]uint32{}
	spy := ranker(func(u model.Person, i uint32) float64 {
		asked[u.Index] = append(asked[u.Index], i)
		return float64(i)
	})
	options := evaluate.Options{Candidates: evaluate.All, Jobs: 1, Metrics: evaluate.MoreMetrics(4, 10)}
	result := run(t, spy, split, options)
	for k, u := range result.Users {
		known, test := split.Holdout.Known(u), split.Holdout.Test(u)
		if len(asked[u]) != s.Items().Len()-known.Len() {
			t.Errorf("user %d: %d items ranked, %d exist and %d are known", u, len(asked[u]), s.Items().Len(), known.Len())
		}
		for _, i := range known.Items {
			if slices.Contains(asked[u], i) {
				t.Errorf("user %d: item %d is known and ranked", u, i)
			}
		}
		hits := 0
		for _, i := range asked[u][len(asked[u])-10:] { // the ten of highest number
			if at, found := slices.BinarySearch(test.Items, i); found && test.Values[at] >= 4 {
				hits++
			}
		}
		if got, want := result.Values[0][k], float64(hits)/10; got != want {
			t.Errorf("user %d: P@10 %g, counted %g", u, got, want)
		}
	}
}

func TestJobsDoNotMatter(t *testing.T) {
	split := given(t, world(t, 60, 40), 5)
	one := run(t, byChance, split, evaluate.Options{Jobs: 1})
	many := run(t, byChance, split, evaluate.Options{Jobs: 8})
	for m := range one.Values {
		if !slices.Equal(one.Values[m], many.Values[m]) {
			t.Errorf("%s differs between one job and eight", one.Metrics[m])
		}
		a, err := one.Mean(one.Metrics[m], 3)
		if err != nil {
			t.Fatal(err)
		}
		b, err := many.Mean(one.Metrics[m], 3)
		if err != nil || a != b {
			t.Errorf("%s: %+v and %+v", one.Metrics[m], a, b)
		}
	}
}

func TestComparison(t *testing.T) {
	split := given(t, world(t, 80, 40), 5)
	good, bad := run(t, byQuality, split, evaluate.Options{}), run(t, indifferent, split, evaluate.Options{})
	d, err := evaluate.Compare(good, bad, "ndcg@5", 1)
	if err != nil {
		t.Fatal(err)
	}
	if !(d.Low > 0 && d.Low < d.Mean && d.Mean < d.High && d.P < 0.001) {
		t.Errorf("knowing the quality against knowing nothing: %+v", d)
	}
	back, err := evaluate.Compare(bad, good, "ndcg@5", 1)
	if err != nil || !(math.Abs(back.Mean+d.Mean) < 1e-15) {
		t.Errorf("the other way round: %+v (%v)", back, err)
	}
	same, err := evaluate.Compare(good, good, "ndcg@5", 1)
	if err != nil || same.Mean != 0 || same.P != 1 {
		t.Errorf("a model against itself: %+v (%v)", same, err)
	}
	if _, err := evaluate.Compare(good, bad, "rmse", 1); err == nil {
		t.Error("compared by a metric that was not computed")
	}
	if _, err := good.Mean("rmse", 1); err == nil {
		t.Error("the mean of a metric that was not computed")
	}
	other := run(t, byQuality, given(t, world(t, 40, 40), 5), evaluate.Options{})
	if _, err := evaluate.Compare(good, other, "ndcg@5", 1); err == nil {
		t.Error("compared results over different users")
	}
}

// When two models do equally well by construction, p-values are uniform and
// intervals hold the truth as often as they say.
func TestIntervalsAndPValuesAreHonest(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	const repetitions, users = 1000, 60
	covered, small := 0, 0
	for k := range repetitions {
		r := rng.Stream(1, "honest", uint64(k))
		a := &evaluate.Result{Metrics: []string{"m"}, Users: make([]int, users), Values: [][]float64{make([]float64, users)}}
		b := &evaluate.Result{Metrics: []string{"m"}, Users: make([]int, users), Values: [][]float64{make([]float64, users)}}
		for u := range users {
			common := r.NormFloat64() // users differ more than models do
			a.Values[0][u], b.Values[0][u] = common+r.ExpFloat64(), common+r.ExpFloat64()
		}
		d, err := evaluate.Compare(a, b, "m", uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		if d.Low <= 0 && 0 <= d.High {
			covered++
		}
		if d.P <= 0.05 {
			small++
		}
	}
	// The percentile bootstrap of 60 users covers a little less than 95 %; five
	// standard errors of a share of 1000 are 0.035.
	if share := float64(covered) / repetitions; !(share > 0.9 && share < 0.985) {
		t.Errorf("95 %% intervals hold the truth in %.3f of cases", share)
	}
	if share := float64(small) / repetitions; !(share > 0.015 && share < 0.085) {
		t.Errorf("p is at most 0.05 in %.3f of cases", share)
	}
}

// Over folds a user counts once, with the mean of the folds they are in.
func TestPoolCountsUsersOnce(t *testing.T) {
	a := &evaluate.Result{Metrics: []string{"m"}, Users: []int{0, 2}, Values: [][]float64{{1, 2}}, FitSeconds: 1}
	b := &evaluate.Result{Metrics: []string{"m"}, Users: []int{1, 2}, Values: [][]float64{{5, 4}}, FitSeconds: 2}
	pooled := evaluate.Pool([]*evaluate.Result{a, b})
	if !slices.Equal(pooled.Users, []int{0, 1, 2}) || !slices.Equal(pooled.Values[0], []float64{1, 5, 3}) || pooled.FitSeconds != 3 {
		t.Errorf("%+v", pooled)
	}
	if alone := evaluate.Pool([]*evaluate.Result{a}); alone != a {
		t.Errorf("one fold became %+v", alone)
	}
}

func TestFailuresAreReported(t *testing.T) {
	split := given(t, world(t, 20, 30), 5)
	broken := ranker(func(u model.Person, i uint32) float64 {
		if u.Index == 3 {
			return math.NaN()
		}
		return 0
	})
	if _, err := evaluate.Run(context.Background(), broken, split, evaluate.Options{}); err == nil || !strings.Contains(err.Error(), "user") {
		t.Errorf("a score that is no number: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := evaluate.Run(ctx, byChance, split, evaluate.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	for name, want := range map[string]evaluate.Candidates{"rated": evaluate.Rated, "all": evaluate.All} {
		if got, err := evaluate.ParseCandidates(name); err != nil || got != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := evaluate.ParseCandidates("some"); err == nil {
		t.Error("unknown candidates were taken")
	}
}

func ExampleRun() {
	// Two people; the third film is the one they have in common.
	b := ratings.NewBuilder()
	for k, item := range []string{"Alien", "Brazil", "Clue"} {
		for _, user := range []string{"ann", "bob"} {
			if err := b.Add([]byte(user), []byte(item), float32(3+k-len(user)%2), ratings.NoTime); err != nil {
				panic(err)
			}
		}
	}
	set, _, _ := b.Build(ratings.Refuse)
	split, _ := set.Given(1, 2, 1)
	result, err := evaluate.Run(context.Background(), byQuality, split, evaluate.Options{})
	if err != nil {
		panic(err)
	}
	ndcg, _ := result.Mean("ndcg@5", 1)
	fmt.Printf("NDCG@5 of %d users: %.2f\n", len(result.Users), ndcg.Mean)
	// Output: NDCG@5 of 2 users: 1.00
}

func TestMeanError(t *testing.T) {
	mean, stdErr := evaluate.MeanError([]float64{1, 2, 6}) // deviations -2, -1, 3: squares 14, over 2 and 3
	if !(math.Abs(mean-3) <= 1e-15) || !(math.Abs(stdErr-math.Sqrt(14.0/6)) <= 1e-15) {
		t.Errorf("%g ± %g", mean, stdErr)
	}
	if mean, stdErr := evaluate.MeanError([]float64{5}); mean != 5 || !math.IsNaN(stdErr) {
		t.Errorf("of one value %g ± %g", mean, stdErr)
	}
}
