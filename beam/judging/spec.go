// Package judging is the paper's protocol as a pipeline: each model is fitted on one worker, many workers rank held-out
// items for blocks of users, and the values of all users are pooled in their order, so that means and intervals are
// those of fubini evaluate, to the last bit.
package judging

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/registry"
)

// Spec describes the data, the protocol and the metrics. Paths must lead every worker to the same files.
type Spec struct {
	Data       string // a file or folder of ratings
	Format     string // of Data; empty means by content
	Duplicates string
	Scale      []float64 // ends of the rating scale; nil means those of the data
	Given      int
	MinTest    int
	Split      string // a folder with train.tsv and test.tsv, in place of Data
	Candidates string
	Gain       string
	Seed       uint64
	Settings   []registry.Assignment
	Jobs       int // goroutines of a worker; 0 means one for each core
}

// splits are those of this process, by their specs: all workers in one process share them.
var splits sync.Map // of text to func() (ratings.Split, error)

// split divides the data, once in a process.
func (s Spec) split() (ratings.Split, error) {
	key, err := json.Marshal(s)
	if err != nil {
		return ratings.Split{}, err
	}
	once, _ := splits.LoadOrStore(string(key), sync.OnceValues(s.divide))
	return once.(func() (ratings.Split, error))()
}

func (s Spec) divide() (ratings.Split, error) {
	if s.Split != "" {
		return s.divided()
	}
	duplicates, err := ratings.ParseDuplicates(s.Duplicates)
	if err != nil {
		return ratings.Split{}, err
	}
	set, err := read(s.Data, format.Options{Format: s.Format, Duplicates: duplicates, Scale: s.Scale})
	if err != nil {
		return ratings.Split{}, err
	}
	if set, err = evaluate.Levelled(set, s.Scale); err != nil {
		return ratings.Split{}, fmt.Errorf("%s: %w", s.Data, err)
	}
	split, err := set.Paper(s.Given, s.MinTest, s.Seed)
	if err != nil {
		return split, fmt.Errorf("%s: %w", s.Data, err)
	}
	return split, nil
}

// divided reads what data split wrote.
func (s Spec) divided() (ratings.Split, error) {
	var parts [3]*ratings.Set
	for k, name := range []string{"train.tsv", "test.tsv", "known.tsv"} {
		path := filepath.Join(s.Split, name)
		if _, err := os.Stat(path); name == "known.tsv" && errors.Is(err, fs.ErrNotExist) {
			continue // only splits by users have it
		}
		set, err := read(path, format.Options{Format: "tsv"})
		if err != nil {
			return ratings.Split{}, err
		}
		parts[k] = set
	}
	return ratings.Divided(parts[0], parts[2], parts[1])
}

func read(path string, o format.Options) (*ratings.Set, error) {
	o.Name = path
	set, _, err := format.Read(os.DirFS(filepath.Dir(path)), filepath.Base(path), o)
	return set, err
}

// options are those of judging a split.
func (s Spec) options(split ratings.Split) (o evaluate.Options, err error) {
	o.Jobs = s.Jobs
	if o.Candidates, err = evaluate.ParseCandidates(s.Candidates); err != nil {
		return o, err
	}
	o.Metrics, err = evaluate.SplitMetrics(split, s.Gain, false)
	return o, err
}
