package interest

import (
	"cmp"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fubini/data/format"
	"fubini/data/ratings"
)

// movies reads a set of MovieLens.
func movies(t testing.TB, name, file string) *ratings.Set {
	t.Helper()
	data := os.Getenv("FUBINI_DATA")
	if data == "" {
		t.Skip("needs FUBINI_DATA")
	}
	set, _, err := format.Read(os.DirFS(filepath.Join(data, name)), file, format.Options{})
	if err != nil {
		t.Skipf("FUBINI_DATA has no %s: %v", name, err)
	}
	return set
}

// ndcg is NDCG@10 with gains 2^r - 1 over all items that are not in the list given.
func ndcg(scores []float64, given, test ratings.Row) float64 {
	for _, i := range given.Items {
		scores[i] = math.Inf(-1)
	}
	order := make([]uint32, len(scores))
	gains := make([]float64, len(scores))
	for i := range order {
		order[i] = uint32(i)
	}
	for k, i := range test.Items {
		gains[i] = math.Exp2(float64(test.Values[k])) - 1
	}
	dcg := func(score []float64) (sum float64) {
		slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(score[b], score[a]) })
		for place, i := range order[:10] {
			sum += gains[i] / math.Log2(float64(place)+2)
		}
		return sum
	}
	return dcg(scores) / dcg(gains)
}

// On MovieLens 100K the held-out fifth of the ratings is found at least 1.7 times as well as by popularity; peers/interest.py
// measures 1.9 times on another split. A tenth of the weights leaves 97 % of that.
func TestMovieLens(t *testing.T) {
	set := movies(t, "ml-100k", "u.data")
	split, err := set.Random(.2, 5)
	if err != nil {
		t.Fatal(err)
	}
	training := split.Training.Set()
	o := Defaults()
	o.Neighbours, o.Tasks = math.MaxInt, 300
	whole := fitted(t, training, o)
	o.Neighbours = 150
	few := fitted(t, training, o)
	var popular, all, some float64
	scores := make([]float64, whole.Items())
	for u := range set.Users().Len() {
		given, test := training.Row(u), split.Holdout.Test(u)
		if given.Len() == 0 || test.Len() == 0 {
			continue
		}
		copy(scores, whole.Average)
		popular += ndcg(scores, given, test)
		if err := whole.Score(given, scores); err != nil {
			t.Fatal(err)
		}
		all += ndcg(scores, given, test)
		if err := few.Score(given, scores); err != nil {
			t.Fatal(err)
		}
		some += ndcg(scores, given, test)
	}
	n := float64(set.Users().Len())
	t.Logf("NDCG@10: popularity %.4f, interest %.4f, with 150 weights an item %.4f", popular/n, all/n, some/n)
	if !(all > 1.7*popular) || !(some > .97*all) {
		t.Errorf("NDCG@10: popularity %.4f, interest %.4f, with 150 weights an item %.4f", popular/n, all/n, some/n)
	}
}

func BenchmarkFitMovieLens1M(b *testing.B) {
	set := movies(b, "ml-1m", "ratings.dat")
	for b.Loop() {
		if _, err := Fit(b.Context(), set, Defaults()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkScoreMovieLens1M(b *testing.B) {
	set := movies(b, "ml-1m", "ratings.dat")
	m, err := Fit(b.Context(), set, Defaults())
	if err != nil {
		b.Fatal(err)
	}
	scores := make([]float64, m.Items())
	u := 0
	for b.Loop() {
		if err := m.Score(set.Row(u%set.Users().Len()), scores); err != nil {
			b.Fatal(err)
		}
		u++
	}
}

// Probabilities hold for people who were not in the fit: pairs of a person and an item, the item's own placement left
// out, are divided into ten groups with the same number of picks by falling probability.
func TestReliabilityOnMovieLens(t *testing.T) {
	set := movies(t, "ml-100k", "u.data")
	fit, other := set.OfUsers(func(u int) bool { return u%4 > 0 }), set.OfUsers(func(u int) bool { return u%4 == 0 })
	m := fitted(t, fit, Defaults())
	type pair struct{ probability, picked float64 }
	var pairs []pair
	var picks float64
	scores := make([]float64, m.Items())
	for u := range other.Users().Len() {
		row := other.Row(u)
		if row.Len() == 0 {
			continue
		}
		if err := m.Score(row, scores); err != nil {
			t.Fatal(err)
		}
		for i, s := range scores {
			p, _ := m.Probability(s, row.Len())
			_, picked := slices.BinarySearch(row.Items, uint32(i))
			pairs = append(pairs, pair{probability: p})
			if picked {
				pairs[len(pairs)-1].picked = 1
				picks++
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(b.probability, a.probability) })
	var expected, found, size float64
	for k, each := range pairs {
		expected, found, size = expected+each.probability, found+each.picked, size+1
		if found < picks/10 && k+1 < len(pairs) {
			continue
		}
		t.Logf("probability %.4f, share of picks %.4f, of %.0f pairs", expected/size, found/size, size)
		if !(math.Abs(expected/found-1) <= .2) {
			t.Errorf("%.0f picks expected, there were %.0f", expected, found)
		}
		expected, found, size = 0, 0, 0
	}
}
