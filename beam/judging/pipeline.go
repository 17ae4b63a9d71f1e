// Package judging is the paper's protocol as a pipeline: each model is fitted on one worker, many workers rank held-out
// items for blocks of users, and the values of all users are pooled in their order, so that means and intervals are
// those of fubini evaluate, to the last bit.
package judging

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"fubini/beam/job"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/registry"
)

// Job describes a run: the data, the protocol, the metrics and the models. Paths must lead every worker to the same
// files.
type Job struct {
	Data       string // a file or folder of ratings
	Format     string // of Data; empty means by content
	Duplicates string
	Scale      []float64 // ends of the rating scale; nil means those of the data
	Given      int
	MinTest    int
	Split      string // a folder with train.tsv and test.tsv, in place of Data
	Candidates string
	Gain       string
	Seed       uint64
	Settings   []registry.Assignment
	Jobs       int // goroutines of a worker; 0 means one for each core
	Models     []Candidate
	Blocks     int    // of users, divided among workers
	Folder     string // that this program and all workers see, for results on their way
}

// Candidate is a model to be judged: a name, to be fitted, or the file of a fitted model.
type Candidate struct {
	Name string
	File string // empty for one to be fitted
}

// data returns the split, divided once in a process, and the options of judging it.
func (j *Job) data() (split ratings.Split, o evaluate.Options, err error) {
	key, err := json.Marshal(j)
	if err != nil {
		return split, o, err
	}
	if split, err = job.Once(string(key), j.divide); err != nil {
		return split, o, err
	}
	o.Jobs = j.Jobs
	if o.Candidates, err = evaluate.ParseCandidates(j.Candidates); err != nil {
		return split, o, err
	}
	o.Metrics, err = evaluate.SplitMetrics(split, j.Gain, o.Candidates, false)
	return split, o, err
}

func (j *Job) divide() (ratings.Split, error) {
	quiet := &cli.Program{Quiet: true}
	if j.Split != "" {
		return input.ReadSplit(context.Background(), quiet, j.Split)
	}
	set, _, err := input.Read(context.Background(), quiet, j.Data, input.DataFlags{Format: j.Format, Duplicates: j.Duplicates, Scale: j.Scale})
	if err != nil {
		return ratings.Split{}, err
	}
	if set, err = evaluate.Levelled(set, j.Scale); err != nil {
		return ratings.Split{}, fmt.Errorf("%s: %w", j.Data, err)
	}
	split, err := set.Paper(j.Given, j.MinTest, j.Seed)
	if err != nil {
		return split, fmt.Errorf("%s: %w", j.Data, err)
	}
	return split, nil
}

// Build lays out the pipeline.
func (j *Job) Build(path string) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	models, known := beam.ParDo2(s.Scope("fit"), &FitFn{*j}, job.Numbers(s, len(j.Models)))
	values := beam.ParDo(s.Scope("judge"), &JudgeFn{Job: *j}, job.Numbers(s, j.Blocks), beam.SideInput{Input: models})
	beam.ParDo0(s.Scope("means"), &MeansFn{path, len(j.Models)}, beam.GroupByKey(s, beam.Flatten(s, known, values)))
	return p
}

// Run runs the pipeline and returns how each model did.
func (j *Job) Run(ctx context.Context, verbose io.Writer) ([]evaluate.Result, error) {
	return job.Result[[]evaluate.Result](ctx, j.Folder, "results", j.Build, verbose)
}
