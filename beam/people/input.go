package people

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"fubini/beam/job"
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
