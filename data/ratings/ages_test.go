package ratings

import (
	"slices"
	"testing"
)

// Places in the order of time, the latest first; those of one time share theirs, and items without a time come before all others.
func TestAges(t *testing.T) {
	const none = NoTime
	for _, c := range []struct {
		times []int64
		want  []float64
	}{
		{[]int64{10, 40, 20, 20}, []float64{3, 0, 1.5, 1.5}},
		{[]int64{7, 7, 7}, []float64{1, 1, 1}},
		{[]int64{none, 5, none, 6}, []float64{2.5, 1, 2.5, 0}},
		{nil, nil},
	} {
		if got := (Row{Times: c.times}).Ages(); !slices.Equal(got, c.want) {
			t.Errorf("times %v: ages %v, not %v", c.times, got, c.want)
		}
	}
}
