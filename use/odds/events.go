package odds

import "math"

// Events records which slots happened: each slot of each rating is an event. The zero value is
// ready.
type Events struct {
	// All has every slot; Likeliest the slot with the highest odds for each rating; Best the
	// person's best tier, for people who have tiers.
	All, Likeliest, Best []Event
	Loss                 float64 // sum of minus the log odds of the slots that happened
	Ratings              int
}

// Add records the odds of the slots of one rating, and the slot in which it stood.
func (e *Events) Add(odds []float64, slot int) {
	likeliest := 0
	for s, p := range odds {
		if p > odds[likeliest] {
			likeliest = s
		}
		e.All = append(e.All, Event{P: p, Happened: s == slot})
	}
	e.Likeliest = append(e.Likeliest, Event{P: odds[likeliest], Happened: likeliest == slot})
	if len(odds) > 1 {
		e.Best = append(e.Best, Event{P: odds[1], Happened: slot == 1})
	}
	e.Loss -= math.Log(odds[slot])
	e.Ratings++
}

// Join adds the events of another record.
func (e *Events) Join(other *Events) {
	e.All, e.Likeliest, e.Best = append(e.All, other.All...), append(e.Likeliest, other.Likeliest...), append(e.Best, other.Best...)
	e.Loss += other.Loss
	e.Ratings += other.Ratings
}

// Reliability is that of all slots, in [Bins] bins of equal mass.
func (e *Events) Reliability() Reliability { return EqualMass(e.All, Bins) }
