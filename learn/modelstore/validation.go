package modelstore

import (
	"context"

	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/judge/metric"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/latent"
	"fubini/use/odds"
)

// validation measures every epoch on held-back ratings.
type validation struct {
	ndcg, err float64 // means over users in the last epoch: NDCG@10 and ERR
	itemMean  float64 // NDCG@10 of item means on the same ratings, for comparison
	failed    error
}

// criterion returns the function that training maximises over epochs: the mean NDCG@10 over
// users of a catalogue on the held-back ratings.
func (v *validation) criterion(ctx context.Context, set *ratings.Set, split ratings.Split, jobs int) (func(c *latent.Catalogue) float64, error) {
	low, high := set.Range()
	low, high = min(low, 1), max(high, 5)
	gain := metric.Gain(metric.Exp2)
	if high > 60 { // 2^r would overflow
		gain = metric.Linear
	}
	options := evaluate.Options{Metrics: evaluate.PaperMetrics(gain, low, high), Jobs: jobs}
	means, err := registry.New("item-mean")
	if err != nil {
		return nil, err
	}
	reference, err := evaluate.Run(ctx, registry.Judged(means, model.Run{Jobs: jobs}), split, options)
	if err != nil {
		return nil, err
	}
	v.itemMean = reference.Average("ndcg@10")
	return func(c *latent.Catalogue) float64 {
		result, err := evaluate.Judge(ctx, &registry.Latent{Catalogue: c}, split.Holdout, options)
		if err != nil {
			if ctx.Err() == nil {
				v.failed = err
			}
			return v.ndcg
		}
		v.ndcg, v.err = result.Average("ndcg@10"), result.Average("err")
		return v.ndcg
	}, nil
}

// Calibrate measures the reliability of the model's tier probabilities, without ratings, on the
// users of a set, who must not be among the training users: [odds.LeaveOneOut]. Items that the
// model has not are left out.
func (s *Saved) Calibrate(ctx context.Context, set *ratings.Set, jobs int) (*odds.Reliability, error) {
	c, err := s.Catalogue()
	if err != nil {
		return nil, err
	}
	people := make([]model.Person, set.Users().Len())
	for u := range people {
		people[u], _ = s.Person(set, u)
		people[u].TiersOnly = true
	}
	return odds.LeaveOneOut(ctx, c, s.Odds, people, jobs)
}
