package odds

import (
	"cmp"
	"math"
	"slices"
)

// Event is an event with its stated probability.
type Event struct {
	P        float64
	Happened bool
}

// EqualMass groups events into bins of equal size, by rising probability. Where a boundary
// divides events of equal probability, each side gets its share of those that happened. It
// sorts the events in place.
func EqualMass(events []Event, bins int) Reliability {
	slices.SortFunc(events, func(a, b Event) int { return cmp.Compare(a.P, b.P) })
	r := Reliability{Events: len(events)}
	mass := float64(len(events)) / float64(bins)
	var stated, hits, count float64 // of the bin in hand; a part of an event may belong to it
	var before float64              // events in bins that are finished
	finish := func() {
		if count == 0 {
			return
		}
		bin := Bin{P: stated / count, Observed: hits / count, Count: int(math.Round(before+count) - math.Round(before))}
		bin.Low, bin.High = wilson(bin.Observed, count)
		r.ECE += math.Abs(bin.P-bin.Observed) * count / float64(len(events))
		r.Bins = append(r.Bins, bin)
		before += count
		stated, hits, count = 0, 0, 0
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
			part := min(left, mass-count)
			// Rounding must not leave a sliver of a bin, nor the last one short.
			if last := len(r.Bins) == bins-1; last || left-part < 1e-9*mass {
				part = left
			}
			stated += part * p
			hits += part * share
			count += part
			left -= part
			if count >= mass*(1-1e-9) && len(r.Bins) < bins-1 {
				finish()
			}
		}
		from = to
	}
	finish()
	return r
}
