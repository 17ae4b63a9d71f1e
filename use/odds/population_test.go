package odds

import (
	"math"
	"slices"
	"testing"

	"fubini/model/latent"
	"fubini/model/latent/planted"
)

// The odds of an item for a short list are those of a model whose units have the difference between the list as it is read and as it
// stands as biases; for a list of the length in training they are what they are without a population, to the bit.
func TestOddsOfAShortList(t *testing.T) {
	plain := catalogue(latent.Gaussian, 8, 3) // without presence
	short := list(t, "0 > 1~2", 5, 1, 0)
	for _, length := range []float64{3, 12} {
		c := planted.WithPopulation(t, plain, length)
		read, stands := placer(t, c, nil, person(short, nil)), placer(t, plain, nil, person(short, nil))
		biased := plain.Clone()
		for k := range biased.B {
			biased.B[k] += read.Embedding[k] - stands.Embedding[k]
		}
		want := placer(t, biased, nil, person(short, nil))
		for _, item := range []int{2, 3, 7} {
			got, want, before := read.Place(item).Slots(), want.Place(item).Slots(), stands.Place(item).Slots()
			for s := range got {
				if !(math.Abs(got[s]-want[s]) <= 1e-12) {
					t.Errorf("length %g, item %d, slot %d: %g, with biases %g", length, item, s, got[s], want[s])
				}
			}
			if same := slices.Equal(got, before); same != (length == 3) {
				t.Errorf("length %g, item %d: odds %v, without a population %v", length, item, got, before)
			}
		}
	}
}
