package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"fubini/core/rng"
	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/interest"
)

// Options of a search.
type Options struct {
	Budget int // number of fits
	Seed   uint64
	Jobs   int // goroutines of each fit; 0 means one for each core
	// Candidates are the items that are ranked for a user: Rated judges by pairs of held-back ratings, All by NDCG@10, for
	// models with interest beside taste by both.
	Candidates evaluate.Candidates
	// Fixed are settings that all trials have, the defaults too, and that are not searched.
	Fixed map[string]float64
	// Divide makes the splits that fits are judged on; nil for parts of each user's ratings.
	Divide Divide
	// Observe, if not nil, is called after every fit.
	Observe func(f Fit, done int)
	// Done are fits of an interrupted search with the same model, data, seed and budget; they are not repeated.
	Done []Fit
}

// Fit is one fit: the settings of a trial, on one fold of the training ratings.
type Fit struct {
	Trial    int                `json:"trial"`
	Fold     int                `json:"fold"`
	Settings map[string]float64 `json:"settings"`
	Value    float64            `json:"value"` // weighted share of held-back pairs in the right order, or NDCG@10 of all items
	Gain     float64            `json:"gain"`  // difference to the defaults, on the same pairs
	StdErr   float64            `json:"noise"` // standard error of the gain
	Error    string             `json:"error,omitempty"`
	Seconds  float64            `json:"fit_s"`
}

// Divide makes splits of training ratings. It sees no other ratings than these. Where it returns none, parts of each user's
// ratings take their place.
type Divide func(training ratings.Training, seed uint64) []ratings.Split

// Trial is one candidate for the settings, with its results over folds.
type Trial struct {
	Number   int                `json:"trial"`
	Settings map[string]float64 `json:"settings"`
	Folds    int                `json:"folds"` // number of folds with a fit
	Value    float64            `json:"value"` // mean over folds
	Gain     float64            `json:"gain"`  // mean over folds of the difference to the defaults
	StdErr   float64            `json:"noise"` // standard error of the gain
	Error    string             `json:"error,omitempty"`
}

// Result of a search: the chosen settings, and all trials, the chosen first, then by the number
// of folds and by value. Trial 0 has the defaults.
type Result struct {
	Model  string             `json:"model"`
	Best   map[string]float64 `json:"settings"`
	Trials []Trial            `json:"trials"`
	Fits   []Fit              `json:"fits"`
}

// Search chooses settings of a model on the training part of a split, by successive halving
// with folds of the training ratings as the resource. Half the trials are spread over the
// ranges of all settings. The others are drawn near the best of these and of the defaults. The best third of
// all trials is fitted on a second fold, and a third of those on a third fold. The defaults are
// fitted on all folds. They are kept unless the gain of the best trial exceeds two standard
// errors, because the maximum over many trials is biased upwards.
//
// All models get the same number of fits and the same folds.
func Search(ctx context.Context, training ratings.Training, model string, o Options) (*Result, error) {
	if o.Budget < 1 {
		return nil, fmt.Errorf("tune: a budget of %d fits; at least one is needed, and 20 are usual", o.Budget)
	}
	recipe, err := registry.New(model)
	if err != nil {
		return nil, err
	}
	s := &search{ctx: ctx, model: model, options: o, budget: o.Budget}
	for _, k := range recipe.Settings() {
		if _, fixed := o.Fixed[k.Name]; k.Searched() && !fixed {
			s.searched = append(s.searched, k)
		}
	}
	if o.Divide != nil {
		s.folds = o.Divide(training, o.Seed)
	}
	if len(s.folds) == 0 {
		if s.folds, err = foldsOf(training, o.Seed); err != nil {
			return nil, err
		}
	}
	s.plain, s.picks = make([][]tally, len(s.folds)), make([]*interest.Model, len(s.folds))
	if err := s.run(); err != nil {
		return nil, err
	}
	return s.result(), nil
}

// margin is the number of standard errors by which a trial must be ahead of the defaults. The
// largest gain of eleven trials without any is 1.6 standard errors on average.
const margin = 2

type search struct {
	ctx      context.Context
	model    string
	options  Options
	budget   int
	searched []setting.Setting
	folds    []ratings.Split
	trials   []*trial
	fits     []Fit
	plain    [][]tally // what the defaults reach, by fold; nil where not known
	// picks are the models of interest that rank all items together with taste, by fold; nil where not fitted. No setting of taste changes them.
	picks []*interest.Model
}

type trial struct {
	settings map[string]float64
	place    []float64 // in the unit cube of the settings
	values   []float64 // by fold
	gains    []float64
	noises   []float64
	failed   string
}

// ahead is the mean gain over the defaults and its standard error.
func (t *trial) ahead() (gain, noise float64) {
	folds := float64(max(1, len(t.gains)))
	for f, g := range t.gains {
		gain += g / folds
		noise += t.noises[f] * t.noises[f]
	}
	return gain, math.Sqrt(noise) / folds
}

func (t *trial) value() float64 {
	if t.failed != "" || len(t.values) == 0 {
		return math.Inf(-1)
	}
	var sum float64
	for _, v := range t.values {
		sum += v
	}
	return sum / float64(len(t.values))
}

func (s *search) run() error {
	if len(s.searched) == 0 { // nothing to search
		s.trials = []*trial{{settings: s.fixed()}}
		return s.judge(s.trials[0], 0)
	}
	// Fits of the first fold; about a third and a ninth of that for the next two.
	first := max(1, int(math.Round(float64(s.budget)/(1+1.0/3+1.0/9))))
	spread := max(1, (first+1)/2)
	design := latin(rng.Stream(s.options.Seed, "tune "+s.model), spread, len(s.searched))
	for n := range first {
		t := &trial{settings: s.fixed()}
		switch {
		case n == 0: // the defaults
			t.place = s.defaults()
		case n < spread:
			t.place = design[n]
		default:
			t.place = s.around(n, first)
		}
		if n > 0 {
			for k, at := range t.place {
				t.settings[s.searched[k].Name] = rounded(s.searched[k], s.searched[k].At(at))
			}
		}
		s.trials = append(s.trials, t)
		if err := s.judge(t, 0); err != nil {
			return err
		}
	}
	keep := first
	for fold := 1; fold < len(s.folds) && len(s.fits) < s.budget; fold++ {
		keep = max(1, keep/3)
		chosen := s.best(fold)[:min(keep, len(s.trials))]
		if room := s.budget - len(s.fits); len(chosen) > room {
			chosen = chosen[:room]
		}
		// The defaults first: others are compared with them.
		chosen = slices.DeleteFunc(chosen, func(t *trial) bool { return t == s.trials[0] })
		for _, t := range slices.Insert(chosen, 0, s.trials[0]) {
			if err := s.judge(t, fold); err != nil {
				return err
			}
		}
	}
	return nil
}

// defaults is the place of the defaults in the unit cube of the settings; nil where one depends on the data.
func (s *search) defaults() []float64 {
	place := make([]float64, len(s.searched))
	for k, each := range s.searched {
		share, known := each.Share(each.Value())
		if !known {
			return nil
		}
		place[k] = share
	}
	return place
}

// fixed is a copy of the settings that all trials have.
func (s *search) fixed() map[string]float64 {
	settings := map[string]float64{}
	maps.Copy(settings, s.options.Fixed)
	return settings
}

// around draws settings near one of the three best trials, nearer as the search goes on.
func (s *search) around(n, first int) []float64 {
	r := rng.Stream(s.options.Seed, "tune near "+s.model, uint64(n))
	ranked := slices.DeleteFunc(s.best(1), func(t *trial) bool { return t.place == nil || t.failed != "" })
	if len(ranked) == 0 {
		place := make([]float64, len(s.searched))
		for k := range place {
			place[k] = r.Float64()
		}
		return place
	}
	from := ranked[r.IntN(min(3, len(ranked)))]
	width := 0.25 * (1 - float64(n)/float64(first+1))
	place := slices.Clone(from.place)
	for k := range place {
		place[k] += width * r.NormFloat64()
		for place[k] < 0 || place[k] > 1 { // back from the walls
			if place[k] < 0 {
				place[k] = -place[k]
			} else {
				place[k] = 2 - place[k]
			}
		}
	}
	return place
}

// best ranks the trials that were judged on this number of folds: by value, and then in the order they were made.
func (s *search) best(folds int) []*trial {
	ranked := slices.DeleteFunc(slices.Clone(s.trials), func(t *trial) bool { return len(t.values) < folds && t.failed == "" })
	slices.SortStableFunc(ranked, func(a, b *trial) int { return cmp.Compare(b.value(), a.value()) })
	return ranked
}

// judge fits a trial on a fold, or takes it from an earlier search.
func (s *search) judge(t *trial, fold int) error {
	if t.failed != "" {
		return nil
	}
	fit := Fit{Trial: slices.Index(s.trials, t), Fold: fold, Settings: t.settings}
	at := slices.IndexFunc(s.options.Done, func(d Fit) bool {
		compared := d.Trial == 0 || d.StdErr > 0 || d.Error != ""
		return d.Trial == fit.Trial && d.Fold == fold && maps.Equal(d.Settings, t.settings) && compared
	})
	if at >= 0 {
		fit = s.options.Done[at]
	} else if err := s.fit(t, &fit); err != nil {
		return err
	}
	if fit.Error != "" {
		t.failed = fit.Error
	} else {
		t.values, t.gains, t.noises = append(t.values, fit.Value), append(t.gains, fit.Gain), append(t.noises, fit.StdErr)
	}
	s.fits = append(s.fits, fit)
	if s.options.Observe != nil {
		s.options.Observe(fit, len(s.fits))
	}
	return nil
}

// fit makes one fit, and compares it with that of the defaults. Settings that a model refuses, or that make it fail,
// are a bad trial and not the end of the search.
func (s *search) fit(t *trial, fit *Fit) error {
	start := time.Now()
	users, err := s.try(t.settings, fit.Fold)
	fit.Seconds = time.Since(start).Seconds()
	switch {
	case s.ctx.Err() != nil:
		return s.ctx.Err()
	case errors.Is(err, errNoPairs):
		return err
	case err != nil:
		fit.Error = err.Error()
		return nil
	}
	fit.Value = share(users)
	if fit.Trial == 0 {
		s.plain[fit.Fold] = users
		return nil
	}
	if s.plain[fit.Fold] == nil && s.trials[0].failed == "" { // an earlier search had it
		if s.plain[fit.Fold], err = s.try(s.trials[0].settings, fit.Fold); err != nil {
			return err
		}
	}
	if s.plain[fit.Fold] == nil { // anything is better than what fails
		fit.Gain = math.MaxFloat64
		return nil
	}
	fit.Gain, fit.StdErr = apart(users, s.plain[fit.Fold])
	return nil
}

// try fits the model with some settings on a fold and judges it.
func (s *search) try(settings map[string]float64, fold int) ([]tally, error) {
	recipe, err := registry.New(s.model)
	if err != nil {
		return nil, err
	}
	if err := setting.Apply(recipe.Settings(), settings); err != nil {
		return nil, err
	}
	split, run := s.folds[fold], model.Run{Seed: s.options.Seed, Jobs: s.options.Jobs}
	fitted, err := recipe.Fit(s.ctx, split.Training.Set(), run)
	if err != nil {
		return nil, err
	}
	if s.options.Candidates != evaluate.All {
		return ordered(s.ctx, fitted, split, s.options.Jobs)
	}
	var ranker evaluate.Ranker = fitted
	if modelstore.Combines(s.model, recipe) {
		if s.picks[fold] == nil {
			if s.picks[fold], err = modelstore.FitPicks(s.ctx, split.Training.Set(), run); err != nil {
				return nil, err
			}
		}
		ranker = modelstore.ByAim(split.Training, fitted, s.picks[fold], modelstore.AimAuto)
	}
	return catalogued(s.ctx, ranker, split, s.options.Seed, s.options.Jobs)
}

func (s *search) result() *Result {
	r := &Result{Model: s.model, Fits: s.fits}
	for n, t := range s.trials {
		value := t.value()
		if math.IsInf(value, -1) {
			value = 0
		}
		gain, noise := t.ahead()
		r.Trials = append(r.Trials, Trial{Number: n, Settings: t.settings, Folds: len(t.values), Value: value, Gain: gain, StdErr: noise, Error: t.failed})
	}
	slices.SortStableFunc(r.Trials, func(a, b Trial) int {
		return cmp.Or(cmp.Compare(b.Folds, a.Folds), cmp.Compare(b.Value, a.Value))
	})
	if best := r.Trials[0]; best.Number != 0 && !(best.Gain > margin*best.StdErr) {
		at := slices.IndexFunc(r.Trials, func(t Trial) bool { return t.Number == 0 })
		defaults := r.Trials[at]
		r.Trials = slices.Insert(slices.Delete(r.Trials, at, at+1), 0, defaults)
	}
	r.Best = r.Trials[0].Settings
	return r
}

// latin spreads points over the unit cube: in every direction one in each of count equal parts. The first is the place
// of the defaults and is not used.
func latin(r *rng.Rand, count, settings int) [][]float64 {
	points := make([][]float64, count)
	for n := range points {
		points[n] = make([]float64, settings)
	}
	order := make([]int, count)
	for k := range settings {
		rng.Permutation(r, order)
		for n, part := range order {
			points[n][k] = (float64(part) + r.Float64()) / float64(count)
		}
	}
	return points
}

// rounded cuts a value to three digits, which a person can read and type.
func rounded(k setting.Setting, v float64) float64 {
	if k.Whole {
		return v
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	if err != nil {
		return v
	}
	return short
}
