package evaluate

import (
	"context"
	"fmt"
	"math"
	"slices"

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
	if at := slices.Index([]string{"rated", "all"}, name); at >= 0 {
		return Candidates(at), nil
	}
	return 0, fmt.Errorf("evaluate: no candidates %q; there are rated and all", name)
}

// PaperMetrics are ERR and NDCG with the given gain, on a scale of levels. The paper's tables have NDCG at 1, 5 and 10,
// which are the default, and levels from 1 to 5.
func PaperMetrics(gain metric.Gain, lowest, highest float64, tops ...int) []Metric {
	if tops == nil {
		tops = []int{1, 5, 10}
	}
	stop := metric.Graded(lowest, highest)
	list := []Metric{{"err", func(r *metric.Ranking) float64 { return r.ERR(0, stop) }}}
	for _, top := range tops {
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

// Levelled maps ratings to the levels 1 to 5. The scale has the lowest and the highest rating; nil is the range of the data.
// Tiers of each user's own are spread evenly over the levels.
func Levelled(set *ratings.Set, scale []float64) (*ratings.Set, error) {
	if set.Own() {
		set, scale = set.Spread(), nil
	}
	low, high := set.Range()
	if scale != nil {
		low, high = scale[0], scale[1]
	}
	if low == high {
		return nil, fmt.Errorf("all ratings are %g, so levels cannot be distinguished; give the ends of the scale (--scale) or, where picks have no ratings, a protocol without levels (--protocol given)", low)
	}
	return set.Levelled(ratings.Scale{Min: low, Max: high})
}

// CatalogueMetrics are those that rankings of whole catalogues are usually compared by, of items with levels of at least
// relevant. A user with no such item has 0.
func CatalogueMetrics(relevant metric.AtLeast) []Metric {
	return []Metric{
		{"ndcg_binary@10", func(r *metric.Ranking) float64 { return r.NDCG(10, relevant.Gain) }},
		{"recall@20", func(r *metric.Ranking) float64 { return r.Recall(20, relevant) }},
		{"mrr", func(r *metric.Ranking) float64 { return r.ReciprocalRank(0, relevant) }},
	}
}

// scaleOf is the scale of the levels of a split, 1 to 5 if they lie on it, otherwise that of the data, and the lowest level
// that is relevant: three quarters of the way, 4 on the scale 1 to 5. Where all levels are equal, as without ratings, all
// are relevant.
func scaleOf(split ratings.Split) (lowest, highest float64, relevant metric.AtLeast) {
	least, most := rangeOf(split)
	lowest, highest = min(1, least), max(5, most)
	if least == most {
		return lowest, highest, metric.AtLeast(least)
	}
	return lowest, highest, metric.AtLeast(lowest + 0.75*(highest-lowest))
}

// rangeOf are the lowest and the highest level of a split.
func rangeOf(split ratings.Split) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, set := range []*ratings.Set{split.Training.Set(), split.Holdout.Set()} {
		if set.Len() > 0 {
			low, high := set.Range()
			least, most = min(least, low), max(most, high)
		}
	}
	return least, most
}

// SplitMetrics returns the metrics of a split: the paper's, with the gain exp2, linear or binary; [CatalogueMetrics] where all
// items are ranked; and others with more. The scale of ratings is 1 to 5, or that of the data if they lie outside.
func SplitMetrics(split ratings.Split, gain string, candidates Candidates, more bool) ([]Metric, error) {
	if least, most := rangeOf(split); candidates == Rated && least == most {
		return nil, fmt.Errorf("all ratings are %g, so every order of the rated items is as good as any other; rank all items (--candidates all)", least)
	}
	lowest, highest, relevant := scaleOf(split)
	of := metric.Gain(metric.Exp2)
	switch gain {
	case "exp2":
		if highest > 60 {
			return nil, fmt.Errorf("--ndcg-gain: 2^level is too large for ratings up to %g; give the scale (--scale) or take linear", highest)
		}
	case "linear":
		of = metric.Linear
	case "binary":
		of = relevant.Gain
	default:
		return nil, fmt.Errorf("evaluate: no gain %q; there are exp2, linear and binary", gain)
	}
	list := PaperMetrics(of, lowest, highest)
	if candidates == All {
		list = append(list, CatalogueMetrics(relevant)...)
	}
	if more {
		for _, each := range MoreMetrics(relevant, 10) {
			if !slices.ContainsFunc(list, func(m Metric) bool { return m.Name == each.Name }) {
				list = append(list, each)
			}
		}
	}
	return list, nil
}
