package slots

import (
	"fmt"
	"math"

	"fubini/learn/ascent"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Options of [Options.Fit]. Start from [Defaults]: a zero is taken as zero.
type Options struct {
	ascent.Options
	// CoOccurrence is the number of co-occurrence features of an item; 0 for none. Auto means 16
	// with hidden units and 0 without. It excludes Start.
	CoOccurrence int
	// Levels are the rating levels of items; nil for none. They exclude Start.
	Levels *Levels
	// Relevance learns the precision of the prior on the weights of each unit from the lists, near that of the prior:
	// automatic relevance determination. Binary units, a point to start from and shards have that of the prior.
	Relevance bool
	// Discount lowers the parameters of items whose scores are uncertain ([Discounted]). With Start it has no
	// effect: the point to start from is discounted already.
	Discount bool

	sampled *ascent.Tastes // of the lists; nil if they are to be sampled
}

// The default number of co-occurrence features of an item, and the largest.
const (
	defaultFeatures = 16
	mostFeatures    = 1000
)

// Defaults returns the options of latent-osm: 20 Gaussian hidden units, and as many epochs and lists per update as the number of
// lists asks for.
func Defaults() Options {
	o := Options{Options: ascent.Defaults(), CoOccurrence: ascent.Auto, Relevance: true, Discount: true}
	o.Epochs, o.Units = ascent.Auto, latent.Gaussian
	return o
}

// The Auto number of epochs, unless these make too few updates, as with a few hundred lists or where items are in many: the more
// lists an item is in, the more there is to learn of it, and above manyLists the number of updates grows with their cube. Such
// sets are small: no epochs beyond mostVisits. docs/ideas-ranking.md has the figures. Where that bound leaves too few updates, and batches are large,
// smaller ones make more updates in two thirds of the visits: docs/performance-faster.md. They end at 10,200 lists, from
// where on a two-hundredth of the lists is a larger batch.
const (
	smallestBatch  = 25
	largestBatch   = 50 // unless a two-hundredth of all lists is more
	fewestEpochs   = 15
	fewestSmall    = 10 // with batches that were made smaller
	mostEpochs     = 50 // 150 where items are in more than manyLists
	mostVisits     = 90_000
	fewestUpdates  = 200
	updatesPerList = 15 // of the lists that an item is in on average
	manyLists      = 60
	mostUpdates    = 5000
)

// onLists resolves Auto of Batch and Epochs. A batch has 25 to 50 lists, of many lists a two-hundredth: small ones make more
// updates in an epoch, larger ones have less noise. Between them a batch is a fortieth of all lists, or holds an item 0.4 times on
// average, whichever is more.
func (o *Options) onLists(lists []osm.Packed) {
	if o.Batch != ascent.Auto && o.Epochs != ascent.Auto {
		return
	}
	listed, places := ascent.Counts(lists, o.Longest)
	auto := o.Batch == ascent.Auto
	if auto {
		length := max(1, places/max(1, len(lists)))
		o.Batch = max(min(max(smallestBatch, len(lists)/40, 2*listed/(5*length)), largestBatch), len(lists)/200)
	}
	if o.Epochs == ascent.Auto {
		each, most := float64(places)/float64(max(1, listed)), mostEpochs // lists that an item is in
		enough := max(fewestUpdates, updatesPerList*each)
		if more := each / manyLists; more > 1 {
			enough, most = min(enough*more*more, mostUpdates), 3*mostEpochs
		}
		updates := max(1, (len(lists)+o.Batch-1)/o.Batch) // of an epoch
		wanted := min(int(math.Ceil(enough/float64(updates))), most)
		o.Epochs = max(fewestEpochs, min(wanted, mostVisits/max(1, len(lists))))
		if auto && o.Batch == largestBatch && wanted > o.Epochs {
			o.Batch, o.Epochs = smallestBatch, max(fewestSmall, mostVisits*2/3/len(lists))
		}
	}
}

// Shared returns how many of the first epochs may run over most of the ratings
// in place of all: four fifths. The rest suffice to learn the others, so that a fit to all ratings and one to most of them
// can have these epochs in common, but for weights by tier size. docs/odds.md has the figures. Call it after [Options.Resolve].
func (o *Options) Shared() (epochs int) {
	if o.usesTastes() { // which are of all lists
		return 0
	}
	if o.Sizes { // there are as many weights as the longest list asks for
		return 0
	}
	return 4 * o.Epochs / 5
}

// Features is the number of co-occurrence features of an item, with Auto resolved.
func (o *Options) Features() int {
	switch {
	case o.CoOccurrence != ascent.Auto:
		return o.CoOccurrence
	case o.Hidden > 0 && o.Start == nil:
		return defaultFeatures
	}
	return 0
}

func (o *Options) check() error {
	switch {
	case o.Levels != nil && o.Start != nil:
		return fmt.Errorf("slots: rating levels do not go with a point to start from")
	case o.CoOccurrence < 0 && o.CoOccurrence != ascent.Auto:
		return fmt.Errorf("slots: co-occurrence: %d features of an item must not be negative; 0 is for none", o.CoOccurrence)
	case o.CoOccurrence > mostFeatures:
		return fmt.Errorf("slots: co-occurrence: %d features of an item; up to %d are of use", o.CoOccurrence, mostFeatures)
	case o.CoOccurrence > 0 && o.Start != nil:
		return fmt.Errorf("slots: co-occurrence does not go with a point to start from, which is the mean of the prior itself")
	}
	return nil
}
