package people

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"fubini/app/recommend"
	"fubini/beam/job"
	"fubini/data/format"
)

// InputReport describes an input that was read.
type InputReport struct {
	Name    string `json:"name"`
	SHA256  string `json:"sha256"`
	Format  string `json:"format"`
	Records int    `json:"records"` // read, without bad ones
	Bad     int    `json:"bad"`
}

// BadLine is a line that could not be read, with the reason.
type BadLine struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Error string `json:"error"`
}

// mostBadLines is the number of bad lines of one input that are kept with their reasons; all are counted. An input of
// nothing else must not fill a worker's memory.
const mostBadLines = 10_000

var badLines = beam.NewCounter("fubini", "errors")

// ReadFn reads inputs, and sends what it finds of each user to their shard.
type ReadFn struct {
	Format string // of the inputs; empty means by content
	Shards int
	Strict bool // a bad line is an error, not a report
}

// ProcessElement reads one input, given as JSON.
func (f *ReadFn) ProcessElement(ctx context.Context, element string, people func(int, []byte), reports func(int, string)) error {
	var in Input
	if err := json.Unmarshal([]byte(element), &in); err != nil {
		return job.Fail(err)
	}
	report, err := f.read(ctx, in, people, reports)
	if err != nil {
		return job.Fail(err)
	}
	return job.Fail(Tell(reports, Report{Input: report}))
}

func (f *ReadFn) read(ctx context.Context, in Input, people func(int, []byte), reports func(int, string)) (*InputReport, error) {
	report := &InputReport{Name: in.Name}
	var failed error
	bad := func(b *format.BadLine) {
		badLines.Inc(ctx, 1)
		if report.Bad++; report.Bad <= mostBadLines && failed == nil {
			failed = Tell(reports, Report{Bad: &BadLine{in.Name, b.Line, b.Error()}})
		}
	}
	if f.Strict {
		bad = nil
	}
	r, err := format.OpenUsers(os.DirFS(filepath.Dir(in.Path)), filepath.Base(in.Path), format.Options{Format: f.Format, Name: in.Name, Scattered: true, Bad: bad})
	if errors.Is(err, format.ErrWhole) {
		err = fmt.Errorf("%w; convert it first, as in fubini data convert %s people.parquet", err, in.Name)
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	report.Format = r.Report().Format
	one := Fragment{Input: in.Number, Rated: recommend.AreRatings(report.Format)}
	for {
		if err := r.Next(&one.User); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		people(Shard(one.ID, f.Shards), Append(nil, &one))
	}
	report.Records = r.Report().Lines
	if report.SHA256, err = Checksum(in.Path); err != nil {
		return nil, err
	}
	return report, failed
}

// Checksum is the SHA-256 of a file.
func Checksum(path string) (string, error) {
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Report is a message of a worker about an input or a bad line.
type Report struct {
	Input *InputReport `json:"input,omitempty"`
	Bad   *BadLine     `json:"bad,omitempty"`
}

// Tell sends a report as JSON.
func Tell(reports func(int, string), what any) error {
	text, err := json.Marshal(what)
	if err == nil {
		reports(0, string(text))
	}
	return err
}
