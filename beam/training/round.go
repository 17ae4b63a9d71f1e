package training

import (
	"context"
	"fmt"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"fubini/beam/job"
	"fubini/beam/people"
	"fubini/data/ratings"
	"fubini/learn/distributed"
	"fubini/learn/zoo"
)

// Request says how to train, in words that travel.
type Request struct {
	Model    string
	Settings []zoo.Setting
	Rounds   int
	Local    int
	Seed     uint64
	Program  string
}

// of is the request as the library has it.
func (r Request) of() (distributed.Request, error) {
	recipes, err := zoo.Configure([]string{r.Model}, r.Settings)
	if err != nil {
		return distributed.Request{}, err
	}
	return distributed.Request{Model: r.Model, Recipe: recipes[0], Rounds: r.Rounds, Local: r.Local, Seed: r.Seed, Program: r.Program}, nil
}

// planner makes the plan once.
type planner struct {
	Request
	plan *distributed.Plan
}

func (p *planner) on(all Count) (*distributed.Plan, error) {
	if p.plan == nil {
		r, err := p.of()
		if err != nil {
			return nil, err
		}
		if p.plan, err = distributed.NewPlan(all.All, r); err != nil {
			return nil, err
		}
	}
	return p.plan, nil
}

// StartFn gives the point that the first round starts from.
type StartFn struct{ Request Request }

// ProcessElement gives it once all are counted.
func (f *StartFn) ProcessElement(all Count, emit func(Point)) error {
	plan, err := (&planner{Request: f.Request}).on(all)
	if err != nil {
		return job.Fail(err)
	}
	emit(Point{plan.Start()})
	return nil
}

var listsTrained = beam.NewCounter("fubini", "lists")

// worker is what works on one part at a time.
type worker struct {
	planner
	Jobs int
}

// part unpacks a part, and the plan for it. What came packed is returned too.
func (w *worker) part(number int, packed []byte, all Count) (*distributed.Plan, *distributed.Part, shard, error) {
	plan, err := w.on(all)
	if err != nil {
		return nil, nil, shard{}, err
	}
	s, err := unpack[shard](packed)
	if err != nil {
		return nil, nil, shard{}, err
	}
	part, err := partOf(plan, number, s)
	return plan, part, s, err
}

// largest is part, for the largest alone; for others all is nil.
func (w *worker) largest(number int, packed []byte, all Count) (*distributed.Plan, *distributed.Part, error) {
	if _, err := w.on(all); err != nil {
		return nil, nil, err // whoever it is: there may be nobody to learn from
	}
	if number != all.All.Largest.Part {
		return nil, nil, nil
	}
	plan, part, _, err := w.part(number, packed, all)
	return plan, part, err
}

// WarmStartFn trains the largest part alone, and gives the point that the first round starts
// from.
type WarmStartFn struct{ Worker worker }

// ProcessElement trains the part, if it is the largest.
func (f *WarmStartFn) ProcessElement(ctx context.Context, number int, packed []byte, all Count, known Known, emit func(Point)) error {
	plan, part, err := f.Worker.largest(number, packed, all)
	if err != nil || plan == nil {
		return job.Fail(err)
	}
	point, err := plan.WarmStart(ctx, known.Features, part, f.Worker.Jobs)
	if err != nil {
		return job.Fail(err)
	}
	emit(Point{point})
	return nil
}

// GradientFn computes the gradients of parts at the point that a round starts from.
type GradientFn struct{ Worker worker }

// ProcessElement computes that of one part.
func (f *GradientFn) ProcessElement(ctx context.Context, number int, packed []byte, all Count, at Point, totals func(Total)) error {
	plan, part, _, err := f.Worker.part(number, packed, all)
	if err != nil {
		return job.Fail(err)
	}
	sum, err := plan.Gradient(ctx, at.State, part, f.Worker.Jobs)
	if err != nil {
		return job.Fail(err)
	}
	if sum != nil {
		totals(Total{sum})
	}
	return nil
}

// CorrectedRoundFn trains the parts of a round, each with the gradient of all.
type CorrectedRoundFn struct{ Worker worker }

// ProcessElement trains one part, and sends what it has to say to the average.
func (f *CorrectedRoundFn) ProcessElement(ctx context.Context, number int, packed []byte, all Count, from Point, gradient Total, totals func(Total)) error {
	plan, part, _, err := f.Worker.part(number, packed, all)
	if err != nil {
		return job.Fail(err)
	}
	return roundOf(ctx, plan, part, from, gradient.Sum, f.Worker.Jobs, totals)
}

// roundOf trains a part.
func roundOf(ctx context.Context, plan *distributed.Plan, part *distributed.Part, from Point, gradient *distributed.Sum, jobs int, totals func(Total)) error {
	sum, err := plan.Round(ctx, from.State, gradient, part, jobs)
	if err != nil {
		return job.Fail(err)
	}
	listsTrained.Inc(ctx, int64(len(part.Lists)))
	if sum != nil {
		totals(Total{sum})
	}
	return nil
}

// RoundFn trains the parts of a round, each from what it knows itself: the first, and all
// with chains.
type RoundFn struct{ Worker worker }

// ProcessElement trains one part from the point that all share, and sends what it has to
// say to the average. A part whose chains have moved goes on to the next round.
func (f *RoundFn) ProcessElement(ctx context.Context, number int, packed []byte, all Count, from Point, parts func(int, []byte), totals func(Total)) error {
	plan, part, s, err := f.Worker.part(number, packed, all)
	if err != nil {
		return job.Fail(err)
	}
	if err := roundOf(ctx, plan, part, from, nil, f.Worker.Jobs, totals); err != nil || part.Ranks == nil {
		return err
	}
	s.Ranks = part.Ranks
	parts(number, pack(s))
	return nil
}

// partOf unpacks a part.
func partOf(plan *distributed.Plan, number int, s shard) (*distributed.Part, error) {
	all := make([]people.Fragment, len(s.Users))
	for k, packed := range s.Users {
		var err error
		if all[k], err = people.Parse(packed); err != nil {
			return nil, err
		}
	}
	set, err := setOf(all, ratings.Refuse)
	if err != nil {
		return nil, err
	}
	part, err := plan.NewPart(number, set)
	if err != nil {
		return nil, err
	}
	part.Ranks = s.Ranks
	return part, nil
}

// AverageFn makes a point of the sum over all parts.
type AverageFn struct{ Request Request }

// ProcessElement gives the point that the next round starts from.
func (f *AverageFn) ProcessElement(total Total, all Count, emit func(Point)) error {
	plan, err := (&planner{Request: f.Request}).on(all)
	if err != nil {
		return job.Fail(err)
	}
	point, err := plan.Point(total.Sum)
	if err != nil {
		return job.Fail(err)
	}
	emit(Point{point})
	return nil
}

// SaveFn writes the model.
type SaveFn struct {
	Request Request
	Path    string
}

// ProcessElement writes it, complete or not at all.
func (f *SaveFn) ProcessElement(end Point, all Count) error {
	plan, err := (&planner{Request: f.Request}).on(all)
	if err != nil {
		return job.Fail(err)
	}
	file, err := plan.Saved(end.State).File()
	if err != nil {
		return job.Fail(err)
	}
	err = job.Write(f.Path, func(w io.Writer) error {
		_, err := file.WriteTo(w)
		return err
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", f.Path, err)
	}
	return job.Fail(err)
}
