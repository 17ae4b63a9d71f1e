package plackettluce

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fubini/core/partition"
	"fubini/model/baseline/factor"
	"fubini/model/baseline/fitting"
)

// orderLosses are the losses of this page and its neighbours with something in
// every parameter.
func orderLosses(r *rand.Rand, n int) map[string]loss {
	fitted := tieSizes{Weights: make([]float64, sizeFeatures)}
	for d := range fitted.Weights {
		fitted.Weights[d] = r.NormFloat64()
	}
	ties := &tieWorths{Largest: n, Longest: n, prior: 0.3, logTie: make([]float64, n), start: make([]float64, n)}
	for d := 1; d < n; d++ {
		ties.logTie[d], ties.start[d] = 2*r.NormFloat64(), r.NormFloat64()
	}
	return map[string]loss{
		"plackett-luce, fitted sizes":  &plackettLuce{Ties: TiesSummed, Sizes: fitted},
		"plackett-luce, uniform sizes": &plackettLuce{Ties: TiesSummed, Sizes: tieSizes{Rule: SizesUniform}},
		"pmop":                         meanWorths{},
		"davidson-luce":                ties,
	}
}

func normals(r *rand.Rand, n int, spread float64) []float64 {
	x := make([]float64, n)
	for k := range x {
		x[k] = spread * r.NormFloat64()
	}
	return x
}

// Every weak order of up to six items is listed: 4683 of them.
func TestProbabilitiesSumToOne(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for n := 1; n <= 6; n++ {
		scores := normals(r, n, 1.5)
		for name, l := range orderLosses(r, n) {
			m := fitted{nil, l}
			var total, conditional float64
			for x := range partition.All(n) {
				p := m.LogLikelihood(scores, x)
				total += math.Exp(p)
				if l, is := l.(*plackettLuce); is {
					list := tiersOf(x)
					conditional += math.Exp(p - l.Sizes.logProb(list))
				}
			}
			// Each probability is good to 1e-11.
			if !(math.Abs(total-1) <= 1e-10) {
				t.Errorf("%s: the orders of %d items sum to %.14g", name, n, total)
			}
			if _, is := l.(*plackettLuce); is && !(math.Abs(conditional-math.Exp2(float64(n-1))) <= 1e-9) {
				t.Errorf("%s: without sizes, the orders of %d items sum to %.14g, not 2^%d", name, n, conditional, n-1)
			}
		}
	}
}

// The witness walks through every order that a weak order allows.
func TestSummedAgainstEveryOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 20 {
		scores := normals(r, 6, 2)
		for x := range partition.All(6) {
			if r.IntN(100) > 0 {
				continue
			}
			list := tiersOf(x)
			got := summedOrders(scores, list, make([]float64, 6))
			want := math.Log(walk(scores, x, 0, nil))
			if !(math.Abs(got-want) <= 1e-11*(1+math.Abs(want))) {
				t.Fatalf("%v: log probability %.14g, over all its orders %.14g", x, got, want)
			}
		}
	}
}

// walk sums the probability of all strict orders that begin with taken and agree
// with x from tie t on.
func walk(scores []float64, x *partition.Partition, t int, taken []int) float64 {
	if len(taken) == len(scores) {
		return 1
	}
	is := make([]bool, len(scores))
	for _, i := range taken {
		is[i] = true
	}
	var left, total float64
	for i, s := range scores {
		if !is[i] {
			left += math.Exp(s)
		}
	}
	if len(taken) == x.N()-x.Below(t) {
		t++
	}
	for _, i := range x.Block(t) {
		if !is[i] {
			total += math.Exp(scores[i]) / left * walk(scores, x, t, append(taken[:len(taken):len(taken)], i))
		}
	}
	return total
}

func TestOrderSlopes(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for n := 1; n <= 25; n += 3 {
		losses := map[string]factor.Loss{"broken": &plackettLuce{Ties: TiesBroken}, "fixed": &plackettLuce{Ties: TiesFixed}}
		for name, l := range orderLosses(r, n) {
			losses[name] = l
		}
		cut := *losses["davidson-luce"].(*tieWorths)
		cut.Longest = 7
		losses["davidson-luce in pieces"] = &cut
		for name, l := range losses {
			checkSlope(t, fmt.Sprintf("%s, %d items", name, n), l, r, n)
		}
	}
}

// checkSlope holds the slope of a loss against differences.
func checkSlope(t *testing.T, name string, l factor.Loss, r *rand.Rand, n int) {
	t.Helper()
	values, items := make([]float32, n), make([]uint32, n)
	for k := range values {
		values[k], items[k] = float32(1+r.IntN(5)), uint32(3*k)
	}
	scores, slope := normals(r, n, 2), normals(r, n, 1)
	shared, _ := l.(factor.SharedParameters)
	var by []float64
	at := func(slope []float64) float64 {
		row := factor.NewRow(fitting.Run{}, 4, 2, items)
		if shared != nil {
			by = make([]float64, len(shared.Parameters()))
		}
		return l.Of(values, scores, slope, by, row)
	}
	at(slope)
	byShared := by
	throwaway := make([]float64, n)
	const h = 1e-5
	check := func(what string, x *float64, got float64) {
		was := *x
		*x = was + h
		up := at(throwaway)
		*x = was - h
		down := at(throwaway)
		*x = was
		// The loss is good to 1e-12 of up to 100, which h divides.
		if want := (up - down) / (2 * h); !(math.Abs(got-want) <= 1e-6*(1+math.Abs(want))) {
			t.Errorf("%s: slope by %s %.10g, by differences %.10g", name, what, got, want)
		}
	}
	for k := range scores {
		check(fmt.Sprint("score ", k), &scores[k], slope[k])
	}
	for d, got := range byShared {
		check(fmt.Sprint("parameter ", d), &shared.Parameters()[d], got)
	}
}

// Without ties there is one order, and all rules agree.
func TestRulesAgreeWithoutTies(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	values, items := []float32{3, 1, 5, 2, 4}, []uint32{0, 1, 2, 3, 4}
	scores := normals(r, 5, 1)
	var got [3]float64
	for rule := range got {
		row := factor.NewRow(fitting.Run{}, 0, 0, items)
		got[rule] = (&plackettLuce{Ties: TieRule(rule)}).Of(values, scores, make([]float64, 5), nil, row)
	}
	if !(math.Abs(got[0]-got[2]) <= 1e-12) || got[0] != got[1] {
		t.Errorf("losses without ties %v", got)
	}
}
