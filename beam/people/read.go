package people

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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

// Report is a message of a worker about an input, a bad line or a part of the output. The
// others are nil.
type Report struct {
	Input *InputReport
	Bad   *BadLine
	Part  *PartReport
}

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

// PartReport describes a part of the output.
type PartReport struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
	recommend.Counts
}

// mostBadLines is the number of bad lines of one input that are kept with their reasons; all are counted. An input of
// nothing else must not fill a worker's memory.
const mostBadLines = 10_000

var badLines = beam.NewCounter("fubini", "errors")

// ReadFn reads inputs, and sends what it finds of each user to their shard.
type ReadFn struct {
	Inputs []Input
	Format string // of the inputs; empty means by content
	Shards int
	Strict bool // a bad line is an error, not a report
}

// ProcessElement reads one input.
func (f *ReadFn) ProcessElement(ctx context.Context, number int, people, reports func(int, []byte)) (err error) {
	defer job.Mark(&err)
	in := f.Inputs[number]
	report := &InputReport{Name: in.Name}
	bad := func(b *format.BadLine) {
		badLines.Inc(ctx, 1)
		if report.Bad++; report.Bad <= mostBadLines {
			reports(0, job.Pack(Report{Bad: &BadLine{in.Name, b.Line, b.Error()}}))
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
		return err
	}
	defer r.Close()
	report.Format = r.Report().Format
	one := Fragment{Input: in.Number, Rated: recommend.AreRatings(report.Format)}
	for err = r.Next(&one.User); err == nil; err = r.Next(&one.User) {
		people(Shard(one.ID, f.Shards), Append(nil, &one))
	}
	if err != io.EOF {
		return err
	}
	report.Records = r.Report().Lines
	if report.SHA256, err = Checksum(in.Path); err != nil {
		return err
	}
	reports(0, job.Pack(Report{Input: report}))
	return nil
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
