package judging

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
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

// Candidate is a model to be judged: a name, to be fitted, or the file of a fitted model.
type Candidate struct {
	Number int
	Name   string
	File   string // empty for one to be fitted
}

// FitFn fits models. Latent models fold everybody in and go on to be judged on all workers; others have parameters of the
// users that they were fitted on, and are judged where they are.
type FitFn struct{ Spec Spec }

// ProcessElement fits one model, given as JSON.
func (f *FitFn) ProcessElement(ctx context.Context, element string, models func(int, []byte), values func(int, []byte)) error {
	var c Candidate
	err := json.Unmarshal([]byte(element), &c)
	if err == nil {
		err = f.fit(ctx, c, models, values)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", c.Name, err)
	}
	return job.Fail(err)
}

func (f *FitFn) fit(ctx context.Context, c Candidate, models func(int, []byte), values func(int, []byte)) error {
	split, err := f.Spec.split()
	if err != nil {
		return err
	}
	if c.File != "" {
		text, err := os.ReadFile(filepath.Clean(c.File))
		if err == nil {
			models(c.Number, text)
		}
		return err
	}
	settings := slices.DeleteFunc(slices.Clone(f.Spec.Settings), func(s registry.Assignment) bool { return s.Model != "" && s.Model != c.Name })
	recipes, err := registry.Configure([]string{c.Name}, settings)
	if err != nil {
		return err
	}
	start := time.Now()
	fitted, err := recipes[0].Fit(ctx, split.Training.Set(), model.Run{Seed: f.Spec.Seed, Jobs: f.Spec.Jobs})
	if err != nil {
		return err
	}
	took := time.Since(start).Seconds()
	if _, foldsIn := fitted.(registry.OrderedSet); foldsIn {
		file, err := modelstore.NewSaved(c.Name, split.Training.Set(), fitted).File()
		if err != nil {
			return err
		}
		var text bytes.Buffer
		if _, err := file.WriteTo(&text); err != nil {
			return err
		}
		models(c.Number, text.Bytes())
		return send(values, c.Number, &evaluate.Result{FitSeconds: took})
	}
	options, err := f.Spec.options(split)
	if err != nil {
		return err
	}
	result, err := evaluate.Judge(ctx, fitted, split.Holdout, options)
	if err != nil {
		return err
	}
	result.FitSeconds = took
	return send(values, c.Number, result)
}

// send encodes the result of some users.
func send(values func(int, []byte), model int, r *evaluate.Result) error {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(r)
	if err == nil {
		values(model, b.Bytes())
	}
	return err
}

var usersJudged = beam.NewCounter("fubini", "users")

// JudgeFn ranks for a block of users.
type JudgeFn struct {
	Spec   Spec
	Blocks int

	rankers map[int]evaluate.Ranker
}

// ProcessElement ranks for every user whose number is the block modulo the number of blocks, with every model.
func (f *JudgeFn) ProcessElement(ctx context.Context, block int, models func(*int, *[]byte) bool, values func(int, []byte)) error {
	return job.Fail(f.judge(ctx, block, models, values))
}

func (f *JudgeFn) judge(ctx context.Context, block int, models func(*int, *[]byte) bool, values func(int, []byte)) error {
	split, err := f.Spec.split()
	if err != nil {
		return err
	}
	options, err := f.Spec.options(split)
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
			numbered, err := saved.For(split.Training.Set().Items())
			if err != nil {
				return err
			}
			f.rankers[number] = numbered
		}
	}
	some := split.Holdout.Some(func(u int) bool { return u%f.Blocks == block })
	if some.Set().Len() == 0 {
		return nil
	}
	for number, ranker := range f.rankers {
		result, err := evaluate.Judge(ctx, ranker, some, options)
		if err != nil {
			return err
		}
		usersJudged.Inc(ctx, int64(len(result.Users)))
		if err := send(values, number, result); err != nil {
			return err
		}
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
	return job.Fail(job.Write(resultPath(f.Path, model), func(w io.Writer) error { return gob.NewEncoder(w).Encode(result) }))
}

func resultPath(path string, model int) string { return fmt.Sprintf("%s.%d", path, model) }

// pooled is the result of all blocks of users.
func pooled(values func(*[]byte) bool) (*evaluate.Result, error) {
	var blocks []*evaluate.Result
	var fitSeconds float64
	var text []byte
	for values(&text) {
		one := &evaluate.Result{}
		if err := gob.NewDecoder(bytes.NewReader(text)).Decode(one); err != nil {
			return nil, err
		}
		if one.Metrics == nil { // the fit
			fitSeconds += one.FitSeconds
			continue
		}
		blocks = append(blocks, one)
	}
	if len(blocks) == 0 {
		return &evaluate.Result{FitSeconds: fitSeconds}, nil
	}
	result := evaluate.Pool(blocks)
	result.FitSeconds += fitSeconds
	return result, nil
}
