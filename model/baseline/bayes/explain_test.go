package bayes

import (
	"math"
	"testing"

	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
	"fubini/model/baseline/planted"
)

// With an ordered probit the vectors make the mean of the value over draws.
func TestVectorsOfAnOrderedProbit(t *testing.T) {
	set := planted.New(t, nil, nil).Split.Training.Set()
	m := orderedProbit(t, set)
	known := set.Row(2)
	person, item := make([]float64, m.Dim()), make([]float64, m.Dim())
	m.PersonVector(known, person)
	who := m.enter(model.Person{Index: -1, Known: known})
	for i := range uint32(set.Items().Len()) {
		var mean, bias float64
		for draw := range m.kept {
			mean += who.mean(m, draw, i) / float64(m.kept)
			bias += float64(who.vectors[draw*m.width]) / float64(m.kept)
		}
		if got := bias + m.ItemVector(i, item) + fitting.Dot(person, item); !(math.Abs(got-mean) <= 1e-5) {
			t.Errorf("item %d: %g by vectors, %g by draws", i, got, mean)
		}
	}
}

func orderedProbit(t *testing.T, set *ratings.Set) *posterior {
	t.Helper()
	m, err := with(New(), func(o *Recipe) { o.Hidden, o.Sweeps, o.Burn, o.Response = 3, 6, 2, OrderedProbit }).Fit(t.Context(), set, model.Run{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*posterior)
}

// The base of an ordered probit is what the middle of the prior gives the item, but
// for rounding: what ratings change is in the parts.
func TestBaseOfAnOrderedProbit(t *testing.T) {
	set := planted.New(t, nil, nil).Split.Training.Set()
	m := orderedProbit(t, set)
	known := set.Row(1)
	person := m.enter(model.Person{Index: -1, Known: known})
	for item := range uint32(set.Items().Len()) {
		base, _, _ := m.Explain(known, item, make([]float64, known.Len()))
		var want float64
		for draw := range m.kept {
			row := m.vector(m.items, int(item), draw)
			mean := float64(row[0]) + m.userPrior(draw).mean[0]
			for d, x := range row[1:] {
				mean += float64(x) * m.userPrior(draw).mean[d+1]
			}
			want += m.scale.expected(m.cuts(draw), mean, math.Sqrt(1+person.variance(m, draw, item))) / float64(m.kept)
		}
		if !(math.Abs(base-want) <= 1e-4) {
			t.Errorf("item %d: base %g, from the prior's middle %g", item, base, want)
		}
	}
}
