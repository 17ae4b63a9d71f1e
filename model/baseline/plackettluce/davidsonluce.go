package plackettluce

import (
	"context"
	"fmt"
	"math"

	"fubini/core/logprob"
	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/factor"
	"fubini/model/baseline/fitting"
)

// DavidsonLuce is Plackett-Luce with parameters for ties (Firth, Kosmidis and Turner 2019; Turner, van Etten, Firth and
// Kosmidis 2020). The best set of items is drawn, then the best set of the rest, and so on, each with a probability
// proportional to the geometric mean of its worths, exp(b_i + P_u . Q_i), times a parameter of its size.
type DavidsonLuce struct {
	factor.Options
	Largest  int     // size of the largest possible tie, at least that of the data; setting.Auto: that of the data
	Longest  int     // length of the longest list taken as a whole; longer ones are cut at random
	TiePrior float64 // weight of half the squared change of a log tie parameter; 0 for none
}

// NewDavidsonLuce returns davidson-luce with its default settings.
func NewDavidsonLuce() *DavidsonLuce {
	return &DavidsonLuce{Options: factor.ListDefaults(0.5, 0.12), Largest: setting.Auto, Longest: 50, TiePrior: 1}
}

// Settings implements [model.Recipe].
func (m *DavidsonLuce) Settings() []setting.Setting {
	d := NewDavidsonLuce()
	return append(factor.ListSettings(&m.Options, d.Options),
		setting.Int(&m.Largest, d.Largest, setting.Setting{Name: "largest", Means: "largest tie that is possible; at least the largest seen", Positive: true, Default: math.NaN()}),
		setting.Int(&m.Longest, d.Longest, setting.Setting{Name: "longest", Means: "longest list taken as a whole", Positive: true}),
		setting.Float(&m.TiePrior, d.TiePrior, setting.Setting{Name: "tie-prior", Means: "ridge on log tie parameters, around those of equal worths", Low: 0.1, High: 100, Log: true}))
}

// Fit implements [model.Recipe].
func (m *DavidsonLuce) Fit(ctx context.Context, set *ratings.Set, r model.Run) (model.Model, error) {
	return fitting.Fit(ctx, "davidson-luce", m.Settings(), set, r, func(run fitting.Run) (model.Model, error) {
		return fit(set, run, m.Options, false, func(set *ratings.Set) factor.Loss { return newTieWorths(set, run, m.Largest, m.Longest, m.TiePrior) })
	})
}

// Load implements [model.Recipe].
func (m *DavidsonLuce) Load(f *modelfile.File, items int) (model.Model, error) {
	l := new(tieWorths)
	return load("davidson-luce", f, items, l, func() error {
		if l.Largest < 1 || l.Longest < 1 {
			return fmt.Errorf("a file with ties up to %d and lists up to %d makes no sense", l.Largest, l.Longest)
		}
		shared, err := modelfile.Get[float64](f, "shared", l.Largest-1)
		l.logTie = append([]float64{0}, shared...) // log delta_1 is 0
		return err
	})
}

// tieWorths is minus the log probability of a list under the Davidson-Luce model,
//
//	P = prod_t f(X_t) / sum over S of what is left, |S| <= D, of f(S),
//	f(S) = delta_|S| (prod of the worths of S)^(1/|S|),  delta_1 = 1.
//
// For sets of d items that sum is an elementary symmetric polynomial of the d-th roots of the worths. Built up from the
// last item to the first, one table for each d serves all ties of a list: N D^2/2 steps in all.
type tieWorths struct {
	Largest int `json:"largest"` // D
	Longest int `json:"longest"`

	logTie []float64 // log delta_1, ... , log delta_D
	start  []float64 // the same under equal worths, where the prior has its peak
	prior  float64   // of one row
}

// newTieWorths finds the largest tie of a set, and starts with the tie parameters that fit best under equal worths.
func newTieWorths(set *ratings.Set, run fitting.Run, largest, longest int, prior float64) *tieWorths {
	l := &tieWorths{Largest: max(1, largest), Longest: longest}
	counts := make([][]float64, max(longest, largest)+1) // by items left and size
	for n := range counts {
		counts[n] = make([]float64, n+1)
	}
	lists, most := 0, 1
	for u := range set.Users().Len() {
		known := set.Row(u)
		if known.Len() == 0 {
			continue
		}
		lists++
		l.pieces(known.Values, factor.NewRow(run, u, 0, known.Items), func(list *tiers) {
			n := len(list.order)
			most = max(most, n)
			for t := range list.len() {
				size := len(list.tier(t))
				counts[n-list.start[t]][size]++
				l.Largest = max(l.Largest, size)
			}
		})
	}
	// Half a choice of each size keeps sizes that were not seen possible.
	most = max(most, l.Largest)
	for d := 1; d <= l.Largest; d++ {
		counts[most][d] += 0.5
	}
	l.logTie = equalWorths(counts, l.Largest)
	l.start = append(l.start, l.logTie...)
	l.prior = prior / float64(max(1, lists))
	return l
}

// equalWorths fits tie parameters to counts of the size of a tie by the number of items left, by iterative scaling: if
// worths are equal, size d out of n has probability proportional to delta_d C(n, d).
func equalWorths(counts [][]float64, largest int) []float64 {
	logTie, weight := make([]float64, largest), make([]float64, largest)
	for d := range logTie { // about C(n, d) to the power -1, which makes sizes alike
		logTie[d] = -logChoose(max(len(counts)-1, d+1), d+1)
	}
	seen, expected := make([]float64, largest), make([]float64, largest)
	for _, row := range counts {
		for d := 1; d < len(row) && d <= largest; d++ {
			seen[d-1] += row[d]
		}
	}
	for range 300 {
		clear(expected)
		for n, row := range counts {
			var total float64
			for _, c := range row {
				total += c
			}
			if total == 0 {
				continue
			}
			possible := weight[:min(n, largest)]
			for d := range possible {
				possible[d] = logTie[d] + logChoose(n, d+1)
			}
			all := logprob.SumExp(possible)
			for d, w := range possible {
				expected[d] += total * math.Exp(w-all)
			}
		}
		for d := range logTie {
			if seen[d] > 0 {
				logTie[d] += math.Log(seen[d] / expected[d])
			}
		}
	}
	one := logTie[0]
	for d := range logTie {
		logTie[d] -= one
	}
	return logTie
}

// logChoose is the log of n over k.
func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// pieces hands out the list of a row: whole, or if it is too long, cut at random into parts of about the same length.
func (l *tieWorths) pieces(values []float32, row *factor.Row, each func(list *tiers)) {
	n := len(values)
	parts := (n + l.Longest - 1) / l.Longest
	items := places(values)
	if parts > 1 {
		shuffle(items, row.RandomKeys(true))
	}
	for p := range parts {
		each(rank(values, items[p*n/parts:(p+1)*n/parts]))
	}
}

// Parameters implements [factor.SharedParameters]: log delta_2 to log delta_D.
func (l *tieWorths) Parameters() []float64 {
	return l.logTie[1:]
}

func (l *tieWorths) Kept() any { return l }

// Of implements [factor.Loss]. Each row has its share of the prior of the tie parameters.
func (l *tieWorths) Of(values []float32, scores, slope, shared []float64, row *factor.Row) float64 {
	sums := l.newSums(min(len(values), l.Longest))
	clear(slope)
	var total float64
	l.pieces(values, row, func(list *tiers) {
		total -= sums.logProb(scores, list)
		sums.addSlope(list, slope, shared)
	})
	for d := range shared {
		change := l.logTie[d+1] - l.start[d+1]
		total += l.prior / 2 * change * change
		shared[d] += l.prior * change
	}
	return total
}

func (l *tieWorths) logLikelihood(scores []float64, list *tiers) float64 {
	sums := l.newSums(len(scores))
	return sums.logProb(scores, list)
}
