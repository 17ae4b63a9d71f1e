package zoo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"fubini/core/knob"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/infer/mcmc"
	"fubini/learn/train"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/model/rival"
	"fubini/use/rank"
)

// ourOptions are the settings of latent-osm, paperOptions those of
// latent-osm-paper.
func ourOptions() train.LatentOptions   { return train.LatentOptions{Units: latent.Gaussian} }
func paperOptions() train.LatentOptions { return train.Paper(50) }

// hidden is the Latent Ordered Set Model.
type hidden struct {
	train.LatentOptions
	use levelsUse
}

func (h *hidden) Knobs() []knob.Knob {
	o := &h.LatentOptions
	knobs := []knob.Knob{
		knob.Int(&o.Hidden, knob.Knob{Name: "hidden", Means: "hidden units; negative for none", Default: 20, Low: 5, High: 60, Log: true}),
		knob.Choice(&o.Units, knob.Knob{Name: "units", Means: "kind of the hidden units", Fixed: true}, "binary", "gaussian"),
		knob.Choice(&o.Objective, knob.Knob{Name: "objective", Means: "what is fitted: the slot likelihood, or the likelihood by persistent chains", Fixed: true}, "slots", "chains"),
		knob.Float(&o.PriorW, knob.Knob{Name: "prior-w", Means: "precision of the prior on unit weights; negative for none", Default: math.NaN(), Low: 10, High: 200, Log: true}),
		knob.Choice(&o.Moves, knob.Knob{Name: "moves", Means: "of chains", Fixed: true}, "reinsertion", "split-merge", "split-merge-paper"),
		knob.Int(&o.Count, knob.Knob{Name: "count", Means: "splits and merges in a sweep; 0 for as many as items"}),
		knob.Choice(&o.Ties, knob.Knob{Name: "ties", Means: "tie weight of the units: none, that of the base, or their own", Fixed: true}, "base", "shared", "unit"),
		knob.Switch(&o.Biases, knob.Knob{Name: "biases", Means: "learn a bias for each unit"}),
		knob.Switch(&o.Raw, knob.Knob{Name: "raw", Means: "scores neither centred nor normalised by size"}),
		knob.Switch(&o.Absolute, knob.Knob{Name: "absolute", Means: "the rate is the step itself, not a share of a Newton step"}),
		knob.Switch(&o.Mean, knob.Knob{Name: "mean", Means: "absolute steps follow the mean gradient of a block, not the sum"}),
		knob.Switch(&o.Last, knob.Knob{Name: "last", Means: "the result is the last point, not the average over the second half"}),
		knob.Float(&o.PriorV, knob.Knob{Name: "prior-v", Means: "precision of the prior on what the presence of an item says; negative for nothing", Default: 5, Low: 2, High: 40, Log: true}),
	}
	unset := *o
	unset.Company = 0
	company := float64(unset.Accompanied())
	knobs = append(knobs, knob.Int(&o.Company, knob.Knob{Name: "company", Means: "numbers by which it counts who placed an item; negative for none", Default: company}))
	knobs = append(knobs, knob.Choice(&h.use, knob.Knob{Name: "levels", Means: "when ratings as numbers tell of worths too: where items have few, always, never", Fixed: true}, "few", "always", "never"))
	return append(knobs, visibleKnobs(o, o.Objective == train.Chains, 20)...)
}

// visibleKnobs are those that do not need hidden units. Chains take more epochs, steps of
// their own length are shorter, and how much prior is best depends on the model.
func visibleKnobs(o *train.LatentOptions, chains bool, prior float64) []knob.Knob {
	epochs, rate := 50.0, 0.1
	if chains {
		epochs = 100
	}
	if o.Absolute {
		rate = 0.01
	}
	return []knob.Knob{
		knob.Float(&o.PriorU, knob.Knob{Name: "prior-u", Means: "precision of the prior on worths; negative for none", Default: prior, Low: 3, High: 60, Log: true}),
		knob.Int(&o.Epochs, knob.Knob{Name: "epochs", Means: "passes over all users", Default: epochs}),
		knob.Float(&o.Rate, knob.Knob{Name: "rate", Means: "first step, as a share of a Newton step", Default: rate}),
		knob.Choice(&o.Schedule, knob.Knob{Name: "schedule", Means: "how the rate falls", Fixed: true}, "linear", "inverse", "constant"),
		knob.Int(&o.Batch, knob.Knob{Name: "batch", Means: "users per update", Default: 100}),
		knob.Float(&o.Size, knob.Knob{Name: "size", Means: "constant of the size normalisation", Default: 2}),
		knob.Int(&o.Sweeps, knob.Knob{Name: "sweeps", Means: "of chains, per visit", Default: 2}),
		knob.Switch(&o.Sizes, knob.Knob{Name: "sizes", Means: "learn a weight for every tier size"}),
		knob.Float(&o.PriorSizes, knob.Knob{Name: "prior-sizes", Means: "precision of the prior on weights by tier size; negative for none", Default: 1}),
	}
}

func (h *hidden) Fit(ctx context.Context, set *ratings.Set, run Run) (Fitted, error) {
	return fitLatent(ctx, set, h.LatentOptions, h.use, run)
}

func (h *hidden) Load(f *modelfile.File, items int) (Fitted, error) { return loadLatent(f, items) }

// visible is the Ordered Set Model without hidden units: one worth for each item,
// the same for everybody.
type visible struct{ train.LatentOptions }

// visiblePrior is the precision of the prior on worths where there is nothing else to learn.
const visiblePrior = 5

func (v *visible) Knobs() []knob.Knob { return visibleKnobs(&v.LatentOptions, true, visiblePrior) }

func (v *visible) options() train.LatentOptions {
	o := v.LatentOptions
	o.Hidden = -1
	// Without units the likelihood ranks better than the slot likelihood; see
	// docs/quality.md.
	o.Objective = train.Chains
	o.PriorU = cmp.Or(o.PriorU, visiblePrior)
	return o
}

func (v *visible) Fit(ctx context.Context, set *ratings.Set, run Run) (Fitted, error) {
	return fitLatent(ctx, set, v.options(), levelsNever, run)
}

func (v *visible) Load(f *modelfile.File, items int) (Fitted, error) { return loadLatent(f, items) }

func fitLatent(ctx context.Context, set *ratings.Set, o train.LatentOptions, use levelsUse, run Run) (Fitted, error) {
	lists, err := TierLists(set)
	if err != nil {
		return nil, err
	}
	o.Levels = use.of(set, o)
	o.Seed, o.Jobs = run.Seed, run.Jobs
	if run.Observe != nil {
		o.Observer = func(p train.LatentProgress) {
			run.Observe(rival.Progress{Epoch: p.Epoch, Epochs: p.Epochs, Objective: -p.LogLikelihood, Held: math.NaN()})
		}
	}
	c, err := train.FitLatent(ctx, set.Items().Len(), lists, o)
	if err != nil {
		return nil, err
	}
	return &Latent{c}, nil
}

// TierLists are the orders of all users with two ratings or more.
func TierLists(set *ratings.Set) ([]osm.List, error) {
	var lists []osm.List
	for u := range set.Users().Len() {
		row := set.Row(u)
		if row.Len() < 2 {
			continue // a single item tells nothing
		}
		list, err := TierList(row)
		if err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	return lists, nil
}

// TierList is the tier list that the ratings of one user make.
func TierList(row ratings.Row) (osm.List, error) {
	order, err := ratings.Order(row)
	if err != nil {
		return osm.List{}, err
	}
	items := make([]int, row.Len())
	for k, i := range row.Items {
		items[k] = int(i)
	}
	return osm.List{Items: items, Order: order}, nil
}

// Latent is a fitted Ordered Set Model, with hidden units or without. It scores by
// the paper's mean field: the worth of an item given the posterior means of the
// units.
type Latent struct{ *latent.Catalogue }

// Score implements [Fitted]. Everybody is folded in; nobody is remembered.
func (m *Latent) Score(p Person, items []uint32, scores []float64) {
	taste := m.Unknown()
	if list, err := TierList(p.Known); err == nil { // nobody known has no list
		if known, err := rank.Fold(m.Catalogue, list); err == nil {
			taste = known
		}
	}
	rank.Complete(m.Catalogue, taste, p.Known.Len(), items, scores)
}

// keyLatent is where the shape of the model stands in a file.
const keyLatent = "latent"

type shape struct {
	Units   string  `json:"units"`
	Hidden  int     `json:"hidden"`
	Size    float64 `json:"size"`
	Centred bool    `json:"centred"`
}

// Save implements [Fitted].
func (m *Latent) Save(f *modelfile.File) error {
	setCatalogue(f, "", m.Catalogue)
	return f.SetJSON(keyLatent, shape{Units: m.Units.String(), Hidden: m.K, Size: m.Size, Centred: m.Centred})
}

func loadLatent(f *modelfile.File, items int) (Fitted, error) {
	var s shape
	if err := f.JSON(keyLatent, &s); err != nil {
		return nil, err
	}
	if s.Hidden < 0 || !(s.Size >= 0) {
		return nil, fmt.Errorf("zoo: the file has %d hidden units and size normalisation %g", s.Hidden, s.Size)
	}
	units, err := latent.ParseUnits(s.Units)
	if err != nil {
		return nil, err
	}
	c, err := catalogueOf(f, "", items, s.Hidden, units, latent.Options{Size: s.Size, Centred: s.Centred})
	if err != nil {
		return nil, err
	}
	if !c.Finite() {
		return nil, fmt.Errorf("zoo: the file has a parameter that is not a finite number")
	}
	return &Latent{c}, nil
}

// ErrNoUnits comes from a model that is not of the Ordered Set family, where one
// is needed.
var ErrNoUnits = errors.New("has no worths and hidden units")

// Catalogue are the parameters of a model of the Ordered Set family.
func (s *Saved) Catalogue() (*latent.Catalogue, error) {
	m, ours := s.Model.(*Latent)
	if !ours {
		return nil, fmt.Errorf("zoo: a model %s %w; train osm or latent-osm for that", s.Name, ErrNoUnits)
	}
	return m.Catalogue, nil
}

// setCatalogue stores parameters under a prefix.
func setCatalogue(f *modelfile.File, prefix string, c *latent.Catalogue) {
	items := len(c.U)
	modelfile.Set(f, prefix+"u", c.U, items)
	modelfile.Set(f, prefix+"W", c.W, items, c.K)
	modelfile.Set(f, prefix+"nu", []float64{c.Nu}, 1)
	modelfile.Set(f, prefix+"nu_k", c.NuK, c.K)
	modelfile.Set(f, prefix+"b", c.B, c.K)
	if c.V != nil {
		modelfile.Set(f, prefix+"v", c.V, items, c.K)
	}
	if c.Sizes != nil {
		modelfile.Set(f, prefix+"sizes", c.Sizes, 2, len(c.Sizes)/2)
	}
}

func catalogueOf(f *modelfile.File, prefix string, items, k int, units latent.Units, options latent.Options) (*latent.Catalogue, error) {
	// No room is made before the arrays are seen to have the size that the metadata tells.
	c := &latent.Catalogue{Units: units, Options: options, K: k}
	var nu []float64
	for _, tensor := range []struct {
		name  string
		to    *[]float64
		shape []int
	}{{"u", &c.U, []int{items}}, {"W", &c.W, []int{items, k}}, {"nu", &nu, []int{1}}, {"nu_k", &c.NuK, []int{k}}, {"b", &c.B, []int{k}}} {
		data, err := modelfile.Get[float64](f, prefix+tensor.name, tensor.shape...)
		if err != nil {
			return nil, err
		}
		*tensor.to = data
	}
	c.Nu = nu[0]
	if _, there := f.Tensor(prefix + "v"); there {
		presence, err := modelfile.Get[float64](f, prefix+"v", items, k)
		if err != nil {
			return nil, err
		}
		c.V = presence
	}
	if _, there := f.Tensor(prefix + "sizes"); there {
		sizes, err := modelfile.Get[float64](f, prefix+"sizes", 2, -1)
		if err != nil {
			return nil, err
		}
		c.Sizes = sizes
		if err := c.Sizes.Check(); err != nil {
			return nil, fmt.Errorf("zoo: the file: %w", err)
		}
	}
	return c, nil
}

// epochOf is a line of history.
func epochOf(p train.LatentProgress) Epoch {
	return Epoch{
		Epoch: p.Epoch, LogLikelihood: p.LogLikelihood, Distance: p.Distance, Gradient: p.Gradient,
		Split: p.Moves.Of(mcmc.Split).Rate(), Merge: p.Moves.Of(mcmc.Merge).Rate(),
	}
}
