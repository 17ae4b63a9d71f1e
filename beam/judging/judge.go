package judging

import (
	"bytes"
	"context"
	"fmt"
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

// judged is the result of one model, by its number, for some users; without metrics that of its fit.
type judged struct {
	Model int
	evaluate.Result
}

// FitFn fits models. Latent models fold everybody in and go on to be judged on all workers; others have parameters of the
// users that they were fitted on, and are judged where they are.
type FitFn struct{ Job Job }

// ProcessElement fits one model.
func (f *FitFn) ProcessElement(ctx context.Context, number int, models, values func(int, []byte)) (err error) {
	defer job.Mark(&err)
	c := f.Job.Models[number]
	file, result, err := f.fit(ctx, c)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	if file != nil {
		models(number, file)
	}
	values(0, job.Pack(judged{number, *result}))
	return nil
}

// fit returns the file of a model that folds everybody in, and the result as far as it is known.
func (f *FitFn) fit(ctx context.Context, c Candidate) (file []byte, result *evaluate.Result, err error) {
	split, options, err := f.Job.data()
	if err != nil {
		return nil, nil, err
	}
	if c.File != "" {
		file, err = os.ReadFile(filepath.Clean(c.File))
		return file, &evaluate.Result{}, err
	}
	settings := slices.DeleteFunc(slices.Clone(f.Job.Settings), func(s registry.Assignment) bool { return s.Model != "" && s.Model != c.Name })
	recipes, err := registry.Configure([]string{c.Name}, settings)
	if err != nil {
		return nil, nil, err
	}
	run := model.Run{Seed: f.Job.Seed, Jobs: f.Job.Jobs}
	if _, foldsIn := recipes[0].(registry.OrderedSetRecipe); !foldsIn {
		result, err = evaluate.Run(ctx, registry.Judged(recipes[0], run), split, options)
		return nil, result, err
	}
	start := time.Now()
	fitted, err := recipes[0].Fit(ctx, split.Training.Set(), run)
	if err != nil {
		return nil, nil, err
	}
	saved := modelstore.NewSaved(c.Name, split.Training.Set(), fitted)
	if aim := modelstore.JudgedBy(c.Name, recipes[0], modelstore.AimAuto, options.Candidates == evaluate.All); aim != modelstore.AimTaste {
		if saved.Interest, err = modelstore.FitPicks(ctx, split.Training.Set(), run); err != nil {
			return nil, nil, err
		}
	}
	result = &evaluate.Result{FitSeconds: time.Since(start).Seconds()}
	file, err = job.ModelBytes(saved)
	return file, result, err
}

var usersJudged = beam.NewCounter("fubini", "users")

// JudgeFn ranks for a block of users.
type JudgeFn struct {
	Job Job

	rankers map[int]evaluate.Ranker
}

// ProcessElement ranks for every user whose number is the block modulo the number of blocks, with every model.
func (f *JudgeFn) ProcessElement(ctx context.Context, block int, models func(*int, *[]byte) bool, values func(int, []byte)) (err error) {
	defer job.Mark(&err)
	split, options, err := f.Job.data()
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
			aim := modelstore.AimTaste // rated items have been picked already
			if options.Candidates == evaluate.All {
				aim = saved.AimAfter(split.Training, modelstore.AimAuto)
			}
			if f.rankers[number], err = saved.Ranker(split.Training.Set().Items(), aim); err != nil {
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
		values(0, job.Pack(judged{number, *result}))
	}
	return nil
}

// MeansFn pools the results of all blocks of users, and writes those of all models.
type MeansFn struct {
	Path   string
	Models int
}

// ProcessElement writes the results.
func (f *MeansFn) ProcessElement(_ int, values func(*[]byte) bool) (err error) {
	defer job.Mark(&err)
	results, blocks := make([]evaluate.Result, f.Models), make([][]*evaluate.Result, f.Models)
	var packed []byte
	for values(&packed) {
		one, err := job.Unpack[judged](packed)
		if err != nil {
			return err
		}
		if one.Metrics == nil {
			results[one.Model] = one.Result
			continue
		}
		blocks[one.Model] = append(blocks[one.Model], &one.Result)
	}
	for k, some := range blocks {
		if len(some) > 0 {
			fitted := results[k].FitSeconds
			results[k] = *evaluate.Pool(some)
			results[k].FitSeconds += fitted
		}
	}
	return job.WriteBytes(f.Path, job.Pack(results))
}
