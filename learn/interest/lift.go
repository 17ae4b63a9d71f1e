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
		differences[k] = t.right(t.order(w)) - t.right(t.popularity)
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

// right is the share of pairs of a hidden candidate and one that is not in the list that are in the right order by scores,
// ties half; a half where there are no pairs.
func (t *task) right(scores []float64) float64 {
	var right, pairs float64
	for k, gain := range t.gain {
		if gain == 0 {
			continue
		}
		for other, s := range scores {
			if t.gain[other] != 0 {
				continue
			}
			if pairs++; s < scores[k] {
				right++
			} else if s == scores[k] {
				right += .5
			}
		}
	}
	if pairs == 0 {
		return .5
	}
	return right / pairs
}
