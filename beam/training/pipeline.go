// Package training trains a model on users who are divided among workers: rounds in which
// every part trains on its own from a point that all share, and an average between
// them. The maths is in fubini/learn/distributed; this package carries it. One job holds all rounds,
// as a cluster takes its time to start one.
package training

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"fubini/beam/job"
	"fubini/beam/people"
	"fubini/learn/distributed"
)

func init() {
	for _, f := range []any{&GatherFn{}, &LargestFn{}, &PartFn{}, &TotalFn{}, &SaveFn{}} {
		beam.RegisterDoFn(f)
	}
	beam.RegisterType(reflect.TypeFor[AddFn]())
}

// AddFn adds up what parts counted, or their shares of a sum. Runners do it within bundles
// first. Sums are exact, so that neither the order of parts nor the bundles they came in make
// a difference.
type AddFn struct{}

// MergeAccumulators adds two; neither is changed, as others may look at them.
func (*AddFn) MergeAccumulators(a, b Message) (Message, error) {
	if a.All != nil {
		both := distributed.Nobody()
		both.Add(a.All)
		both.Add(b.All)
		return Message{All: both}, nil
	}
	both := &distributed.Sum{}
	for _, each := range []*distributed.Sum{a.Sum, b.Sum} {
		if err := both.Add(each); err != nil {
			return Message{}, job.Fail(err)
		}
	}
	return Message{Sum: both}, nil
}

// Job is all that there is to say of a run.
type Job struct {
	Request
	Inputs     []people.Input
	Format     string // of the inputs; empty means by content
	Duplicates string
	Shards     int
	Jobs       int    // goroutines of a worker; 0 means one for each core
	Output     string // the model's file
}

// Build lays out the pipeline, which writes the model to a path.
func (j *Job) Build(path string) (*beam.Pipeline, error) {
	request, err := j.of()
	if err != nil {
		return nil, err
	}
	kind, err := request.Kind()
	if err != nil {
		return nil, err
	}
	p, s := beam.NewPipelineWithRoot()
	shards, _, err := people.Read(s, j.Inputs, &people.ReadFn{Format: j.Format, Shards: j.Shards, Strict: true})
	if err != nil {
		return nil, err
	}
	parts, counts := beam.ParDo2(s.Scope("gather"), &GatherFn{Duplicates: j.Duplicates, Longest: kind.Longest}, shards)
	all := beam.Combine(s.Scope("count"), &AddFn{}, counts)
	counted := beam.SideInput{Input: all}
	each := worker{planner: planner{Request: j.Request}, Jobs: j.Jobs}
	// step makes one step on every part, and adds up their shares.
	step := func(scope beam.Scope, name string, from, gradient beam.PCollection) (moved, sum beam.PCollection) {
		moved, shares := beam.ParDo2(scope, &PartFn{each, name}, parts, counted, beam.SideInput{Input: from}, beam.SideInput{Input: gradient})
		return moved, beam.Combine(scope, &AddFn{}, shares)
	}
	var point beam.PCollection
	if kind.Corrected {
		known := beam.ParDo(s.Scope("first features"), &LargestFn{Worker: each}, parts, counted, counted)
		for pass := range kind.Passes {
			scope := s.Scope(fmt.Sprintf("pass %d", pass+1))
			_, sum := step(scope, featureStep, known, known)
			known = beam.ParDo(scope.Scope("features"), &TotalFn{Request: j.Request, Pass: pass}, sum, counted)
		}
		point = beam.ParDo(s.Scope("warm start"), &LargestFn{each, true}, parts, counted, beam.SideInput{Input: known})
	} else {
		point = beam.ParDo(s.Scope("start"), &TotalFn{Request: j.Request}, all, counted)
	}
	for round := range j.Rounds {
		scope := s.Scope(fmt.Sprintf("round %d", round+1))
		gradient := point // which has none
		if kind.Corrected && round > 0 {
			_, gradient = step(scope.Scope("gradient"), gradientStep, point, point)
		}
		moved, sum := step(scope, roundStep, point, gradient)
		if !kind.Corrected {
			parts = moved // with the state of their chains; without chains they stay as they are
		}
		point = beam.ParDo(scope.Scope("average"), &TotalFn{j.Request, -1}, sum, counted)
	}
	beam.ParDo0(s.Scope("save"), &SaveFn{Request: j.Request, Path: path}, point, counted)
	return p, nil
}

// Run runs the pipeline. The model appears under its name when the job has ended well.
func (j *Job) Run(ctx context.Context, o job.Options) error {
	path := filepath.Join(filepath.Dir(j.Output), fmt.Sprintf(".fubini-%016x.tmp", rand.Uint64()))
	defer os.Remove(path) // there only after a failure
	p, err := j.Build(path)
	if err != nil {
		return err
	}
	if _, err := job.Run(ctx, p, o); err != nil {
		return err
	}
	err = os.Rename(path, j.Output)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("the job ended without a model: it was cancelled, or its workers do not see the folder %s", filepath.Dir(j.Output))
	}
	return err
}
