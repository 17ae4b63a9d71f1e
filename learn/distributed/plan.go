package distributed

import (
	"fmt"
	"math"

	"fubini/learn/train"
	"fubini/learn/zoo"
)

// Request says how to train.
type Request struct {
	Model   string     // a name of the zoo
	Recipe  zoo.Recipe // with settings; nil means those of the model's own
	Rounds  int
	Local   int // epochs in each
	Seed    uint64
	Program string // version of the program, for the file
}

// Defaults are a request that nobody tuned.
func Defaults() Request { return Request{Model: "latent-osm", Rounds: 4, Local: 15} }

// Plan is what all parts must know: the items by number, and the options of training
// with everything filled in that depends on all of the data.
type Plan struct {
	Request
	Options train.LatentOptions
	IDs     []string
	Lists   []int // in how many each item is
	Ratings []int // how many each item has
	All     *Census

	index map[string]int
	batch int // of a part alone
}

// NewPlan makes a plan for the users of a census.
func NewPlan(c *Census, r Request) (*Plan, error) {
	if r.Rounds < 1 || r.Local < 1 {
		return nil, fmt.Errorf("rounds: %d rounds of %d epochs; both must be positive", r.Rounds, r.Local)
	}
	if c.Lists == 0 {
		return nil, fmt.Errorf("rounds: nobody has two ratings or more: there is nothing to learn from")
	}
	if r.Recipe == nil {
		recipe, err := zoo.New(r.Model)
		if err != nil {
			return nil, err
		}
		r.Recipe = recipe
	}
	o, err := zoo.Options(r.Recipe)
	if err != nil {
		return nil, fmt.Errorf("rounds: %w", err)
	}
	if o.Company > 0 && !HasSlope(o) {
		return nil, fmt.Errorf("rounds: company of %d numbers goes with the slot likelihood alone; set company=0", o.Company)
	}
	o.Seed = r.Seed
	p := &Plan{Request: r, Options: o.OnData(c.Lists, c.perItem(), float64(c.Places)/float64(c.Lists)), IDs: c.ids(), All: c, batch: o.Batch}
	p.Options.Epochs = p.first() + (r.Rounds-1)*r.Local
	p.index = make(map[string]int, len(p.IDs))
	for i, id := range p.IDs {
		p.index[id] = i
		p.Lists = append(p.Lists, c.Items[id].Lists)
		p.Ratings = append(p.Ratings, c.Items[id].Ratings)
	}
	return p, nil
}

// Longest is the length from which training looks at parts of lists, before there is a
// plan.
func (r Request) Longest() (int, error) {
	recipe := r.Recipe
	if recipe == nil {
		var err error
		if recipe, err = zoo.New(r.Model); err != nil {
			return 0, err
		}
	}
	o, err := zoo.Options(recipe)
	if err != nil {
		return 0, fmt.Errorf("rounds: %w", err)
	}
	return o.Longest, nil
}

// first is the number of epochs in the first round. After a pilot it is half as long as
// the others, as parts do not know each other's slope there yet.
func (p *Plan) first() int {
	if p.Slopes() && p.Rounds > 1 {
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

// Start is the point that the first round starts from.
func (p *Plan) Start() *train.LatentState { return train.StartLatent(len(p.IDs), p.Options) }

// Saved is the trained model.
func (p *Plan) Saved(end *train.LatentState) *zoo.Saved {
	point := end.Mean
	if p.Options.Last || end.Averaged == 0 {
		point = end.Now
	}
	s := &zoo.Saved{
		Name: p.Model, Program: p.Program, Seed: p.Seed, Data: p.All.Fingerprint(), Ratings: p.All.Ratings, Users: p.All.Users,
		Low: p.All.Low, High: p.All.High, ItemIDs: p.IDs, ItemNames: p.IDs, Settings: zoo.Settings(p.Recipe), Model: &zoo.Latent{Catalogue: point},
	}
	for _, n := range p.Ratings {
		s.Seen = append(s.Seen, uint32(min(n, math.MaxUint32)))
	}
	return s
}
