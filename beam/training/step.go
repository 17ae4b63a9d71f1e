package training

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"fubini/beam/job"
	"fubini/beam/people"
	"fubini/data/ratings"
	"fubini/learn/ascent"
	"fubini/learn/distributed"
)

func init() {
	for _, f := range []any{&GatherFn{}, &StartFn{}, &MapFn{}, &ReduceFn{}, &SaveFn{}} {
		beam.RegisterDoFn(f)
	}
	beam.RegisterType(reflect.TypeFor[AddFn]())
	beam.RegisterCoder(reflect.TypeFor[Message](), packMessage, unpackMessage)
}

// Message is what travels between workers: a census of users, the state that all parts share with
// that census, or both with a sum over parts. The others are nil.
type Message struct {
	All   *distributed.Census
	State *ascent.State
	Sum   *distributed.Sum
}

// A worker finds coders by the names of their functions, which those of generic functions
// share: so they have names of their own.
func packMessage(m Message) []byte            { return job.Pack(m) }
func unpackMessage(b []byte) (Message, error) { return job.Unpack[Message](b) }

// shard is the users of a part, and the states of their Markov chains.
type shard struct {
	Users []people.Fragment
	Ranks [][]uint16
}

// Worker is a request, and how workers read and train a part.
type Worker struct {
	distributed.Request
	Duplicates string
	Jobs       int // goroutines; 0 means one for each core

	plan *distributed.Plan
}

// on returns the plan, which it makes once.
func (w *Worker) on(all Message) (_ *distributed.Plan, err error) {
	if w.plan == nil {
		w.plan, err = distributed.NewPlan(all.All, w.Request)
	}
	return w.plan, err
}

// set makes a set of users' ratings, as reading a file whole does.
func (w *Worker) set(users []people.Fragment) (*ratings.Set, error) {
	policy, err := ratings.ParseDuplicates(w.Duplicates)
	if err != nil {
		return nil, err
	}
	b := ratings.NewBuilder()
	for _, one := range users {
		for k, id := range one.Items {
			if err := b.Add([]byte(one.ID), id, one.Values[k], ratings.NoTime); err != nil {
				return nil, fmt.Errorf("user %.40q: %w", one.ID, err)
			}
		}
	}
	set, _, err := b.Build(policy)
	return set, err
}

// GatherFn makes a part of the ratings of the users of a shard, and counts them.
type GatherFn struct {
	Worker
	Longest int // items of a list that an epoch uses at most
}

// ProcessElement gathers one shard.
func (f *GatherFn) ProcessElement(number int, values func(*[]byte) bool, parts func(int, []byte), counts func(Message)) (err error) {
	defer job.Mark(&err)
	users, err := people.Collect(values)
	if err != nil {
		return err
	}
	set, err := f.set(users)
	if err != nil {
		return err
	}
	parts(number, job.Pack(shard{Users: users}))
	counts(Message{All: distributed.NewCensus(set, f.Longest)})
	return nil
}

var listsTrained = beam.NewCounter("fubini", "lists")

// StartFn makes the state before the first step of a census.
type StartFn struct{ Worker }

// ProcessElement computes the state.
func (f *StartFn) ProcessElement(all Message, emit func(Message)) (err error) {
	defer job.Mark(&err)
	plan, err := f.on(all)
	if err == nil {
		emit(Message{All: all.All, State: plan.Start()})
	}
	return err
}

// MapFn makes a step of training on every part.
type MapFn struct {
	Worker
	Step int
	On   bool // parts go on to the next step: those with chains, which have moved, and others now and then
}

// ProcessElement makes the step on one part.
func (f *MapFn) ProcessElement(ctx context.Context, number int, packed []byte, from Message, parts func(int, []byte), sums func(Message)) (err error) {
	defer job.Mark(&err)
	s, err := job.Unpack[shard](packed)
	if err != nil {
		return err
	}
	plan, err := f.on(from)
	if err != nil {
		return err
	}
	set, err := f.set(s.Users)
	if err != nil {
		return err
	}
	part, err := plan.NewPart(number, set)
	if err != nil {
		return err
	}
	part.Ranks = s.Ranks
	sum, err := plan.Map(ctx, f.Step, from.State, part, f.Jobs)
	if err != nil {
		return err
	}
	listsTrained.Inc(ctx, int64(len(part.Lists)))
	if sum != nil {
		sums(Message{from.All, from.State, sum})
	}
	if f.On {
		s.Ranks = part.Ranks
		parts(number, job.Pack(s))
	}
	return nil
}

// AddFn adds up the counts or sums of parts. Runners do it within bundles first. Sums are exact,
// so that neither the order of parts nor the bundles make a difference.
type AddFn struct{}

// MergeAccumulators adds two; neither is changed, as others may look at them.
func (*AddFn) MergeAccumulators(a, b Message) (_ Message, err error) {
	defer job.Mark(&err)
	if a.Sum == nil {
		all := distributed.Nobody()
		all.Add(a.All)
		all.Add(b.All)
		return Message{All: all}, nil
	}
	sum := &distributed.Sum{}
	return Message{a.All, a.State, sum}, errors.Join(sum.Add(a.Sum), sum.Add(b.Sum))
}

// ReduceFn computes the state after a step from the sum over all parts.
type ReduceFn struct {
	Worker
	Step int
}

// ProcessElement computes the state.
func (f *ReduceFn) ProcessElement(sum Message, emit func(Message)) (err error) {
	defer job.Mark(&err)
	if sum.Sum == nil {
		return errors.New("no part has a list of two items or more")
	}
	plan, err := f.on(sum)
	if err != nil {
		return err
	}
	next, err := plan.Reduce(f.Step, sum.State, sum.Sum)
	if err == nil {
		emit(Message{All: sum.All, State: next})
	}
	return err
}

// SaveFn writes the bytes of the model's file.
type SaveFn struct {
	Worker
	Path string
}

// ProcessElement writes them.
func (f *SaveFn) ProcessElement(end Message) (err error) {
	defer job.Mark(&err)
	plan, err := f.on(end)
	if err != nil {
		return err
	}
	model, err := job.ModelBytes(plan.Saved(end.State))
	if err != nil {
		return err
	}
	return job.WriteBytes(f.Path, job.Pack(model))
}
