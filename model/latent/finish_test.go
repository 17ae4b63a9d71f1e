package latent

import (
	"math"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/ais"
	"fubini/infer/exact"
)

// Reverse annealing of a list that is too long to be listed starts from a chain at the
// temperature of the model: its tier lists have the score of every item and the number
// of tied pairs that the subset table has. At half the temperature they do not.
func TestFinishDrawsFromTheModel(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	const n, draws = exact.MaxListed + 1, 100
	p := Parameters{Units: Binary, Nu: 1.5}
	for i := range n {
		p.U = append(p.U, 2*math.Cos(float64(2*i)))
	}
	m, err := New(p, Options{Size: 2, Centred: true})
	if err != nil {
		t.Fatal(err)
	}
	worths, err := m.Conditional(nil)
	if err != nil {
		t.Fatal(err)
	}
	table, err := exact.NewTable(worths, partition.Space{})
	if err != nil {
		t.Fatal(err)
	}
	moments := table.Moments()
	z := func(draw func(w *walk, d rng.Dice)) (most float64) {
		w := m.Annealing(Reinsertion, false).New().(ais.Finish).(*walk)
		d := rng.Stream(1, "finish")
		sum, square := make([]float64, n+1), make([]float64, n+1)
		for range draws {
			draw(w, d)
			add := func(k int, v float64) { sum[k] += v; square[k] += v * v }
			below, tied := 0, 0
			for b := w.state.X.Len() - 1; b >= 0; b-- {
				block := w.state.X.Block(b)
				for _, i := range block { // an item scores one for every item below it, a half for every tie
					add(i, float64(below)+float64(len(block)-1)/2)
				}
				below += len(block)
				tied += len(block) * (len(block) - 1) / 2
			}
			add(n, float64(tied))
		}
		for k := range sum {
			want := moments.TiedPairs()
			if k < n {
				want = moments.Score(k)
			}
			mean := sum[k] / draws
			most = math.Max(most, math.Abs(mean-want)/math.Sqrt((square[k]/draws-mean*mean)/draws))
		}
		return most
	}
	// Of ten z-scores the largest exceeds 5.3 once in a million.
	if got := z((*walk).Finish); !(got < 5.3) {
		t.Errorf("draws differ from the model, z = %.1f", got)
	}
	warm := z(func(w *walk, d rng.Dice) {
		w.Start(d)
		for range 50 {
			w.Step(d, 0.5)
		}
	})
	if !(warm > 8) {
		t.Errorf("draws at half the temperature pass, z = %.1f", warm)
	}
}
