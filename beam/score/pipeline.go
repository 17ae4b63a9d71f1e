// Package score recommends for everybody in many files: a pipeline that reads people, sends each to a shard by the hash of
// their id, and writes a part of the output for each shard. The ratings of a person may be in several files. The rows
// are those of fubini recommend, made by the same code.
package score

import (
	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"fubini/app/recommend"
	"fubini/beam/people"
)

func init() {
	beam.RegisterDoFn(&WriteFn{})
	beam.RegisterDoFn(&SummaryFn{})
}

// Job describes a run.
type Job struct {
	recommend.Rules
	Unknown    string // items that the model does not know: ignore or error
	Duplicates string
	Form       string // of the output: jsonl or parquet
	Model      string // path
	Read       people.ReadFn
	Folder     string
	Jobs       int // goroutines of a worker; 0 means one for each core
}

// Build lays out the pipeline for a model of this checksum.
func (j *Job) Build(sum string) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	shards, reports := people.Read(s, &j.Read)
	done := beam.ParDo(s.Scope("write"), &WriteFn{Job: *j, Checksum: sum}, shards)
	beam.ParDo0(s.Scope("sum up"), &SummaryFn{Folder: j.Folder}, beam.GroupByKey(s, beam.Flatten(s, reports, done)))
	return p
}
