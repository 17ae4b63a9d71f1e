package interest

import (
	"fmt"
	"math"

	"fubini/model"
)

// Options are the settings of a fit.
type Options struct {
	Ridge      float64 // λ; 0 for 0.8 times the root of the number of placements
	Share      float64 // of a list that the regressions predict from, in expectation
	Lowest     float64 // weight of a placement with the lowest rating; that of the highest is 5/4
	Length     float64 // a list of n items weighs n to the power of minus this in the regressions
	Kinds      float64 // number of lists, about, that the groups of an item count as, and again its year; 0 for none
	Periods    float64 // what two placements near each other in a list's time count for beside 1, in the regressions; 0 for no more than others
	Units      int     // rank of the low-rank part; 0 for 0.8 times the root of the number of people, at most 128
	Scale      float64 // power of an item's sum of squares by which the low-rank part divides
	Noise      float64 // variance of one placement in the low-rank part, as a share of its largest eigenvalue
	Smooth     float64 // weight of the low-rank part in a list of 20 items, beside 1 for the regressions
	Short      float64 // its weight in a list of n items, up to 20, is proportional to n to the power of minus this
	Long       float64 // the same beyond 20 items
	Popularity float64 // power of an item's popularity that multiplies its score
	Taste      float64 // strength of taste in the score to recommend by
	Tasks      int     // number of people, about, with parts of whose lists smooth, short, long and popularity are fitted; 0 leaves these as they are
	Inputs     int     // number of items, the most picked, whose presence predicts others in the regressions
	Least      int     // number of lists that an item must be in to predict others in them; ignored where no item is
	Neighbours int     // weights kept for each item predicted, on average: the largest of all in absolute value
	Seed       uint64  // of the vectors that the search for singular vectors begins with, and of the parts of lists
	Jobs       int     // goroutines; 0 means one for each core. The result is the same for any number.
}

// Defaults are the settings that were best on validation data; docs/ideas-interest.md has the measurements.
func Defaults() Options {
	return Options{Share: .5, Lowest: .05, Length: .25, Kinds: 4, Periods: 1, Scale: .3, Noise: 4, Smooth: 1, Short: .5, Long: 1.5, Taste: .05, Tasks: 1500, Inputs: 10_000, Least: 3, Neighbours: 250, Seed: 1}
}

// ForRun are the defaults with the seed and the number of goroutines of a run.
func ForRun(run model.Run) Options {
	o := Defaults()
	o.Seed, o.Jobs = run.Seed, run.Jobs
	return o
}

const (
	// mostWeights is the largest number of weights between items: 200 MB in a file.
	mostWeights = 25_000_000
	// fewest is the least number of weights for each item with which a catalogue is fitted at all.
	fewest = 10
	// mostUnits is the largest rank that is chosen by the number of people.
	mostUnits = 128
)

// neighbours is the mean number of weights kept for each of n items.
func (o Options) neighbours(n int) int { return min(o.Neighbours, max(1, mostWeights/max(1, n))) }

// units is the rank of the low-rank part.
func (o Options) units(people, items int) int {
	if o.Units > 0 {
		return min(o.Units, people, items)
	}
	return min(max(1, int(math.Round(.8*math.Sqrt(float64(people))))), mostUnits, people, items)
}

// ridge is λ.
func (o Options) ridge(placements int) float64 {
	if o.Ridge > 0 {
		return o.Ridge
	}
	return .8 * math.Sqrt(float64(placements))
}

// check returns an error for settings or a number of items that cannot be fitted.
func (o Options) check(items int) error {
	switch {
	case items < 1:
		return fmt.Errorf("interest: there are no items")
	case !(o.Ridge >= 0) || !(o.Share > 0 && o.Share <= 1):
		return fmt.Errorf("interest: ridge %g must not be negative, and share %g above 0 and at most 1", o.Ridge, o.Share)
	case !(o.Lowest >= 0 && o.Lowest <= 1):
		return fmt.Errorf("interest: the weight of the lowest rating, %g, must be from 0 to 1", o.Lowest)
	case !(o.Kinds >= 0) || math.IsInf(o.Kinds, 1):
		return fmt.Errorf("interest: kinds %g must be a number and not negative", o.Kinds)
	case !(o.Periods >= 0) || math.IsInf(o.Periods, 1):
		return fmt.Errorf("interest: periods %g must be a number and not negative", o.Periods)
	case !(o.Length >= 0) || !(o.Scale >= 0) || !(o.Noise >= 0) || !(o.Smooth >= 0) || !(o.Short >= 0) || !(o.Long >= 0) || !(o.Taste >= 0) || math.IsNaN(o.Popularity):
		return fmt.Errorf("interest: length %g, scale %g, noise %g, smooth %g, short %g, long %g and taste %g must not be negative, and popularity %g a number", o.Length, o.Scale, o.Noise, o.Smooth, o.Short, o.Long, o.Taste, o.Popularity)
	case o.Inputs < 1 || o.Neighbours < 1 || o.Units < 0 || o.Tasks < 0 || o.Least < 0:
		return fmt.Errorf("interest: inputs %d and neighbours %d must be positive, and units %d, tasks %d and least %d not negative", o.Inputs, o.Neighbours, o.Units, o.Tasks, o.Least)
	case items > mostWeights/fewest:
		return fmt.Errorf("interest: %d items are more than the %d that fit; leave out those that few people picked", items, mostWeights/fewest)
	}
	return nil
}
