package people

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"fubini/app/recommend"
	"fubini/beam/job"
	"fubini/cmd/fubini/cli"
	"fubini/data/format"
)

func init() {
	beam.RegisterDoFn(&ReadFn{}) // by reflection: the generic way takes a compiler minutes, and elements here are whole people
	beam.RegisterDoFn(&seedFn{})
	register.Emitter2[int, []byte]()
	register.Iter1[[]byte]()
}

// Input is a file to be read. Its path must lead every worker to it; results have its name.
type Input struct {
	Number int    `json:"number"`
	Name   string `json:"name"`
	Path   string `json:"path,omitempty"`
	Size   int64  `json:"size"`
}

// Find are the files that some patterns match, each once, by name. One that cannot be
// opened here could not be read by a worker either.
func Find(patterns []string) ([]Input, error) {
	var names []string
	for _, pattern := range patterns {
		matches, err := filepath.Glob(pattern)
		if err != nil {
			return nil, fmt.Errorf("%q is not a pattern: %w", pattern, err)
		}
		if len(matches) == 0 {
			return nil, fmt.Errorf("no file matches %q", pattern)
		}
		names = append(names, matches...)
	}
	slices.Sort(names)
	var inputs []Input
	for _, name := range slices.Compact(names) {
		path, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		file, err := os.Open(filepath.Clean(name))
		if err != nil {
			return nil, err
		}
		info, err := file.Stat()
		if err := errors.Join(err, file.Close()); err != nil {
			return nil, err
		}
		if info.IsDir() {
			return nil, fmt.Errorf("%s is a folder; name the files in it, as in %s", name, filepath.Join(name, "*"))
		}
		inputs = append(inputs, Input{Number: len(inputs), Name: name, Path: path, Size: info.Size()})
	}
	return inputs, nil
}

// Read lays out how inputs are read: fragments by shard, and reports. Every shard is there, with people or without.
func Read(s beam.Scope, f *ReadFn) (shards, reports beam.PCollection) {
	people, reports := beam.ParDo2(s.Scope("read"), f, job.Numbers(s, len(f.Inputs)))
	seeds := beam.ParDo(s.Scope("shards"), &seedFn{}, job.Numbers(s, f.Shards))
	return beam.GroupByKey(s, beam.Flatten(s, people, seeds)), reports
}

// seedFn gives every shard an empty fragment, so that each is there.
type seedFn struct{}

// ProcessElement emits an empty fragment.
func (*seedFn) ProcessElement(shard int, emit func(int, []byte)) { emit(shard, nil) }

// Collect unpacks the fragments of a shard, joined and sorted by person.
func Collect(values func(*[]byte) bool) ([]Fragment, error) {
	var all []Fragment
	var packed []byte
	for values(&packed) {
		if len(packed) == 0 {
			continue // a seed
		}
		one, err := Parse(packed)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return Gather(all), nil
}

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
	one := Fragment{Input: in.Number, Rated: recommend.AreRatings(r.Report())}
	for err = r.Next(&one.User); err == nil; err = r.Next(&one.User) {
		people(Shard(one.ID, f.Shards), Append(nil, &one))
	}
	if err != io.EOF {
		return err
	}
	report.Records = r.Report().Lines
	if report.SHA256, err = cli.Checksum(ctx, in.Path); err != nil {
		return err
	}
	reports(0, job.Pack(Report{Input: report}))
	return nil
}
