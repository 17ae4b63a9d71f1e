package score

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"fubini/beam/job"
	"fubini/beam/people"
)

// Files of an output beside its parts: what it is of, written first; bad lines with
// their reasons; what workers told, until the end; and the mark that it is complete,
// written last.
const (
	manifestName = "manifest.json"
	errorsName   = "errors.jsonl"
	summaryName  = "summary.json"
	completeName = "_SUCCESS"
)

// Summary is what a job did. It has the same bytes whatever order things happened in.
type Summary struct {
	People    int                  `json:"people"`
	Rows      int                  `json:"rows"`
	Placed    int                  `json:"placed"`
	Unknown   int                  `json:"unknown"`
	Strangers int                  `json:"strangers"`
	Bad       int                  `json:"bad"`
	Parts     []PartReport         `json:"parts"`
	Inputs    []people.InputReport `json:"read"`
}

// told is one thing that a worker tells of its work; what is there says which.
type told struct {
	people.Report
	Part *PartReport `json:"part,omitempty"`
}

// SummaryFn writes what all workers told.
type SummaryFn struct{ Folder string }

// ProcessElement sums up.
func (f *SummaryFn) ProcessElement(_ int, values func(*string) bool) error {
	return job.Fail(f.write(values))
}

func (f *SummaryFn) write(values func(*string) bool) error {
	var s Summary
	var bad []people.BadLine
	var text string
	for values(&text) {
		var t told
		if err := json.Unmarshal([]byte(text), &t); err != nil {
			return err
		}
		switch {
		case t.Part != nil:
			s.Parts = append(s.Parts, *t.Part)
		case t.Input != nil:
			s.Inputs = append(s.Inputs, *t.Input)
		case t.Bad != nil:
			bad = append(bad, *t.Bad)
		}
	}
	slices.SortFunc(s.Parts, func(a, b PartReport) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(s.Inputs, func(a, b people.InputReport) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(bad, func(a, b people.BadLine) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	for _, p := range s.Parts {
		s.People += p.People
		s.Rows += p.Rows
		s.Placed += p.Placed
		s.Unknown += p.Unknown
		s.Strangers += p.Strangers
	}
	for _, in := range s.Inputs {
		s.Bad += in.Bad
	}
	err := job.Write(filepath.Join(f.Folder, errorsName), func(w io.Writer) error {
		e := json.NewEncoder(w)
		for _, line := range bad {
			if err := e.Encode(line); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return writeJSON(f.Folder, summaryName, s)
}

// writeJSON writes a file of the folder, whole or not at all.
func writeJSON(folder, name string, content any) error {
	err := job.Write(filepath.Join(folder, name), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(content)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(folder, name), err)
	}
	return nil
}
