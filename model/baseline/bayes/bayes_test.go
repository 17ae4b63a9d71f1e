package bayes

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
	"fubini/model/baseline/planted"
)

func TestBayesianMFLearnsAPlantedPattern(t *testing.T) {
	skipIfShort(t)
	p := planted.New(t, nil, nil)
	set := p.Split.Training.Set()
	m, err := with(New(), func(o *Recipe) { o.Response, o.Hidden = OrderedProbit, 3 }).fit(set, fitting.Run{Run: model.Run{Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if got := fitting.Concordance(m, p.Split, fitting.Run{Run: model.Run{Jobs: 2}}); !(got > 0.85) { // 0.88 is what the noise allows
		t.Errorf("%.3f of held-out pairs in the right order", got)
	}
	var sum float64
	for u := range 40 {
		row := set.Row(u)
		sum += planted.RankCorrelation(scoresFor(t, m, planted.Items, model.Person{Index: u}), scoresFor(t, m, planted.Items, model.Person{Index: -1, Known: row})) / 40
	}
	if !(sum > 0.98) {
		t.Errorf("users have rank correlation %.3f with themselves folded in", sum)
	}
	for draw := range m.kept {
		cuts := m.cuts(draw)
		if len(cuts) != 4 || !slices.IsSorted(cuts) {
			t.Fatalf("draw %d has cut points %v", draw, cuts)
		}
	}
}

// Cut points stay in order, and nearly all moves of them are accepted.
func TestCutPointsMove(t *testing.T) {
	set := planted.New(t, nil, nil).Split.Training.Set()
	o, err := with(New(), func(o *Recipe) { o.Response = OrderedProbit }).resolved(planted.Users, planted.Items)
	if err != nil {
		t.Fatal(err)
	}
	c := o.chain(set, fitting.Run{Run: model.Run{Seed: 1}}, newRatingScale(set))
	took := 0
	for range 60 {
		before := slices.Clone(c.cuts.at)
		if !c.sweep() || !slices.IsSorted(c.cuts.at) {
			t.Fatalf("cut points %v", c.cuts.at)
		}
		if !slices.Equal(before, c.cuts.at) {
			took++
		}
	}
	if !(took > 50) {
		t.Errorf("%d of 60 moves of cut points accepted", took)
	}
}

func TestBayesianMFRefusals(t *testing.T) {
	var many [][3]float32
	for k := range 150 {
		many = append(many, [3]float32{float32(k % 15), float32(k / 15), float32(k)})
	}
	for want, m := range map[string]Recipe{
		"hidden is 11":              *with(New(), func(o *Recipe) { o.Hidden = 11 }),
		"sweeps is 20 and burn 20":  *with(New(), func(o *Recipe) { o.Sweeps, o.Burn = 20, 20 }),
		"start -1":                  *with(New(), func(o *Recipe) { o.Start = -1 }),
		"response must be one of":   *with(New(), func(o *Recipe) { o.Response = 2 }),
		"150 different values":      *with(New(), func(o *Recipe) { o.Response = OrderedProbit }),
		"start cannot be +Inf":      *with(New(), func(o *Recipe) { o.Start = math.Inf(1) }),
		"sweeps -3 must be":         *with(New(), func(o *Recipe) { o.Sweeps = -3 }),
		"takes up to 100":           *with(New(), func(o *Recipe) { o.Response, o.Hidden = OrderedProbit, 2 }),
		"hidden 0 must be":          *with(New(), func(o *Recipe) { o.Hidden = 0 }),
		"more sweeps than are thro": *with(New(), func(o *Recipe) { o.Sweeps, o.Burn = 1, 1 }),
	} {
		if _, err := m.Fit(context.Background(), tinySet(t, many...), model.Run{}); err == nil || !strings.HasPrefix(err.Error(), "bayesian-mf: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, expected %q", m, err, want)
		}
	}
}

// Draws are thinned to what there is room for, and none is left empty.
func TestBayesianMFKeepsDrawsAtEvenDistances(t *testing.T) {
	set := planted.New(t, nil, nil).Split.Training.Set()
	for _, c := range []struct{ sweeps, burn, want int }{{7, 2, 5}, {150, 20, 100}, {1, 0, 1}, {230, 30, 100}} {
		m, err := with(New(), func(o *Recipe) { o.Hidden, o.Sweeps, o.Burn = 1, c.sweeps, c.burn }).fit(set, fitting.Run{Run: model.Run{Seed: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if m.kept != c.want || slices.Contains(m.noise, 0) {
			t.Errorf("%+v: %d draws kept, with noise %v", c, m.kept, m.noise)
		}
	}
}

func BenchmarkBayesianMF(b *testing.B) {
	r := rng.Stream(1, "benchmark")
	builder := ratings.NewBuilder()
	for u := range 1000 {
		for _, i := range r.Perm(500)[:50] {
			if err := builder.Add(fmt.Append(nil, u), fmt.Append(nil, i), float32(1+r.IntN(5)), ratings.NoTime); err != nil {
				b.Fatal(err)
			}
		}
	}
	set, _, err := builder.Build(ratings.Refuse)
	if err != nil {
		b.Fatal(err)
	}
	for _, response := range []Response{Gaussian, OrderedProbit} {
		b.Run(responseNames[response], func(b *testing.B) {
			m := *with(New(), func(o *Recipe) { o.Response = response })
			o, err := m.resolved(set.Users().Len(), set.Items().Len())
			if err != nil {
				b.Fatal(err)
			}
			c := o.chain(set, fitting.Run{Run: model.Run{Seed: 1, Jobs: 1}}, newRatingScale(set))
			c.sweep()
			b.ReportAllocs()
			for b.Loop() {
				c.sweep()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(set.Len()), "ns/rating")
		})
	}
}
