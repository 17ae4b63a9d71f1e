package calibrate

import (
	"cmp"
	"math"
	"slices"
)

// Event is something that was given a probability, and happened or not.
type Event struct {
	P        float64
	Happened bool
}

// Bin is a group of events of similar probability.
type Bin struct {
	P        float64 `json:"p"`        // mean of what they were given
	Observed float64 `json:"observed"` // share that happened
	// Low and High hold the share they would have in the long run, with 95 %
	// confidence if events are independent (Wilson's interval).
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Count float64 `json:"count"` // whole, but where events of one probability had to be shared by two bins
}

// Table is a reliability table.
type Table struct {
	Bins []Bin `json:"bins"`
	// ECE is the expected calibration error: the mean distance of given and observed,
	// weighted by counts.
	ECE    float64 `json:"ece"`
	Events int     `json:"events"`
}

// Bins is how many groups a table has by custom.
const Bins = 15

// NewTable sorts events by probability and cuts them into bins of equal mass. Those
// of one probability are a tie: they have no order among them, and where a cut goes
// through them each side gets its share of what happened. The events are sorted in
// place.
func NewTable(events []Event, bins int) Table {
	slices.SortFunc(events, func(a, b Event) int { return cmp.Compare(a.P, b.P) })
	table := Table{Events: len(events)}
	mass := float64(len(events)) / float64(bins)
	var bin Bin
	finish := func() {
		if bin.Count == 0 {
			return
		}
		bin.P /= bin.Count
		bin.Observed /= bin.Count
		bin.Low, bin.High = wilson(bin.Observed, bin.Count)
		table.ECE += math.Abs(bin.P-bin.Observed) * bin.Count / float64(len(events))
		table.Bins = append(table.Bins, bin)
		bin = Bin{}
	}
	for from := 0; from < len(events); {
		to, happened := from, 0.0
		for ; to < len(events) && events[to].P == events[from].P; to++ {
			if events[to].Happened {
				happened++
			}
		}
		p, share := events[from].P, happened/float64(to-from)
		for left := float64(to - from); left > 0; {
			part := min(left, mass-bin.Count)
			// Rounding must not leave a sliver of a bin, nor the last one short.
			if last := len(table.Bins) == bins-1; last || left-part < 1e-9*mass {
				part = left
			}
			bin.P += part * p
			bin.Observed += part * share
			bin.Count += part
			left -= part
			if bin.Count >= mass*(1-1e-9) && len(table.Bins) < bins-1 {
				finish()
			}
		}
		from = to
	}
	finish()
	return table
}

// wilson is the 95 % score interval of a share of n.
func wilson(share, n float64) (low, high float64) {
	const z = 1.959963984540054 // of the normal distribution at 97.5 %
	centre := (share + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	return max(0, centre-half), min(1, centre+half)
}
