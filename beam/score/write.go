package score

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"fubini/app/lookup"
	"fubini/app/recommend"
	"fubini/beam/job"
	"fubini/beam/people"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/format"
	"fubini/data/ratings"
)

var (
	peopleDone = beam.NewCounter("fubini", "people")
	itemsDone  = beam.NewCounter("fubini", "items")
)

// WriteFn answers for the people of a shard and writes its part of the output. A part depends on its people alone: not on
// the order in which they come, nor on how often a runner tries again.
type WriteFn struct {
	Job      Job
	Checksum string // of the model
}

// ProcessElement writes one part.
func (f *WriteFn) ProcessElement(ctx context.Context, shard int, values func(*[]byte) bool, reports func(int, []byte)) (err error) {
	defer job.Mark(&err)
	all, err := people.Collect(values)
	if err != nil {
		return err
	}
	b, err := f.batch(all)
	if err != nil {
		return err
	}
	next := func(user *format.User) error {
		if len(all) == 0 {
			return io.EOF
		}
		*user = all[0].User
		all = all[1:]
		return nil
	}
	finder, err := job.Once("titles "+f.Checksum, func() (*lookup.Finder, error) { return lookup.New(b.Saved), nil })
	if err != nil {
		return err
	}
	next, met := finder.Users(next)
	report := &people.PartReport{Name: fmt.Sprintf("part-%05d-of-%05d.%s", shard, f.Job.Read.Shards, b.Form.Extension)}
	path, sum := filepath.Join(f.Job.Folder, report.Name), sha256.New()
	if err := job.Write(path, func(w io.Writer) error {
		return b.Write(ctx, cli.Cores(f.Job.Jobs), next, io.MultiWriter(w, sum), func() {})
	}); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	b.Guessed = len(met.Guessed)
	report.SHA256, report.Bytes, report.Counts = hex.EncodeToString(sum.Sum(nil)), info.Size(), b.Counts
	peopleDone.Inc(ctx, int64(report.Users))
	itemsDone.Inc(ctx, int64(report.Rows))
	reports(0, job.Pack(people.Report{Part: report}))
	return nil
}

// recommender reads the model from the path that all workers see.
func (f *WriteFn) recommender() (*recommend.Recommender, error) {
	saved, err := input.ReadModel(f.Job.Model)
	if err != nil {
		return nil, err
	}
	r, err := recommend.New(saved, f.Job.Rules)
	if err == nil {
		r.Odds = r.HasOdds() || r.HasInterest()
	}
	return r, err
}

// batch is one as the single command runs it.
func (f *WriteFn) batch(all []people.Fragment) (*recommend.Batch, error) {
	duplicates, err := ratings.ParseDuplicates(f.Job.Duplicates)
	if err != nil {
		return nil, err
	}
	r, err := job.Once(fmt.Sprint(f.Checksum, f.Job.Rules), f.recommender)
	if err != nil {
		return nil, err
	}
	b := &recommend.Batch{
		Recommender: r, Form: recommend.JSONLForm(r), Refuse: f.Job.Unknown == "error", Duplicates: duplicates, Name: strings.Join(f.Job.names(), ", "),
		Fault: func(fault any) error { return fmt.Errorf("a mistake in fubini itself, please report it: %v", fault) },
	}
	if f.Job.Form == "parquet" {
		b.Form = recommend.ParquetForm(r)
	}
	rated := slices.IndexFunc(all, func(one people.Fragment) bool { return one.Rated })
	bare := slices.IndexFunc(all, func(one people.Fragment) bool { return !one.Rated })
	if rated >= 0 && bare >= 0 {
		return nil, fmt.Errorf("some inputs are ratings (%s) and some are tiers (%s); score them in two runs", f.Job.Read.Inputs[all[rated].Input].Name, f.Job.Read.Inputs[all[bare].Input].Name)
	}
	b.Rated = rated >= 0
	return b, nil
}
