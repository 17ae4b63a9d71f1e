package cells

import (
	"context"
	"time"

	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/judge/metric"
	"fubini/learn/modelstore"
	"fubini/learn/tune"
	"fubini/model"
)

// Protocols of cells in which all items are ranked.
const (
	KnownUsers = "random"  // each rating is a test rating with probability 1/5
	LastRating = "leave-k" // the latest rating of each user is the test, a random one where times are not known
	NewUsers   = "user"    // 15 % of the users are in no training part; Given of their ratings are known, or [ratings.FourFifths]
)

// RatedName is the metric of the order of held-out items alone, beside those of whole catalogues where a user has several.
const RatedName = "rated ndcg@10"

// WholeSplit divides the data by a protocol of whole catalogues.
func (d Data) WholeSplit(protocol string, given int, seed uint64) (ratings.Split, error) {
	switch protocol {
	case KnownUsers:
		return d.Set.Random(0.2, seed)
	case LastRating:
		return d.Set.LeaveOut(1, false, seed)
	}
	return d.Set.UserSplit(newShare, given, d.MinTest, seed)
}

// newShare is the share of the users who are new.
const newShare = 0.15

// judgeWhole fits the model of a cell, and ranks all items and the test ratings alone. A model that has interest beside it
// by default ranks all items by both and test ratings by taste, as the command evaluate does.
func (b *Runner) judgeWhole(ctx context.Context, c Cell, split ratings.Split) (*Outcome, error) {
	recipe, err := Configured(c.Model, c.Set)
	if err != nil {
		return nil, err
	}
	o := &Outcome{Cell: c}
	if err := b.tune(ctx, o, recipe, split.Training, tune.Options{Candidates: evaluate.All, Divide: c.divide}); err != nil {
		return nil, err
	}
	start := time.Now()
	set, run := split.Training.Set(), model.Run{Seed: c.Seed, Jobs: b.Jobs}
	fitted, err := recipe.Fit(ctx, set, run)
	if err != nil {
		return nil, err
	}
	var all evaluate.Ranker = fitted
	if modelstore.Combines(c.Model, recipe) {
		picks, err := modelstore.FitPicks(ctx, set, run)
		if err != nil {
			return nil, err
		}
		all = modelstore.ByAim(split.Training, fitted, picks, modelstore.AimAuto)
	}
	o.FitTime = time.Since(start).Seconds()
	metrics := []evaluate.Metric{{Name: "ndcg@10", Of: func(r *metric.Ranking) float64 { return r.NDCG(10, metric.Exp2) }}}
	whole, err := evaluate.Run(ctx, ready{all}, split, evaluate.Options{Metrics: append(metrics, evaluate.CatalogueMetrics(4)...), Candidates: evaluate.All, Shown: true, Jobs: b.Jobs})
	if err != nil {
		return nil, err
	}
	o.Metrics, o.Users, o.Values, o.Coverage, o.RankTime = whole.Metrics, whole.Users, whole.Values, whole.Coverage, whole.RankSeconds
	if c.Protocol == LastRating { // one item has one order
		return o, nil
	}
	rated, err := evaluate.Judge(ctx, fitted, split.Holdout, evaluate.Options{Metrics: metrics, Jobs: b.Jobs})
	if err != nil {
		return nil, err
	}
	o.Metrics, o.Values = append(o.Metrics, RatedName), append(o.Values, rated.Values[0])
	o.RankTime += rated.RankSeconds
	return o, nil
}

// divide makes the splits of a training part on which settings are chosen: for new users those of new users, and for last ratings
// the one of those that are last in it. For known users there are none, which stands for parts of each user's ratings.
func (c Cell) divide(training ratings.Training, seed uint64) (folds []ratings.Split) {
	switch c.Protocol {
	case LastRating:
		if split, err := training.Set().LeaveOut(1, false, seed+1); err == nil {
			folds = append(folds, split)
		}
	case NewUsers:
		return training.Set().UserSplits(newShare, c.Given, c.MinTest, seed)
	}
	return folds
}

// ready is a fitted model, for package evaluate.
type ready struct{ evaluate.Ranker }

// Fit implements [evaluate.Model].
func (r ready) Fit(context.Context, ratings.Training) (evaluate.Ranker, error) { return r.Ranker, nil }
