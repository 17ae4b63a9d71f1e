package ascent

import (
	"cmp"
	"fmt"
	"math"
	"runtime"

	"fubini/core/setting"
	"fubini/infer/mcmc"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Auto is the value of an option that is left to the data, or to other options.
const Auto = setting.Auto

// Options of a run that do not depend on the objective. Start from Defaults and change what
// you mean to change. Zero means zero.
type Options struct {
	Hidden   int // units; 0 for none
	Units    latent.Units
	Biases   bool    // learn a bias for each unit
	Presence bool    // learn weights of the presence of items on the units
	Size     float64 // constant of the size normalisation; 0 for none
	Raw      bool    // scores neither centred nor normalised by size, as in the paper
	Sizes    bool    // learn a weight for every tier size
	Largest  int     // of these, the largest size; 0: that of the longest list
	Prior    Prior

	Epochs  int
	Batch   int     // lists per update; Auto: 100, or a two-hundredth of all where that is more
	Rate    float64 // first step, as a share of a Newton step or absolute
	Longest int     // of a longer list each epoch uses a fresh random part of this length

	// Validate, if not nil, judges a point, higher for better. After Patience epochs without
	// a better one training ends, and the best is the result.
	Validate func(c *latent.Catalogue) float64
	Patience int

	// Start, if not nil, is the point to start from, in place of small random weights;
	// what all lists share then stays as it is. See WarmStart.
	Start *latent.Catalogue
	// Until, if not 0, is the epoch after which to pause, with the state saved. The rate
	// falls as it would up to Epochs.
	Until int

	Seed     uint64
	Jobs     int // goroutines; 0 means one for each core
	Observer func(p Progress)

	// Save, if not nil, is called with the state every SaveEvery epochs, and when the
	// context ends. Resume continues from such a state; the result has the same bytes as
	// that of an unbroken run.
	Save      func(s *State) error
	SaveEvery int
	Resume    *State
}

// Progress is the state of a run after an epoch.
type Progress struct {
	Epoch, Epochs int
	// LogLikelihood is the mean log probability of a slot; 0 with chains.
	LogLikelihood float64
	// Distance is the mean Dist(sample, observed) of chains, and Moves counts their moves.
	Distance float64
	Moves    mcmc.Tally
	// Gradient is the root mean square, over updates, of the length of the summed
	// gradient of W and u.
	Gradient float64
	// Validation is the value of Validate; NaN without it.
	Validation float64
	// State is the run's own; clone it to keep it.
	State *State
}

// Defaults are the options of a run that nobody tuned.
func Defaults() Options {
	return Options{
		Hidden: 20, Size: 2, Presence: true, Prior: Prior{U: 20, W: Auto, V: 5, Sizes: 1},
		Batch: Auto, Rate: 0.1, Longest: 200, Patience: 10, SaveEvery: 1,
	}
}

// Base is the options themselves, for code that does not know which objective they belong to.
func (o *Options) Base() *Options { return o }

// WarmStart makes training start from a point learned before from other lists, in which
// item i was seen seen[i] times. The point is the mean of the prior. Each time that an item
// was seen adds the curvature of one list at hand to the precision: the second-order
// approximation of the objective of lists that are not read again.
func (o *Options) WarmStart(c *latent.Catalogue, seen []uint32) {
	o.Start, o.Prior.Mean = c, c
	o.Prior.Lists = make([]float64, len(seen))
	for i, n := range seen {
		o.Prior.Lists[i] = float64(n)
	}
}

// OnData fills in what depends on the data: the number of lists, the mean number of lists
// that an item is in, and the mean length of lists.
func (o *Options) OnData(lists int, perItem, length float64) {
	if o.Batch == Auto {
		o.Batch = max(100, lists/200)
	}
	if o.Prior.W == Auto {
		// Near what did best on MovieLens 100K and 1M with 10, 20 and 50 items a list, and,
		// where few items are in many lists, on the 400 films of 1M with most ratings;
		// docs/quality.md has the figures.
		o.Prior.W = min(20+perItem, 60+1.5*length)
	}
}

// Shape is the shape of the catalogue of a number of items.
func (o *Options) Shape(items, largest int) latent.Shape {
	options := latent.Options{Size: o.Size, Centred: true}
	if o.Raw {
		options = latent.Options{}
	}
	return latent.Shape{Items: items, K: o.Hidden, Units: o.Units, Options: options, Presence: o.Presence && o.Hidden > 0, Largest: largest}
}

// resolve fills in what depends on the lists, and checks everything.
func (o *Options) resolve(lists []osm.List) error {
	perItem, length := lengths(lists, o.Longest)
	o.OnData(len(lists), perItem, length)
	o.Until = cmp.Or(o.Until, o.Epochs)
	o.Jobs = cmp.Or(o.Jobs, runtime.GOMAXPROCS(0))
	o.Presence = o.Presence && o.Hidden > 0
	for _, each := range []struct {
		name  string
		value float64
	}{
		{"size normalisation", o.Size}, {"prior-w: prior on W of precision", o.Prior.W}, {"prior-u: prior on worths of precision", o.Prior.U}, {"prior-v: prior on presence of precision", o.Prior.V},
		{"prior-sizes: prior on tier sizes of precision", o.Prior.Sizes}, {"hidden units", float64(o.Hidden)},
	} {
		if !(each.value >= 0) || math.IsInf(each.value, 1) {
			return fmt.Errorf("train: %s %g must be finite and not negative; 0 is for none", each.name, each.value)
		}
	}
	switch {
	case !(o.Rate > 0) || math.IsInf(o.Rate, 1):
		return fmt.Errorf("train: rate %g must be positive", o.Rate)
	case o.Epochs < 1 || o.Batch < 1 || o.Longest < 2 || o.Jobs < 1 || o.Patience < 1 || o.SaveEvery < 1:
		return fmt.Errorf("train: epochs %d, batch %d, jobs %d, patience %d and %d epochs to a checkpoint must be positive, longest %d at least 2; start from Defaults",
			o.Epochs, o.Batch, o.Jobs, o.Patience, o.SaveEvery, o.Longest)
	case o.Until < 1 || o.Until > o.Epochs:
		return fmt.Errorf("train: a pause after epoch %d of %d", o.Until, o.Epochs)
	}
	return nil
}

// lengths returns the mean number of lists that an item is in, of the items that are in
// any, and the mean length of lists; of the parts that are used where lists are too long.
func lengths(lists []osm.List, longest int) (perItem, length float64) {
	seen := map[int]bool{}
	var places float64
	for _, l := range lists {
		places += float64(min(len(l.Items), longest))
		for _, i := range l.Items {
			seen[i] = true
		}
	}
	return places / float64(max(1, len(seen))), places / float64(max(1, len(lists)))
}

// largestTier is the size of the largest tier that lists can have, with parts for those
// that are too long.
func largestTier(lists []osm.List, longest int) (most int) {
	for _, l := range lists {
		most = max(most, min(len(l.Items), longest))
	}
	return most
}
