package plackettluce

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fubini/data/ratings"
)

// sizesOf makes a list with ties where the bits of ends are set.
func sizesOf(n, ends int) tiers {
	list := tiers{order: make([]int, n), start: []int{0}}
	for place := 1; place < n; place++ {
		if ends>>(place-1)&1 == 1 {
			list.start = append(list.start, place)
		}
	}
	list.start = append(list.start, n)
	return list
}

func TestSizesSumToOne(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for n := 1; n <= 12; n++ {
		for _, s := range []tieSizes{{Rule: SizesUniform}, {Weights: make([]float64, sizeFeatures)}, {Weights: normals(r, sizeFeatures, 2)}} {
			var total float64
			for ends := range 1 << (n - 1) {
				list := sizesOf(n, ends)
				total += math.Exp(s.logProb(&list))
			}
			if !(math.Abs(total-1) <= 1e-12) {
				t.Errorf("rule %d: sizes of %d items sum to %.15g", s.Rule, n, total)
			}
		}
	}
}

// Lists of levels drawn at random have ties of which some weights of the fit say
// more than none, on lists that were not learned from, and of another length.
func TestSizesFit(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	lists := func(users, n int) *ratings.Set {
		b := ratings.NewBuilder()
		for u := range users {
			for i := range n {
				if err := b.Add(fmt.Appendf(nil, "u%d", u), fmt.Appendf(nil, "i%d", i), float32(r.IntN(3)), ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
		s, _, err := b.Build(ratings.Refuse)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	var fitted tieSizes
	fitted.fit(lists(300, 12))
	mean := func(s *tieSizes, set *ratings.Set) float64 {
		var total float64
		for u := range set.Users().Len() {
			values := set.Row(u).Values
			total += s.logProb(rank(values, places(values)))
		}
		return total / float64(set.Users().Len())
	}
	for _, n := range []int{12, 24} {
		test := lists(300, n)
		var own tieSizes
		own.fit(test)
		got, best, uniform := mean(&fitted, test), mean(&own, test), -float64(n-1)*math.Ln2
		// The entropy of the sizes of n items in three levels: 3.6 and 4.7 nats.
		if !(got > uniform/1.5 && got > best-0.5) {
			t.Errorf("%d items: log probability %.3f, fitted to themselves %.3f, uniform %.3f", n, got, best, uniform)
		}
	}
}

// The slope of the fit is zero where it ends: the prior and the data agree.
func TestSizesFitEndsAtTheTop(t *testing.T) {
	for name, value := range map[string]func(u, i int) float32{
		"strict":   func(_, i int) float32 { return float32(i) },
		"all tied": func(_, _ int) float32 { return 3 },
		"mixed":    func(u, i int) float32 { return float32(u * i % 4) },
	} {
		b := ratings.NewBuilder()
		for u := range 50 {
			for i := range 2 + u%7 {
				if err := b.Add(fmt.Appendf(nil, "u%d", u), fmt.Appendf(nil, "i%d", i), value(u, i), ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
		set, _, err := b.Build(ratings.Refuse)
		if err != nil {
			t.Fatal(err)
		}
		var s tieSizes
		s.fit(set)
		var starts [][]int
		for u := range set.Users().Len() {
			values := set.Row(u).Values
			starts = append(starts, rank(values, places(values)).start)
		}
		slope, curvature := make([]float64, sizeFeatures), make([]float64, sizeFeatures*sizeFeatures)
		s.derivatives(starts, slope, curvature)
		for d, g := range slope {
			if !(math.Abs(g) <= 0.01) {
				t.Errorf("%s: the slope by weight %d is %g; weights %.3g", name, d, g, s.Weights)
				break
			}
		}
	}
}
