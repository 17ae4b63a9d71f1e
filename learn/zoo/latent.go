package zoo

import (
	"context"
	"errors"
	"fmt"
	"math"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/infer/mcmc"
	"fubini/learn/train"
	"fubini/model"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

// ourOptions are the settings of latent-osm, paperOptions those of latent-osm-paper.
func ourOptions() train.LatentOptions {
	o := train.LatentDefaults()
	o.Units = latent.Gaussian
	return o
}

func paperOptions() train.LatentOptions { return train.Paper(50) }

// hidden is the Latent Ordered Set Model.
type hidden struct {
	train.LatentOptions
	use levelsUse

	own     train.LatentOptions // of the model that goes by this name
	ownUses levelsUse
}

func newHidden(own train.LatentOptions, use levelsUse) *hidden { return &hidden{own, use, own, use} }

func (h *hidden) Settings() []setting.Setting {
	o, d := &h.LatentOptions, h.own
	unset := *o
	unset.Company = train.Auto
	settings := []setting.Setting{
		setting.Int(&o.Hidden, d.Hidden, setting.Setting{Name: "hidden", Means: "hidden units; 0 for none", Low: 5, High: 60, Log: true}),
		setting.Choice(&o.Units, d.Units, setting.Setting{Name: "units", Means: "kind of the hidden units", Fixed: true}, "binary", "gaussian"),
		setting.Choice(&o.Objective, d.Objective, setting.Setting{Name: "objective", Means: "what is fitted: the slot likelihood, or the likelihood by persistent chains", Fixed: true}, "slots", "chains"),
		setting.Float(&o.PriorW, d.PriorW, setting.Setting{Name: "prior-w", Means: "precision of the prior on unit weights; 0 for none", Default: math.NaN(), Low: 10, High: 200, Log: true}),
		setting.Choice(&o.Moves, d.Moves, setting.Setting{Name: "moves", Means: "of chains", Fixed: true}, "reinsertion", "split-merge", "split-merge-paper"),
		setting.Int(&o.Count, d.Count, setting.Setting{Name: "count", Means: "splits and merges in a sweep; as many as items if not set", Positive: true, Default: math.NaN()}),
		setting.Choice(&o.Ties, d.Ties, setting.Setting{Name: "ties", Means: "tie weight of the units: none, that of the base, or their own", Fixed: true}, "base", "shared", "unit"),
		setting.Switch(&o.Biases, d.Biases, setting.Setting{Name: "biases", Means: "learn a bias for each unit"}),
		setting.Switch(&o.Raw, d.Raw, setting.Setting{Name: "raw", Means: "scores neither centred nor normalised by size"}),
		setting.Switch(&o.Absolute, d.Absolute, setting.Setting{Name: "absolute", Means: "the rate is the step itself, not a share of a Newton step"}),
		setting.Switch(&o.Mean, d.Mean, setting.Setting{Name: "mean", Means: "absolute steps follow the mean gradient of a block, not the sum"}),
		setting.Switch(&o.Last, d.Last, setting.Setting{Name: "last", Means: "the result is the last point, not the average over the second half"}),
		setting.Float(&o.PriorV, d.PriorV, setting.Setting{Name: "prior-v", Means: "precision of the prior on what the presence of an item says; 0 for none", Low: 2, High: 40, Log: true,
			Also: func() { o.Presence = true }, Negative: func() { o.Presence = false }}),
		setting.Switch(&o.Presence, d.Presence, setting.Setting{Name: "presence", Means: "the presence of an item says something of the units"}),
		setting.Int(&o.Company, d.Company, setting.Setting{Name: "company", Means: "numbers by which it counts who placed an item; 0 for none", Default: float64(unset.Accompanied())}),
		setting.Choice(&h.use, h.ownUses, setting.Setting{Name: "levels", Means: "when ratings as numbers tell of worths too: where items have few, always, never", Fixed: true}, "few", "always", "never"),
	}
	return append(settings, visibleSettings(o, d)...)
}

// visibleSettings are those that do not need hidden units.
func visibleSettings(o *train.LatentOptions, d train.LatentOptions) []setting.Setting {
	unset := *o
	unset.Epochs, unset.Rate = train.Auto, train.Auto
	unset = unset.Settled()
	return []setting.Setting{
		setting.Float(&o.PriorU, d.PriorU, setting.Setting{Name: "prior-u", Means: "precision of the prior on worths; 0 for none", Low: 3, High: 60, Log: true}),
		setting.Int(&o.Epochs, d.Epochs, setting.Setting{Name: "epochs", Means: "passes over all users", Positive: true, Default: float64(unset.Epochs)}),
		setting.Float(&o.Rate, d.Rate, setting.Setting{Name: "rate", Means: "first step, as a share of a Newton step", Positive: true, Default: unset.Rate}),
		setting.Choice(&o.Schedule, d.Schedule, setting.Setting{Name: "schedule", Means: "how the rate falls", Fixed: true}, "linear", "inverse", "constant"),
		setting.Int(&o.Batch, d.Batch, setting.Setting{Name: "batch", Means: "users per update", Positive: true, Default: 100}),
		setting.Float(&o.Size, d.Size, setting.Setting{Name: "size", Means: "constant of the size normalisation; 0 for none"}),
		setting.Int(&o.Sweeps, d.Sweeps, setting.Setting{Name: "sweeps", Means: "of chains, per visit", Positive: true}),
		setting.Switch(&o.Sizes, d.Sizes, setting.Setting{Name: "sizes", Means: "learn a weight for every tier size"}),
		setting.Float(&o.PriorSizes, d.PriorSizes, setting.Setting{Name: "prior-sizes", Means: "precision of the prior on weights by tier size; 0 for none"}),
	}
}

func (h *hidden) Fit(ctx context.Context, set *ratings.Set, run Run) (Fitted, error) {
	return fitLatent(ctx, set, h.LatentOptions, h.use, run)
}

// Train implements [Trainer].
func (h *hidden) Train(ctx context.Context, set *ratings.Set, r Request) (*Saved, error) {
	return trainLatent(ctx, set, r, h.LatentOptions, h.use)
}

func (h *hidden) Load(f *modelfile.File, items int) (Fitted, error) { return loadLatent(f, items) }

// visible is the Ordered Set Model without hidden units: one worth for each item,
// the same for everybody.
type visible struct{ train.LatentOptions }

// visibleOptions are the settings of osm. Without units the likelihood ranks better than
// the slot likelihood, and less prior on worths is best; see docs/quality.md.
func visibleOptions() train.LatentOptions {
	o := train.LatentDefaults()
	o.Hidden, o.Objective, o.PriorU = 0, train.Chains, 5
	return o
}

func (v *visible) Settings() []setting.Setting {
	return visibleSettings(&v.LatentOptions, visibleOptions())
}

func (v *visible) Fit(ctx context.Context, set *ratings.Set, run Run) (Fitted, error) {
	return fitLatent(ctx, set, v.LatentOptions, levelsNever, run)
}

// Train implements [Trainer].
func (v *visible) Train(ctx context.Context, set *ratings.Set, r Request) (*Saved, error) {
	return trainLatent(ctx, set, r, v.LatentOptions, levelsNever)
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
			run.Observe(model.Progress{Epoch: p.Epoch, Epochs: p.Epochs, Left: p.Epochs - p.Epoch, Objective: -p.LogLikelihood, Held: math.NaN()})
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

// OrderedSet is a fitted model of the Ordered Set family: it has worths and hidden units, and reads tier lists without
// ratings.
type OrderedSet interface {
	Fitted
	Parameters() *latent.Catalogue
}

// Parameters implements [OrderedSet].
func (m *Latent) Parameters() *latent.Catalogue { return m.Catalogue }

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
	m, is := s.Model.(OrderedSet)
	if !is {
		return nil, fmt.Errorf("zoo: a model %s %w; train osm or latent-osm for that", s.Name, ErrNoUnits)
	}
	return m.Parameters(), nil
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
