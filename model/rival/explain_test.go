package rival

import (
	"math"
	"slices"
	"testing"

	"fubini/data/ratings"
)

// explained says how far the scores of each model can be taken apart.
var explained = map[string]Explained{"pmf": Exactly, "biased-mf": Exactly, "cofirank-regress": Exactly, "bayesian-mf": Exactly}

// Parts and base add up to the score, and a rating that changes moves its own part
// alone, by as much as it moves the score: where parts are exact, to rounding.
func TestPartsOfAScore(t *testing.T) {
	skipIfShort(t)
	set := plantWorld(t, nil, nil).split.Training.Set()
	forAll(t, func(t *testing.T, k kind) {
		for _, response := range []Response{GaussianResponse, OrderedProbit} {
			values := map[string]float64{"response": float64(response)}
			for name, v := range quickSettings {
				values[name] = v
			}
			want := explained[k.name]
			if response == OrderedProbit && hasKnob(k, "response") {
				want = Approximately
			}
			m := fitKind(t, k, set, Run{Seed: 1}, values)
			x, can := m.(Explainer)
			if !can {
				if want != Unexplained {
					t.Fatal("cannot explain")
				}
				return
			}
			checkParts(t, x, set, want)
			if !hasKnob(k, "response") {
				return
			}
		}
	})
}

func checkParts(t *testing.T, m Explainer, set *ratings.Set, want Explained) {
	known := set.Row(1)
	items := uint32(set.Items().Len())
	scores := scoresFor(t, m, int(items), Person{Index: -1, Known: known})
	none := scoresFor(t, m, int(items), Person{Index: -1})
	for item := range items {
		parts := make([]float64, known.Len())
		base, how := m.Explain(known, item, parts)
		if how != want {
			t.Fatalf("explained %d, not %d", how, want)
		}
		if how == Unexplained {
			return
		}
		sum := base
		for _, part := range parts {
			sum += part
		}
		if !(math.Abs(sum-scores[item]) <= 1e-9) {
			t.Errorf("item %d: base and parts are %.12g, the score is %.12g", item, sum, scores[item])
		}
		if alone, _ := m.Explain(ratings.Row{}, item, nil); !(math.Abs(alone-none[item]) <= 1e-9) {
			t.Errorf("item %d: a stranger's base is %g, the score %g", item, alone, none[item])
		}
		if how != Exactly {
			continue
		}
		for k := range known.Items {
			other := ratings.Row{Items: known.Items, Values: slices.Clone(known.Values)}
			other.Values[k]++
			moved := make([]float64, known.Len())
			m.Explain(other, item, moved)
			after := make([]float64, 1)
			m.Score(Person{Index: -1, Known: other}, []uint32{item}, after)
			for j := range parts {
				change := moved[j] - parts[j]
				if j == k {
					change -= after[0] - scores[item]
				}
				if !(math.Abs(change) <= 1e-5) { // draws are kept as float32
					t.Errorf("item %d: rating %d up by one moves part %d by %g more than the score", item, k, j, change)
				}
			}
		}
	}
}

// The base of an ordered probit is what the middle of the prior gives the item, but
// for rounding: what ratings change is in the parts.
func TestBaseOfAnOrderedProbit(t *testing.T) {
	set := plantWorld(t, nil, nil).split.Training.Set()
	m := orderedProbit(t, set)
	known := set.Row(1)
	person := m.enter(Person{Index: -1, Known: known})
	for item := range uint32(set.Items().Len()) {
		base, _ := m.Explain(known, item, make([]float64, known.Len()))
		var want float64
		for draw := range m.kept {
			row := m.vector(m.items, int(item), draw)
			mean := float64(row[0]) + m.userPrior[draw].mean[0]
			for d, x := range row[1:] {
				mean += float64(x) * m.userPrior[draw].mean[d+1]
			}
			want += m.scale.expected(m.cuts[draw], mean, math.Sqrt(1+person.variance(m, draw, item))) / float64(m.kept)
		}
		if !(math.Abs(base-want) <= 1e-4) {
			t.Errorf("item %d: base %g, from the prior's middle %g", item, base, want)
		}
	}
}
