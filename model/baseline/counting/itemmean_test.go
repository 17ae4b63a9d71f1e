package counting_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/counting"
)

func set(t testing.TB, rows ...[3]any) *ratings.Set {
	t.Helper()
	b := ratings.NewBuilder()
	for _, r := range rows {
		if err := b.Add([]byte(r[0].(string)), []byte(r[1].(string)), float32(r[2].(int)), ratings.NoTime); err != nil {
			t.Fatal(err)
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fit(s *ratings.Set, shrink float64) (model.Model, error) {
	return (&counting.ItemMean{Shrink: shrink}).Fit(context.Background(), s, model.Run{})
}

// By hand: the mean of all five ratings is 3.2; x has 5 and 5, y has 1, 2 and 3.
func TestItemMeanByHand(t *testing.T) {
	s := set(t, [3]any{"a", "x", 5}, [3]any{"b", "x", 5}, [3]any{"a", "y", 1}, [3]any{"b", "y", 2}, [3]any{"c", "y", 3})
	for shrink, want := range map[float64][2]float64{0: {5, 2}, 5: {(10 + 5*3.2) / 7, (6 + 5*3.2) / 8}} {
		m, err := fit(s, shrink)
		if err != nil {
			t.Fatal(err)
		}
		scores := make([]float64, 2)
		m.Score(model.Person{Index: -1}, []uint32{0, 1}, scores)
		for k := range want {
			if !(math.Abs(scores[k]-want[k]) <= 1e-12) {
				t.Errorf("shrunk by %g: %v, by hand %v", shrink, scores, want)
			}
		}
	}
	// An item that nobody in training rated stands at the mean of all.
	split, err := ratings.Divided(set(t, [3]any{"a", "x", 5}, [3]any{"b", "x", 2}), nil, set(t, [3]any{"a", "z", 1}))
	if err != nil {
		t.Fatal(err)
	}
	for _, shrink := range []float64{0, 5} {
		m, err := fit(split.Training.Set(), shrink)
		if err != nil {
			t.Fatal(err)
		}
		scores := make([]float64, 1)
		if m.Score(model.Person{Index: -1}, []uint32{1}, scores); scores[0] != 3.5 {
			t.Errorf("shrunk by %g, an unseen item stands at %g", shrink, scores[0])
		}
	}
}

func TestItemMeanRefusals(t *testing.T) {
	s := set(t, [3]any{"a", "x", 5})
	if _, err := fit(s, math.NaN()); err == nil {
		t.Error("shrunk by NaN")
	}
	if _, err := fit(set(t), 5); err == nil {
		t.Error("the mean of no ratings")
	}
}

func ExampleItemMean() {
	b := ratings.NewBuilder()
	for _, r := range []struct {
		user, item string
		stars      float32
	}{{"ann", "Alien", 5}, {"bob", "Alien", 4}, {"ann", "Clue", 2}} {
		if err := b.Add([]byte(r.user), []byte(r.item), r.stars, ratings.NoTime); err != nil {
			panic(err)
		}
	}
	s, _, _ := b.Build(ratings.Refuse)
	m, err := (&counting.ItemMean{Shrink: 1}).Fit(context.Background(), s, model.Run{})
	if err != nil {
		panic(err)
	}
	scores := make([]float64, 2)
	m.Score(model.Person{Index: -1}, []uint32{0, 1}, scores)
	fmt.Printf("%.2f\n", scores)
	// Output: [4.22 2.83]
}
