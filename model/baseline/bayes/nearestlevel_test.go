package bayes

import "testing"

// A value that is no level of the training ratings counts as the nearest one, the lower
// of two; beyond the ends of the scale there are no levels.
func TestNearestLevelByHand(t *testing.T) {
	s := ratingScale{levels: []float64{1, 2, 4, 5}}
	for value, want := range map[float32]int{
		-3: 0, 0.5: 0, 1: 0, 1.5: 0, 1.75: 1, 2: 1, 3: 1, 3.25: 2, 4: 2, 4.5: 2, 4.75: 3, 5: 3, 5.25: 3, 100: 3,
	} {
		if got := s.nearest(value); got != want {
			t.Errorf("the level of %g is number %d, want %d", value, got, want)
		}
	}
}
