// Package training trains a model on users who are divided among workers: steps in which every
// part works on its own from a state that all share, and their contributions are summed. The
// maths is in fubini/learn/distributed. One job has all steps, because a cluster takes a while
// to start a job.
package training

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"fubini/beam/job"
	"fubini/beam/people"
	"fubini/learn/distributed"
)

// Job describes a run.
type Job struct {
	Worker
	Read   people.ReadFn
	Output string // the model's file
}

// mostReaders is the largest number of steps that read one collection of parts: Flink refuses a job in which more than 64 do.
const mostReaders = 32

// build lays out the pipeline, which writes the model to a path. The state of a step has one reader, the map of the next, which
// hands it on to the reduction with the sums: Flink's optimiser walks every path through a job, and with two readers of each state
// there are 2 to the power of the steps.
func (j *Job) build(path string, kind distributed.Kind) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	shards, _ := people.Read(s, &j.Read)
	parts, counts := beam.ParDo2(s.Scope("gather"), &GatherFn{j.Worker, kind.Longest}, shards)
	all := beam.Combine(s.Scope("count"), &AddFn{}, counts)
	state := beam.ParDo(s.Scope("start"), &StartFn{j.Worker}, all)
	for step := range kind.Steps {
		scope := s.Scope(fmt.Sprintf("step %d", step+1))
		from := beam.SideInput{Input: state}
		on := kind.Chains || step%mostReaders == mostReaders-1
		moved, sums := beam.ParDo2(scope.Scope("map"), &MapFn{j.Worker, step, on}, parts, from)
		if on {
			parts = moved
		}
		state = beam.ParDo(scope.Scope("reduce"), &ReduceFn{j.Worker, step}, beam.Combine(scope, &AddFn{}, sums))
	}
	beam.ParDo0(s.Scope("save"), &SaveFn{j.Worker, path}, state)
	return p
}

// Run runs the pipeline. The model appears under its name when the job has ended well.
func (j *Job) Run(ctx context.Context, verbose io.Writer) error {
	kind, err := j.Kind()
	if err != nil {
		return err
	}
	model, err := job.Result[[]byte](ctx, filepath.Dir(j.Output), "a model", func(path string) *beam.Pipeline { return j.build(path, kind) }, verbose)
	if err != nil {
		return err
	}
	return job.WriteBytes(j.Output, model)
}
