package evaluate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"fubini/core/parallel"
	"fubini/data/ratings"
	"fubini/judge/metric"
	"fubini/model"
)

// Options are the options of [Run]. The zero value is the protocol of the paper.
type Options struct {
	Metrics    []Metric // nil means PaperMetrics(metric.Exp2, 1, 5)
	Candidates Candidates
	Shown      bool // Run adds the coverage of the first ten places and the metric popularity@10
	Jobs       int  // goroutines; 0 means one for each core

	popularity []float64 // of each item among training users, for metrics of what is shown; set by Run
}

// Result has the value of every metric for every user.
type Result struct {
	Metrics     []string
	Users       []int       // in the vocabulary of the split; those with held-out ratings
	Values      [][]float64 // [metric][user]
	Coverage    *Coverage   // with Options.Shown, else nil
	FitSeconds  float64
	RankSeconds float64
}

// Pool returns the mean of the results of several folds of one set: a user's value is
// the mean over the folds in which they were tested.
func Pool(folds []*Result) *Result {
	first := folds[0]
	if len(folds) == 1 {
		return first
	}
	pooled := &Result{Metrics: first.Metrics, Values: make([][]float64, len(first.Metrics))}
	times := map[int]float64{}
	for _, fold := range folds {
		if !slices.Equal(fold.Metrics, first.Metrics) {
			panic(fmt.Sprintf("evaluate: results of %v and %v cannot be pooled", first.Metrics, fold.Metrics))
		}
		pooled.FitSeconds += fold.FitSeconds
		pooled.RankSeconds += fold.RankSeconds
		for _, u := range fold.Users {
			times[u]++
		}
	}
	pooled.Users = slices.Sorted(maps.Keys(times))
	for m := range pooled.Values {
		pooled.Values[m] = make([]float64, len(pooled.Users))
		for _, fold := range folds {
			for k, u := range fold.Users {
				at, _ := slices.BinarySearch(pooled.Users, u)
				pooled.Values[m][at] += fold.Values[m][k] / times[u]
			}
		}
	}
	pooled.Coverage = poolCoverage(folds)
	return pooled
}

// Run fits a model to the training part of a split and computes its metrics for every user with held-out ratings.
func Run(ctx context.Context, model Model, split ratings.Split, options Options) (*Result, error) {
	start := time.Now()
	ranker, err := model.Fit(ctx, split.Training)
	if err != nil {
		return nil, err
	}
	fitted := time.Now()
	if options.Shown {
		options.popularity = popularityOf(split.Training.Set())
	}
	result, err := Judge(ctx, ranker, split.Holdout, options)
	if err != nil {
		return nil, err
	}
	result.FitSeconds = fitted.Sub(start).Seconds()
	return result, nil
}

// Judge computes the metrics of a fitted model for every user with held-out ratings.
func Judge(ctx context.Context, ranker Ranker, holdout ratings.Holdout, options Options) (*Result, error) {
	if options.Metrics == nil {
		options.Metrics = PaperMetrics(metric.Exp2, 1, 5)
	}
	start := time.Now()
	result := &Result{Values: make([][]float64, len(options.Metrics))}
	for u := range holdout.Set().Users().Len() {
		if holdout.Test(u).Len() > 0 {
			result.Users = append(result.Users, u)
		}
	}
	if len(result.Users) == 0 {
		return nil, fmt.Errorf("evaluate: %w", ratings.ErrNothingLeft)
	}
	for m, each := range options.Metrics {
		result.Metrics = append(result.Metrics, each.Name)
		result.Values[m] = make([]float64, len(result.Users))
	}
	var shown *tops
	if options.popularity != nil {
		shown = newTops(options.popularity)
		result.Metrics = append(result.Metrics, popularityName)
		result.Values = append(result.Values, make([]float64, len(result.Users)))
	}
	judges := make([]*judge, parallel.Size(len(result.Users), options.Jobs))
	for w := range judges {
		judges[w] = &judge{Options: options, ranker: ranker, holdout: holdout, shown: shown}
	}
	err := parallel.Each(ctx, len(result.Users), options.Jobs, func(worker, k int) error { return judges[worker].user(result, k) })
	if err != nil {
		return nil, err
	}
	if shown != nil {
		result.Coverage = shown.coverage()
	}
	result.RankSeconds = time.Since(start).Seconds()
	return result, nil
}

// judge is the scratch space of one worker.
type judge struct {
	Options
	ranker  Ranker
	holdout ratings.Holdout
	ranking metric.Ranking
	items   []uint32
	scores  []float64
	levels  []float64
	shown   *tops // nil unless asked for

	probability, scratch []float64
}

// user writes the metrics of the k-th user of a result.
func (j *judge) user(result *Result, k int) error {
	u := result.Users[k]
	known, test := j.holdout.Known(u), j.holdout.Test(u)
	j.candidates(known, test)
	j.scores = slices.Grow(j.scores[:0], len(j.items))[:len(j.items)]
	clear(j.scores)
	j.ranker.Score(model.Person{Index: u, Known: known}, j.items, j.scores)
	if err := j.ranking.Load(j.scores, j.levels); err != nil {
		return fmt.Errorf("evaluate: ranking for user %q: %w", j.holdout.Set().Users().ID(uint32(u)), err)
	}
	for m, each := range j.Metrics {
		result.Values[m][k] = each.Of(&j.ranking)
	}
	if j.shown != nil {
		j.probability = slices.Grow(j.probability[:0], len(j.items))[:len(j.items)]
		j.scratch = slices.Grow(j.scratch[:0], len(j.items))[:len(j.items)]
		inTop(j.scores, ShownTop, j.probability, j.scratch)
		result.Values[len(j.Metrics)][k] = j.shown.add(u, j.items, j.probability)
	}
	return nil
}

// candidates fills the items to rank and their true levels.
func (j *judge) candidates(known, test ratings.Row) {
	j.items, j.levels = j.items[:0], j.levels[:0]
	if j.Candidates == Rated {
		j.items = append(j.items, test.Items...)
		for _, v := range test.Values {
			j.levels = append(j.levels, float64(v))
		}
		return
	}
	at, seen := 0, 0 // rows are sorted by item
	for i := range uint32(j.holdout.Set().Items().Len()) {
		if seen < known.Len() && known.Items[seen] == i {
			seen++
			continue
		}
		level := 0.0
		if at < test.Len() && test.Items[at] == i {
			level = float64(test.Values[at])
			at++
		}
		j.items = append(j.items, i)
		j.levels = append(j.levels, level)
	}
}
