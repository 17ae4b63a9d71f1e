package main

import (
	"fmt"
	"os"
	"strings"

	"fubini/app/recommend"
	"fubini/learn/zoo"
)

// handicaps are what the flags make of the scores of items.
func (f *recommendFlags) handicaps(saved *zoo.Saved) ([]float64, error) {
	rules := recommend.Rules{Support: f.support, Novelty: f.novelty}
	var err error
	if f.only != "" {
		if rules.Only, err = readIDs(f.only, saved); err != nil {
			return nil, fmt.Errorf("--only: %w", err)
		}
	}
	if f.exclude != "" {
		if rules.Exclude, err = readIDs(f.exclude, saved); err != nil {
			return nil, fmt.Errorf("--exclude: %w", err)
		}
	}
	return rules.Handicaps(saved), nil
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
