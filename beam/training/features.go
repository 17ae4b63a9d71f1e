package training

import (
	"fubini/beam/job"
)

// FirstFeaturesFn finds co-occurrence features of items in the lists of the largest part.
type FirstFeaturesFn struct{ Worker worker }

// ProcessElement finds them, if the part is the largest.
func (f *FirstFeaturesFn) ProcessElement(number int, packed []byte, all Count, emit func(Known)) error {
	plan, part, err := f.Worker.largest(number, packed, all)
	if err != nil || plan == nil {
		return job.Fail(err)
	}
	emit(Known{plan.FirstFeatures(part, f.Worker.Jobs)})
	return nil
}

// FeatureSumFn computes the shares of parts in a pass over all lists.
type FeatureSumFn struct{ Worker worker }

// ProcessElement computes that of one part.
func (f *FeatureSumFn) ProcessElement(number int, packed []byte, all Count, known Known, totals func(Total)) error {
	plan, part, _, err := f.Worker.part(number, packed, all)
	if err != nil {
		return job.Fail(err)
	}
	sum, err := plan.FeatureSum(known.Features, part, f.Worker.Jobs)
	if err != nil {
		return job.Fail(err)
	}
	if sum != nil {
		totals(Total{sum})
	}
	return nil
}

// FeaturesFn makes features of the sum over all parts.
type FeaturesFn struct {
	Request Request
	Pass    int
}

// ProcessElement gives the features that the next pass, or the warm start, begins with.
func (f *FeaturesFn) ProcessElement(total Total, all Count, emit func(Known)) error {
	plan, err := (&planner{Request: f.Request}).on(all)
	if err != nil {
		return job.Fail(err)
	}
	features, err := plan.FeaturesOf(total.Sum, f.Pass)
	if err != nil {
		return job.Fail(err)
	}
	emit(Known{features})
	return nil
}
