package distributed

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"fubini/core/rng"
	"fubini/core/setting"
	"fubini/learn/ascent"
	"fubini/learn/chains"
	"fubini/learn/cooccurrence"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/learn/slots"
	"fubini/model"
	"fubini/model/latent"
)

// Request has the model to train and the number of rounds and epochs.
type Request struct {
	Model    string                // name in the registry
	Settings []registry.Assignment // of the model; others have their defaults
	Rounds   int                   // number of rounds
	Local    int                   // epochs in a round
	Seed     uint64
	Program  string // version of the program, for the file
}

// Defaults returns a request for latent-osm with 50 rounds of one epoch: as many epochs as on one
// machine.
func Defaults() Request { return Request{Model: "latent-osm", Rounds: 50, Local: 1} }

// Kind has the properties of a request that are needed before there is a [Plan].
type Kind struct {
	Longest  int  // items of a list that an epoch uses at most
	Steps    int  // passes over all lists for co-occurrence features, then rounds
	Chains   bool // lists have Markov chains, whose states stay with their part
	recipe   model.Recipe
	features int  // of an item, by co-occurrence
	last     bool // the result is the last point
}

// Plan is what all parts share: the numbering of items, and the options of training, with
// defaults resolved on all data.
type Plan struct {
	Request
	Kind
	Options ascent.Options
	IDs     []string
	Lists   []float64 // number of lists of each item
	All     *Census

	index map[string]int
}

// Kind returns the properties of the model and its settings.
func (r *Request) Kind() (k Kind, err error) {
	if r.Rounds < 1 || r.Local < 1 {
		return k, fmt.Errorf("distributed: %d rounds of %d epochs; both must be positive", r.Rounds, r.Local)
	}
	recipes, err := registry.Configure([]string{r.Model}, r.Settings)
	if err != nil {
		return k, err
	}
	k.recipe = recipes[0]
	if err := withoutLevels(k.recipe); err != nil {
		return k, err
	}
	t, err := registry.TrainerOf(k.recipe)
	if err != nil {
		return k, fmt.Errorf("distributed: %w", err)
	}
	k.Longest, k.Steps = t.Base().Longest, r.Rounds
	switch o := t.(type) {
	case *slots.Options:
		if k.features = o.Features(); k.features > 0 {
			k.Steps += passes
		}
	case *chains.Options:
		k.Chains, k.last = true, o.Last
	}
	return k, nil
}

// withoutLevels makes a recipe leave rating levels out, as its file will say: they need sums over all ratings of an item.
func withoutLevels(recipe model.Recipe) error {
	levels, err := setting.Find(recipe.Settings(), "levels")
	if err != nil {
		return nil // the model has none
	}
	if levels.Names[int(levels.Value())] == "always" {
		return fmt.Errorf("distributed: levels=always: rating levels are not learned here; leave the setting out, or use fubini train")
	}
	return levels.Set(float64(slices.Index(levels.Names, "never")))
}

// NewPlan returns the plan for the users of a census.
func NewPlan(c *Census, r Request) (*Plan, error) {
	kind, err := r.Kind()
	if err != nil {
		return nil, err
	}
	if c.Lists == 0 {
		return nil, fmt.Errorf("distributed: nobody has two ratings or more: there is nothing to learn from")
	}
	p := &Plan{Request: r, Kind: kind, IDs: slices.Sorted(maps.Keys(c.Items)), All: c, index: map[string]int{}}
	p.Options = *p.trainer().Base()
	p.Options.Seed, p.Options.Epochs = r.Seed, r.Rounds*r.Local
	if p.Options.Sizes {
		p.Options.Largest = c.Longest
	}
	listed := 0 // items that are in any list
	for i, id := range p.IDs {
		p.index[id] = i
		p.Lists = append(p.Lists, float64(c.Items[id].Lists))
		listed += min(1, c.Items[id].Lists)
	}
	places := float64(c.Places)
	p.Options.OnData(c.Lists, places/float64(listed), places/float64(c.Lists))
	return p, nil
}

// trainer has the options of the recipe.
func (p *Plan) trainer() registry.Trainer {
	t, _ := registry.TrainerOf(p.recipe) // as Kind made sure
	return t
}

// Start returns the state before the first step.
func (p *Plan) Start() *ascent.State {
	s := ascent.NewState(p.Options.Shape(len(p.IDs), p.Options.Largest), p.Seed)
	s.CoOccurrence = p.firstFeatures()
	return s
}

// point is the estimate at the final state.
func (p *Plan) point(end *ascent.State) *latent.Catalogue {
	point := end.Point(p.last)
	if o, ok := p.trainer().(*slots.Options); ok && o.Discount {
		return slots.Discounted(point, &p.Options.Prior, end.Curvature, p.Lists)
	}
	return point
}

// Saved returns the trained model of the final state.
func (p *Plan) Saved(end *ascent.State) *modelstore.Saved {
	s := &modelstore.Saved{
		Name: p.Model, Program: p.Program, Seed: p.Seed, Data: p.All.Fingerprint(), Ratings: p.All.Ratings, Users: p.All.Users,
		Low: p.All.Low, High: p.All.High, ItemIDs: p.IDs, ItemNames: p.IDs, Settings: registry.Settings(p.recipe), Model: &registry.Latent{Catalogue: p.point(end)},
	}
	for _, id := range p.IDs {
		s.Seen = append(s.Seen, uint32(min(uint64(p.All.Items[id].Ratings), math.MaxUint32)))
	}
	return s
}

// The co-occurrence features of items must be those in all lists; those of a single part rank
// much worse. So parts find them together before the first round, by a subspace iteration from
// random directions, twice as many as are wanted. A pass costs less than an epoch.
const (
	passes = 4
	wider  = 2
)

// firstFeatures returns random directions; nil for a plan without features.
func (p *Plan) firstFeatures() *cooccurrence.Features {
	if p.features == 0 {
		return nil
	}
	c := &cooccurrence.Features{Dims: wider * p.features, Items: make([]float64, wider*p.features*len(p.IDs))}
	r := rng.Stream(p.Seed, "co-occurrence")
	for k := range c.Items {
		c.Items[k] = r.NormFloat64()
	}
	c.NextPass(p.Lists)
	return c
}
