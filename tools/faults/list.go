package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Fault is one row of a list.
type Fault struct {
	// Name of the fault, unique over all lists.
	Name string `json:"name"`
	// Func is where it stands, as Go's documentation writes it: Name, (T).Method or (*T).Method; the name alone for a
	// variable, a constant or a type of the package.
	Func string `json:"func"`
	// Package is the name of the package, without a path, where Func alone is not unique. A command goes by its folder.
	Package string `json:"package,omitempty"`
	// Find is the text that is replaced; it stands once in Func.
	Find string `json:"find"`
	// Put is the text instead.
	Put string `json:"put"`
	// Why says what would be wrong.
	Why string `json:"why"`
	// Tests names further packages, with commas between, whose tests are tried when the package's own notice nothing.
	Tests string `json:"tests,omitempty"`
	// Survives is the reason why no test kills it: it changes nothing that can be seen, or only the speed.
	Survives string `json:"survives,omitempty"`
}

func readList(file string) ([]Fault, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	reader := json.NewDecoder(bytes.NewReader(text))
	reader.DisallowUnknownFields()
	var rows []Fault
	if err := reader.Decode(&rows); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for i, row := range rows {
		if row.Name == "" || row.Func == "" || row.Find == "" || row.Why == "" {
			return nil, fmt.Errorf("%s: row %d (%q): name, func, find and why are needed", file, i+1, row.Name)
		}
		if row.Find == row.Put {
			return nil, fmt.Errorf("%s: row %d (%q): find and put are the same", file, i+1, row.Name)
		}
	}
	return rows, nil
}

func writeList(file string, rows []Fault) error {
	var text bytes.Buffer
	writer := json.NewEncoder(&text)
	writer.SetEscapeHTML(false)
	writer.SetIndent("", "  ")
	if err := writer.Encode(rows); err != nil {
		return err
	}
	return os.WriteFile(file, text.Bytes(), 0o644)
}

// readPlan makes tasks of the rows of lists; every name may be there once.
func readPlan(s *source, lists []string) (plan []*task, err error) {
	seen := map[string]bool{}
	for _, file := range lists {
		rows, err := readList(file)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if seen[row.Name] {
				return nil, fmt.Errorf("%s: the name %q is there twice", file, row.Name)
			}
			seen[row.Name] = true
			plan = append(plan, newTask(s, strings.TrimSuffix(filepath.Base(file), ".json"), row))
		}
	}
	return plan, nil
}
