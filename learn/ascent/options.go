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

// Auto is the value of an option whose default depends on the data or on other options.
const Auto = setting.Auto

// Options of a run that both objectives share. Start from [Defaults]: a zero is taken as zero.
type Options struct {
	Hidden   int          // number of hidden units; 0 for none
	Units    latent.Units // their distribution
	Biases   bool         // estimate a bias for each unit
	Presence bool         // estimate presence weights V: effects on the units of which items are listed
	Size     float64      // constant of the size normalisation; 0 for none
	Centred  bool         // subtract the mean score from every score
	Sizes    bool         // estimate a weight for every tier size
	Largest  int          // largest tier size with a weight; 0 means the length of the longest list
	Prior    Prior

	Epochs  int     // passes over all lists; package slots resolves Auto
	Batch   int     // lists per update; Auto means the larger of 100 and a two-hundredth of all lists
	Rate    float64 // initial learning rate: a share of a Newton step, or the step itself
	Longest int     // items of a list that an epoch uses; of a longer list, a new random part in each epoch
	Plain   bool    // the ties of lists are broken at random, to see what is lost by it

	// Validate, if not nil, is the criterion of early stopping; higher is better. Training ends
	// after Patience epochs without a new maximum, and the result is the best epoch.
	Validate func(c *latent.Catalogue) float64
	Patience int

	// Start, if not nil, has the initial parameters, in place of small random weights. The
	// parameters that all lists share are then fixed. See WarmStart.
	Start *latent.Catalogue
	// Until, if not 0, is the epoch after which to pause, with the state saved. The decay of
	// the rate is still that of Epochs.
	Until int

	Seed     uint64
	Jobs     int // goroutines; 0 means one for each core
	Observer func(p Progress)

	// Save, if not nil, is called with the state every SaveEvery epochs, and when the context
	// ends. Resume, if not nil, is such a state to continue from; the result is that of an
	// uninterrupted run, to the bit.
	Save      func(s *State) error
	SaveEvery int
	Resume    *State
}

// Progress is the state of a run after an epoch.
type Progress struct {
	Epoch, Epochs int
	// LogLikelihood is the mean, over the items of all lists, of the log probability of the slot; 0 with chains.
	LogLikelihood float64
	// Distance is the mean of the paper's Dist(sample, observed) over chains; Moves counts their moves.
	Distance float64
	Moves    mcmc.Tally
	// Gradient is the root of the mean, over updates, of the sum over the lists of a batch of the
	// squared norms of their gradients of U and W.
	Gradient float64
	// Validation is the value of Validate; NaN without it.
	Validation float64
	// State is the state of the run itself; clone it to keep it.
	State *State
}

// Defaults returns untuned options: 20 hidden units with presence weights, size normalisation
// 2.
func Defaults() Options {
	return Options{
		Hidden: 20, Size: 2, Centred: true, Presence: true, Prior: Prior{U: Auto, W: Auto, V: Auto, Sizes: 1},
		Batch: Auto, Rate: 0.1, Longest: 200, Patience: 10, SaveEvery: 1,
	}
}

// Base returns the options themselves, for code that handles the options of slots and chains
// alike.
func (o *Options) Base() *Options { return o }

// WarmStart sets the initial parameters, and the prior, to a point that was estimated from
// other lists, which are not read again. The prior mean is the point. The prior precision of
// item i rises by seen[i], its number of ratings there, times the curvature of one list: a
// second-order approximation of the earlier objective.
func (o *Options) WarmStart(c *latent.Catalogue, seen []uint32) {
	o.Start, o.Prior.Mean = c, c
	o.Prior.Lists = make([]float64, len(seen))
	for i, n := range seen {
		o.Prior.Lists[i] = float64(n)
	}
}

// The precisions of the prior on worths and on presence weights that Auto stands for.
const DefaultU, DefaultV = 20, 5

// OnData resolves Auto from the number of lists, the mean number of lists per item and the mean
// length of a list.
func (o *Options) OnData(lists int, perItem, length float64) {
	if o.Batch == Auto {
		o.Batch = max(100, lists/200)
	}
	if o.Prior.U == Auto {
		o.Prior.U = DefaultU
	}
	if o.Prior.V == Auto {
		o.Prior.V = DefaultV
	}
	if o.Prior.W == Auto {
		// Near what did best on MovieLens 100K and 1M with 10, 20 and 50 items a list, and,
		// where few items are in many lists, on the 400 films of 1M with most ratings;
		// docs/quality.md has the figures.
		o.Prior.W = min(20+perItem, 60+1.5*length)
	}
}

// Shape is the shape of a catalogue of n items under these options; largest is the largest tier
// size with a weight.
func (o *Options) Shape(items, largest int) latent.Shape {
	return latent.Shape{Items: items, K: o.Hidden, Units: o.Units, Options: latent.Options{Size: o.Size, Centred: o.Centred}, Presence: o.Presence && o.Hidden > 0, Largest: largest}
}

// resolve fills in what depends on the lists, and checks everything.
func (o *Options) resolve(lists []osm.Packed) error {
	listed, places := Counts(lists, o.Longest)
	o.OnData(len(lists), float64(places)/float64(max(1, listed)), float64(places)/float64(max(1, len(lists))))
	o.Until = cmp.Or(o.Until, o.Epochs)
	o.Jobs = cmp.Or(o.Jobs, runtime.GOMAXPROCS(0))
	o.Presence = o.Presence && o.Hidden > 0
	for _, each := range []struct {
		name  string
		value float64
	}{
		{"size normalisation", o.Size}, {"prior-w: prior on W of precision", o.Prior.W}, {"prior-u: prior on worths of precision", o.Prior.U}, {"prior-v: prior on presence of precision", o.Prior.V},
		{"sizes: prior on tier sizes of precision", o.Prior.Sizes}, {"hidden units", float64(o.Hidden)},
	} {
		if !(each.value >= 0) || math.IsInf(each.value, 1) {
			return fmt.Errorf("ascent: %s %g must be finite and not negative; 0 is for none", each.name, each.value)
		}
	}
	switch {
	case !(o.Rate > 0) || math.IsInf(o.Rate, 1):
		return fmt.Errorf("ascent: rate %g must be positive", o.Rate)
	case o.Epochs < 1 || o.Batch < 1 || o.Longest < 2 || o.Jobs < 1 || o.Patience < 1 || o.SaveEvery < 1:
		return fmt.Errorf("ascent: epochs %d, batch %d, jobs %d, patience %d and %d epochs to a checkpoint must be positive, longest %d at least 2; start from Defaults",
			o.Epochs, o.Batch, o.Jobs, o.Patience, o.SaveEvery, o.Longest)
	case o.Until < 1 || o.Until > o.Epochs:
		return fmt.Errorf("ascent: a pause after epoch %d of %d", o.Until, o.Epochs)
	}
	return nil
}

// Counts returns the number of distinct items in the lists (listed), and the sum of the lengths of the lists (places), where a list of
// more than longest items counts as longest: an epoch uses that many of its items.
func Counts(lists []osm.Packed, longest int) (listed, places int) {
	var seen []bool
	for _, l := range lists {
		places += min(len(l.Items), longest)
		for _, i := range l.Items {
			if grown := int(i) + 1 - len(seen); grown > 0 {
				seen = append(seen, make([]bool, grown)...)
			}
			if !seen[i] {
				seen[i] = true
				listed++
			}
		}
	}
	return listed, places
}

// largestTier is the size of the largest tier that lists can have, with parts for those
// that are too long.
func largestTier(lists []osm.Packed, longest int) (most int) {
	for _, l := range lists {
		most = max(most, min(len(l.Items), longest))
	}
	return most
}
