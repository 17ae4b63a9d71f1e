package judging

import (
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"fubini/beam/job"
	"fubini/judge/evaluate"
)

func init() {
	beam.RegisterDoFn(&FitFn{})
	beam.RegisterDoFn(&JudgeFn{})
	beam.RegisterDoFn(&MeansFn{})
}

// Job describes a run.
type Job struct {
	Spec
	Models []Candidate
	Blocks int    // of users, divided among workers
	Folder string // that this program and all workers see, for results on their way
}

// Build lays out the pipeline.
func (j *Job) Build(path string) (*beam.Pipeline, error) {
	p, s := beam.NewPipelineWithRoot()
	var elements []string
	for _, c := range j.Models {
		text, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		elements = append(elements, string(text))
	}
	models, known := beam.ParDo2(s.Scope("fit"), &FitFn{j.Spec}, beam.Reshuffle(s, beam.CreateList(s, elements)))
	blocks := make([]int, j.Blocks)
	for k := range blocks {
		blocks[k] = k
	}
	values := beam.ParDo(s.Scope("judge"), &JudgeFn{Spec: j.Spec, Blocks: j.Blocks}, beam.Reshuffle(s, beam.CreateList(s, blocks)), beam.SideInput{Input: models})
	beam.ParDo0(s.Scope("means"), &MeansFn{path}, beam.GroupByKey(s, beam.Flatten(s, known, values)))
	return p, nil
}

// Run runs the pipeline and returns how each model did.
func (j *Job) Run(ctx context.Context, o job.Options) ([]*evaluate.Result, error) {
	path := filepath.Join(j.Folder, fmt.Sprintf(".fubini-%016x.tmp", rand.Uint64()))
	p, err := j.Build(path)
	if err != nil {
		return nil, err
	}
	for _, c := range j.Models {
		defer os.Remove(resultPath(path, c.Number))
	}
	if _, err := job.Run(ctx, p, o); err != nil {
		return nil, err
	}
	results := make([]*evaluate.Result, len(j.Models))
	for k, c := range j.Models {
		if results[k], err = readResult(resultPath(path, c.Number)); errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("the job ended without a result of %s: it was cancelled, or its workers do not see the folder %s", c.Name, j.Folder)
		} else if err != nil {
			return nil, err
		}
	}
	return results, nil
}

func readResult(path string) (*evaluate.Result, error) {
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	result := &evaluate.Result{}
	return result, gob.NewDecoder(file).Decode(result)
}
