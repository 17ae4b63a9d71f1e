package distributed_test

import (
	"math"
	"slices"
	"testing"

	"fubini/data/ratings"
	"fubini/learn/distributed"
	"fubini/learn/slots"
)

// The largest part trains alone first, whichever is counted first.
func TestTheLargestPartWarmsUp(t *testing.T) {
	sets := []*ratings.Set{planted(t, 10, 8), planted(t, 30, 8), planted(t, 30, 8), planted(t, 20, 8)}
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}} {
		all := distributed.Nobody()
		for _, k := range order {
			all.Add(distributed.NewCensus(k, sets[k], slots.Defaults().Longest))
		}
		if all.Largest.Part != 1 || all.Largest.Lists < 20 {
			t.Errorf("%v: the largest is part %d with %d lists", order, all.Largest.Part, all.Largest.Lists)
		}
	}
	p, parts := plan(t, sets, with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Seed = "latent-osm", 1 }))
	start, point := p.Start(), warmStart(t, p, parts, 1)
	moved := 0.0
	for k, v := range point.Now.W {
		moved = math.Max(moved, math.Abs(v-start.Now.W[k]))
	}
	if !(moved > 0.01) || point.Epoch != 0 || point.Averaged != 0 || slices.ContainsFunc(point.Mean.W, func(v float64) bool { return v != 0 }) {
		t.Errorf("the first round starts after epoch %d, %d points averaged, weights moved by %g", point.Epoch, point.Averaged, moved)
	}
}

// Slopes add up to the same bits in whatever order parts come, and to that of a part
// which has all users.
func TestSlopesAddUp(t *testing.T) {
	set := planted(t, 40, 15)
	request := distributed.Defaults()
	p, parts := plan(t, divided(t, set, 4), request)
	at := warmStart(t, p, parts, 0)
	add := func(p *distributed.Plan, parts ...*distributed.Part) *distributed.Sum {
		total := &distributed.Sum{}
		for _, part := range parts {
			if err := total.Add(must[*distributed.Sum](t)(p.Gradient(t.Context(), at, part, 1))); err != nil {
				t.Fatal(err)
			}
		}
		return total
	}
	all := add(p, parts...)
	if backwards := add(p, parts[3], parts[2], parts[1], parts[0]); !slices.Equal(all.Values, backwards.Values) {
		t.Error("backwards: another sum")
	}
	one, whole := plan(t, []*ratings.Set{set}, request)
	largest := int64(0)
	for k, v := range add(one, whole...).Values {
		if d := all.Values[k] - v; d > 4 || d < -4 { // each of four was rounded
			t.Fatalf("number %d of the gradient is %d of four parts, %d of one", k, all.Values[k], v)
		}
		largest = max(largest, v)
	}
	if largest < 1<<18 {
		t.Errorf("a gradient of at most %d units tells nothing", largest)
	}
}
