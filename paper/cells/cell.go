package cells

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/judge/metric"
	"fubini/learn/registry"
	"fubini/learn/tune"
	"fubini/model"
)

// Data is a set of ratings with what a table calls it.
type Data struct {
	Name string
	Set  *ratings.Set
	// Given, MinTest and Filter are the protocol: ratings given of each user, the
	// least number to test on, and whether items that all agree on are dropped.
	MinTest int
	Filter  bool
}

// Split divides the data for one table cell.
func (d Data) Split(given int, seed uint64) (ratings.Split, error) {
	if d.Filter {
		return d.Set.Paper(given, d.MinTest, seed)
	}
	return d.Set.Given(given, d.MinTest, seed)
}

// Cell is one model on one split.
type Cell struct {
	Data    string             `json:"data"`
	Digest  string             `json:"fingerprint"` // of the ratings
	Filter  bool               `json:"filter"`
	Given   int                `json:"given"`
	MinTest int                `json:"min_test"`
	Seed    uint64             `json:"seed"`
	Model   string             `json:"model"`
	Budget  int                `json:"budget,omitempty"`   // fits to tune with; 0 means the defaults
	Set     map[string]float64 `json:"settings,omitempty"` // settings that differ from the defaults
	Deep    bool               `json:"deep,omitempty"`     // NDCG at every place to 10
}

// prefix is what the name of the cell's file begins with.
func (c Cell) Prefix() string { return fmt.Sprintf("%s-%d-%d-%s", c.Data, c.Given, c.Seed, c.Model) }

// cellName is where the outcome of something described by key is kept: whatever
// differs in it is another cell.
func cellName(prefix string, key any) (string, error) {
	text, err := json.Marshal(key)
	if err != nil {
		return "", err
	}
	digest := sha256.Sum256(text)
	return fmt.Sprintf("cells/%s-%s.json", prefix, hex.EncodeToString(digest[:6])), nil
}

// metrics are those that a cell is judged by; nil for the usual ones.
func (c Cell) metrics() []evaluate.Metric {
	if !c.Deep {
		return nil
	}
	list := evaluate.PaperMetrics(metric.Exp2, 1, 5)[:1]
	for top := 1; top <= Deepest; top++ {
		list = append(list, evaluate.Metric{Name: fmt.Sprintf("ndcg@%d", top), Of: func(r *metric.Ranking) float64 { return r.NDCG(top, metric.Exp2) }})
	}
	return list
}

// deepest is the last place of the curves of NDCG.
const Deepest = 10

// Outcome is what a cell gave.
type Outcome struct {
	Cell Cell `json:"cell"`
	Origin
	Chosen   map[string]float64 `json:"chosen,omitempty"` // by tuning
	Metrics  []string           `json:"metrics"`
	Users    []int              `json:"users"`
	Values   [][]float64        `json:"values"` // [metric][user]
	FitTime  float64            `json:"fit_s"`
	TuneTime float64            `json:"tune_s,omitempty"`
	RankTime float64            `json:"rank_s"`
	// Error is why there is none: the data are too small for the model, for example. Such an
	// outcome is shown, and not kept.
	Error string `json:"error,omitempty"`
}

func (o *Outcome) unmade() string { return o.Error }

// Result is the outcome as [evaluate] has it.
func (o *Outcome) Result() *evaluate.Result {
	return &evaluate.Result{Metrics: o.Metrics, Users: o.Users, Values: o.Values, FitSeconds: o.FitTime, RankSeconds: o.RankTime}
}

// Seconds is the time of tuning, fitting and ranking.
func (o *Outcome) Seconds() float64 { return o.FitTime + o.TuneTime + o.RankTime }

// Bench runs cells.
type Bench struct {
	Store   Store
	Jobs    int
	Program string
	// Observe, if not nil, is called before a cell is run.
	Observe func(c Cell)
}

// Run returns the outcome of a cell on its split, from the store if it is there.
func (b *Bench) Run(ctx context.Context, c Cell, split ratings.Split) (*Outcome, error) {
	name, err := cellName(c.Prefix(), c)
	if err != nil {
		return nil, err
	}
	settings, err := Resolved(c.Model, c.Set)
	if err != nil {
		return nil, err
	}
	return keep(b, name, settings, func() (*Outcome, error) {
		if b.Observe != nil {
			b.Observe(c)
		}
		o, err := b.Judge(ctx, c, split)
		if err != nil {
			return nil, fmt.Errorf("paper: %s on %s, %d given: %w", c.Model, c.Data, c.Given, err)
		}
		return o, nil
	})
}

// Judge fits the model of a cell, tuned first where the cell has a budget, and ranks the test ratings.
func (b *Bench) Judge(ctx context.Context, c Cell, split ratings.Split) (*Outcome, error) {
	recipe, err := Configured(c.Model, nil)
	if err != nil {
		return nil, err
	}
	o := &Outcome{Cell: c}
	if c.Budget > 0 {
		start := time.Now()
		found, err := tune.Search(ctx, split.Training, c.Model, tune.Options{Budget: c.Budget, Seed: c.Seed, Jobs: b.Jobs})
		if err != nil {
			return nil, err
		}
		o.Chosen, o.TuneTime = found.Best, time.Since(start).Seconds()
		if err := setting.Apply(recipe.Settings(), found.Best); err != nil {
			return nil, err
		}
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

// configured is the recipe of a model with some settings changed.
func Configured(model string, set map[string]float64) (model.Recipe, error) {
	recipe, err := registry.New(model)
	if err != nil {
		return nil, err
	}
	return recipe, setting.Apply(recipe.Settings(), set)
}
