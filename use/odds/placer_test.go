package odds

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fubini/core/logprob"
	"fubini/core/partition"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/latent"
)

// The odds of a new item are the probabilities of the whole lists with it, given
// the order of the others.
func TestOddsAgainstWholeLists(t *testing.T) {
	kinds(t, func(t *testing.T, c *latent.Catalogue) {
		for _, text := range []string{"0~1 > 2", "0 > 1 > 2 > 3", "0~1~2"} {
			p, tiers := placed(t, c, text)
			order, items, n := tiers.Order, tiers.Items, len(tiers.Items)
			for _, item := range []int{1, 7, 3} {
				odds := p.Place(item)
				m, err := c.Model(append(append([]int{}, items...), item))
				if err != nil {
					t.Fatal(err)
				}
				whole, err := partition.FromLevels(append(order.Levels(), 0))
				if err != nil {
					t.Fatal(err)
				}
				from := whole.Lift(n)
				var logs []float64
				for slot := range 2*order.Len() + 1 {
					whole.Insert(slot)
					logs = append(logs, m.LogWeight(whole))
					whole.Lift(n)
				}
				whole.Insert(from)
				norm := logprob.SumExp(logs)
				sum := 0.0
				for slot, v := range logs {
					got := odds.Gaps[slot/2]
					if slot%2 == 1 {
						got = odds.Tiers[slot/2]
					}
					sum += got
					if want := math.Exp(v - norm); !(math.Abs(got-want) <= 1e-12) {
						t.Errorf("%s, item %d, slot %d: %g, by whole lists %g", text, item, slot, got, want)
					}
				}
				if !(math.Abs(sum-1) <= 1e-12) {
					t.Errorf("odds sum to %g", sum)
				}
			}
		}
	})
}

// By hand: of two tiers of two and one items.
func TestRanksAndTiers(t *testing.T) {
	sizes := []int{2, 1}
	odds := Odds{Tiers: []float64{0.3, 0.2}, Gaps: []float64{0.1, 0.3, 0.1}}
	expected, low, high := odds.RankAmong(sizes, 0.75)
	// Ranks: alone on top 1, in the first tier 2, between 3, in the second 3.5, last 4.
	if want := 0.1 + 0.3*2 + 0.3*3 + 0.2*3.5 + 0.1*4; !(math.Abs(expected-want) <= 1e-12) {
		t.Errorf("expected rank %g, by hand %g", expected, want)
	}
	if low != 2 || high != 3.5 {
		t.Errorf("75 %% interval from %g to %g, by hand 2 to 3.5", low, high)
	}
	if odds.Tier() != 0 { // 0.3 + 0.1 + 0.15 against 0.2 + 0.15 + 0.1
		t.Errorf("likeliest tier %d", odds.Tier())
	}
}

// The likeliest tier counts the odds of a gap half for the tiers on both sides of it,
// and whole at the ends, where there is one.
func TestTierByHand(t *testing.T) {
	for _, c := range []struct {
		tiers, gaps []float64
		want        int
	}{
		{nil, []float64{1}, -1},
		{[]float64{0.2}, []float64{0.5, 0.3}, 0},
		{[]float64{0.32, 0.18, 0.1}, []float64{0, 0.2, 0.2, 0}, 0},   // .42, .38, .20; whole it would be .52, .58
		{[]float64{0.1, 0.18, 0.32}, []float64{0, 0.2, 0.2, 0}, 2},   // the same from below
		{[]float64{0.2, 0.3}, []float64{0.35, 0, 0.15}, 0},           // .55, .45; half it would be .375
		{[]float64{0.3, 0.2}, []float64{0.15, 0, 0.35}, 1},           // the same from below
		{[]float64{0.25, 0.24, 0.2}, []float64{0, 0.04, 0.27, 0}, 1}, // gaps decide: .27, .395, .335
		{[]float64{0.25, 0.25}, []float64{0.125, 0.25, 0.125}, 0},    // equal: the better one
		{[]float64{0, 0, 0, 1}, []float64{0, 0, 0, 0, 0}, 3},         // all in one
		{[]float64{0.25, 0.05, 0.05}, []float64{0, 0.05, 0.6, 0}, 1}, // .275, .375, .35
		{[]float64{0.05, 0.05, 0.25}, []float64{0, 0.6, 0.05, 0}, 1}, // the same from below
		{[]float64{0.1, 0.1}, []float64{0.05, 0.7, 0.05}, 0},         // equal again
		{[]float64{0.1, 0.1}, []float64{0.05, 0.7 - 1e-9, 0.05 + 1e-9}, 1},
	} {
		odds := Odds{Tiers: c.tiers, Gaps: c.gaps}
		if got := odds.Tier(); got != c.want {
			t.Errorf("tiers %v, gaps %v: tier %d, want %d", c.tiers, c.gaps, got, c.want)
		}
		sum := 0.0
		for _, v := range append(slices.Clone(c.tiers), c.gaps...) {
			sum += v
		}
		if !(math.Abs(sum-1) <= 1e-12) {
			t.Errorf("tiers %v, gaps %v: odds that sum to %g", c.tiers, c.gaps, sum)
		}
	}
}

// Of all lists of the person's items and one more, those that keep the person's order
// give every rank its probability: mean and interval follow by counting. A rank that
// does not share the places of a tier is found out.
func TestRanksAgainstAllLists(t *testing.T) {
	kinds(t, func(t *testing.T, c *latent.Catalogue) {
		for _, text := range []string{"0~1 > 2", "0 > 1~2~3", "0~1~2", "0", "0 > 1 > 2 > 3"} {
			p, tiers := placed(t, c, text)
			order, items, n := tiers.Order, tiers.Items, len(tiers.Items)
			for _, item := range []int{1, 7, 3} {
				m, err := c.Model(append(slices.Clone(items), item))
				if err != nil {
					t.Fatal(err)
				}
				weights := map[float64]float64{} // by rank
				var total, first float64
				for x := range partition.All(n + 1) {
					rest, err := partition.FromLevels(x.Levels()[:n])
					if err != nil {
						t.Fatal(err)
					}
					if !rest.Equal(order) {
						continue
					}
					w := math.Exp(m.LogWeight(x))
					weights[float64(n+1)-x.Scores(make([]float64, n+1))[n]] += w
					total += w
					first += w * float64(n+1-x.Below(x.BlockOf(n))-(x.Size(x.BlockOf(n))-1)) // the first of its tier
				}
				var mean float64
				for at, w := range weights {
					mean += at * w / total
				}
				odds := p.Place(item)
				if !(math.Abs(odds.Rank-mean) <= 1e-12) {
					t.Errorf("%s, item %d: expected rank %g, over all lists %g", text, item, odds.Rank, mean)
				}
				if broken := first / total; !(math.Abs(broken-mean) > 1e-4) {
					t.Errorf("%s, item %d: without ties the rank would be %g, which the test cannot separate from %g", text, item, broken, mean)
				}
				for _, level := range []float64{0.5, RankHolds, 0.95} {
					_, low, high := odds.RankAmong(p.sizes, level)
					var above, inside, below float64
					for at, w := range weights {
						switch {
						case at < low:
							above += w / total
						case at > high:
							below += w / total
						default:
							inside += w / total
						}
					}
					tail := (1-level)/2 + 1e-12
					if !(inside >= level-1e-12) || !(above <= tail) || !(below <= tail) {
						t.Errorf("%s, item %d: from %g to %g has %g, with %g above and %g below; %g was asked for", text, item, low, high, inside, above, below, level)
					}
					// No shorter: without either end too much is outside.
					if low < high && (above+weights[low]/total <= tail-2e-12 || below+weights[high]/total <= tail-2e-12) {
						t.Errorf("%s, item %d: %g to %g is longer than it need be", text, item, low, high)
					}
				}
			}
		}
	})
}

// Without tiers there is one place.
func TestOddsOfAnAveragePerson(t *testing.T) {
	kinds(t, func(t *testing.T, c *latent.Catalogue) {
		o := placer(t, c, nil, model.Person{}).Place(3)
		if len(o.Tiers) != 0 || len(o.Gaps) != 1 || o.Gaps[0] != 1 || o.Tier() != -1 || o.Rank != 1 || o.Low != 1 || o.High != 1 {
			t.Errorf("without tiers: %+v", o)
		}
	})
}

func ExamplePlacer() {
	c := latent.NewCatalogue(4, 1, latent.Gaussian, latent.Options{Size: 2, Centred: true})
	copy(c.U, []float64{0, 0, 0, 0.1})
	copy(c.W, []float64{1, -1, 0.5, 0.8}) // items 0, 2 and 3 are of one kind, 1 of another
	likes := model.Person{Index: -1, Known: ratings.Row{Items: []uint32{0, 1}, Values: []float32{2, 1}}, TiersOnly: true}
	p, err := NewPlacer(c, nil, likes)
	if err != nil {
		panic(err)
	}
	odds := p.Place(3)
	why, err := p.Explain(3)
	if err != nil {
		panic(err)
	}
	fmt.Printf("tier odds %.2f, gap odds %.2f\n", odds.Tiers, odds.Gaps)
	fmt.Printf("rank %.1f of 3, with %.0f %% from %g to %g\n", odds.Rank, 100*RankHolds, odds.Low, odds.High)
	fmt.Printf("score %.2f = base %.2f and placements %.2f\n", why.Score, why.Base, why.Parts)
	// Output:
	// tier odds [0.29 0.08], gap odds [0.25 0.34 0.04]
	// rank 1.7 of 3, with 80 % from 1 to 2.5
	// score 1.70 = base 0.10 and placements [0.80 0.80]
}

// Gaps go to the empty tiers inside them, or to their neighbours; nothing is lost.
func TestOver(t *testing.T) {
	o := Odds{Tiers: []float64{0.1, 0.3}, Gaps: []float64{0.1, 0.2, 0.3}}
	for name, c := range map[string]struct {
		used []int
		n    int
		want []float64
	}{
		"all used":          {[]int{0, 1}, 2, []float64{0.1 + 0.1 + 0.1, 0.3 + 0.1 + 0.3}},
		"empty in between":  {[]int{0, 3}, 4, []float64{0.2, 0.1, 0.1, 0.6}},
		"empty at the ends": {[]int{1, 2}, 5, []float64{0.1, 0.1 + 0.1, 0.3 + 0.1, 0.15, 0.15}},
	} {
		got := o.Over(c.used, c.n)
		for k, want := range c.want {
			if len(got) != c.n || !(math.Abs(got[k]-want) <= 1e-12) {
				t.Errorf("%s: %v, want %v", name, got, c.want)
				break
			}
		}
	}
}
