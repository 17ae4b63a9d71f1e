package score

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"

	"fubini/app/recommend"
	"fubini/beam/job"
	"fubini/beam/people"
)

// errorsName is the file of bad lines with their reasons, beside the parts.
const errorsName = "errors.jsonl"

// Summary counts what a job did. Its bytes do not depend on the order in which things happened.
type Summary struct {
	recommend.Counts
	Bad    int                  `json:"bad"`
	Parts  []people.PartReport  `json:"parts"`
	Inputs []people.InputReport `json:"read"`
}

// SummaryFn writes the sum of all reports to a path, and bad lines into the folder.
type SummaryFn struct{ Folder, Path string }

// ProcessElement sums up.
func (f *SummaryFn) ProcessElement(_ int, values func(*[]byte) bool) (err error) {
	defer job.Mark(&err)
	var s Summary
	var bad []people.BadLine
	var packed []byte
	for values(&packed) {
		r, err := job.Unpack[people.Report](packed)
		if err != nil {
			return err
		}
		switch {
		case r.Part != nil:
			s.Parts = append(s.Parts, *r.Part)
			s.Add(r.Part.Counts)
		case r.Input != nil:
			s.Inputs = append(s.Inputs, *r.Input)
			s.Bad += r.Input.Bad
		case r.Bad != nil:
			bad = append(bad, *r.Bad)
		}
	}
	slices.SortFunc(s.Parts, func(a, b people.PartReport) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(s.Inputs, func(a, b people.InputReport) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(bad, func(a, b people.BadLine) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	var lines bytes.Buffer
	for _, line := range bad {
		if err := json.NewEncoder(&lines).Encode(line); err != nil {
			return err
		}
	}
	if err := job.WriteBytes(filepath.Join(f.Folder, errorsName), lines.Bytes()); err != nil {
		return err
	}
	return job.WriteBytes(f.Path, job.Pack(s))
}
