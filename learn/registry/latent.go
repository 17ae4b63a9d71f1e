package registry

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/learn/ascent"
	"fubini/learn/chains"
	"fubini/learn/slots"
	"fubini/model"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Trainer has the options of one way to fit an Ordered Set Model: slots.Options or
// chains.Options.
type Trainer interface {
	// Base returns the options of package ascent, which both have.
	Base() *ascent.Options
	// Resolve chooses, for n items and these lists, the options that are left to the data.
	Resolve(ctx context.Context, n int, lists []osm.Packed) error
	// Shared returns how many of the first epochs, which are resolved, a fit may share with one to most of its ratings; 0 for none.
	Shared() int
	// Fit estimates the parameters of n items from lists.
	Fit(ctx context.Context, n int, lists []osm.Packed) (*ascent.Estimate, error)
}

// OrderedSetRecipe is the recipe of an Ordered Set Model, with hidden units or without.
type OrderedSetRecipe interface {
	model.Recipe
	// TrainerOn returns a copy of the options. Its rating levels, the mean ratings of items, from which the prior means of worths
	// are computed, are those of the set; a nil set gives none.
	TrainerOn(set *ratings.Set) Trainer
}

// TrainerOf returns the training options of a recipe, for callers that need more control than
// Fit of the recipe gives. A recipe of another family is an error, [ErrNoUnits].
func TrainerOf(r model.Recipe) (Trainer, error) {
	if recipe, ours := r.(OrderedSetRecipe); ours {
		return recipe.TrainerOn(nil), nil
	}
	return nil, fmt.Errorf("registry: the model %w; osm, latent-osm and latent-osm-paper have", ErrNoUnits)
}

// bySlots is the recipe of latent-osm: fitted by the slot likelihood.
type bySlots struct {
	slots.Options
	levels levelsUse
}

// TrainerOn returns the options of package slots; slots.Options.Fit is what `fubini train` runs.
func (r *bySlots) TrainerOn(set *ratings.Set) Trainer {
	o := r.Options
	o.Levels = r.levels.of(set)
	return &o
}

// Settings are the options of package slots by name, with meaning, default and range.
func (r *bySlots) Settings() []setting.Setting {
	o, d := &r.Options, slots.Defaults()
	unset := *o
	unset.CoOccurrence = ascent.Auto
	base := baseSettings(&o.Options, d.Options)
	for k := range base {
		if strings.HasPrefix(base[k].Name, "prior-") && base[k].Internal == "" {
			base[k].Means += "; unless it is set, small sets whose items are in many lists may choose another"
		}
	}
	return append(base,
		setting.Int(&o.CoOccurrence, d.CoOccurrence, setting.Setting{Name: "co-occurrence", Was: "company", Means: "co-occurrence features of an item in the prior; 0 for none", Default: float64(unset.Features())}),
		setting.Switch(&o.Relevance, d.Relevance, setting.Setting{Name: "relevance", Means: "the precision of the prior on the weights of each unit is learned; prior-w is where it starts"}),
		setting.Choice(&o.Prior.Tastes, d.Prior.Tastes, setting.Setting{Name: "tastes", Means: "sampled tastes as the mean of the prior on worths and weights of units: where small sets with long lists, whose items are in many, choose so, always, never", Fixed: true}, "choose", "always", "never"),
		setting.Switch(&o.Discount, d.Discount, setting.Setting{Name: "discount", Means: "items in few lists are ranked nearer to the middle"}),
		setting.Choice(&r.levels, levelsFew, setting.Setting{Name: "levels", Means: "rating levels in the prior of worths: where items have few ratings that tell much of them, always, never", Fixed: true}, "few", "always", "never"))
}

func (r *bySlots) Fit(ctx context.Context, set *ratings.Set, run model.Run) (model.Model, error) {
	return fitOrderedSet(ctx, set, r, run)
}

func (r *bySlots) Load(f *modelfile.File, items int) (model.Model, error) {
	return loadLatent(f, items)
}

// byChains is the recipe of the models that are fitted by Markov chains.
type byChains struct {
	chains.Options
	own      chains.Options // defaults of the model that goes by this name
	settings []string       // that it has; nil for all
}

func newByChains(own chains.Options, settings ...string) *byChains {
	return &byChains{own, own, settings}
}

func (r *byChains) TrainerOn(*ratings.Set) Trainer {
	o := r.Options
	return &o
}

func (r *byChains) Settings() []setting.Setting {
	o, d := &r.Options, r.own
	base := baseSettings(&o.Options, d.Options)
	if d.Absolute {
		rate := slices.IndexFunc(base, func(s setting.Setting) bool { return s.Name == "rate" })
		base[rate].Means = "step, as a multiple of the mean gradient"
	}
	const fixed = "latent-osm-paper has the paper's scores and steps; latent-osm has centred scores and Newton steps"
	all := append(base,
		setting.Choice(&o.Ties, d.Ties, setting.Setting{Name: "ties", Means: "tie weight of the units: none, or that of the base", Fixed: true}, "base", "shared"),
		setting.Switch(&o.Raw, d.Raw, setting.Setting{Name: "raw", Internal: fixed, Means: "scores neither centred nor normalised by size"}),
		setting.Switch(&o.Absolute, d.Absolute, setting.Setting{Name: "absolute", Internal: fixed, Means: "steps are the rate times the mean gradient, not a share of a Newton step"}),
		setting.Switch(&o.Last, d.Last, setting.Setting{Name: "last", Internal: fixed, Means: "the result is the last point, not the average over the second half"}),
		setting.Choice(&o.Schedule, d.Schedule, setting.Setting{Name: "schedule", Internal: fixed, Means: "how the rate falls", Fixed: true}, "linear", "inverse", "constant"),
		setting.Choice(&o.Moves, d.Moves, setting.Setting{Name: "moves", Means: "of chains", Fixed: true}, "reinsertion", "split-merge", "split-merge-paper"),
		setting.Int(&o.Samples, d.Samples, setting.Setting{Name: "samples", Means: "states of a chain, per visit, whose mean is in the gradient", Positive: true}),
		setting.Int(&o.Sweeps, d.Sweeps, setting.Setting{Name: "sweeps", Means: "of chains, before each sample", Positive: true}),
		setting.Int(&o.Count, d.Count, setting.Setting{Name: "count", Means: "splits and merges in a sweep; as many as items if not set", Positive: true, Default: math.NaN()}))
	return slices.DeleteFunc(all, func(s setting.Setting) bool { return r.settings != nil && !slices.Contains(r.settings, s.Name) })
}

func (r *byChains) Fit(ctx context.Context, set *ratings.Set, run model.Run) (model.Model, error) {
	return fitOrderedSet(ctx, set, r, run)
}

func (r *byChains) Load(f *modelfile.File, items int) (model.Model, error) {
	return loadLatent(f, items)
}

// osmOptions are the defaults of osm. Without units the likelihood ranks better than
// the slot likelihood, and a weaker prior on worths is best; see docs/quality.md.
func osmOptions() chains.Options {
	o := chains.Defaults()
	o.Hidden, o.Prior.U = 0, 5
	return o
}

// chainsOptions are the defaults of latent-osm-chains: latent-osm by chains, for tables and figures.
func chainsOptions() chains.Options {
	o := chains.Defaults()
	o.Units = latent.Gaussian
	return o
}

// baseSettings are the settings that models fitted by slots and by chains share.
func baseSettings(o *ascent.Options, d ascent.Options) []setting.Setting {
	return []setting.Setting{
		setting.Int(&o.Hidden, d.Hidden, setting.Setting{Name: "hidden", Means: "hidden units; 0 for none", Low: 5, High: 60, Log: true}),
		setting.Choice(&o.Units, d.Units, setting.Setting{Name: "units", Means: "kind of the hidden units", Fixed: true}, "binary", "gaussian"),
		setting.Float(&o.Prior.W, d.Prior.W, setting.Setting{Name: "prior-w", Means: "precision of the prior on unit weights; 0 for none", Default: math.NaN(), Low: 10, High: 200, Log: true}),
		setting.Switch(&o.Biases, d.Biases, setting.Setting{Name: "biases", Internal: "the units have no biases; their effect was too small to measure", Means: "learn a bias for each unit"}),
		setting.Float(&o.Prior.V, d.Prior.V, setting.Setting{Name: "prior-v", Means: "precision of the prior on weights of the presence of items; none for no such weights", Default: ascent.DefaultV, Low: 2, High: 40, Log: true,
			Also: func() { o.Presence = true }, None: func() { o.Presence = false }}),
		setting.Switch(&o.Presence, d.Presence, setting.Setting{Name: "presence", Internal: "prior-v=none stands for presence=no", Means: "the units depend on which items are in a list"}),
		setting.Float(&o.Prior.U, d.Prior.U, setting.Setting{Name: "prior-u", Means: "precision of the prior on worths; 0 for none", Default: ascent.DefaultU, Low: 3, High: 60, Log: true}),
		setting.Int(&o.Epochs, d.Epochs, setting.Setting{Name: "epochs", Means: "passes over all users", Positive: true, Default: math.NaN()}),
		setting.Float(&o.Rate, d.Rate, setting.Setting{Name: "rate", Means: "first step, as a share of a Newton step", Positive: true}),
		setting.Int(&o.Batch, d.Batch, setting.Setting{Name: "batch", Internal: "the number of users per update is chosen by the data", Means: "users per update", Positive: true, Default: math.NaN()}),
		setting.Switch(&o.Plain, d.Plain, setting.Setting{Name: "plain", Internal: "lists are learnt with their ties; reproduce ablation shows what is lost without", Means: "the ties of training lists are broken at random"}),
		setting.Float(&o.Size, d.Size, setting.Setting{Name: "size", Means: "constant of the size normalisation; 0 for none"}),
		sizesSetting(o),
		setting.Float(&o.Prior.Sizes, d.Prior.Sizes, setting.Setting{Name: "prior-sizes", Internal: "sizes has the precision itself, as in sizes=0.1", Means: "precision of the prior on weights by tier size; 0 for none"}),
	}
}

// sizesSetting is one number for weights by tier size and the precision of their prior. Older
// files have 1 for such weights, and the precision under prior-sizes, which is set after it.
func sizesSetting(o *ascent.Options) setting.Setting {
	get := func() float64 {
		if !o.Sizes {
			return 0
		}
		return cmp.Or(o.Prior.Sizes, 1) // zero, no prior, is under prior-sizes
	}
	set := func(v float64) {
		if o.Sizes = v > 0; o.Sizes {
			o.Prior.Sizes = v
		}
	}
	return setting.Func(get, set, 0, setting.Setting{Name: "sizes", Means: "precision of the prior on weights by tier size; 0 for no such weights"})
}

// Prepare returns the tier lists of a set and the options for training on them, with the seed and the goroutines of a run.
func Prepare(r OrderedSetRecipe, set *ratings.Set, run model.Run) (Trainer, []osm.Packed, error) {
	lists, err := osm.PackedOf(set)
	t := r.TrainerOn(set)
	o := t.Base()
	o.Seed, o.Jobs = run.Seed, run.Jobs
	return t, lists, err
}

// fitOrderedSet fits a recipe to the tier lists of a set, without validation or checkpoints.
func fitOrderedSet(ctx context.Context, set *ratings.Set, r OrderedSetRecipe, run model.Run) (model.Model, error) {
	t, lists, err := Prepare(r, set, run)
	if err != nil {
		return nil, err
	}
	if run.Observe != nil {
		t.Base().Observer = func(p ascent.Progress) {
			run.Observe(model.Progress{Epoch: p.Epoch, Epochs: p.Epochs, Left: p.Epochs - p.Epoch, Objective: -p.LogLikelihood, Held: math.NaN()})
		}
	}
	fitted, err := t.Fit(ctx, set.Items().Len(), lists)
	if err != nil {
		return nil, err
	}
	return &Latent{Catalogue: fitted.Catalogue, CoOccurrence: fitted.CoOccurrence}, nil
}
