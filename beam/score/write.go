package score

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"fubini/app/recommend"
	"fubini/beam/job"
	"fubini/beam/people"
	"fubini/data/format"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/learn/modelstore"
)

// Rules decide what is recommended, and how it is written.
type Rules struct {
	recommend.Rules
	Unknown    string // items that the model does not know: ignore or error
	Duplicates string
	Form       string
}

// PartReport describes a part of the output.
type PartReport struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
	recommend.Counts
}

var (
	peopleDone = beam.NewCounter("fubini", "people")
	itemsDone  = beam.NewCounter("fubini", "items")
)

// WriteFn answers for the people of a shard and writes its part of the output. A part depends on its people alone: not on
// the order in which they come, nor on how often a runner tries again.
type WriteFn struct {
	Rules
	Model    string // path
	Checksum string // of the model
	Folder   string
	Shards   int
	Names    []string // of the inputs
	Jobs     int      // goroutines; 0 means one for each core

	answers *recommend.Recommender
}

// ProcessElement writes one part.
func (f *WriteFn) ProcessElement(ctx context.Context, shard int, values func(*[]byte) bool, reports func(int, string)) error {
	all, err := people.Collect(values)
	if err != nil {
		return job.Fail(err)
	}
	made, err := f.part(ctx, shard, all)
	if err != nil {
		return job.Fail(err)
	}
	peopleDone.Inc(ctx, int64(made.Users))
	itemsDone.Inc(ctx, int64(made.Rows))
	return job.Fail(people.Tell(reports, report{Part: made}))
}

func (f *WriteFn) part(ctx context.Context, shard int, all []people.Fragment) (*PartReport, error) {
	if f.answers == nil {
		// Runners make a WriteFn for every bundle, and would carry a side input to each: the
		// model is read once in a process, from the path that all workers see.
		made, _ := recommenders.LoadOrStore(fmt.Sprint(f.Checksum, f.Rules), sync.OnceValues(func() (*recommend.Recommender, error) { return f.recommender() }))
		answers, err := made.(func() (*recommend.Recommender, error))()
		if err != nil {
			return nil, err
		}
		f.answers = answers
	}
	b, err := f.batch(all)
	if err != nil {
		return nil, err
	}
	next := func(user *format.User) error {
		if len(all) == 0 {
			return io.EOF
		}
		*user = all[0].User
		all = all[1:]
		return nil
	}
	jobs := f.Jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	report := &PartReport{Name: PartName(shard, f.Shards, b.Form.Extension)}
	sum := sha256.New()
	var size counted
	err = job.Write(filepath.Join(f.Folder, report.Name), func(w io.Writer) error {
		return b.Write(ctx, jobs, next, io.MultiWriter(w, sum, &size), func() {})
	})
	report.SHA256, report.Bytes = hex.EncodeToString(sum.Sum(nil)), int64(size)
	report.Counts = b.Counts
	return report, err
}

// recommenders are those of this process, by model and rules.
var recommenders sync.Map // of text to func() (*recommend.Recommender, error)

func (f *WriteFn) recommender() (*recommend.Recommender, error) {
	model, err := os.ReadFile(filepath.Clean(f.Model))
	if err != nil {
		return nil, err
	}
	saved, err := open(model)
	if err != nil {
		return nil, err
	}
	r, err := recommend.New(saved, f.Rules.Rules)
	if err == nil {
		r.Odds = f.Odds && r.Catalogue != nil
	}
	return r, err
}

// batch is one as the single command runs it.
func (f *WriteFn) batch(all []people.Fragment) (*recommend.Batch, error) {
	duplicates, err := ratings.ParseDuplicates(f.Duplicates)
	if err != nil {
		return nil, err
	}
	b := &recommend.Batch{
		Recommender: f.answers, Form: recommend.JSONLForm(f.answers), Refuse: f.Unknown == "error", Duplicates: duplicates, Name: strings.Join(f.Names, ", "),
		Fault: func(fault any) error { return fmt.Errorf("a mistake in fubini itself, please report it: %v", fault) },
	}
	if f.Form == "parquet" {
		b.Form = recommend.ParquetForm(f.answers)
	}
	rated := slices.IndexFunc(all, func(one people.Fragment) bool { return one.Rated })
	bare := slices.IndexFunc(all, func(one people.Fragment) bool { return !one.Rated })
	if rated >= 0 && bare >= 0 {
		return nil, fmt.Errorf("some inputs are ratings (%s) and some are tiers (%s); score them in two runs", f.Names[all[rated].Input], f.Names[all[bare].Input])
	}
	b.Rated = rated >= 0
	return b, nil
}

// open reads a model from the bytes of its file.
func open(model []byte) (*modelstore.Saved, error) {
	file, err := modelfile.Read(bytes.NewReader(model), int64(len(model)))
	if err != nil {
		return nil, err
	}
	return modelstore.Open(file)
}

// PartName is that of a part of the output.
func PartName(shard, shards int, extension string) string {
	return fmt.Sprintf("part-%05d-of-%05d.%s", shard, shards, extension)
}

// counted counts bytes.
type counted int64

func (c *counted) Write(b []byte) (int, error) {
	*c += counted(len(b))
	return len(b), nil
}

// CheckModel opens a model before a job is started for it.
func CheckModel(path, name string) error {
	text, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		return err
	}
	if _, err := open(text); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
