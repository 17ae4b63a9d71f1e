package factor

import (
	"fubini/core/rng"
	"fubini/model/baseline/fitting"
)

// Loss is the loss of one row of ratings as a function of their scores.
type Loss interface {
	// Of returns the loss of scores[k] for values[k], and writes its derivative by each score into slope. It adds the
	// derivative by the shared parameters, if it has any, to shared, unless that is nil. Several goroutines call it at
	// once.
	Of(values []float32, scores, slope, shared []float64, row *Row) float64
}

// SharedParameters is a loss with parameters of its own, common to all rows.
type SharedParameters interface {
	// Parameters are the current values; the learner changes them in place.
	Parameters() []float64
}

// KeptLoss is a loss that writes more than its parameters into a file.
type KeptLoss interface {
	// Kept points to a struct that JSON can write and read.
	Kept() any
}

// Row has the items and the random numbers of one row of ratings.
type Row struct {
	User  int      // in the training set; negative for somebody who is folded in
	Items []uint32 // beside their values

	run  fitting.Run
	rand *rng.Rand
}

// NewRow is the row of a user in an epoch.
func NewRow(run fitting.Run, user, epoch int, items []uint32) *Row {
	r := new(Row)
	r.enter(run, user, epoch, items)
	return r
}

// enter makes it the row of a user in an epoch.
func (r *Row) enter(run fitting.Run, user, epoch int, items []uint32) {
	if r.rand == nil {
		r.rand = rng.Stream(0, "")
	}
	r.run, r.User, r.Items = run, user, items
	if user < 0 {
		r.rand.Reseed(run.Seed, "somebody")
		return
	}
	r.rand.Reseed(run.Seed, "user row", run.UserNumber(user), uint64(epoch))
}

// RandomKeys draws a number in [0, 1) for each rating, to break ties by; with fixed the same ones in every epoch. They
// go with the items, not with their places in the row, so that they do not depend on how items are numbered.
func (r *Row) RandomKeys(fixed bool) []float64 {
	if fixed && r.User >= 0 {
		r.rand.Reseed(r.run.Seed, "user ties", r.run.UserNumber(r.User))
	}
	key, keys := r.rand.Uint64(), make([]float64, len(r.Items))
	for k, i := range r.Items {
		// The finish of SplitMix64 (Steele, Lea and Flood 2014) on a counter.
		z := key + (r.run.ItemNumber(int(i))+1)*0x9e3779b97f4a7c15
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		keys[k] = float64((z^z>>31)>>11) / (1 << 53)
	}
	return keys
}
