package evaluate

import (
	"fmt"

	"fubini/data/ratings"
	"fubini/judge/metric"
)

// Levelled maps ratings to the levels 1 to 5. The scale has the lowest and the highest rating; nil is the range of the data.
func Levelled(set *ratings.Set, scale []float64) (*ratings.Set, error) {
	low, high := set.Range()
	if scale != nil {
		low, high = scale[0], scale[1]
	}
	if low == high {
		return nil, fmt.Errorf("all ratings are %g, so levels cannot be distinguished; give the ends of the scale (--scale)", low)
	}
	return set.Levelled(ratings.Scale{Min: low, Max: high})
}

// SplitMetrics are the paper's metrics with a gain of this name, exp2, linear or binary,
// and more where asked for. Levels lie on the scale 1 to 5 if they can, otherwise on that
// of the data.
func SplitMetrics(split ratings.Split, gain string, more bool) ([]Metric, error) {
	lowest, highest := 1.0, 5.0
	for _, set := range []*ratings.Set{split.Training.Set(), split.Holdout.Set()} {
		low, high := set.Range()
		lowest, highest = min(lowest, low), max(highest, high)
	}
	relevant := metric.AtLeast(lowest + 0.6*(highest-lowest))
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
	if more {
		list = append(list, MoreMetrics(relevant, 10)...)
	}
	return list, nil
}
