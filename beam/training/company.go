package training

import (
	"fubini/beam/job"
)

// GuessFn guesses the company of items by the lists of the largest part.
type GuessFn struct{ Worker worker }

// ProcessElement guesses, if the part is the largest.
func (f *GuessFn) ProcessElement(number int, packed []byte, all Count, emit func(Known)) error {
	plan, part, err := f.Worker.largest(number, packed, all)
	if err != nil || plan == nil {
		return job.Fail(err)
	}
	emit(Known{plan.Guess(part, f.Worker.Jobs)})
	return nil
}

// MeetFn lets parts say what they know of the company of items.
type MeetFn struct{ Worker worker }

// ProcessElement lets one part say it.
func (f *MeetFn) ProcessElement(number int, packed []byte, all Count, known Known, totals func(Total)) error {
	plan, part, _, err := f.Worker.part(number, packed, all)
	if err != nil {
		return job.Fail(err)
	}
	sum, err := plan.Meet(known.Company, part, f.Worker.Jobs)
	if err != nil {
		return job.Fail(err)
	}
	if sum != nil {
		totals(Total{sum})
	}
	return nil
}

// MetFn makes company of what all parts said.
type MetFn struct {
	Request Request
	Pass    int
}

// ProcessElement gives the company that the next pass, or the pilot, starts from.
func (f *MetFn) ProcessElement(total Total, all Count, emit func(Known)) error {
	plan, err := (&planner{Request: f.Request}).on(all)
	if err != nil {
		return job.Fail(err)
	}
	company, err := plan.Met(total.Sum, f.Pass)
	if err != nil {
		return job.Fail(err)
	}
	emit(Known{company})
	return nil
}
