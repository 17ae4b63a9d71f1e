// Package score recommends for everybody in many files: a pipeline that reads people, sends each to a shard by the hash of
// their id, and writes a part of the output for each shard. The ratings of a person may be in several files. The rows
// are those of fubini recommend, made by the same code.
package score

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"fubini/app/recommend"
	"fubini/beam/job"
	"fubini/beam/people"
	"fubini/cmd/fubini/cli"
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

// build lays out the pipeline for a model of this checksum; it writes its summary to a path.
func (j *Job) build(path, sum string) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	shards, reports := people.Read(s, &j.Read)
	done := beam.ParDo(s.Scope("write"), &WriteFn{Job: *j, Checksum: sum}, shards)
	beam.ParDo0(s.Scope("sum up"), &SummaryFn{j.Folder, path}, beam.GroupByKey(s, beam.Flatten(s, reports, done)))
	return p
}

// folder is the output.
func (j *Job) folder() recommend.Folder {
	return recommend.Folder{
		FS: os.DirFS(j.Folder), Name: "--output: " + j.Folder,
		Write: func(name string, write func(w io.Writer) error) error {
			return job.Write(filepath.Join(j.Folder, name), write)
		},
		Remove: func(name string) error { return os.Remove(filepath.Join(j.Folder, name)) },
	}
}

// Run runs the pipeline, unless its output is there already, and marks the output as complete. Whoever finds the mark
// finds all parts.
func (j *Job) Run(ctx context.Context, program string, verbose io.Writer) (s Summary, already bool, err error) {
	inputs := slices.Clone(j.Read.Inputs)
	for k := range inputs {
		inputs[k].Path = "" // not part of what it is
	}
	m := recommend.Manifest{
		Program: program, Inputs: inputs, Rules: j.Rules, Unknown: j.Unknown, Duplicates: j.Duplicates, Format: j.Form, DataFormat: j.Read.Format, Shards: j.Read.Shards,
	}
	if m.Model, err = cli.Checksum(ctx, j.Model); err != nil {
		return s, false, err
	}
	if s, already, err = j.enter(ctx, m); already || err != nil {
		return s, already, err
	}
	if s, err = job.Result[Summary](ctx, j.Folder, "a summary", func(path string) *beam.Pipeline { return j.build(path, m.Model) }, verbose); err != nil {
		return s, false, err
	}
	if err := j.verify(s); err != nil {
		return s, false, err
	}
	mark := struct {
		recommend.Manifest
		Summary
	}{m, s}
	return s, false, j.folder().WriteJSON(recommend.CompleteName, mark)
}

// enter makes the folder, or checks that it is of the same run; true if that is complete. An unfinished output is
// removed.
func (j *Job) enter(ctx context.Context, m recommend.Manifest) (s Summary, complete bool, err error) {
	if err := os.MkdirAll(j.Folder, 0o777); err != nil {
		return s, false, fmt.Errorf("--output: %w", err)
	}
	text, err := j.folder().Enter(m)
	if err != nil {
		return s, false, err
	}
	if text == nil {
		return s, false, j.folder().Clean(func(name string) bool { return name != recommend.ManifestName })
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, false, fmt.Errorf("%s: %w", filepath.Join(j.Folder, recommend.CompleteName), err)
	}
	return s, true, j.unchanged(ctx, s)
}

// unchanged refuses a complete output of inputs that had other content then.
func (j *Job) unchanged(ctx context.Context, s Summary) error {
	sums := map[string]string{}
	for _, in := range s.Inputs {
		sums[in.Name] = in.SHA256
	}
	for _, in := range j.Read.Inputs {
		sum, err := cli.Checksum(ctx, in.Path)
		if err != nil {
			return err
		}
		if sum != sums[in.Name] {
			return fmt.Errorf("--output: %s is the complete output of another content of %s; name another folder, or delete it", j.Folder, in.Name)
		}
	}
	return nil
}

// verify compares the summary of the workers with the files.
func (j *Job) verify(s Summary) error {
	if len(s.Parts) != j.Read.Shards || len(s.Inputs) != len(j.Read.Inputs) {
		return fmt.Errorf("the job reported %d parts of %d and %d inputs of %d", len(s.Parts), j.Read.Shards, len(s.Inputs), len(j.Read.Inputs))
	}
	for _, part := range s.Parts {
		info, err := os.Stat(filepath.Join(j.Folder, part.Name))
		if err != nil {
			return err
		}
		if info.Size() != part.Bytes {
			return fmt.Errorf("%s has %d bytes; a worker wrote %d", part.Name, info.Size(), part.Bytes)
		}
	}
	if s.Users == 0 {
		return fmt.Errorf("nobody is in %s: no line of it could be read; %s there says why", cli.Shorten(j.names()), filepath.Join(j.Folder, errorsName))
	}
	if s.Placed > 0 && s.Missing == s.Placed {
		return fmt.Errorf("the model knows none of the %d items placed in %s; it must have been trained on other data", s.Placed, cli.Shorten(j.names()))
	}
	return j.folder().Clean(recommend.IsTemporary)
}

// names are those of the inputs.
func (j *Job) names() (names []string) {
	for _, in := range j.Read.Inputs {
		names = append(names, in.Name)
	}
	return names
}
