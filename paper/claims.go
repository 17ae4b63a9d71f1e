package paper

import (
	"fmt"

	"fubini/judge/evaluate"
)

// Claim is a statement of the paper, and our verdict on it. Claims that need no data are in report.md.tmpl.
type Claim struct {
	Text    string // in our words
	Where   string // in the paper
	Verdict string // confirmed, refuted, ...
	Number  string
}

// The verdicts on data: other data may overturn them.
const (
	confirmed = "confirmed here"
	refuted   = "refuted here"
	undecided = "inconclusive here"
)

// verdict is confirmed or refuted.
func verdict(holds bool) string {
	if holds {
		return confirmed
	}
	return refuted
}

// apart is how much one value is above another, user by user, with the 95 % interval of
// the bootstrap; false where they are not of the same users.
func apart(a, b Value) (evaluate.Difference, bool) {
	if len(a.each) == 0 || len(b.each) == 0 {
		return evaluate.Difference{}, false
	}
	const name = "value"
	one := func(v Value) *evaluate.Result {
		return &evaluate.Result{Metrics: []string{name}, Users: v.users, Values: [][]float64{v.each}}
	}
	d, err := evaluate.Compare(one(a), one(b), name, 1)
	return d, err == nil
}

// ahead is the verdict on a claim that one value is above another, and the difference in
// words: none, where the interval of the difference holds 0.
func ahead(a, b Value, digits int) (found, difference string) {
	d, paired := apart(a, b)
	if !paired {
		return undecided, "no users in common"
	}
	difference = fmt.Sprintf("difference %+.*f (%+.*f to %+.*f)", digits, d.Mean, digits, d.Low, digits, d.High)
	if d.Low <= 0 && d.High >= 0 {
		return undecided, difference
	}
	return verdict(d.Mean > 0), difference
}
