package distributed

import (
	"fmt"
	"math"

	"fubini/learn/ascent"
	"fubini/learn/chains"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/learn/slots"
	"fubini/model"
)

// Request has the model to train and the number of rounds and epochs.
type Request struct {
	Model   string       // name in the registry
	Recipe  model.Recipe // the model's settings; nil means their defaults
	Rounds  int          // number of rounds
	Local   int          // epochs in a round
	Seed    uint64
	Program string // version of the program, for the file
}

// Defaults returns a request for latent-osm with 4 rounds of 15 epochs.
func Defaults() Request { return Request{Model: "latent-osm", Rounds: 4, Local: 15} }

// Kind has the properties of a request that are needed before there is a [Plan].
type Kind struct {
	Longest   int  // items of a list that an epoch uses at most
	Passes    int  // passes over all lists for co-occurrence features; 0 for none
	Corrected bool // parts train with a correction term; chains do not
	features  int
	last      bool // the result is the last point
}

// Plan is what all parts share: the numbering of items, and the options of training, with
// defaults resolved on all data.
type Plan struct {
	Request
	Kind
	Options ascent.Options
	IDs     []string
	Lists   []int // number of lists of each item
	Ratings []int // number of ratings of each item
	All     *Census

	index map[string]int
	batch int // of a part alone
}

// Kind returns the properties of the model and its settings.
func (r *Request) Kind() (Kind, error) {
	t, err := r.trainer()
	if err != nil {
		return Kind{}, err
	}
	k := Kind{Longest: t.Base().Longest}
	switch o := t.(type) {
	case *slots.Options:
		k.Corrected, k.features = true, o.Features()
		if k.features > 0 {
			k.Passes = passes
		}
	case *chains.Options:
		k.last = o.Last
	}
	return k, nil
}

// trainer has the options of the recipe, which is the model's own by default.
func (r *Request) trainer() (registry.Trainer, error) {
	if r.Recipe == nil {
		recipe, err := registry.New(r.Model)
		if err != nil {
			return nil, err
		}
		r.Recipe = recipe
	}
	t, err := registry.TrainerOf(r.Recipe)
	if err != nil {
		return nil, fmt.Errorf("distributed: %w", err)
	}
	return t, nil
}

// NewPlan returns the plan for the users of a census.
func NewPlan(c *Census, r Request) (*Plan, error) {
	if r.Rounds < 1 || r.Local < 1 {
		return nil, fmt.Errorf("distributed: %d rounds of %d epochs; both must be positive", r.Rounds, r.Local)
	}
	if c.Lists == 0 {
		return nil, fmt.Errorf("distributed: nobody has two ratings or more: there is nothing to learn from")
	}
	kind, err := r.Kind()
	if err != nil {
		return nil, err
	}
	t, err := r.trainer()
	if err != nil {
		return nil, err
	}
	p := &Plan{Request: r, Kind: kind, Options: *t.Base(), IDs: c.ids(), All: c, batch: t.Base().Batch}
	p.Options.Seed = r.Seed
	if p.Options.Sizes {
		p.Options.Largest = c.Longest
	}
	p.Options.OnData(c.Lists, c.perItem(), float64(c.Places)/float64(c.Lists))
	p.Options.Epochs = p.first() + (r.Rounds-1)*r.Local
	p.index = make(map[string]int, len(p.IDs))
	for i, id := range p.IDs {
		p.index[id] = i
		p.Lists = append(p.Lists, c.Items[id].Lists)
		p.Ratings = append(p.Ratings, c.Items[id].Ratings)
	}
	return p, nil
}

// first is the number of epochs in the first round. After a warm start it is half as long as
// the others, as parts have no correction term there yet.
func (p *Plan) first() int {
	if p.Corrected && p.Rounds > 1 {
		return (p.Local + 1) / 2
	}
	return p.Local
}

// until is the epoch that a round ends with.
func (p *Plan) until(from int) int {
	if from == 0 {
		return p.first()
	}
	return from + p.Local
}

// Start returns the initial state: of the warm start, or of the first round without one.
func (p *Plan) Start() *ascent.State {
	return ascent.NewState(p.Options.Shape(len(p.IDs), p.Options.Largest), p.Options.Seed)
}

// Saved returns the trained model of the final state.
func (p *Plan) Saved(end *ascent.State) *modelstore.Saved {
	s := &modelstore.Saved{
		Name: p.Model, Program: p.Program, Seed: p.Seed, Data: p.All.Fingerprint(), Ratings: p.All.Ratings, Users: p.All.Users,
		Low: p.All.Low, High: p.All.High, ItemIDs: p.IDs, ItemNames: p.IDs, Settings: registry.Settings(p.Recipe), Model: &registry.Latent{Catalogue: end.Point(p.last)},
	}
	for _, n := range p.Ratings {
		s.Seen = append(s.Seen, uint32(min(n, math.MaxUint32)))
	}
	return s
}
