package metric_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"fubini/judge/metric"
)

// golden is testdata/metrics.json, made by peers/metrics.py.
type golden struct {
	SHA256  string // of the TREC files: qrels, then run
	Queries int
	Paper   struct {
		Lists []struct {
			ERR    float64
			NDCG1  float64 `json:"ndcg@1"`
			NDCG5  float64 `json:"ndcg@5"`
			NDCG10 float64 `json:"ndcg@10"`
		}
	}
	Measures []struct {
		Name   string
		Source []string
		Digits int        // decimals that can be believed
		Values []*float64 // a query each; nil where the library refuses the list
	}
}

type list struct{ scores, levels []float64 }

// queries repeats queries() of peers/metrics.py.
func queries(count int) []list {
	state := uint32(1)
	draw := func(n uint32) uint32 {
		state = 1664525*state + 1013904223
		return (state >> 16) % n
	}
	lists := make([]list, count)
	for q := range lists {
		items := 1 + int(draw(41))
		for i := range items {
			level := []float64{0, 0, 0, 0, 1, 1, 2, 2, 3, 4}[draw(10)]
			if (q+1)%20 == 0 {
				level = 0
			}
			lists[q].scores = append(lists[q].scores, float64((37*i+11*(q+1))%41))
			lists[q].levels = append(lists[q].levels, level)
		}
	}
	return lists
}

// trec repeats trec() of peers/metrics.py.
func trec(lists []list) string {
	var qrels, run strings.Builder
	for q, l := range lists {
		for i, score := range l.scores {
			place := 1
			for _, other := range l.scores {
				if other > score {
					place++
				}
			}
			fmt.Fprintf(&qrels, "%d 0 d%d %g\n", q+1, i, l.levels[i])
			fmt.Fprintf(&run, "%d Q0 d%d %d %g fubini\n", q+1, i, place, score)
		}
	}
	return qrels.String() + run.String()
}

func readGolden(t *testing.T) (golden, []list) {
	text, err := os.ReadFile("testdata/metrics.json")
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatal(err)
	}
	if g.Queries < 200 || len(g.Measures) < 10 || len(g.Paper.Lists) < 20 {
		t.Fatalf("only %d queries, %d measures and %d lists", g.Queries, len(g.Measures), len(g.Paper.Lists))
	}
	lists := queries(g.Queries)
	if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(trec(lists)))); sum != g.SHA256 {
		t.Fatalf("these are not the lists that the others saw: checksum %s, want %s", sum, g.SHA256)
	}
	return g, lists
}

// Our numbers beside those of trec_eval, ranx, gdeval, scikit-learn and SciPy on
// the same lists. Everything has ten decimals but gdeval, which prints five.
func TestAgainstOthers(t *testing.T) {
	ours := map[string]func(r *metric.Ranking) float64{
		"NDCG exp2":        func(r *metric.Ranking) float64 { return r.NDCG(0, metric.Exp2) },
		"NDCG@5 exp2":      func(r *metric.Ranking) float64 { return r.NDCG(5, metric.Exp2) },
		"NDCG@10 exp2":     func(r *metric.Ranking) float64 { return r.NDCG(10, metric.Exp2) },
		"NDCG@10 linear":   func(r *metric.Ranking) float64 { return r.NDCG(10, metric.Linear) },
		"P@5 at least 1":   func(r *metric.Ranking) float64 { return r.Precision(5, 1) },
		"P@20 at least 2":  func(r *metric.Ranking) float64 { return r.Precision(20, 2) },
		"R@5 at least 2":   func(r *metric.Ranking) float64 { return r.Recall(5, 2) },
		"AP at least 1":    func(r *metric.Ranking) float64 { return r.AveragePrecision(0, 1) },
		"AP@10 at least 2": func(r *metric.Ranking) float64 { return r.AveragePrecision(10, 2) },
		"RR at least 3":    func(r *metric.Ranking) float64 { return r.ReciprocalRank(0, 3) },
		"RR@3 at least 2":  func(r *metric.Ranking) float64 { return r.ReciprocalRank(3, 2) },
		"ERR@10":           func(r *metric.Ranking) float64 { return r.ERR(10, metric.Graded(0, 4)) },
		"ERR":              func(r *metric.Ranking) float64 { return r.ERR(0, metric.Graded(0, 4)) },
		"AUC at least 2":   func(r *metric.Ranking) float64 { return r.AUC(2) },
		"tau-b":            (*metric.Ranking).KendallTauB,
	}
	g, lists := readGolden(t)
	for _, m := range g.Measures {
		t.Run(m.Name+", "+m.Source[0], func(t *testing.T) {
			name, tied := strings.CutPrefix(m.Name, "tied ")
			of, known := ours[name]
			if !known || len(m.Values) != len(lists) {
				t.Fatalf("%d values of %s for %d lists", len(m.Values), m.Name, len(lists))
			}
			within := 0.5*math.Pow10(-m.Digits) + 1e-12 // the rounding of the last digit, and both of computation
			answered, worst := 0, 0.0
			for q, l := range lists {
				if m.Values[q] == nil {
					continue
				}
				scores := slices.Clone(l.scores)
				if tied {
					for i := range scores {
						scores[i] = math.Floor(scores[i] / 8)
					}
				}
				got, want := of(rank(t, scores, l.levels)), *m.Values[q]
				if !(math.Abs(got-want) <= within) {
					t.Errorf("list %d: %.12g, want %.12g", q+1, got, want)
				}
				if tied { // ties broken by input order must not pass for an average
					worst = max(worst, math.Abs(of(rank(t, byInputOrder(scores), l.levels))-want))
				}
				answered++
			}
			if answered < len(lists)*3/4 {
				t.Errorf("only %d of %d lists have an answer", answered, len(lists))
			}
			if tied && !(worst > 0.05) {
				t.Errorf("the test cannot see ties broken by input order: off by %g", worst)
			}
		})
	}
}

// The measures of the script that scores outside recommenders for the project,
// written from the paper's formulas, on levels from 1 to 5.
func TestAgainstThePapersMeasures(t *testing.T) {
	g, lists := readGolden(t)
	for q, want := range g.Paper.Lists {
		levels := slices.Clone(lists[q].levels)
		for i := range levels {
			levels[i]++
		}
		r := rank(t, lists[q].scores, levels)
		for what, pair := range map[string][2]float64{
			"ERR":     {r.ERR(0, metric.Graded(1, 5)), want.ERR},
			"NDCG@1":  {r.NDCG(1, metric.Exp2), want.NDCG1},
			"NDCG@5":  {r.NDCG(5, metric.Exp2), want.NDCG5},
			"NDCG@10": {r.NDCG(10, metric.Exp2), want.NDCG10},
		} {
			if !(math.Abs(pair[0]-pair[1]) <= 1e-10) { // stored with ten decimals
				t.Errorf("list %d: %s is %.12g, want %.12g", q+1, what, pair[0], pair[1])
			}
		}
	}
}
