package bayes

import (
	"fmt"
	"math"
	"testing"

	"fubini/data/ratings"
	"fubini/model"
)

// with is a recipe with some settings changed.
func with[T any](recipe *T, change func(o *T)) *T {
	change(recipe)
	return recipe
}

// skipIfShort leaves out what takes long on one core where time is short: the race
// detector sees the same code in the one epoch of TestContractRepeatable and
// TestContractConcurrentUse.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("long, and on one core")
	}
}

// scoresFor are the scores of all items for a person; they must be finite.
func scoresFor(t testing.TB, m model.Model, items int, p model.Person) []float64 {
	t.Helper()
	which, scores := make([]uint32, items), make([]float64, items)
	for i := range which {
		which[i], scores[i] = uint32(i), math.NaN()
	}
	m.Score(p, which, scores)
	for i, s := range scores {
		if math.IsNaN(s) || math.IsInf(s, 0) {
			t.Fatalf("item %d has score %g for person %d with %d ratings", i, s, p.Index, p.Known.Len())
		}
	}
	return scores
}

// tinySet is a set of ratings given as user, item, value.
func tinySet(t testing.TB, rows ...[3]float32) *ratings.Set {
	t.Helper()
	b := ratings.NewBuilder()
	for _, r := range rows {
		if err := b.Add(fmt.Append(nil, r[0]), fmt.Append(nil, r[1]), r[2], ratings.NoTime); err != nil {
			t.Fatal(err)
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
