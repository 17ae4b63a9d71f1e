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
	"fubini/learn/registry"
)

// Request says how to train, in words that travel.
type Request struct {
	Model    string
	Settings []registry.Assignment
	Rounds   int
	Local    int
	Seed     uint64
	Program  string
}

// of is the request as the library has it.
func (r Request) of() (distributed.Request, error) {
	recipes, err := registry.Configure([]string{r.Model}, r.Settings)
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

func (p *planner) on(all Message) (*distributed.Plan, error) {
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

var listsTrained = beam.NewCounter("fubini", "lists")

// worker is what works on one part at a time.
type worker struct {
	planner
	Jobs int
}

// part unpacks a part, and the plan for it. What came packed is returned too.
func (w *worker) part(number int, packed []byte, all Message) (*distributed.Plan, *distributed.Part, shard, error) {
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
func (w *worker) largest(number int, packed []byte, all Message) (*distributed.Plan, *distributed.Part, error) {
	if _, err := w.on(all); err != nil {
		return nil, nil, err // whoever it is: there may be nobody to learn from
	}
	if number != all.All.Largest.Part {
		return nil, nil, nil
	}
	plan, part, _, err := w.part(number, packed, all)
	return plan, part, err
}

// LargestFn works on the largest part alone: it finds the first co-occurrence features, or with
// Warm it trains the point that the first round starts from, given the features.
type LargestFn struct {
	Worker worker
	Warm   bool
}

// ProcessElement works on a part, if it is the largest.
func (f *LargestFn) ProcessElement(ctx context.Context, number int, packed []byte, all, known Message, emit func(Message)) error {
	plan, part, err := f.Worker.largest(number, packed, all)
	if err != nil || plan == nil {
		return job.Fail(err)
	}
	if !f.Warm {
		emit(Message{Features: plan.FirstFeatures(part, f.Worker.Jobs)})
		return nil
	}
	point, err := plan.WarmStart(ctx, known.Features, part, f.Worker.Jobs)
	if err != nil {
		return job.Fail(err)
	}
	emit(Message{State: point})
	return nil
}

// The steps of parts.
const (
	featureStep  = "features" // shares of the co-occurrence features in a pass
	gradientStep = "gradient" // gradients at the point that a round starts from
	roundStep    = "round"    // training; with the sum of gradients, or without
)

// PartFn makes one step on every part.
type PartFn struct {
	Worker worker
	Step   string
}

// ProcessElement makes the step on one part, and sends its share to the sum. A part whose
// chains have moved goes on to the next round.
func (f *PartFn) ProcessElement(ctx context.Context, number int, packed []byte, all, from, gradient Message, parts func(int, []byte), totals func(Message)) error {
	plan, part, s, err := f.Worker.part(number, packed, all)
	if err != nil {
		return job.Fail(err)
	}
	var sum *distributed.Sum
	switch f.Step {
	case featureStep:
		sum, err = plan.FeatureSum(from.Features, part, f.Worker.Jobs)
	case gradientStep:
		sum, err = plan.Gradient(ctx, from.State, part, f.Worker.Jobs)
	case roundStep:
		sum, err = plan.Round(ctx, from.State, gradient.Sum, part, f.Worker.Jobs)
		listsTrained.Inc(ctx, int64(len(part.Lists)))
	}
	if err != nil {
		return job.Fail(err)
	}
	if sum != nil {
		totals(Message{Sum: sum})
	}
	if part.Ranks != nil {
		s.Ranks = part.Ranks
		parts(number, pack(s))
	}
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

// TotalFn makes of the sum over all parts what the next step starts from: the features after
// a pass, or, with a negative Pass, the average point. Of a census it makes the point that
// training starts from.
type TotalFn struct {
	Request Request
	Pass    int
}

// ProcessElement makes it.
func (f *TotalFn) ProcessElement(total, all Message, emit func(Message)) error {
	plan, err := (&planner{Request: f.Request}).on(all)
	if err != nil {
		return job.Fail(err)
	}
	var next Message
	switch {
	case total.Sum == nil:
		next.State = plan.Start()
	case f.Pass >= 0:
		next.Features, err = plan.FeaturesOf(total.Sum, f.Pass)
	default:
		next.State, err = plan.Point(total.Sum)
	}
	if err != nil {
		return job.Fail(err)
	}
	emit(next)
	return nil
}

// SaveFn writes the model.
type SaveFn struct {
	Request Request
	Path    string
}

// ProcessElement writes it, complete or not at all.
func (f *SaveFn) ProcessElement(end, all Message) error {
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
