package odds

import "math"

// Reliability compares stated probabilities with observed frequencies. The intervals of its
// bins treat events as independent, which is not exact. The slots of one rating exclude each
// other, which makes intervals slightly too wide; errors are correlated within a person, which
// makes them too narrow. A bin outside its interval is a reason to look, not a proof.
type Reliability struct {
	Bins   []Bin   `json:"bins"`   // by rising probability
	ECE    float64 `json:"ece"`    // expected calibration error: mean of |observed - p| over all events
	Events int     `json:"events"` // their number
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
