package main

import (
	"fmt"
	"os"
	"strings"

	"fubini/app/recommend"
	"fubini/cmd/fubini/cli"
	"fubini/learn/zoo"
)

// handicaps are what the flags make of the scores of items.
func (f *recommendFlags) handicaps(p *program, saved *zoo.Saved) ([]float64, error) {
	rules := recommend.Rules{Support: f.support, Novelty: f.novelty}
	if f.only != "" {
		only, unknown, err := readIDs(f.only, saved)
		if err == nil && len(unknown) > 0 { // it cannot come
			err = fmt.Errorf("%s:%d: the model has no item %s", f.only, unknown[0].line, cli.Quote(unknown[0].id))
		}
		if err != nil {
			return nil, fmt.Errorf("--only: %w", err)
		}
		rules.Only = only
	}
	if f.exclude != "" {
		exclude, unknown, err := readIDs(f.exclude, saved)
		if err != nil {
			return nil, fmt.Errorf("--exclude: %w", err)
		}
		if len(unknown) > 0 { // it does not come anyway
			p.Tell("--exclude: ids in %s that are not in the model: %d, such as %s in line %d", f.exclude, len(unknown), cli.Quote(unknown[0].id), unknown[0].line)
		}
		rules.Exclude = exclude
	}
	return rules.Handicaps(saved), nil
}

// unknownID is an id that a model does not have.
type unknownID struct {
	id   string
	line int
}

// readIDs reads ids, one a line.
func readIDs(path string, saved *zoo.Saved) (found map[int]bool, unknown []unknownID, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	found = map[int]bool{}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		id := strings.TrimSpace(line)
		if id == "" {
			continue
		}
		if i, known := saved.Find(id); known {
			found[i] = true
		} else {
			unknown = append(unknown, unknownID{id, number})
		}
	}
	return found, unknown, nil
}
