package cells

import (
	"context"
	"fmt"
	"time"

	"fubini/core/partition"
	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/judge/metric"
	"fubini/learn/registry"
	"fubini/learn/tune"
	"fubini/model"
)

// Data is a set of ratings with its name in tables.
type Data struct {
	Name    string
	Set     *ratings.Set
	MinTest int  // least number of test ratings of a user
	Filter  bool // drops the items that users agree on, as the paper does
}

// Split divides the data into training and test ratings, with n ratings given of each user.
func (d Data) Split(n int, seed uint64) (ratings.Split, error) {
	if d.Filter {
		return d.Set.Paper(n, d.MinTest, seed)
	}
	return d.Set.Given(n, d.MinTest, seed)
}

// Cell is one model on one split.
type Cell struct {
	Data    string             `json:"data"`
	Digest  string             `json:"fingerprint"`     // of the ratings
	Kinds   string             `json:"kinds,omitempty"` // digest of the groups and years of the items, where all items are ranked
	Filter  bool               `json:"filter"`
	Given   int                `json:"given"`
	MinTest int                `json:"min_test"`
	Seed    uint64             `json:"seed"`
	Model   string             `json:"model"`
	Budget  int                `json:"budget,omitempty"`   // fits to tune with; 0 means the defaults
	Set     map[string]float64 `json:"settings,omitempty"` // settings that differ from the defaults
	Deep    bool               `json:"deep,omitempty"`     // NDCG at every place to 10
	// Protocol, if not empty, is KnownUsers, LastRating or NewUsers: all items are ranked.
	Protocol string `json:"protocol,omitempty"`
}

// Prefix is the beginning of the name of the cell's file.
func (c Cell) Prefix() string {
	if c.Protocol != "" {
		return fmt.Sprintf("%s-%s-%d-%d-%s", c.Data, c.Protocol, c.Given, c.Seed, c.Model)
	}
	return fmt.Sprintf("%s-%d-%d-%s", c.Data, c.Given, c.Seed, c.Model)
}

func (c Cell) fit() (string, map[string]float64) { return c.Model, c.Set }

// metrics are those that a cell is judged by; nil for the usual ones.
func (c Cell) metrics() []evaluate.Metric {
	if !c.Deep {
		return nil
	}
	tops := make([]int, Deepest)
	for k := range tops {
		tops[k] = k + 1
	}
	return evaluate.PaperMetrics(metric.Exp2, 1, 5, tops...)
}

// Deepest is the largest k of the NDCG@k curves.
const Deepest = 10

// Outcome is the result of a cell. One with an error, for data too small for the model, is shown and not kept.
type Outcome struct {
	Cell Cell `json:"cell"`
	Origin
	Chosen   map[string]float64 `json:"chosen,omitempty"` // by tuning
	Metrics  []string           `json:"metrics"`
	Users    []int              `json:"users"`
	Values   [][]float64        `json:"values"` // [metric][user]
	Coverage *evaluate.Coverage `json:"coverage,omitempty"`
	FitTime  float64            `json:"fit_s"`
	TuneTime float64            `json:"tune_s,omitempty"`
	RankTime float64            `json:"rank_s"`
}

// Result returns the metrics and times of the outcome.
func (o *Outcome) Result() *evaluate.Result {
	return &evaluate.Result{Metrics: o.Metrics, Users: o.Users, Values: o.Values, Coverage: o.Coverage, FitSeconds: o.FitTime, RankSeconds: o.RankTime}
}

func (o *Outcome) seconds() float64 { return o.FitTime + o.TuneTime + o.RankTime }

// Runner fits and judges the models of cells, and keeps the outcomes in a store.
type Runner struct {
	Store   Store
	Jobs    int
	Program string
	// Observe, if not nil, is called before a cell is run.
	Observe func(c Cell)
}

// Run returns the outcome of a cell on its split, from the store if it is there.
func (b *Runner) Run(ctx context.Context, c Cell, split ratings.Split) (*Outcome, error) {
	name, origin, err := describe(c.Prefix(), c)
	if err != nil {
		return nil, err
	}
	return keep(b, name, origin, func() (*Outcome, error) {
		if b.Observe != nil {
			b.Observe(c)
		}
		judge := b.Judge
		if c.Protocol != "" {
			judge = b.judgeWhole
		}
		o, err := judge(ctx, c, split)
		if err != nil {
			return nil, fmt.Errorf("paper: %s on %s, %d given: %w", c.Model, c.Data, c.Given, err)
		}
		return o, nil
	})
}

// Judge fits the model of a cell, tuned first where the cell has a budget, and ranks the test ratings.
func (b *Runner) Judge(ctx context.Context, c Cell, split ratings.Split) (*Outcome, error) {
	recipe, err := Configured(c.Model, nil)
	if err != nil {
		return nil, err
	}
	o := &Outcome{Cell: c}
	if err := b.tune(ctx, o, recipe, split.Training, tune.Options{}); err != nil {
		return nil, err
	}
	if err := setting.Apply(recipe.Settings(), c.Set); err != nil {
		return nil, err
	}
	result, err := evaluate.Run(ctx, registry.Judged(recipe, model.Run{Seed: c.Seed, Jobs: b.Jobs}), split, evaluate.Options{Jobs: b.Jobs, Metrics: c.metrics()})
	if err != nil {
		return nil, err
	}
	o.Metrics, o.Users, o.Values = result.Metrics, result.Users, result.Values
	o.FitTime, o.RankTime = result.FitSeconds, result.RankSeconds
	return o, nil
}

// tune chooses the settings of a recipe, if the cell has a budget.
func (b *Runner) tune(ctx context.Context, o *Outcome, recipe model.Recipe, training ratings.Training, options tune.Options) error {
	if o.Cell.Budget == 0 {
		return nil
	}
	start := time.Now()
	options.Budget, options.Seed, options.Jobs = o.Cell.Budget, o.Cell.Seed, b.Jobs
	found, err := tune.Search(ctx, training, o.Cell.Model, options)
	if err != nil {
		return err
	}
	o.Chosen, o.TuneTime = found.Best, time.Since(start).Seconds()
	return setting.Apply(recipe.Settings(), found.Best)
}

// The values of some choices among the settings of models.
const (
	BinaryUnits   = 0
	BaseTies      = 0
	OrderedProbit = 1
	NeverLevels   = 2
	// None stands for zero in the keys of stored cells, where 0 means the default.
	None = -1
)

// Chained is the name of the latent model that is fitted by persistent chains.
const Chained = "latent-osm-chains"

// WeakOrders is a model with a probability for every ranking with ties of the scored items.
type WeakOrders interface {
	model.Model
	// LogLikelihood is the log probability of an order, whose item n has scores[n].
	LogLikelihood(scores []float64, order *partition.Partition) float64
}

// Configured is the recipe of a model with some settings changed.
func Configured(model string, set map[string]float64) (model.Recipe, error) {
	recipe, err := registry.New(model)
	if err != nil {
		return nil, err
	}
	return recipe, setting.Apply(recipe.Settings(), set)
}

// Fit fits a model with some settings changed to a set of ratings.
func (b *Runner) Fit(ctx context.Context, name string, set map[string]float64, training *ratings.Set, seed uint64) (model.Model, error) {
	recipe, err := Configured(name, set)
	if err != nil {
		return nil, err
	}
	return recipe.Fit(ctx, training, model.Run{Seed: seed, Jobs: b.Jobs})
}
