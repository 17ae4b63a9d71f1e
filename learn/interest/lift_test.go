package interest

import (
	"testing"

	"fubini/data/ratings"
)

// Pairs of a hidden item and another one are counted, ties half.
func TestRight(t *testing.T) {
	some := task{gain: []float64{0, 5, 0, 2}}
	for _, c := range []struct {
		scores []float64
		want   float64
	}{
		{[]float64{1, 4, 2, 3}, 1}, {[]float64{4, 1, 3, 2}, 0}, {[]float64{1, 2, 2, 2}, .75}, {[]float64{1, 1, 1, 1}, .5}, {[]float64{2, 1, 0, 3}, .75},
	} {
		if got := some.right(c.scores); got != c.want {
			t.Errorf("by %v: %g, not %g", c.scores, got, c.want)
		}
	}
	everything := task{gain: []float64{1, 2}}
	if got := everything.right([]float64{1, 2}); got != .5 {
		t.Errorf("without other items: %g", got)
	}
}

// Lists that were drawn by lot say nothing of a person, and neither do lists of everything; where people pick by kind the
// model is informative. Ratings follow a taste in all three.
func TestInformative(t *testing.T) {
	taste := func(u, i int) float32 { return float32(1 + (2*(u%2)*(i%2)+i%3)%5) }
	lot := func(seed, width int) func(u, i int) float32 { // width of 30 items, of which the first are likelier
		return func(u, i int) float32 {
			if h := uint64(u*30+i+seed*100_000) * 0x9E3779B97F4A7C15; float64((h^h>>29)*0xBF58476D1CE4E5B9>>11)/(1<<53) < float64(width)/(15+float64(i)) {
				return taste(u, i)
			}
			return 0
		}
	}
	for _, c := range []struct {
		name string
		set  *ratings.Set
		want bool
	}{
		{"by lot", setOf(t, 400, 30, lot(1, 6)), false},
		{"by lot, other dice", setOf(t, 400, 30, lot(2, 6)), false},
		{"by lot, few people", setOf(t, 40, 30, lot(3, 6)), false},
		{"everything", setOf(t, 60, 12, taste), false},
		{"by kind", picks(t, 200, 30), true},
	} {
		m := fitted(t, c.set, Defaults())
		if m.Lift == nil {
			t.Fatalf("%s: not measured", c.name)
		}
		t.Logf("%s: lift %.4f, standard error %.4f", c.name, m.Lift.Mean, m.Lift.StdErr)
		if m.Informative() != c.want {
			t.Errorf("%s: informative is %t: lift %g, standard error %g", c.name, m.Informative(), m.Lift.Mean, m.Lift.StdErr)
		}
	}
	o := Defaults()
	o.Tasks = 0
	if m := fitted(t, picks(t, 40, 20), o); m.Lift != nil || !m.Informative() {
		t.Error("a lift without tasks")
	}
}
