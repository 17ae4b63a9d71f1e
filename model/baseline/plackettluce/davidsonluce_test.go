package plackettluce

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fubini/core/partition"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/factor"
	"fubini/model/baseline/fitting"
)

// The witness forms every set that could have been chosen.
func TestDavidsonLuceAgainstEverySet(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for _, largest := range []int{1, 3, 6} {
		const n = 6
		scores := normals(r, n, 1.5)
		l := &tieWorths{Largest: largest, Longest: n, logTie: normals(r, largest, 1)}
		l.logTie[0] = 0
		f := func(set int) float64 {
			var sum, size float64
			for i, s := range scores {
				if set>>i&1 == 1 {
					sum += s
					size++
				}
			}
			if size == 0 || int(size) > largest {
				return 0
			}
			return math.Exp(l.logTie[int(size)-1] + sum/size)
		}
		m := fitted{nil, l}
		var total float64
		for x := range partition.All(n) {
			want, left := 1.0, 1<<n-1
			for t := range x.Len() {
				var all float64
				for set := left; set > 0; set = (set - 1) & left {
					all += f(set)
				}
				chosen := 0
				for _, i := range x.Block(t) {
					chosen |= 1 << i
				}
				want *= f(chosen) / all
				left &^= chosen
			}
			got := m.LogLikelihood(scores, x)
			total += math.Exp(got)
			if want == 0 && math.IsInf(got, -1) {
				continue
			}
			if !(math.Abs(got-math.Log(want)) <= 1e-11) {
				t.Fatalf("ties up to %d: %v has log probability %.14g, by listing %.14g", largest, x, got, math.Log(want))
			}
		}
		if !(math.Abs(total-1) <= 1e-11) {
			t.Errorf("ties up to %d: the orders sum to %.14g", largest, total)
		}
	}
}

// Under equal worths, expected and seen sizes agree.
func TestTieParametersOfEqualWorths(t *testing.T) {
	truth := []float64{0, -1, -3}
	counts := make([][]float64, 9)
	for n := range counts {
		counts[n] = make([]float64, n+1)
		var sum float64
		for d := 1; d <= min(n, 3); d++ {
			sum += math.Exp(truth[d-1] + logChoose(n, d))
		}
		for d := 1; d <= min(n, 3); d++ {
			counts[n][d] = 100 * math.Exp(truth[d-1]+logChoose(n, d)) / sum
		}
	}
	for d, got := range equalWorths(counts, 3) {
		if !(math.Abs(got-truth[d]) <= 1e-6) {
			t.Errorf("log tie parameter of size %d: %g, the counts come from %g", d+1, got, truth[d])
		}
	}
}

// Parameters come back from lists that were drawn from them.
func TestDavidsonLuceFindsTieParameters(t *testing.T) {
	skipIfShort(t)
	r := rand.New(rand.NewPCG(35, 36))
	scores, logTie := []float64{1, 0.5, 0, -0.5, -1}, []float64{0, -0.5, -2}
	b := ratings.NewBuilder()
	for u := range 3000 {
		for left, place := 1<<5-1, float32(9); left > 0; place-- {
			pick, all := 0, 0.0
			for set := left; set > 0; set = (set - 1) & left {
				var sum, size float64
				for i, s := range scores {
					if set>>i&1 == 1 {
						sum += s
						size++
					}
				}
				if size > 3 {
					continue
				}
				w := math.Exp(logTie[int(size)-1] + sum/size)
				if all += w; r.Float64()*all < w {
					pick = set
				}
			}
			for i := range scores {
				if pick>>i&1 == 1 {
					if err := b.Add(fmt.Appendf(nil, "u%d", u), fmt.Appendf(nil, "i%d", i), place, ratings.NoTime); err != nil {
						t.Fatal(err)
					}
				}
			}
			left &^= pick
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	recipe := with(NewDavidsonLuce(), func(o *DavidsonLuce) { o.Hidden, o.Epochs = 0, 20 })
	m, err := recipe.Fit(context.Background(), set, model.Run{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	ties := m.(fitted).loss.(*tieWorths).logTie
	got := make([]float64, 5)
	m.Score(model.Person{Index: -1}, []uint32{0, 1, 2, 3, 4}, got)
	if len(ties) != 3 {
		t.Fatalf("%d tie parameters", len(ties))
	}
	// Standard errors are about 0.03 to 0.06.
	for d, want := range logTie {
		if !(math.Abs(ties[d]-want) <= 0.25) {
			t.Errorf("log tie parameters %.3f, drawn from %v", ties, logTie)
			break
		}
	}
	for i, want := range scores {
		if !(math.Abs(got[i]-got[2]-want) <= 0.25) {
			t.Errorf("log worths %.3f, drawn from %v", got, scores)
			break
		}
	}
}

// A file whose tie parameters were cut off is refused.
func TestDavidsonLuceRefusesHalfAFile(t *testing.T) {
	set := plantedSet(t, 20, 10, 6)
	recipe := with(NewDavidsonLuce(), func(o *DavidsonLuce) { o.Hidden, o.Epochs = 1, 1 })
	m, err := recipe.Fit(context.Background(), set, model.Run{})
	if err != nil {
		t.Fatal(err)
	}
	f := modelfile.New()
	if err := m.Save(f); err != nil {
		t.Fatal(err)
	}
	modelfile.Set(f, "shared", []float64{1}, 1)
	if _, err := recipe.Load(f, 10); err == nil {
		t.Error("one tie parameter was taken for several")
	}
}

func BenchmarkDavidsonLuce(b *testing.B) {
	r := rand.New(rand.NewPCG(37, 38))
	const n = 50
	l := &tieWorths{Largest: 30, Longest: n, logTie: normals(r, 30, 1), start: make([]float64, 30)}
	for d := range l.logTie {
		l.logTie[d] -= logChoose(n, d+1)
	}
	values := make([]float32, n)
	for k := range values {
		values[k] = float32(r.IntN(5))
	}
	scores, slope, shared := normals(r, n, 1), make([]float64, n), make([]float64, 29)
	b.ReportAllocs()
	for b.Loop() {
		l.Of(values, scores, slope, shared, factor.NewRow(fitting.Run{}, 1, 0, nil))
	}
}
