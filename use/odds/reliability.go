package odds

import (
	"cmp"
	"context"
	"math"
	"slices"

	"fubini/core/parallel"
)

// Reliability compares stated probabilities with observed frequencies. The intervals of its
// bins treat events as independent, which is not exact. The slots of one rating exclude each
// other, which makes intervals slightly too wide; errors are correlated within a person, which
// makes them too narrow. A bin outside its interval is a reason to look, not a proof.
type Reliability struct {
	Bins   []Bin   `json:"bins"`   // of equal mass, by rising probability
	ECE    float64 `json:"ece"`    // expected calibration error: mean of |observed - p| over all events
	Events int     `json:"events"` // their number
	// Even are the same events by probability in tenths, those without events left out: for a plot, on which bins of equal
	// mass lie where most events are. Nil in files of earlier versions.
	Even []Bin `json:"even,omitempty"`
}

// Bin groups events of similar probability.
type Bin struct {
	P        float64 `json:"p"`        // mean of the stated probabilities
	Observed float64 `json:"observed"` // share that happened
	Low      float64 `json:"low"`      // 95 % Wilson interval of that share
	High     float64 `json:"high"`
	Count    int     `json:"count"`
}

// wilson is the 95 % score interval of a share seen in n trials: all shares that a test at that level does not reject.
func wilson(share, n float64) (low, high float64) {
	const z = 1.959963984540054
	middle := (share + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	return max(0, middle-half), min(1, middle+half)
}

// event is an event with its stated probability.
type event struct {
	p        float64
	happened bool
}

// equalMass groups events into bins of equal size, by rising probability. Where a boundary
// divides events of equal probability, each side gets its share of those that happened. It
// sorts the events in place.
func equalMass(events []event, bins int) Reliability {
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.p, b.p) })
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
		for ; to < len(events) && events[to].p == events[from].p; to++ {
			if events[to].happened {
				happened++
			}
		}
		p, share := events[from].p, happened/float64(to-from)
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
	r.Even = even(events, tenths)
	return r
}

// tenths is the number of bins of equal width.
const tenths = 10

// even groups events into bins of equal width. Bins without events are left out.
func even(events []event, bins int) (filled []Bin) {
	all := make([]Bin, bins)
	for _, e := range events {
		b := &all[min(int(e.p*float64(bins)), bins-1)]
		b.P += e.p
		b.Count++
		if e.happened {
			b.Observed++
		}
	}
	for _, b := range all {
		if b.Count > 0 {
			n := float64(b.Count)
			b.P, b.Observed = b.P/n, b.Observed/n
			b.Low, b.High = wilson(b.Observed, n)
			filled = append(filled, b)
		}
	}
	return filled
}

// record has the events of some ratings: each slot of each rating is one. The zero value is empty.
type record struct {
	all, likeliest, best []event // every slot, the most probable one of each rating, and the best tier
	loss                 float64 // sum of minus the log odds of the slots that happened
	ratings              int
}

// add records the odds of the slots of one rating, and the slot in which it stood.
func (e *record) add(odds []float64, slot int) {
	likeliest := 0
	for s, p := range odds {
		if p > odds[likeliest] {
			likeliest = s
		}
		e.all = append(e.all, event{p, s == slot})
	}
	e.likeliest = append(e.likeliest, event{odds[likeliest], likeliest == slot})
	if len(odds) > 1 {
		e.best = append(e.best, event{odds[1], slot == 1})
	}
	e.loss -= math.Log(odds[slot])
	e.ratings++
}

// gather records the events of n people, and returns all of them and the mean loss of each person.
func gather(ctx context.Context, n, jobs int, person func(k int, to *record) error) (all record, losses []float64, err error) {
	found := make([]record, n)
	err = parallel.Each(ctx, n, jobs, func(_, k int) error { return person(k, &found[k]) })
	for _, each := range found {
		all.all, all.likeliest, all.best = append(all.all, each.all...), append(all.likeliest, each.likeliest...), append(all.best, each.best...)
		all.loss += each.loss
		all.ratings += each.ratings
		losses = append(losses, each.loss/float64(each.ratings))
	}
	return all, losses, err
}
