package metric_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fubini/core/rng"
	"fubini/judge/metric"
)

// Worked out by hand, above all where other tools have no answer or another one:
// ties, nothing to find, lists shorter than top.
func TestByHand(t *testing.T) {
	log3 := math.Log2(3)
	type values struct {
		what string
		got  func(r *metric.Ranking) float64
		want float64
	}
	ndcg := func(top int, gain metric.Gain) func(*metric.Ranking) float64 {
		return func(r *metric.Ranking) float64 { return r.NDCG(top, gain) }
	}
	err := func(top int) func(*metric.Ranking) float64 {
		return func(r *metric.Ranking) float64 { return r.ERR(top, paper) }
	}
	with := func(of func(*metric.Ranking, int, metric.AtLeast) float64, top int) func(*metric.Ranking) float64 {
		return func(r *metric.Ranking) float64 { return of(r, top, liked) }
	}
	precision, recall, hits := (*metric.Ranking).Precision, (*metric.Ranking).Recall, (*metric.Ranking).Hits
	ap, rr := (*metric.Ranking).AveragePrecision, (*metric.Ranking).ReciprocalRank
	auc := func(r *metric.Ranking) float64 { return r.AUC(liked) }
	accuracy, tau := (*metric.Ranking).PairAccuracy, (*metric.Ranking).KendallTauB

	for _, c := range []struct {
		name           string
		scores, levels []float64
		values         []values
	}{
		// Gains 7, 31, 1; ideal 31, 7, 1. V = 3/16, 15/16, 0.
		{"strict", []float64{3, 2, 1}, []float64{3, 5, 1}, []values{
			{"NDCG", ndcg(0, metric.Exp2), (7 + 31/log3 + 0.5) / (31 + 7/log3 + 0.5)},
			{"NDCG@1", ndcg(1, metric.Exp2), 7. / 31},
			{"NDCG@5", ndcg(5, metric.Exp2), (7 + 31/log3 + 0.5) / (31 + 7/log3 + 0.5)}, // shorter than 5
			{"linear NDCG@2", ndcg(2, metric.Linear), (3 + 5/log3) / (5 + 3/log3)},
			{"binary NDCG@2", ndcg(2, liked.Gain), 1 / log3},
			{"ERR", err(0), 3./16 + 13./16*15./16/2},
			{"ERR@1", err(1), 3. / 16},
			{"P@2", with(precision, 2), 1. / 2},
			{"P", with(precision, 0), 1. / 3},
			{"P@5", with(precision, 5), 1. / 5}, // two places stay empty
			{"R@1", with(recall, 1), 0},
			{"R@5", with(recall, 5), 1},
			{"AP", with(ap, 0), 1. / 2},
			{"AP@1", with(ap, 1), 0},
			{"RR", with(rr, 0), 1. / 2},
			{"RR@1", with(rr, 1), 0},
			{"AUC", auc, 1. / 2},
			{"pair accuracy", accuracy, 2. / 3},
			{"tau-b", tau, 1. / 3},
		}},
		// The two in the tie come in two orders.
		{"a tie below", []float64{2, 1, 1}, []float64{1, 5, 3}, []values{
			{"NDCG", ndcg(0, metric.Exp2), (1 + 19/log3 + 19./2) / (31 + 7/log3 + 0.5)},
			{"NDCG@2", ndcg(2, metric.Exp2), (1 + 19/log3) / (31 + 7/log3)},
			{"ERR", err(0), ((15./16/2 + 1./16*3./16/3) + (3./16/2 + 13./16*15./16/3)) / 2},
			{"ERR@2", err(2), (15./16/2 + 3./16/2) / 2},
			{"P@2", with(precision, 2), 1. / 4},
			{"hits@2", with(hits, 2), 1. / 2},
			{"AP", with(ap, 0), (1./2 + 1./3) / 2},
			{"AP@2", with(ap, 2), 1. / 4},
			{"RR", with(rr, 0), (1./2 + 1./3) / 2},
			{"AUC", auc, 1. / 4},
			{"pair accuracy", accuracy, 1. / 6}, // one tied of three
			{"tau-b", tau, -2 / math.Sqrt(2*3)},
		}},
		// Relevant at two of three places: AP is 1, (1 + 2/3)/2 or (1/2 + 2/3)/2.
		{"all tied", []float64{7, 7, 7}, []float64{4, 1, 5}, []values{
			{"P@1", with(precision, 1), 2. / 3},
			{"R@2", with(recall, 2), 2. / 3},
			{"AP", with(ap, 0), (1 + 5./6 + 7./12) / 3},
			{"RR", with(rr, 0), (1 + 1 + 1./2) / 3},
			{"RR@1", with(rr, 1), 2. / 3},
			{"AUC", auc, 1. / 2},
			{"pair accuracy", accuracy, 1. / 2},
			{"tau-b", tau, 0},
		}},
		{"ties that are right", []float64{.9, .9, .2, .2}, []float64{5, 5, 2, 2}, []values{
			{"NDCG", ndcg(0, metric.Exp2), 1},
			{"NDCG@3", ndcg(3, metric.Exp2), 1},
			{"AP", with(ap, 0), 1},
			{"tau-b", tau, 1},
		}},
		{"a strict order of equal levels", []float64{2, 1}, []float64{5, 5}, []values{
			{"NDCG", ndcg(0, metric.Exp2), 1},
			{"AUC", auc, 1. / 2}, // nothing else to compare them with
			{"pair accuracy", accuracy, 1. / 2},
			{"tau-b", tau, 0},
		}},
		{"nothing to find", []float64{3, 2, 2}, []float64{0, 0, -1}, []values{
			{"NDCG", ndcg(0, metric.Exp2), 0},
			{"linear NDCG", ndcg(2, metric.Linear), 0},
			{"ERR", err(0), 0},
			{"P@2", with(precision, 2), 0},
			{"R@2", with(recall, 2), 0},
			{"AP", with(ap, 0), 0},
			{"RR", with(rr, 0), 0},
			{"AUC", auc, 1. / 2},
		}},
		{"everything to find", []float64{3, 2, 2}, []float64{4, 5, 4}, []values{
			{"P@2", with(precision, 2), 1},
			{"R@2", with(recall, 2), 2. / 3},
			{"AP", with(ap, 0), 1},
			{"AP@2", with(ap, 2), 2. / 3}, // the third counts, and is not among two
			{"RR", with(rr, 0), 1},
			{"AUC", auc, 1. / 2},
		}},
		{"one item", []float64{0}, []float64{5}, []values{
			{"NDCG@10", ndcg(10, metric.Exp2), 1},
			{"ERR@10", err(10), 15. / 16},
			{"P@10", with(precision, 10), 1. / 10},
			{"tau-b", tau, 0},
		}},
		{"no items", nil, nil, []values{
			{"NDCG", ndcg(0, metric.Exp2), 0},
			{"ERR", err(0), 0},
			{"P", with(precision, 0), 0},
			{"P@3", with(precision, 3), 0},
			{"R", with(recall, 0), 0},
			{"AP", with(ap, 0), 0},
			{"RR", with(rr, 0), 0},
			{"AUC", auc, 1. / 2},
			{"pair accuracy", accuracy, 1. / 2},
			{"tau-b", tau, 0},
		}},
		{"infinite scores", []float64{math.Inf(-1), math.Inf(1), 0, math.Inf(1)}, []float64{1, 5, 3, 5}, []values{
			{"NDCG", ndcg(0, metric.Exp2), 1},
		}},
		{"zeros of both signs", []float64{0, math.Copysign(0, -1)}, []float64{1, 5}, []values{
			{"RR", with(rr, 0), 3. / 4},
		}},
	} {
		r := rank(t, c.scores, c.levels)
		for _, v := range c.values {
			if got := v.got(r); !(math.Abs(got-v.want) <= 1e-15) {
				t.Errorf("%s: %s is %.16g, want %.16g", c.name, v.what, got, v.want)
			}
		}
	}
}

func TestGainsAndStops(t *testing.T) {
	for level, want := range map[float64]float64{-2: 0, 0: 0, 1: 1, 2: 3, 5: 31, 0.5: math.Sqrt2 - 1} {
		if got := metric.Exp2(level); !(math.Abs(got-want) <= 1e-15) {
			t.Errorf("the gain of level %g is %g, want %g", level, got, want)
		}
	}
	for level, want := range map[float64]float64{1: 0, 2: 1. / 16, 3: 3. / 16, 4: 7. / 16, 5: 15. / 16, 0: 0, -3: 0} {
		if got := paper(level); got != want {
			t.Errorf("the paper's V(%g) is %g, want %g", level, got, want)
		}
		if got := metric.Graded(0, 4)(level - 1); got != want {
			t.Errorf("gdeval's V(%g) is %g, want %g", level-1, got, want)
		}
	}
}

func TestBadInput(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		scores, levels []float64
		says           string
	}{
		{[]float64{1, nan}, []float64{1, 2}, "score of item 1 is not a number"},
		{[]float64{1, 2}, []float64{nan, 2}, "level of item 0 is NaN"},
		{[]float64{1, 2}, []float64{1, inf}, "level of item 1 is +Inf"},
	} {
		if _, err := metric.Rank(c.scores, c.levels); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("scores %v, levels %v: error %v, want %q", c.scores, c.levels, err, c.says)
		}
		r := rank(t, []float64{3, 2, 1}, []float64{5, 1, 3})
		if err := r.Load(c.scores, c.levels); err == nil {
			t.Errorf("scores %v, levels %v: no error", c.scores, c.levels)
		}
		if r.Relevant(0) != 0 || r.NDCG(0, metric.Exp2) != 0 || r.PairAccuracy() != 0.5 {
			t.Errorf("scores %v, levels %v: the ranking still holds %d items", c.scores, c.levels, r.Relevant(0))
		}
	}
	r := rank(t, []float64{2, 1}, []float64{5, 3})
	constant := func(x float64) func(float64) float64 { return func(float64) float64 { return x } }
	for name, broken := range map[string]func(){
		"lengths":           func() { _ = r.Load([]float64{1}, nil) },
		"negative top":      func() { r.Hits(-1, 1) },
		"negative gain":     func() { r.DCG(0, constant(-1)) },
		"infinite gain":     func() { r.NDCG(0, constant(inf)) },
		"gain NaN":          func() { r.DCG(0, constant(nan)) },
		"falling gain":      func() { r.NDCG(0, func(level float64) float64 { return 10 - level }) },
		"stop above 1":      func() { r.ERR(0, constant(1.5)) },
		"stop NaN":          func() { r.ERR(0, constant(nan)) },
		"level above scale": func() { r.ERR(0, metric.Graded(1, 4)) },
		"scale upside down": func() { metric.Graded(5, 1) },
		"endless scale":     func() { metric.Graded(0, inf) },
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.HasPrefix(text, "metric: ") {
					t.Errorf("%s: panics with %q", name, text)
				}
			}()
			broken()
			t.Errorf("%s: does not panic", name)
		}()
	}
}

// every lists all metrics, those of measures and the others.
func every() []measure {
	return append(measures(),
		measure{name: "KendallTauB", of: (*metric.Ranking).KendallTauB},
		measure{name: "Relevant", of: func(r *metric.Ranking) float64 { return float64(r.Relevant(liked)) }},
	)
}

// Values do not depend on the order of the input, on anything of the scores but
// their order, or on what a ranking held before: to the last bit.
func TestOnlyTheOrderOfScoresMatters(t *testing.T) {
	all := every()
	r := rng.Stream(4, "order")
	reused := new(metric.Ranking)
	for range 50 {
		n := r.IntN(80)
		scores, levels := make([]float64, n), make([]float64, n)
		for i := range n {
			scores[i], levels[i] = float64(r.IntN(1+n/2)), 1+4*r.Float64()
		}
		shuffled, curved := make([]float64, n), make([]float64, n)
		moved := make([]float64, n)
		for i, j := range r.Perm(n) {
			shuffled[j], moved[j] = scores[i], levels[i]
			curved[i] = math.Exp(scores[i]/10) - 7
		}
		first, second := rank(t, scores, levels), rank(t, curved, levels)
		if err := reused.Load(shuffled, moved); err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			want := m.of(first)
			if got := m.of(second); got != want {
				t.Errorf("%s is %.17g after a rising transformation, %.17g before", m.name, got, want)
			}
			if got := m.of(reused); got != want {
				t.Errorf("%s is %.17g for shuffled items, %.17g before", m.name, got, want)
			}
		}
	}
}

// A reversed prediction turns right pairs into wrong ones and leaves ties.
func TestReversal(t *testing.T) {
	r := rng.Stream(5, "reversal")
	for range 100 {
		n := 2 + r.IntN(30)
		scores, levels, reversed := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			scores[i], levels[i] = float64(r.IntN(n)), float64(1+r.IntN(5))
			reversed[i] = -scores[i]
		}
		a, b := rank(t, scores, levels), rank(t, reversed, levels)
		for what, sum := range map[string]float64{
			"AUC":           a.AUC(liked) + b.AUC(liked) - 1,
			"pair accuracy": a.PairAccuracy() + b.PairAccuracy() - 1,
			"tau-b":         a.KendallTauB() + b.KendallTauB(),
		} {
			if !(math.Abs(sum) <= 1e-15) {
				t.Errorf("scores %v, levels %v: %s is off by %g", scores, levels, what, sum)
			}
		}
	}
}

func TestReuseDoesNotAllocate(t *testing.T) {
	all := every()
	scores, levels := example(100)
	r := new(metric.Ranking)
	use := func() {
		if err := r.Load(scores, levels); err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			m.of(r)
		}
	}
	use()
	if allocations := testing.AllocsPerRun(100, use); allocations != 0 {
		t.Errorf("%g allocations", allocations)
	}
}

// example returns n scores with a few ties and levels that they say something about.
func example(n int) (scores, levels []float64) {
	r := rng.Stream(6, "example")
	scores, levels = make([]float64, n), make([]float64, n)
	for i := range n {
		levels[i] = float64(1 + r.IntN(5))
		scores[i] = math.Round(10 * (levels[i] + 2*r.NormFloat64()))
	}
	return scores, levels
}

// Any input gives an error or numbers in range, never NaN.
func FuzzRanking(f *testing.F) {
	f.Add([]byte{1, 5, 1, 3, 2, 1}, uint8(2))
	f.Add([]byte{}, uint8(0))
	f.Add(slices.Repeat([]byte{7, 1}, 40), uint8(10))
	f.Fuzz(func(t *testing.T, text []byte, top uint8) {
		var scores, levels []float64
		for i := 0; i+1 < len(text) && len(scores) < 200; i += 2 {
			scores = append(scores, []float64{math.Inf(-1), -1e300, 0, 1e-300, math.Inf(1), float64(text[i])}[text[i]%6])
			levels = append(levels, float64(text[i+1]%11)/2)
		}
		r := rank(t, scores, levels)
		at := metric.AtLeast(3)
		for what, x := range map[string]float64{
			"NDCG": r.NDCG(int(top), metric.Exp2), "ERR": r.ERR(int(top), paper), "precision": r.Precision(int(top), at),
			"recall": r.Recall(int(top), at), "average precision": r.AveragePrecision(int(top), at), "reciprocal rank": r.ReciprocalRank(int(top), at),
			"AUC": r.AUC(at), "pair accuracy": r.PairAccuracy(), "(1 + tau-b)/2": (1 + r.KendallTauB()) / 2,
		} {
			if !(x >= 0 && x <= 1) {
				t.Errorf("%s@%d of %v, %v is %g", what, top, scores, levels, x)
			}
		}
	})
}
