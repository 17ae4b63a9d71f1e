package main

import (
	"fmt"
	"math"
	"os"
	"strings"

	"fubini/learn/zoo"
)

// handicaps are taken from the scores of items: all of it from those that are not
// to come.
func (f *recommendFlags) handicaps(saved *zoo.Saved) ([]float64, error) {
	handicap := make([]float64, len(saved.ItemIDs))
	for i, seen := range saved.Seen {
		handicap[i] = f.novelty * math.Log(1+float64(seen))
		if int(seen) < f.support {
			handicap[i] = math.Inf(1)
		}
	}
	if f.only != "" {
		ids, err := readIDs(f.only, saved)
		if err != nil {
			return nil, fmt.Errorf("--only: %w", err)
		}
		for i := range handicap {
			if !ids[i] {
				handicap[i] = math.Inf(1)
			}
		}
	}
	if f.exclude != "" {
		ids, err := readIDs(f.exclude, saved)
		if err != nil {
			return nil, fmt.Errorf("--exclude: %w", err)
		}
		for i := range ids {
			handicap[i] = math.Inf(1)
		}
	}
	return handicap, nil
}

// readIDs reads ids, one a line; an id that the model does not have is an error.
func readIDs(path string, saved *zoo.Saved) (map[int]bool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	found := map[int]bool{}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		id := strings.TrimSpace(line)
		if id == "" {
			continue
		}
		i, known := saved.Find(id)
		if !known {
			return nil, fmt.Errorf("%s:%d: the model has no item %s", path, number, quote(id))
		}
		found[i] = true
	}
	return found, nil
}
