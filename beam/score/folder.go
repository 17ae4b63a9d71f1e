package score

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"fubini/app/recommend"
	"fubini/beam/job"
	"fubini/beam/people"
	"fubini/cmd/fubini/cli"
)

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
	if m.Model, err = people.Checksum(j.Model); err != nil {
		return s, false, err
	}
	if s, already, err = j.enter(m); already || err != nil {
		return s, already, err
	}
	if err := job.Run(ctx, j.Build(m.Model), verbose); err != nil {
		return s, false, err
	}
	if s, err = j.verified(); err != nil {
		return s, false, err
	}
	mark := struct {
		recommend.Manifest
		Summary
	}{m, s}
	if err := j.folder().WriteJSON(recommend.CompleteName, mark); err != nil {
		return s, false, err
	}
	return s, false, j.folder().Remove(summaryName)
}

// enter makes the folder, or checks that it is of the same run; true if that is complete. An unfinished output is
// removed.
func (j *Job) enter(m recommend.Manifest) (s Summary, complete bool, err error) {
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
	return s, true, j.unchanged(s)
}

// unchanged refuses a complete output of inputs that had other content then.
func (j *Job) unchanged(s Summary) error {
	sums := map[string]string{}
	for _, in := range s.Inputs {
		sums[in.Name] = in.SHA256
	}
	for _, in := range j.Read.Inputs {
		sum, err := people.Checksum(in.Path)
		if err != nil {
			return err
		}
		if sum != sums[in.Name] {
			return fmt.Errorf("--output: %s is the complete output of another content of %s; name another folder, or delete it", j.Folder, in.Name)
		}
	}
	return nil
}

// verified reads the summary of the workers and compares it with the files.
func (j *Job) verified() (s Summary, err error) {
	text, err := os.ReadFile(filepath.Join(j.Folder, summaryName))
	if err != nil {
		return s, fmt.Errorf("the job ended without a summary (%w): it was cancelled, or its workers do not see the folder %s", err, j.Folder)
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("%s: %w", summaryName, err)
	}
	if len(s.Parts) != j.Read.Shards || len(s.Inputs) != len(j.Read.Inputs) {
		return s, fmt.Errorf("the job reported %d parts of %d and %d inputs of %d", len(s.Parts), j.Read.Shards, len(s.Inputs), len(j.Read.Inputs))
	}
	for _, part := range s.Parts {
		info, err := os.Stat(filepath.Join(j.Folder, part.Name))
		if err != nil {
			return s, err
		}
		if info.Size() != part.Bytes {
			return s, fmt.Errorf("%s has %d bytes; a worker wrote %d", part.Name, info.Size(), part.Bytes)
		}
	}
	if s.Users == 0 {
		return s, fmt.Errorf("nobody is in %s: no line of it could be read; %s there says why", cli.Shorten(j.names()), filepath.Join(j.Folder, errorsName))
	}
	if s.Placed > 0 && s.Missing == s.Placed {
		return s, fmt.Errorf("the model knows none of the %d items placed in %s; it must have been trained on other data", s.Placed, cli.Shorten(j.names()))
	}
	return s, j.folder().Clean(recommend.IsTemporary)
}

// names are those of the inputs.
func (j *Job) names() (names []string) {
	for _, in := range j.Read.Inputs {
		names = append(names, in.Name)
	}
	return names
}
