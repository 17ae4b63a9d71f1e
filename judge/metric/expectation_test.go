package metric_test

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/judge/metric"
)

// measure is a metric beside its definition for a list without ties, levels in
// the order of the list, written down as plainly as it is defined.
type measure struct {
	name   string
	of     func(r *metric.Ranking) float64
	strict func(levels []float64) float64
}

var paper = metric.Graded(1, 5)

const liked = metric.AtLeast(4)

func measures() (all []measure) {
	add := func(name string, of func(*metric.Ranking) float64, strict func([]float64) float64) {
		all = append(all, measure{name, of, strict})
	}
	for _, top := range []int{0, 1, 2, 3, 4, 5, 6, 10} {
		first := func(levels []float64) []float64 { // the places that count
			if top == 0 {
				return levels
			}
			return levels[:min(top, len(levels))]
		}
		for name, gain := range map[string]metric.Gain{
			"Exp2": metric.Exp2, "Linear": metric.Linear, "liked": liked.Gain, "half of Exp2": func(r float64) float64 { return metric.Exp2(r) / 2 },
		} {
			dcg := func(levels []float64) (sum float64) {
				for i, level := range first(levels) {
					sum += gain(level) / math.Log2(float64(i+2))
				}
				return sum
			}
			add(fmt.Sprintf("DCG@%d %s", top, name), func(r *metric.Ranking) float64 { return r.DCG(top, gain) }, dcg)
			add(fmt.Sprintf("NDCG@%d %s", top, name), func(r *metric.Ranking) float64 { return r.NDCG(top, gain) },
				func(levels []float64) float64 {
					ideal := dcg(descending(levels))
					if ideal == 0 {
						return 0
					}
					return dcg(levels) / ideal
				})
		}
		for name, stop := range map[string]metric.Stop{
			"paper": paper, "wider": metric.Graded(0, 6), "sometimes surely": func(r float64) float64 { return max(0, r-1) / 4 },
		} {
			add(fmt.Sprintf("ERR@%d %s", top, name), func(r *metric.Ranking) float64 { return r.ERR(top, stop) },
				func(levels []float64) (sum float64) {
					reach := 1.0
					for i, level := range first(levels) {
						sum += reach * stop(level) / float64(i+1)
						reach *= 1 - stop(level)
					}
					return sum
				})
		}
		hits := func(levels []float64) (n float64) {
			for _, level := range first(levels) {
				if level >= 4 {
					n++
				}
			}
			return n
		}
		relevant := func(levels []float64) float64 {
			n := 0.0
			for _, level := range levels {
				if level >= 4 {
					n++
				}
			}
			return max(n, 1)
		}
		add(fmt.Sprint("Hits@", top), func(r *metric.Ranking) float64 { return r.Hits(top, liked) }, hits)
		add(fmt.Sprint("Precision@", top), func(r *metric.Ranking) float64 { return r.Precision(top, liked) },
			func(levels []float64) float64 { return hits(levels) / float64(cmp.Or(top, len(levels))) })
		add(fmt.Sprint("Recall@", top), func(r *metric.Ranking) float64 { return r.Recall(top, liked) },
			func(levels []float64) float64 { return hits(levels) / relevant(levels) })
		add(fmt.Sprint("AveragePrecision@", top), func(r *metric.Ranking) float64 { return r.AveragePrecision(top, liked) },
			func(levels []float64) (sum float64) {
				found := 0.0
				for i, level := range first(levels) {
					if level >= 4 {
						found++
						sum += found / float64(i+1)
					}
				}
				return sum / relevant(levels)
			})
		add(fmt.Sprint("ReciprocalRank@", top), func(r *metric.Ranking) float64 { return r.ReciprocalRank(top, liked) },
			func(levels []float64) float64 {
				for i, level := range first(levels) {
					if level >= 4 {
						return 1 / float64(i+1)
					}
				}
				return 0
			})
	}
	share := func(levels []float64, counts func(upper, lower float64) bool) float64 { // of pairs that count: the upper is better
		var right, pairs float64
		for i, upper := range levels {
			for _, lower := range levels[i+1:] {
				if counts(upper, lower) {
					pairs++
					if upper > lower {
						right++
					}
				}
			}
		}
		if pairs == 0 {
			return 0.5
		}
		return right / pairs
	}
	add("AUC", func(r *metric.Ranking) float64 { return r.AUC(liked) }, func(levels []float64) float64 {
		return share(levels, func(a, b float64) bool { return (a >= 4) != (b >= 4) })
	})
	add("PairAccuracy", (*metric.Ranking).PairAccuracy, func(levels []float64) float64 {
		return share(levels, func(a, b float64) bool { return a != b })
	})
	return all
}

func descending(levels []float64) []float64 {
	sorted := slices.Sorted(slices.Values(levels))
	slices.Reverse(sorted)
	return sorted
}

// orders calls visit with the levels in every order of the items that puts higher
// scores first, each order as often as any other.
func orders(scores, levels []float64, visit func(levels []float64)) {
	items := make([]int, len(scores))
	for i := range items {
		items[i] = i
	}
	slices.SortFunc(items, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	list := make([]float64, len(items))
	var from func(place int)
	from = func(place int) {
		if place == len(items) {
			visit(list)
			return
		}
		for k := place; k < len(items) && scores[items[k]] == scores[items[place]]; k++ {
			items[place], items[k] = items[k], items[place]
			list[place] = levels[items[place]]
			from(place + 1)
			items[place], items[k] = items[k], items[place]
		}
	}
	from(0)
}

// expectation is the mean of the strict definitions over all orders of tied items.
func expectation(all []measure, scores, levels []float64) []float64 {
	mean := make([]float64, len(all))
	n := 0.0
	orders(scores, levels, func(list []float64) {
		n++
		for i, m := range all {
			mean[i] += m.strict(list)
		}
	})
	for i := range mean {
		mean[i] /= n
	}
	return mean
}

// byInputOrder is the broken twin: the same order with ties broken by the order of
// the input.
func byInputOrder(scores []float64) []float64 {
	items := make([]int, len(scores))
	for i := range items {
		items[i] = i
	}
	slices.SortStableFunc(items, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	broken := make([]float64, len(scores))
	for place, i := range items {
		broken[i] = float64(-place)
	}
	return broken
}

func rank(t testing.TB, scores, levels []float64) *metric.Ranking {
	t.Helper()
	r, err := metric.Rank(scores, levels)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every metric against the mean over all orders of tied items: all predicted weak
// orders of up to 4 items with all ways to give them 3 levels, and random ones of
// up to 7. The tolerance is for the sum over at most 7! = 5040 orders.
func TestTiesAreAveragedExactly(t *testing.T) {
	all := measures()
	gap := make([]float64, len(all))    // largest distance from the expectation
	broken := make([]float64, len(all)) // and that of the twin
	check := func(scores, levels []float64) {
		want := expectation(all, scores, levels)
		ours, twin := rank(t, scores, levels), rank(t, byInputOrder(scores), levels)
		for i, m := range all {
			got := m.of(ours)
			if !(math.Abs(got-want[i]) <= 1e-12*max(1, want[i])) {
				t.Fatalf("%s of scores %v and levels %v is %.15g, want %.15g", m.name, scores, levels, got, want[i])
			}
			gap[i] = max(gap[i], math.Abs(got-want[i]))
			broken[i] = max(broken[i], math.Abs(m.of(twin)-want[i]))
		}
	}
	grades := []float64{1, 3, 5}
	for n := 1; n <= 4; n++ {
		for x := range partition.All(n) {
			scores := x.Scores(make([]float64, n))
			for code := range int(math.Pow(3, float64(n))) {
				levels := make([]float64, n)
				for i := range levels {
					levels[i], code = grades[code%3], code/3
				}
				check(scores, levels)
			}
		}
	}
	r := rng.Stream(1, "ties")
	for range 60 {
		n := 5 + r.IntN(3)
		scores, levels := make([]float64, n), make([]float64, n)
		values := 1 + r.IntN(4)
		for i := range scores {
			scores[i], levels[i] = float64(r.IntN(values)), float64(1+r.IntN(5))
		}
		check(scores, levels)
	}
	for i, m := range all {
		// Hits of the whole list, and what is made of them, do not depend on the order.
		blind := slices.Contains([]string{"Hits@0", "Hits@10", "Precision@0", "Precision@10", "Recall@0", "Recall@10"}, m.name)
		if !blind && !(broken[i] > 0.05) {
			t.Errorf("%s: ties broken by input order are off by no more than %g", m.name, broken[i])
		}
		if blind && !(broken[i] <= 1e-12) {
			t.Errorf("%s depends on the order: %g", m.name, broken[i])
		}
	}
	t.Logf("largest distance from the expectation: %.2g", slices.Max(gap))
}

// A tie too large to list, in rational arithmetic by another route. With e_k the
// elementary symmetric polynomials of 1 − V over the whole tie, those with V = 0
// among them, A_k = e_k/C(m, k), and the reader stops at place k+1 of the tie with
// probability A_k − A_{k+1}. Levels 1 to 5 of the paper are exact binary fractions.
func TestERROfLargeTies(t *testing.T) {
	r := rng.Stream(2, "large ties")
	for _, c := range []struct{ above, tied, zeros, top int }{
		{0, 40, 0, 0}, {3, 40, 20, 0}, {3, 120, 117, 0}, {0, 120, 60, 25}, {2, 120, 3, 100}, {1, 300, 250, 0}, {0, 400, 0, 0}, {1, 50, 50, 0},
	} {
		n := c.above + c.tied
		scores, levels := make([]float64, n), make([]float64, n)
		for i := range n {
			levels[i] = float64(1 + r.IntN(4)) // no fives above: they would hide the tie
			if i >= c.above {
				levels[i] = float64(2 + r.IntN(4))
			}
			if i >= n-c.zeros {
				levels[i] = 1
			}
			scores[i] = float64(-min(i, c.above))
		}
		one := big.NewRat(1, 1)
		through := func(level float64) *big.Rat { // 1 − V
			return new(big.Rat).Sub(one, new(big.Rat).SetFrac64(int64(math.Exp2(level-1))-1, 16))
		}
		sum, reach := new(big.Rat), new(big.Rat).Set(one)
		add := func(stop *big.Rat, place int) {
			if c.top == 0 || place <= c.top {
				sum.Add(sum, stop.Mul(stop, big.NewRat(1, int64(place))))
			}
		}
		for i := range c.above {
			next := new(big.Rat).Mul(reach, through(levels[i]))
			add(new(big.Rat).Sub(reach, next), i+1)
			reach = next
		}
		e := []*big.Rat{new(big.Rat).Set(one)}
		for _, level := range levels[c.above:] {
			q := through(level)
			e = append(e, new(big.Rat))
			for k := len(e) - 1; k > 0; k-- {
				e[k].Add(e[k], new(big.Rat).Mul(q, e[k-1]))
			}
		}
		mean := func(k int) *big.Rat {
			ways := new(big.Rat).SetInt(new(big.Int).Binomial(int64(c.tied), int64(k)))
			return new(big.Rat).Mul(reach, new(big.Rat).Quo(e[k], ways))
		}
		for k := range c.tied {
			add(new(big.Rat).Sub(mean(k), mean(k+1)), c.above+k+1)
		}
		want, _ := sum.Float64()
		// Sums of up to 300 terms of total at most 1: 300 roundings of 1e-16, with room.
		if got := rank(t, scores, levels).ERR(c.top, paper); !(math.Abs(got-want) <= 1e-13) {
			t.Errorf("%+v: ERR %.17g, want %.17g", c, got, want)
		}
	}
}

// The pairwise metrics against a look at every pair.
func TestPairs(t *testing.T) {
	r := rng.Stream(3, "pairs")
	for range 500 {
		n := r.IntN(60)
		scores, levels := make([]float64, n), make([]float64, n)
		values, grades := 1+r.IntN(20), 1+r.IntN(6)
		for i := range n {
			scores[i], levels[i] = float64(r.IntN(values)), float64(r.IntN(grades))
		}
		var concordant, discordant, byScore, byLevel, half float64 // pairs; byScore and byLevel with different scores, levels
		for i := range n {
			for j := range i {
				score, level := cmp.Compare(scores[i], scores[j]), cmp.Compare(levels[i], levels[j])
				if score != 0 {
					byScore++
				}
				if level != 0 {
					byLevel++
				}
				switch {
				case score*level > 0:
					concordant++
				case score*level < 0:
					discordant++
				case level != 0:
					half++
				}
			}
		}
		accuracy, tau := 0.5, 0.0
		if byLevel > 0 {
			accuracy = (concordant + half/2) / byLevel
		}
		if byScore > 0 && byLevel > 0 {
			tau = (concordant - discordant) / math.Sqrt(byScore*byLevel)
		}
		ranking := rank(t, scores, levels)
		if got := ranking.PairAccuracy(); got != accuracy {
			t.Fatalf("scores %v, levels %v: accuracy %g, want %g", scores, levels, got, accuracy)
		}
		if got := ranking.KendallTauB(); got != tau {
			t.Fatalf("scores %v, levels %v: tau-b %g, want %g", scores, levels, got, tau)
		}
		if auc, pairs := rank(t, scores, binary(levels)).AUC(1), rank(t, scores, binary(levels)).PairAccuracy(); auc != pairs {
			t.Fatalf("with two levels AUC is %g and pair accuracy %g", auc, pairs)
		}
	}
}

func binary(levels []float64) []float64 {
	out := make([]float64, len(levels))
	for i, level := range levels {
		out[i] = metric.AtLeast(2).Gain(level)
	}
	return out
}
