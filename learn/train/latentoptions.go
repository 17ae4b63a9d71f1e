package train

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"

	"fubini/core/setting"
	"fubini/infer/mcmc"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Objective is what the latent model is fitted to.
type Objective int

// The slot likelihood needs no chains. Chains is stochastic approximation of the
// likelihood, the paper's way.
const (
	Slots Objective = iota
	Chains
)

// Ties says what tie weight a hidden unit has.
type Ties int

// BaseTies gives units none, SharedTies that of the base, as the paper has it,
// UnitTies one of their own.
const (
	BaseTies Ties = iota
	SharedTies
	UnitTies
)

// Schedule says how the rate changes.
type Schedule int

// Linear lets it fall to zero, Inverse to a tenth, as 1/(1+9t) in the share t of
// epochs that are done; Constant keeps it.
const (
	Linear Schedule = iota
	Inverse
	Constant
)

// LatentOptions of FitLatent. LatentDefaults has the defaults: start from them and change
// what you mean to change. Zero means zero.
type LatentOptions struct {
	Objective Objective
	Hidden    int // units; 0 for none
	Units     latent.Units
	Ties      Ties
	Biases    bool    // learn a bias for each unit
	Raw       bool    // raw scores, as in the paper: not centred, not normalised by size
	Size      float64 // constant of the size normalisation; 0 for none

	// Sizes asks for a weight for every tier size beside the tie weight, with a normal prior
	// of this precision; 0 for no prior. Not with Shares nor Others.
	Sizes      bool
	PriorSizes float64

	Epochs   int     // Auto: 50, with chains 100
	Batch    int     // lists per update; Auto: 100, or a two-hundredth of all where that is more
	Rate     float64 // first step as a share of a Newton step; Auto: 0.1, in absolute steps 0.01
	Schedule         // how the rate falls
	Absolute bool    // the rate is the step itself, as in the paper
	Mean     bool    // with Absolute: steps follow the mean gradient of a block, not the sum
	PriorW   float64 // precision of the normal prior on every W, 0 for none; Auto: 20 + the mean number of lists that an item is in, or 60 + 1.5 of the mean length of lists where that is less
	PriorU   float64 // and on every worth; 0 for none
	Presence bool    // units listen to which items are there
	PriorV   float64 // precision of the prior on what the presence of an item says of the units; 0 for none
	Company  int     // numbers by which the company of an item tells of it, 0 for none; Auto: 16 with Slots and hidden units, else none. Not with absolute steps, nor with Start
	Levels   *Levels // what else is known of worths; nil for nothing. Not with absolute steps, nor with Start
	Last     bool    // the result is the last point, not the average over the second half
	Longest  int     // longer lists train on a fresh random part of so many items

	// Of chains: how they move, sweeps (each with a new draw of the units) per visit, and
	// for splits and merges moves in a sweep; Auto: as many as items.
	Moves  latent.Moves
	Sweeps int
	Count  int

	// Validate, if not nil, judges a point, higher for better; after Patience
	// epochs without a better one training ends, and the best is the result.
	Validate func(c *latent.Catalogue) float64
	Patience int

	// Start, if not nil, is a point learned before, from other lists, in which item
	// i was seen Seen[i] times. Training starts there, and what it was learned from
	// holds it there: every parameter is drawn back to its value in Start with the
	// precision of the prior and, for each time the item was seen, what one more
	// sight of an item tells in the lists at hand (the mean square of its gradient
	// at the start). That is the second-order picture of the objective that is not
	// looked at again.
	Start *latent.Catalogue
	Seen  []uint32

	// Until, if not 0, is the epoch after which to pause, with the state saved: the
	// rate falls as it would up to Epochs. Shares, if not nil, says that the lists are
	// some of many: how much of the prior of each item's parameters is theirs to bear.
	// Others, if not nil, stands in for the rest of them. See learn/distributed.
	Until  int
	Shares []float64
	Others *Others

	largest int // tier with a weight; 0 without Sizes

	Seed     uint64
	Jobs     int // goroutines; 0 means one for each core
	Observer func(p LatentProgress)

	// Save, if not nil, is given the state after every so many epochs, and when the
	// context ends. Resume goes on from such a state; the result has the same bytes as
	// that of an unbroken run.
	Save      func(s *LatentState) error
	SaveEvery int
	Resume    *LatentState
}

// defaultCompany is the number of numbers that describe an item's company, mostCompany
// how many they may be.
const (
	defaultCompany = 16
	mostCompany    = 1000
)

// Auto is the value of an option that is left to the data, or to other options.
const Auto = setting.Auto

// LatentDefaults are the options of a run that nobody tuned.
func LatentDefaults() LatentOptions {
	return LatentOptions{
		Hidden: 20, Size: 2, PriorSizes: 1, PriorW: Auto, PriorU: 20, Presence: true, PriorV: 5, Company: Auto,
		Epochs: Auto, Batch: Auto, Rate: Auto, Longest: 200, Sweeps: 2, Count: Auto, Patience: 10, SaveEvery: 1,
	}
}

// Paper are the settings of the paper, to the letter where it is not silent: one
// tie weight shared by base and units, no biases, no prior, raw potentials,
// split-and-merge chains from a uniform start, blocks of 100 users, rate 0.01, the
// last point. Where it is silent: 10 moves per visit, gradients averaged.
func Paper(hidden int) LatentOptions {
	o := LatentDefaults()
	o.Objective, o.Hidden, o.Units, o.Ties, o.Raw = Chains, hidden, latent.Binary, SharedTies, true
	o.Batch, o.Rate, o.Absolute, o.Schedule, o.Mean, o.Last = 100, 0.01, true, Constant, true, true
	o.PriorW, o.PriorU, o.Presence, o.Company = 0, 0, false, 0
	o.Moves, o.Sweeps, o.Count = latent.SplitMerge, 1, 10
	return o
}

// LatentProgress is the state of a run after an epoch.
type LatentProgress struct {
	Epoch, Epochs int
	// LogLikelihood is the mean log probability of a slot, with Slots.
	LogLikelihood float64
	// Distance is the mean Dist(sample, observed) and Moves the chains' moves,
	// with Chains.
	Distance float64
	Moves    mcmc.Tally
	// Gradient is the root mean square, over updates, of the length of the summed
	// gradient of W and u.
	Gradient float64
	// Validation is what Validate said; NaN without it.
	Validation float64
}

// LatentState is all that a run needs to go on. It holds no settings: resume with
// those it was started with.
type LatentState struct {
	Epoch    int // finished
	Now      *latent.Catalogue
	Mean     *latent.Catalogue
	Averaged int        // points in Mean
	Ranks    [][]uint16 // of each list's chain, by place in the list; nil with Slots
	Sight    Sight
	Slope    float64  // of worths on Levels
	Company  *Company // nil without

	SizeSight []float64 // what a list tells of the weight of every tier size, as Sight; nil without Sizes

	// The best point by Validate, nil before the first.
	Best           *latent.Catalogue
	BestAt         int // epoch
	BestValidation float64
}

// Clone returns a copy that shares nothing with s.
func (s *LatentState) Clone() *LatentState {
	copied := *s
	copied.Now, copied.Mean, copied.Company = s.Now.Clone(), s.Mean.Clone(), s.Company.clone()
	if s.Best != nil {
		copied.Best = s.Best.Clone()
	}
	copied.SizeSight = slices.Clone(s.SizeSight)
	copied.Ranks = make([][]uint16, len(s.Ranks))
	for l, ranks := range s.Ranks {
		copied.Ranks[l] = slices.Clone(ranks)
	}
	return &copied
}

// Passes over the lists and first steps where nothing is said.
func (o LatentOptions) automatic() (epochs int, rate float64) {
	epochs, rate = 50, 0.1
	if o.Objective == Chains {
		epochs = 100
	}
	if o.Absolute {
		rate = 0.01
	}
	return epochs, rate
}

// Settled are the options with those filled in that are left to other options.
func (o LatentOptions) Settled() LatentOptions {
	epochs, rate := o.automatic()
	if o.Epochs == Auto {
		o.Epochs = epochs
	}
	if o.Rate == Auto {
		o.Rate = rate
	}
	o.Company = o.Accompanied()
	return o
}

func (o LatentOptions) resolved(lists []osm.List) (LatentOptions, error) {
	o = o.Settled().OnData(len(lists), listsPerItem(lists, o.Longest), meanLength(lists, o.Longest))
	o.Until = cmp.Or(o.Until, o.Epochs)
	o.Jobs = cmp.Or(o.Jobs, runtime.GOMAXPROCS(0))
	o.Presence = o.Presence && o.Hidden > 0
	if o.Sizes {
		o.largest = longestOf(lists, o.Longest)
	}
	if o.Start != nil { // what all lists share stays as it was
		o.largest = o.Start.Sizes.Most()
	}
	for _, each := range []struct {
		name  string
		value float64
	}{
		{"size normalisation", o.Size}, {"prior on W of precision", o.PriorW}, {"prior on worths of precision", o.PriorU}, {"prior on presence of precision", o.PriorV},
		{"prior on tier sizes of precision", o.PriorSizes}, {"hidden units", float64(o.Hidden)}, {"company", float64(o.Company)},
	} {
		if !(each.value >= 0) || math.IsInf(each.value, 1) {
			return o, fmt.Errorf("train: %s %g must be finite and not negative; 0 is for none", each.name, each.value)
		}
	}
	switch {
	case !(o.Rate > 0) || math.IsInf(o.Rate, 1):
		return o, fmt.Errorf("train: rate %g must be positive", o.Rate)
	case o.Sizes && (o.Shares != nil || o.Others != nil):
		return o, fmt.Errorf("train: weights by tier size are learned from all lists at once, not in parts")
	case o.Epochs < 1 || o.Batch < 1 || o.Longest < 2 || o.Jobs < 1 || o.Sweeps < 1 || o.Patience < 1 || o.SaveEvery < 1:
		return o, fmt.Errorf("train: epochs %d, batch %d, jobs %d, sweeps %d, patience %d and %d epochs to a checkpoint must be positive, longest %d at least 2; LatentDefaults has what to start from",
			o.Epochs, o.Batch, o.Jobs, o.Sweeps, o.Patience, o.SaveEvery, o.Longest)
	case o.Count < 1 && o.Count != Auto:
		return o, fmt.Errorf("train: count %d of splits and merges in a sweep must be positive", o.Count)
	case o.Start != nil && len(o.Seen) != len(o.Start.U):
		return o, fmt.Errorf("train: a start of %d items with counts of %d", len(o.Start.U), len(o.Seen))
	case o.Levels != nil && (o.Absolute || o.Start != nil):
		return o, fmt.Errorf("train: levels go neither with absolute steps nor with a point to start from")
	case o.Company > mostCompany:
		return o, fmt.Errorf("train: company of %d numbers; up to %d are of use", o.Company, mostCompany)
	case o.Company > 0 && (o.Absolute || o.Start != nil):
		return o, fmt.Errorf("train: company goes neither with absolute steps nor with a point to start from")
	case o.Others != nil && (o.Absolute || o.Start != nil || o.Levels != nil || o.Objective != Slots):
		return o, fmt.Errorf("train: lists elsewhere go with the slot likelihood alone, and with no absolute steps, levels or point to start from")
	case o.Objective != Slots && o.Objective != Chains:
		return o, fmt.Errorf("train: no objective %d", o.Objective)
	case o.Until < 1 || o.Until > o.Epochs:
		return o, fmt.Errorf("train: a pause after epoch %d of %d", o.Until, o.Epochs)
	}
	return o, nil
}

// Accompanied is how many numbers of company items have; 0 for none.
func (o LatentOptions) Accompanied() int {
	switch {
	case o.Company != Auto:
		return o.Company
	case o.Objective == Slots && o.Hidden > 0 && !o.Absolute && o.Start == nil:
		return defaultCompany
	}
	return 0
}

// OnData fills in what is left to how much there is to learn from: the number of lists,
// in how many of them an item is, and how long they are, on average.
func (o LatentOptions) OnData(lists int, perItem, length float64) LatentOptions {
	if o.Batch == Auto {
		o.Batch = max(100, lists/200)
	}
	if o.PriorW != Auto {
		return o
	}
	// Near what did best on MovieLens 100K and 1M with 10, 20 and 50 items a list, and,
	// where few items are in many lists, on the 400 films of 1M with most ratings;
	// docs/quality.md has the figures.
	o.PriorW = min(20+perItem, 60+1.5*length)
	return o
}

// Shape is the number of units and the options of the models that lists have.
func (o LatentOptions) Shape() (hidden int, options latent.Options) {
	if o.Raw {
		return o.Hidden, latent.Options{}
	}
	return o.Hidden, latent.Options{Size: o.Size, Centred: true}
}

// listsPerItem is the mean number of lists that an item is in, of the items that
// are in any.
func listsPerItem(lists []osm.List, longest int) float64 {
	seen := map[int]bool{}
	var places float64
	for _, l := range lists {
		places += float64(min(len(l.Items), longest))
		for _, i := range l.Items {
			seen[i] = true
		}
	}
	return places / float64(max(1, len(seen)))
}

// meanLength is the mean length of lists, or of the parts of them that are used.
func meanLength(lists []osm.List, longest int) float64 {
	var places float64
	for _, l := range lists {
		places += float64(min(len(l.Items), longest))
	}
	return places / float64(max(1, len(lists)))
}
