package fubini

import (
	"context"
	"fmt"

	"fubini/judge/evaluate"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
)

// Given sets the number of ratings of each user that [Evaluate] gives to the models, which then rank the items of the user's other ratings.
func Given(n int) Option {
	return trainOption("Given", func(o *options) { o.given = n })
}

// Result is how well a model ranks: the value of every metric for every user.
type Result struct {
	Model string
	*evaluate.Result
	seed uint64
}

// Metric is the mean of a metric over users, such as ndcg@5 or err, with its 95 % interval.
func (r *Result) Metric(name string) (mean, low, high float64, err error) {
	e, err := r.Mean(name, r.seed)
	return e.Mean, e.Low, e.High, err
}

// String is the model with its NDCG@5.
func (r *Result) String() string {
	mean, low, high, err := r.Metric("ndcg@5")
	if err != nil {
		return r.Model
	}
	return fmt.Sprintf("%s: NDCG@5 %.4f (%.4f to %.4f), %d users", r.Model, mean, low, high, len(r.Users))
}

// Ahead is the mean difference of a metric from that of another model over the same users, with its 95 % interval; above 0 where
// this model is the better one.
func (r *Result) Ahead(other *Result, name string) (mean, low, high float64, err error) {
	d, err := evaluate.Compare(r.Result, other.Result, name, r.seed)
	return d.Mean, d.Low, d.High, err
}

// Evaluate compares models by the paper's protocol, as `fubini evaluate` does: of each user some ratings are given, and the
// others are ranked. Given is 20 unless an option says otherwise; users with fewer than 10 ratings to rank are left out.
func Evaluate(ctx context.Context, data *Data, models []string, all ...Option) ([]*Result, error) {
	o, err := trainOptions(all)
	if err != nil {
		return nil, err
	}
	if o.given == 0 {
		o.given = 20
	}
	set, err := evaluate.Levelled(data.Set, nil)
	if err != nil {
		return nil, err
	}
	split, err := set.Paper(o.given, 10, o.Seed)
	if err != nil {
		return nil, err
	}
	recipes, err := registry.Configure(models, o.settings)
	if err != nil {
		return nil, err
	}
	metrics, err := evaluate.SplitMetrics(split, "exp2", evaluate.Rated, false)
	if err != nil {
		return nil, err
	}
	results := make([]*Result, len(models))
	for k, recipe := range recipes {
		judged := modelstore.Judged(recipe, modelstore.JudgedBy(models[k], recipe, o.aim, false), model.Run{Seed: o.Seed, Jobs: o.Jobs})
		result, err := evaluate.Run(ctx, judged, split, evaluate.Options{Metrics: metrics, Jobs: o.Jobs})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", models[k], err)
		}
		results[k] = &Result{models[k], result, o.Seed}
	}
	return results, nil
}
