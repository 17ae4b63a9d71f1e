// Package score recommends for everybody in many files: a pipeline that reads people, sends each to a shard by the hash of
// their id, and writes a part of the output for each shard. The ratings of a person may be in several files. The rows
// are those of fubini recommend, made by the same code.
package score

import (
	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"fubini/beam/people"
)

func init() {
	beam.RegisterDoFn(&WriteFn{})
	beam.RegisterDoFn(&SummaryFn{})
}

// Job describes a run.
type Job struct {
	Rules
	Model  string // path
	Inputs []people.Input
	Format string // of the inputs; empty means by content
	Folder string
	Shards int
	Jobs   int // goroutines of a worker; 0 means one for each core
}

// Build lays out the pipeline for a model of this checksum.
func (j *Job) Build(sum string) (*beam.Pipeline, error) {
	p, s := beam.NewPipelineWithRoot()
	names := make([]string, len(j.Inputs))
	for k, in := range j.Inputs {
		names[k] = in.Name
	}
	shards, reports, err := people.Read(s, j.Inputs, &people.ReadFn{Format: j.Format, Shards: j.Shards})
	if err != nil {
		return nil, err
	}
	write := &WriteFn{Rules: j.Rules, Model: j.Model, Checksum: sum, Folder: j.Folder, Shards: j.Shards, Names: names, Jobs: j.Jobs}
	done := beam.ParDo(s.Scope("write"), write, shards)
	beam.ParDo0(s.Scope("sum up"), &SummaryFn{Folder: j.Folder}, beam.GroupByKey(s, beam.Flatten(s, reports, done)))
	return p, nil
}
