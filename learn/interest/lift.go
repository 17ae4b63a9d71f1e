package interest

import (
	"math"

	"fubini/core/parallel"
	"fubini/model/interest"
)

// lift compares the order of candidates by the model with the one by popularity, for people who were left out of the fit.
func lift(tasks []task, w weights, jobs int) *interest.Lift {
	differences := make([]float64, len(tasks))
	parallel.Do(len(tasks), jobs, func(_, k int) {
		t := &tasks[k]
		hidden := make([]float64, len(t.gain)) // whatever they were rated
		for i, gain := range t.gain {
			if gain != 0 {
				hidden[i] = 1
			}
		}
		if best := t.discounted(hidden, hidden); best > 0 {
			var room [candidates]float64
			differences[k] = (t.discounted(t.order(w, &room), hidden) - t.discounted(t.popularity, hidden)) / best
		}
	})
	var people, sum, squares float64
	for k := 0; k < len(tasks); {
		var total, count float64 // of one person, whose tasks follow each other
		for person := tasks[k].person; k < len(tasks) && tasks[k].person == person; k++ {
			total, count = total+differences[k], count+1
		}
		mean := total / count
		people, sum, squares = people+1, sum+mean, squares+float64(mean*mean)
	}
	if people < 2 {
		return nil
	}
	mean := sum / people
	return &interest.Lift{Mean: mean, StdErr: math.Sqrt(max(0, squares/people-float64(mean*mean)) / (people - 1))}
}
