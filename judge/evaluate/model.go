package evaluate

import (
	"context"
	"fmt"

	"fubini/data/ratings"
	"fubini/judge/metric"
	"fubini/model"
)

// Model is a model that can be fitted to training ratings.
type Model interface {
	Fit(ctx context.Context, training ratings.Training) (Ranker, error)
}

// Ranker scores items for a user, higher for better. It must be safe for use by
// several goroutines.
type Ranker interface {
	Score(person model.Person, items []uint32, scores []float64)
}

// Metric is a named metric of a ranking.
type Metric struct {
	Name string
	Of   func(r *metric.Ranking) float64
}

// Candidates is the choice of items that are ranked for a user.
type Candidates int

// Rated, the paper's protocol, ranks the held-out items that the user rated. All ranks every item that is not known of
// the user; items without a rating have level 0.
const (
	Rated Candidates = iota
	All
)

// ParseCandidates reads the name of a choice, rated or all.
func ParseCandidates(name string) (Candidates, error) {
	switch name {
	case "rated":
		return Rated, nil
	case "all":
		return All, nil
	}
	return 0, fmt.Errorf("evaluate: no candidates %q; there are rated and all", name)
}

// PaperMetrics are ERR and NDCG at 1, 5 and 10 with the given gain: the columns
// of the paper's tables, where levels go from 1 to 5.
func PaperMetrics(gain metric.Gain, lowest, highest float64) []Metric {
	stop := metric.Graded(lowest, highest)
	list := []Metric{{"err", func(r *metric.Ranking) float64 { return r.ERR(0, stop) }}}
	for _, top := range []int{1, 5, 10} {
		list = append(list, Metric{fmt.Sprintf("ndcg@%d", top), func(r *metric.Ranking) float64 { return r.NDCG(top, gain) }})
	}
	return list
}

// MoreMetrics are further metrics, of items with levels of at least relevant.
func MoreMetrics(relevant metric.AtLeast, top int) []Metric {
	at := func(name string) string { return fmt.Sprintf("%s@%d", name, top) }
	return []Metric{
		{at("p"), func(r *metric.Ranking) float64 { return r.Precision(top, relevant) }},
		{at("r"), func(r *metric.Ranking) float64 { return r.Recall(top, relevant) }},
		{"map", func(r *metric.Ranking) float64 { return r.AveragePrecision(0, relevant) }},
		{"mrr", func(r *metric.Ranking) float64 { return r.ReciprocalRank(0, relevant) }},
		{"auc", func(r *metric.Ranking) float64 { return r.AUC(relevant) }},
		{"tau_b", func(r *metric.Ranking) float64 { return r.KendallTauB() }},
		{"pairs", func(r *metric.Ranking) float64 { return r.PairAccuracy() }},
	}
}
