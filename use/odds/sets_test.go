package odds

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/latent"
	"fubini/use/rank"
)

// Given the units, the chance to be on top is that of whole lists with the item in
// the first two slots among all.
func TestOnTopAgainstWholeLists(t *testing.T) {
	kinds(t, func(t *testing.T, c *latent.Catalogue) {
		c.V = nil
		r := rng.Stream(1, "on top")
		for _, text := range []string{"0~1 > 2", "0 > 1 > 2 > 3", "0~1~2", "0"} {
			p, tiers := placed(t, c, text)
			order, items, n := tiers.Order, tiers.Items, len(tiers.Items)
			h := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			ask := []int{1, 7, 3}
			got := make([]float64, len(ask))
			p.onTop(h, ask, got)
			for k, item := range ask {
				m, err := c.Model(append(slices.Clone(items), item))
				if err != nil {
					t.Fatal(err)
				}
				whole, err := partition.FromLevels(append(order.Levels(), 0))
				if err != nil {
					t.Fatal(err)
				}
				whole.Lift(n)
				var logs []float64
				for slot := range 2*order.Len() + 1 {
					whole.Insert(slot)
					logs = append(logs, m.LogJoint(whole, h))
					whole.Lift(n)
				}
				if want := math.Exp(logprob.SumExp(logs[:2]) - logprob.SumExp(logs)); !(math.Abs(got[k]-want) <= 1e-12) {
					t.Errorf("%s, item %d: %g, by whole lists %g", text, item, got[k], want)
				}
			}
		}
	})
}

// Weights by tier size do not depend on the item: given the units, a higher score means a better expected rank, with
// them or without.
func TestScoresOrderExpectedRanks(t *testing.T) {
	kinds(t, func(t *testing.T, c *latent.Catalogue) {
		c.W = make([]float64, len(c.W)) // items do not depend on the units
		p, _ := placed(t, c, "0~1 > 2 > 3")
		rest := []int{1, 3, 5, 7}
		scores, ranks := make([]float64, len(rest)), make([]float64, len(rest))
		p.Score(rest, scores)
		for k, i := range rest {
			ranks[k] = -p.Place(i).Rank
		}
		if a, b := rank.Best(scores, len(rest)), rank.Best(ranks, len(rest)); !slices.Equal(a, b) {
			t.Errorf("by scores %v, by expected ranks %v (%v)", a, b, ranks)
		}
	})
}

// What its own presence says of an item counts as in its score: like a higher
// worth.
func TestPresenceonTop(t *testing.T) {
	kinds(t, func(t *testing.T, c *latent.Catalogue) {
		seen := list(t, "0 > 1~2", 5, 1, 0)
		h := []float64{0.3, -1, 0.7}
		with, without := make([]float64, 1), make([]float64, 1)
		p, err := NewPlacer(c, nil, person(seen, nil))
		if err != nil {
			t.Fatal(err)
		}
		p.onTop(h, []int{3}, with)
		plain := c.Clone()
		plain.V = nil
		plain.U[3] += latent.Presence(3) * vec.Dot(c.W[9:12], c.V[9:12])
		if p, err = NewPlacer(plain, nil, person(seen, nil)); err != nil {
			t.Fatal(err)
		}
		p.onTop(h, []int{3}, without)
		if !(math.Abs(with[0]-without[0]) <= 1e-12) {
			t.Errorf("%g, as a worth %g", with[0], without[0])
		}
	})
}

// Against all sets: never below 1-1/e of the best, and mostly the best itself. What
// an item adds falls from pick to pick and sums to the chance of the set.
func TestGreedyAgainstAllSets(t *testing.T) {
	const items, size = 9, 3
	equal, cases := 0, 0
	for seed := range uint64(20) {
		for _, units := range bothUnits {
			c := catalogue(units, items+3, 3)
			r := rng.Stream(seed, "sets")
			for i := range c.W {
				c.W[i] = 2 * r.NormFloat64()
			}
			p, err := NewPlacer(c, nil, person(list(t, "0 > 1 > 2", items, items+1, items+2), nil))
			if err != nil {
				t.Fatal(err)
			}
			ask := make([]int, items)
			for i := range ask {
				ask[i] = i
			}
			chances, err := p.Chances(ask, 50, r)
			if err != nil {
				t.Fatal(err)
			}
			set, gains := chances.Choose(size)
			value := chances.Of(set)
			if sum := gains[0] + gains[1] + gains[2]; !(math.Abs(sum-value) <= 1e-12) {
				t.Errorf("gains sum to %g, the chance is %g", sum, value)
			}
			if !slices.IsSortedFunc(gains, func(a, b float64) int { return int(math.Copysign(1, b-a)) }) {
				t.Errorf("gains rise: %v", gains)
			}
			best := 0.0
			for a := range items {
				for b := range a {
					for d := range b {
						best = max(best, chances.Of([]int{a, b, d}))
					}
				}
			}
			cases++
			if !(value >= (1-1/math.E)*best && value <= best+1e-12) {
				t.Errorf("seed %d, %v: chance %g, the best set has %g", seed, units, value, best)
			}
			if value >= best-1e-12 {
				equal++
			}
		}
	}
	if equal < cases*3/4 {
		t.Errorf("the best set was found in %d of %d cases", equal, cases)
	}
}

// Two items that please the same people are one too many: a set takes another
// kind, where a list takes both.
func TestSetsAvoidDuplicates(t *testing.T) {
	c := latent.NewCatalogue(6, 2, latent.Gaussian, latent.Options{Size: 2, Centred: true})
	copy(c.W, []float64{
		1, 0, 0, 1, // placed, and equally good
		-1, -1, // placed below
		3, 0, 3, 0.01, // all but the same
		0, 3,
	})
	copy(c.U, []float64{0, 0, 0, -2.8, -2.8, -3}) // so that none of them is sure to be on top
	p, err := NewPlacer(c, nil, person(list(t, "0~1 > 2", 0, 1, 2), nil))
	if err != nil {
		t.Fatal(err)
	}
	ask := []int{3, 4, 5}
	scores := make([]float64, 3)
	p.Score(ask, scores)
	if top := rank.Best(scores, 2); slices.Contains(top, 2) {
		t.Fatalf("the case is wrong: the best by score are %v of %v", top, scores)
	}
	chances, err := p.Chances(ask, 400, rng.Stream(1, "duplicates"))
	if err != nil {
		t.Fatal(err)
	}
	set, _ := chances.Choose(2)
	if !slices.Contains(set, 2) {
		t.Errorf("the set is %v: two of a kind", set)
	}
	if !(chances.Of(set) > chances.Of([]int{0, 1})+0.01) {
		t.Errorf("the set's chance is %g, that of the list %g", chances.Of(set), chances.Of([]int{0, 1}))
	}
}

// One item by itself has the chance that its odds say, calibrated where the model is.
// Draws alone say something else: the units given the list without the item.
func TestChancesKeepToTheOdds(t *testing.T) {
	kinds(t, func(t *testing.T, c *latent.Catalogue) {
		calibrations := []*Calibration{nil, {
			Levels: []float64{1, 2, 3, 4, 5}, Shares: []float64{0.1, 0.2, 0.3, 0.3, 0.1},
			Plain: Correction{Power: 0.5, Gap: -1, Ties: 0.5}, Rated: Correction{Power: 0.5, Share: 1},
		}}
		for _, calibration := range calibrations {
			for _, values := range [][]float64{nil, {5, 3}} {
				p := placer(t, c, calibration, person(list(t, "0~1 > 2", 4, 0, 6), values))
				items := []int{1, 2, 3, 5, 7}
				chances, err := p.Chances(items, 300, rng.Stream(1, "odds"))
				if err != nil {
					t.Fatal(err)
				}
				for k, item := range items {
					odds := p.Place(item)
					if got, want := chances.Of([]int{k}), odds.Gaps[0]+odds.Tiers[0]; !(math.Abs(got-want) <= 1e-11) {
						t.Errorf("item %d: chance %g, odds %g", item, got, want)
					}
				}
			}
		}
	})
}

// The draws that chose a set flatter it; the chance by other draws is right on
// average. With few draws, and many items to choose from, that can be seen.
func TestFreshDrawsTellTheChance(t *testing.T) {
	const items, size, draws, repeats = 40, 4, 4, 600
	c := latent.NewCatalogue(items+3, 6, latent.Gaussian, latent.Options{Size: 2, Centred: true})
	r := rng.Stream(1, "flatter")
	for i := range c.W {
		c.W[i] = 0.6 * r.NormFloat64()
	}
	for i := range items {
		c.U[i] = -1.5 // so that none of them is sure to be on top
	}
	p, err := NewPlacer(c, nil, person(list(t, "0 > 1 > 2", items, items+1, items+2), nil))
	if err != nil {
		t.Fatal(err)
	}
	ask := make([]int, items)
	for i := range ask {
		ask[i] = i
	}
	chances := func(draws int, name string, id int) *Chances {
		found, err := p.Chances(ask, draws, rng.Stream(1, name, uint64(id)))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	truth := chances(4000, "truth", 0)
	var same, fresh, square float64 // estimate minus truth: by the draws that chose, by others
	for n := range repeats {
		choosing := chances(draws, "choose", n)
		set, _ := choosing.Choose(size)
		same += (choosing.Of(set) - truth.Of(set)) / repeats
		off := chances(draws, "tell", n).Of(set) - truth.Of(set)
		fresh += off / repeats
		square += off * off / repeats
	}
	deviation := math.Sqrt(square / repeats)
	if !(math.Abs(fresh) <= 4*deviation) {
		t.Errorf("fresh draws are off by %.4f on average, standard error %.4f", fresh, deviation)
	}
	if !(same > 6*deviation) {
		t.Errorf("the draws that chose flatter by %.4f only, standard error %.4f: the test cannot see it", same, deviation)
	}
}

func TestSetsRefused(t *testing.T) {
	c := full(latent.Gaussian, 8, 3)
	stranger, err := NewPlacer(c, nil, model.Person{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stranger.Chances([]int{1}, 10, rng.Stream(1, "x")); err == nil {
		t.Error("a set for a stranger")
	}
	p, err := NewPlacer(c, nil, person(list(t, "0", 0), nil))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Chances([]int{1}, 0, rng.Stream(1, "x")); err == nil {
		t.Error("no draws")
	}
	chances, err := p.Chances([]int{1, 2}, 10, rng.Stream(1, "x"))
	if err != nil {
		t.Fatal(err)
	}
	if set, _ := chances.Choose(5); len(set) != 2 {
		t.Errorf("five of two items: %v", set)
	}
}

func ExamplePlacer_Chances() {
	c := latent.NewCatalogue(5, 2, latent.Gaussian, latent.Options{Size: 2, Centred: true})
	copy(c.W, []float64{1, 1, -1, -1, 3, 0, 3, 0, 0, 2.9}) // items 2 and 3 are the same
	likes := model.Person{Index: -1, Known: ratings.Row{Items: []uint32{0, 1}, Values: []float32{2, 1}}, TiersOnly: true}
	p, err := NewPlacer(c, nil, likes)
	if err != nil {
		panic(err)
	}
	items := []int{2, 3, 4}
	chances, err := p.Chances(items, 1000, rng.Stream(1, "example"))
	if err != nil {
		panic(err)
	}
	set, _ := chances.Choose(2)
	fmt.Println("items", items[set[0]], "and", items[set[1]])
	// Output: items 2 and 4
}
