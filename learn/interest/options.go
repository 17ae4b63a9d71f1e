package interest

import "fmt"

// Options are the settings of a fit.
type Options struct {
	Ridge       float64 // λ, in lists of the mean length
	Long, Short float64 // share of a list that the weights for long and for short lists are fitted to predict from
	Half        float64 // length of the list for which both count the same
	Length      float64 // a list of n items weighs n to the power of minus this
	Base        float64 // score of an item for an empty list, as a multiple of the share of lists that it is in
	Inputs      int     // number of items, the most picked, whose presence predicts others
	Neighbours  int     // most weights kept for each item predicted, the largest in absolute value
	Jobs        int     // goroutines; 0 means one for each core. The result is the same for any number.
}

// Defaults are the settings that were best on validation data; docs/interest.md has the measurements.
func Defaults() Options {
	return Options{Ridge: 300, Long: .5, Short: .05, Half: 50, Length: .5, Base: .05, Inputs: 10_000, Neighbours: 500}
}

// mostWeights is the largest number of weights in each of the two matrices: 200 MB in a file.
const mostWeights = 25_000_000

// fewest is the least number of weights for each item with which a catalogue is fitted at all.
const fewest = 10

// neighbours is the number of weights kept for each of n items.
func (o Options) neighbours(n int) int { return min(o.Neighbours, max(1, mostWeights/max(1, n))) }

// check returns an error for settings or a number of items that cannot be fitted.
func (o Options) check(items int) error {
	switch {
	case items < 1:
		return fmt.Errorf("interest: there are no items")
	case !(o.Ridge > 0) || !(o.Half > 0) || !(o.Length >= 0) || !(o.Base >= 0):
		return fmt.Errorf("interest: ridge %g and half %g must be positive, length %g and base %g not negative", o.Ridge, o.Half, o.Length, o.Base)
	case !(o.Long > 0 && o.Long <= 1) || !(o.Short > 0 && o.Short <= 1):
		return fmt.Errorf("interest: the shares long %g and short %g must be above 0 and at most 1", o.Long, o.Short)
	case o.Inputs < 1 || o.Neighbours < 1:
		return fmt.Errorf("interest: inputs %d and neighbours %d must be positive", o.Inputs, o.Neighbours)
	case items > mostWeights/fewest:
		return fmt.Errorf("interest: %d items are more than the %d that fit; leave out those that few people picked", items, mostWeights/fewest)
	}
	return nil
}
