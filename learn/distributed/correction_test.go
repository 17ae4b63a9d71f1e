package distributed

import (
	"fmt"
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/learn/ascent"
	"fubini/learn/slots"
)

// halves are two parts of users with opposite tastes, and a plan for them.
func halves(t *testing.T, local int) (*Plan, []*Part) {
	t.Helper()
	r := rng.Stream(1, "halves")
	sets := make([]*ratings.Set, 2)
	all := Nobody()
	for k := range sets {
		b := ratings.NewBuilder()
		for u := range 60 {
			for i := range 8 {
				if r.Float64() < 0.3 {
					continue
				}
				level := 3 + float64(1-2*(i%2))*float64(1-2*k) + r.NormFloat64()
				if err := b.Add(fmt.Appendf(nil, "%d-%d", k, u), fmt.Append(nil, i), float32(math.Round(level)), ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
		var err error
		if sets[k], _, err = b.Build(ratings.Refuse); err != nil {
			t.Fatal(err)
		}
		all.Add(NewCensus(k, sets[k], slots.Defaults().Longest))
	}
	p, err := NewPlan(all, Request{Model: "latent-osm", Rounds: 2, Local: local, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	parts := make([]*Part, len(sets))
	for k, set := range sets {
		if parts[k], err = p.NewPart(k, set); err != nil {
			t.Fatal(err)
		}
	}
	return p, parts
}

// The correction of a part is the gradient of all parts but itself.
func TestCorrectionIsOfAllButOneself(t *testing.T) {
	p, parts := halves(t, 6)
	features, err := p.findFeatures(parts, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	at, err := p.WarmStart(t.Context(), features, parts[0], 1)
	if err != nil {
		t.Fatal(err)
	}
	gradient := func(part *Part) *Sum {
		s, err := p.Gradient(t.Context(), at, part, 1)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	own, other := gradient(parts[0]), gradient(parts[1])
	all := &Sum{}
	for _, s := range []*Sum{own, other} {
		if err := all.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	correction, err := p.correction(at, all, own)
	if err != nil {
		t.Fatal(err)
	}
	direct, err := p.trainer(parts[1], 1).(*slots.Options).GradientAt(t.Context(), len(p.IDs), parts[1].Lists, at)
	if err != nil {
		t.Fatal(err)
	}
	apart, twin := 0.0, 0.0 // from the other part, and from what all have, which would be wrong
	k := 0
	for n, list := range numbers(correction.Gradient) {
		for i, v := range list {
			apart = math.Max(apart, math.Abs(v-numbers(direct)[n][i]))
			twin = math.Max(twin, math.Abs(v-float64(all.Values[k])/gradientUnit))
			k++
		}
	}
	if !(apart <= 1./gradientUnit) || !(twin > 0.1) {
		t.Errorf("the correction is %g from that of the other part, %g from that of all", apart, twin)
	}
	if _, err := p.correction(at, &Sum{Epoch: all.Epoch, Values: all.Values[1:]}, own); err == nil {
		t.Error("a gradient of another model was taken")
	}
}

// Parts whose users want opposite things come to an agreement in a round with corrections:
// worths on which they differ stay where all together have them. Without them each
// part goes its own way.
func TestPartsTrainForAll(t *testing.T) {
	p, parts := halves(t, 30)
	features, err := p.findFeatures(parts, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	at, err := p.WarmStart(t.Context(), features, parts[0], 1)
	if err != nil {
		t.Fatal(err)
	}
	if at, err = p.together(t.Context(), at, parts, 1); err != nil {
		t.Fatal(err)
	}
	gradient, err := total(parts, func(part *Part) (*Sum, error) { return p.Gradient(t.Context(), at, part, 1) })
	if err != nil {
		t.Fatal(err)
	}
	distance := func(gradient *Sum) (sum float64) {
		var ends [2]*ascent.State
		for k, part := range parts {
			one, err := p.Round(t.Context(), at, gradient, part, 1)
			if err != nil {
				t.Fatal(err)
			}
			if ends[k], err = p.Point(one); err != nil {
				t.Fatal(err)
			}
			for i, share := range p.shares(part) {
				ends[k].Now.U[i] /= share
			}
		}
		for i, v := range ends[0].Now.U {
			sum += math.Abs(v - ends[1].Now.U[i])
		}
		return sum
	}
	if corrected, alone := distance(gradient), distance(nil); !(corrected < alone/2) || !(alone > 0.1) {
		t.Errorf("parts end %.3g apart, and %.3g without corrections", corrected, alone)
	}
}
