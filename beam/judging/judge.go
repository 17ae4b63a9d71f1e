package judging

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"fubini/beam/job"
	"fubini/data/modelfile"
	"fubini/judge/evaluate"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
)

func init() {
	beam.RegisterDoFn(&FitFn{})
	beam.RegisterDoFn(&JudgeFn{})
	beam.RegisterDoFn(&MeansFn{})
}

// FitFn fits models. Latent models fold everybody in and go on to be judged on all workers; others have parameters of the
// users that they were fitted on, and are judged where they are.
type FitFn struct{ Job Job }

// ProcessElement fits one model.
func (f *FitFn) ProcessElement(ctx context.Context, number int, models, values func(int, []byte)) error {
	c := f.Job.Models[number]
	file, result, err := f.fit(ctx, c)
	if err != nil {
		return job.Fail(fmt.Errorf("%s: %w", c.Name, err))
	}
	if file != nil {
		models(number, file)
	}
	values(number, job.Pack(result))
	return nil
}

// fit returns the file of a model that folds everybody in, and the result as far as it is known.
func (f *FitFn) fit(ctx context.Context, c Candidate) (file []byte, result evaluate.Result, err error) {
	split, err := f.Job.split()
	if err != nil {
		return nil, result, err
	}
	if c.File != "" {
		file, err = os.ReadFile(filepath.Clean(c.File))
		return file, result, err
	}
	settings := slices.DeleteFunc(slices.Clone(f.Job.Settings), func(s registry.Assignment) bool { return s.Model != "" && s.Model != c.Name })
	recipes, err := registry.Configure([]string{c.Name}, settings)
	if err != nil {
		return nil, result, err
	}
	start := time.Now()
	fitted, err := recipes[0].Fit(ctx, split.Training.Set(), model.Run{Seed: f.Job.Seed, Jobs: f.Job.Jobs})
	if err != nil {
		return nil, result, err
	}
	took := time.Since(start).Seconds()
	if _, foldsIn := fitted.(registry.OrderedSet); foldsIn {
		saved, err := modelstore.NewSaved(c.Name, split.Training.Set(), fitted).File()
		if err != nil {
			return nil, result, err
		}
		var text bytes.Buffer
		_, err = saved.WriteTo(&text)
		return text.Bytes(), evaluate.Result{FitSeconds: took}, err
	}
	options, err := f.Job.options(split)
	if err != nil {
		return nil, result, err
	}
	judged, err := evaluate.Judge(ctx, fitted, split.Holdout, options)
	if err == nil {
		result = *judged
		result.FitSeconds = took
	}
	return nil, result, err
}

var usersJudged = beam.NewCounter("fubini", "users")

// JudgeFn ranks for a block of users.
type JudgeFn struct {
	Job Job

	rankers map[int]evaluate.Ranker
}

// ProcessElement ranks for every user whose number is the block modulo the number of blocks, with every model.
func (f *JudgeFn) ProcessElement(ctx context.Context, block int, models func(*int, *[]byte) bool, values func(int, []byte)) error {
	return job.Fail(f.judge(ctx, block, models, values))
}

func (f *JudgeFn) judge(ctx context.Context, block int, models func(*int, *[]byte) bool, values func(int, []byte)) error {
	split, err := f.Job.split()
	if err != nil {
		return err
	}
	options, err := f.Job.options(split)
	if err != nil {
		return err
	}
	if f.rankers == nil {
		f.rankers = map[int]evaluate.Ranker{}
		var number int
		var text []byte
		for models(&number, &text) {
			file, err := modelfile.Read(bytes.NewReader(text), int64(len(text)))
			if err != nil {
				return err
			}
			saved, err := modelstore.Open(file)
			if err != nil {
				return err
			}
			if f.rankers[number], err = saved.For(split.Training.Set().Items()); err != nil {
				return err
			}
		}
	}
	some := split.Holdout.Some(func(u int) bool { return u%f.Job.Blocks == block })
	if some.Set().Len() == 0 {
		return nil
	}
	for number, ranker := range f.rankers {
		result, err := evaluate.Judge(ctx, ranker, some, options)
		if err != nil {
			return err
		}
		usersJudged.Inc(ctx, int64(len(result.Users)))
		values(number, job.Pack(*result))
	}
	return nil
}

// MeansFn pools the results of all blocks of users.
type MeansFn struct {
	Path string // a file for each model, with its number behind the name
}

// ProcessElement writes the result of one model.
func (f *MeansFn) ProcessElement(model int, values func(*[]byte) bool) error {
	result, err := pooled(values)
	if err != nil {
		return job.Fail(err)
	}
	return job.Fail(job.Write(resultPath(f.Path, model), func(w io.Writer) error {
		_, err := w.Write(job.Pack(result))
		return err
	}))
}

// pooled is the result of all blocks of users.
func pooled(values func(*[]byte) bool) (evaluate.Result, error) {
	var blocks []*evaluate.Result
	var fitted evaluate.Result
	var text []byte
	for values(&text) {
		one, err := job.Unpack[evaluate.Result](text)
		if err != nil {
			return one, err
		}
		if one.Metrics == nil { // of the fit
			fitted.FitSeconds += one.FitSeconds
			continue
		}
		blocks = append(blocks, &one)
	}
	if len(blocks) == 0 {
		return fitted, nil
	}
	result := *evaluate.Pool(blocks)
	result.FitSeconds += fitted.FitSeconds
	return result, nil
}
