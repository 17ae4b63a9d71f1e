package score

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fubini/beam/job"
	"fubini/beam/people"
)

// Manifest says what an output is of. A folder belongs to one run, or to others that say
// the same.
type Manifest struct {
	Program string         `json:"program"`
	Model   string         `json:"model"` // checksum of its file
	Format  string         `json:"data_format,omitempty"`
	Shards  int            `json:"shards"`
	Inputs  []people.Input `json:"inputs"`
	Rules
}

// success is what the mark of a complete output says.
type success struct {
	Manifest
	Summary
}

// Run runs the pipeline, unless its output is there already, and puts the mark of
// completeness on it. Whoever finds the mark finds all parts.
func (j *Job) Run(ctx context.Context, program string, o job.Options) (s Summary, already bool, err error) {
	m := Manifest{Program: program, Format: j.Format, Shards: j.Shards, Rules: j.Rules}
	if m.Model, err = people.Checksum(j.Model); err != nil {
		return s, false, err
	}
	for _, in := range j.Inputs {
		in.Path = "" // where it stands is not part of what it is
		m.Inputs = append(m.Inputs, in)
	}
	if s, already, err = j.enter(m); already || err != nil {
		return s, already, err
	}
	p, err := j.Build(m.Model)
	if err != nil {
		return s, false, err
	}
	if _, err := job.Run(ctx, p, o); err != nil {
		return s, false, err
	}
	if s, err = j.verified(); err != nil {
		return s, false, err
	}
	if err := writeJSON(j.Folder, completeName, success{m, s}); err != nil {
		return s, false, err
	}
	return s, false, os.Remove(filepath.Join(j.Folder, summaryName))
}

// enter makes the folder, or checks that it is of the same run; true if that is complete.
// What an earlier run left unfinished is taken away.
func (j *Job) enter(m Manifest) (s Summary, complete bool, err error) {
	if err := os.MkdirAll(j.Folder, 0o777); err != nil {
		return s, false, fmt.Errorf("--output: %w", err)
	}
	files, err := os.ReadDir(j.Folder)
	if err != nil {
		return s, false, fmt.Errorf("--output: %w", err)
	}
	want, err := json.Marshal(m)
	if err != nil {
		return s, false, err
	}
	var there Manifest
	text, err := os.ReadFile(filepath.Join(j.Folder, manifestName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if at := slices.IndexFunc(files, func(e fs.DirEntry) bool { return !job.IsTemporary(e.Name()) }); at >= 0 {
			return s, false, fmt.Errorf("--output: %s holds other files, %q among them; name a new or an empty folder", j.Folder, files[at].Name())
		}
		return s, false, writeJSON(j.Folder, manifestName, m)
	case err != nil:
		return s, false, fmt.Errorf("--output: %w", err)
	}
	if err := json.Unmarshal(text, &there); err != nil {
		return s, false, fmt.Errorf("%s: %w", filepath.Join(j.Folder, manifestName), err)
	}
	if have, err := json.Marshal(there); err != nil || !bytes.Equal(have, want) {
		return s, false, fmt.Errorf("--output: %s holds the output of another run (other model, inputs or flags: see %s there); name another folder, or delete it", j.Folder, manifestName)
	}
	var mark success
	switch text, err := os.ReadFile(filepath.Join(j.Folder, completeName)); {
	case err == nil:
		if err := json.Unmarshal(text, &mark); err != nil {
			return s, false, fmt.Errorf("%s: %w", filepath.Join(j.Folder, completeName), err)
		}
		return mark.Summary, true, j.unchanged(mark.Summary)
	case !errors.Is(err, fs.ErrNotExist):
		return s, false, fmt.Errorf("--output: %w", err)
	}
	for _, e := range files { // not complete: none of it counts
		if e.Name() != manifestName {
			if err := os.Remove(filepath.Join(j.Folder, e.Name())); err != nil {
				return s, false, fmt.Errorf("--output: %w", err)
			}
		}
	}
	return s, false, nil
}

// unchanged refuses a complete output of inputs that had other content then.
func (j *Job) unchanged(s Summary) error {
	sums := map[string]string{}
	for _, in := range s.Inputs {
		sums[in.Name] = in.SHA256
	}
	for _, in := range j.Inputs {
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

// verified reads what the workers told and holds it against what is there.
func (j *Job) verified() (s Summary, err error) {
	text, err := os.ReadFile(filepath.Join(j.Folder, summaryName))
	if err != nil {
		return s, fmt.Errorf("the job ended without a summary (%w): it was cancelled, or its workers do not see the folder %s", err, j.Folder)
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("%s: %w", summaryName, err)
	}
	if len(s.Parts) != j.Shards || len(s.Inputs) != len(j.Inputs) {
		return s, fmt.Errorf("the job told of %d parts of %d and of %d inputs of %d", len(s.Parts), j.Shards, len(s.Inputs), len(j.Inputs))
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
	if s.People == 0 {
		return s, fmt.Errorf("nobody is in %s: no line of it could be read; %s there says why", j.names(), filepath.Join(j.Folder, errorsName))
	}
	if s.Placed > 0 && s.Unknown == s.Placed {
		return s, fmt.Errorf("the model knows none of the %d items placed in %s; it must have been trained on other data", s.Placed, j.names())
	}
	return s, j.sweep()
}

// sweep removes what workers that were killed left behind.
func (j *Job) sweep() error {
	files, err := os.ReadDir(j.Folder)
	if err != nil {
		return err
	}
	for _, e := range files {
		if job.IsTemporary(e.Name()) {
			if err := os.Remove(filepath.Join(j.Folder, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// names are those of some inputs.
func (j *Job) names() string {
	var names []string
	for k, in := range j.Inputs {
		if k == 3 {
			names = append(names, fmt.Sprintf("%d more", len(j.Inputs)-k))
			break
		}
		names = append(names, in.Name)
	}
	return strings.Join(names, ", ")
}
