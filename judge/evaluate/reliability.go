package evaluate

import "math"

// reliabilityBins is how many bins of equal width the probabilities are put in.
const reliabilityBins = 10

// Forecasts collects probabilities that were stated before it was known whether
// the thing happened. The zero value is ready.
type Forecasts struct {
	count, hits [reliabilityBins]int
	stated      [reliabilityBins]float64 // sum of the probabilities
}

// Add takes one stated probability, and whether it happened.
func (f *Forecasts) Add(p float64, happened bool) {
	b := min(max(int(p*reliabilityBins), 0), reliabilityBins-1)
	f.count[b]++
	f.stated[b] += p
	if happened {
		f.hits[b]++
	}
}

// Merge takes in all that another has collected.
func (f *Forecasts) Merge(other *Forecasts) {
	for b := range f.count {
		f.count[b] += other.count[b]
		f.hits[b] += other.hits[b]
		f.stated[b] += other.stated[b]
	}
}

// Reliability says whether things happen as often as was stated.
type Reliability struct {
	Bins   []Bin   `json:"bins"`   // those that are not empty, by rising probability
	ECE    float64 `json:"ece"`    // expected calibration error: mean of |observed - p| over all forecasts
	Events int     `json:"events"` // how many forecasts
}

// Bin is the forecasts of about one probability.
type Bin struct {
	P        float64 `json:"p"`        // mean of what was stated
	Observed float64 `json:"observed"` // share that happened
	Low      float64 `json:"low"`      // 95 % Wilson interval of that share
	High     float64 `json:"high"`
	Count    int     `json:"count"`
}

// Reliability puts the collected forecasts together. The intervals take forecasts
// for independent; those of the places of one item are not, so that they are a
// little too wide.
func (f *Forecasts) Reliability() Reliability {
	var r Reliability
	for b, count := range f.count {
		if count == 0 {
			continue
		}
		n := float64(count)
		bin := Bin{P: f.stated[b] / n, Observed: float64(f.hits[b]) / n, Count: count}
		bin.Low, bin.High = wilson(bin.Observed, n)
		r.Bins = append(r.Bins, bin)
		r.ECE += math.Abs(bin.Observed-bin.P) * n
		r.Events += count
	}
	if r.Events > 0 {
		r.ECE /= float64(r.Events)
	}
	return r
}

// wilson is the 95 % score interval of a share seen in n trials: all shares that
// a test at that level does not refuse.
func wilson(share, n float64) (low, high float64) {
	const z = 1.959963984540054
	middle := (share + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	return max(0, middle-half), min(1, middle+half)
}
