package calibrate

import (
	"math"

	"fubini/judge/evaluate"
)

// Events are what became of odds: every slot that was given some is an event, which
// happened or did not. The zero value is ready.
type Events struct {
	// All has every slot; Likeliest the slot with the highest odds of each rating
	// alone; Best the person's best tier, of people who have tiers.
	All, Likeliest, Best []evaluate.Event
	Loss                 float64 // sum of minus the log of the odds of the slot that came
	Ratings              int
}

// Add takes the odds of the slots of one rating, and the slot where it stood.
func (e *Events) Add(odds []float64, slot int) {
	likeliest := 0
	for s, p := range odds {
		if p > odds[likeliest] {
			likeliest = s
		}
		e.All = append(e.All, evaluate.Event{P: p, Happened: s == slot})
	}
	e.Likeliest = append(e.Likeliest, evaluate.Event{P: odds[likeliest], Happened: likeliest == slot})
	if len(odds) > 1 {
		e.Best = append(e.Best, evaluate.Event{P: odds[1], Happened: slot == 1})
	}
	e.Loss -= math.Log(odds[slot])
	e.Ratings++
}

// Join takes in all of another.
func (e *Events) Join(other *Events) {
	e.All, e.Likeliest, e.Best = append(e.All, other.All...), append(e.Likeliest, other.Likeliest...), append(e.Best, other.Best...)
	e.Loss += other.Loss
	e.Ratings += other.Ratings
}

// Reliability is that of all slots, in [Bins] bins of equal mass.
func (e *Events) Reliability() evaluate.Reliability { return evaluate.EqualMass(e.All, Bins) }
