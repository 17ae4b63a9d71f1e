package main

import (
	"fmt"
	"os"
	"strings"

	"fubini/app/recommend"
	"fubini/cmd/fubini/cli"
	"fubini/learn/modelstore"
)

// rules are those of the flags.
func (f *recommendFlags) rules(p *program, saved *modelstore.Saved) (recommend.Rules, error) {
	rules := recommend.Rules{Count: f.count, Support: f.support, Novelty: f.novelty, Odds: !f.noOdds}
	if f.only != "" {
		only, unknown, err := readIDs(f.only, saved)
		if err == nil && len(unknown) > 0 { // it cannot be recommended
			err = fmt.Errorf("%s:%d: the model has no item %s", f.only, unknown[0].line, cli.Quote(unknown[0].id))
		}
		if err != nil {
			return rules, fmt.Errorf("--only: %w", err)
		}
		rules.Only = only
	}
	if f.exclude != "" {
		exclude, unknown, err := readIDs(f.exclude, saved)
		if err != nil {
			return rules, fmt.Errorf("--exclude: %w", err)
		}
		if len(unknown) > 0 { // it is not recommended anyway
			p.Tell("--exclude: ids in %s that are not in the model: %d, such as %s in line %d", f.exclude, len(unknown), cli.Quote(unknown[0].id), unknown[0].line)
		}
		rules.Exclude = exclude
	}
	return rules, nil
}

// unknownID is an id that a model does not have.
type unknownID struct {
	id   string
	line int
}

// readIDs reads ids, one a line. The items found are never nil.
func readIDs(path string, saved *modelstore.Saved) (found []int, unknown []unknownID, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	found = []int{}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		id := strings.TrimSpace(line)
		if id == "" {
			continue
		}
		if i, known := saved.Find(id); known {
			found = append(found, i)
		} else {
			unknown = append(unknown, unknownID{id, number})
		}
	}
	return found, unknown, nil
}
