package maps

import (
	"context"
	"errors"
	"testing"

	"fubini/core/rng"
)

// endsAfter is a context that ends when it was asked so many times whether it has.
type endsAfter struct {
	context.Context
	left *int
}

func (e endsAfter) Err() error {
	if *e.left--; *e.left < 0 {
		return context.Canceled
	}
	return nil
}

// t-SNE asks its context before every row, in the affinities and in every step: called off
// after so many rows, it does no more of them.
func TestTSNEStopsWithinAStep(t *testing.T) {
	r := rng.Stream(1, "stop")
	v := Vectors{Dim: 3}
	for range 40 {
		v.Data = append(v.Data, r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
	}
	for _, rows := range []int{0, 10, 100, 1000} {
		left := rows
		if _, err := TSNE(endsAfter{context.Background(), &left}, v, 0, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("called off after %d rows: %v", rows, err)
		}
		// What is asked after the end: by the rest of the step, not by the steps that follow.
		if left < -10 {
			t.Errorf("called off after %d rows, and asked %d times more", rows, -left)
		}
	}
}
