package rival

import "fubini/core/rng"

// loss is what a row of ratings costs under scores; it knows nothing of factors.
type loss interface {
	// of returns the loss of scores[k] for values[k], and writes its derivative
	// by each score into slope. It is called by several goroutines at once.
	of(values []float32, scores, slope []float64, row *rowScratch) float64
}

// sharedParameters is implemented by a loss with parameters of its own, common to
// all rows: those of ties, or thresholds.
type sharedParameters interface {
	// parameters are the current values; whoever learns changes them in place.
	parameters() []float64
	// ofShared is as of, and adds the derivative by the parameters into shared.
	ofShared(values []float32, scores, slope, shared []float64, row *rowScratch) float64
}

// keptLoss is implemented by a loss that must write more than its parameters into
// a file: kept points to a struct that JSON can write and read.
type keptLoss interface {
	kept() any
}

// rowScratch is what a loss may use besides the row itself. It is the worker's
// own; slices from it hold until the loss returns.
type rowScratch struct {
	user  int      // in the training set; negative for somebody else
	epoch int      // from 0; 0 as well where somebody is folded in
	items []uint32 // of the row, beside its values
	rand  *rng.Rand

	run                   fitRun
	floatSpace            []float64
	intSpace              []int
	floatsTaken, intsLent int
}

// enter prepares for a row: everything lent is taken back, and the random numbers
// are those of this user in this epoch.
func (r *rowScratch) enter(run fitRun, user, epoch int, items []uint32) {
	if r.rand == nil {
		r.rand = rng.Stream(0, "")
	}
	r.run, r.user, r.epoch, r.items = run, user, epoch, items
	r.floatsTaken, r.intsLent = 0, 0
	if user < 0 {
		r.rand.Reseed(run.Seed, "somebody")
		return
	}
	r.rand.Reseed(run.Seed, "user row", uint64(renumbered(run.userAs, user)), uint64(epoch))
}

// floats lends n numbers of any value.
func (r *rowScratch) floats(n int) []float64 {
	if r.floatsTaken+n > len(r.floatSpace) { // what was lent stays with the old space
		r.floatSpace, r.floatsTaken = make([]float64, 2*len(r.floatSpace)+n), 0
	}
	r.floatsTaken += n
	return r.floatSpace[r.floatsTaken-n : r.floatsTaken : r.floatsTaken]
}

// ints lends n whole numbers of any value.
func (r *rowScratch) ints(n int) []int {
	if r.intsLent+n > len(r.intSpace) {
		r.intSpace, r.intsLent = make([]int, 2*len(r.intSpace)+n), 0
	}
	r.intsLent += n
	return r.intSpace[r.intsLent-n : r.intsLent : r.intsLent]
}

// lots draws a number in [0, 1) for each rating of the row. They go with the
// items, not with their places in the row: to break ties by them does not depend
// on how items are numbered. A second call draws anew.
func (r *rowScratch) lots(out []float64) {
	key := r.rand.Uint64()
	for k, i := range r.items {
		// The finish of SplitMix64 (Steele, Lea and Flood 2014) on a counter.
		z := key + (uint64(renumbered(r.run.itemAs, int(i)))+1)*0x9e3779b97f4a7c15
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		out[k] = float64((z^z>>31)>>11) / (1 << 53)
	}
}
