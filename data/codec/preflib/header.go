package preflib

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"fubini/data/text"
)

// readHeader returns the first line after the header, nil at the end of the file.
func (f *file) readHeader() ([]byte, error) {
	f.alternatives, f.voters, f.orders, f.total, f.categories = -1, -1, -1, -1, -1
	f.names, f.categoryNames = map[int]string{}, map[int]string{}
	for {
		line, err := f.next()
		if line == nil {
			if err == nil && f.Number == 0 {
				err = fmt.Errorf("%s: the file is empty", f.Name)
			}
			return nil, err
		}
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case line[0] == '#':
			if key, value, ok := headerKey(line); ok {
				if err := f.headerLine(key, value); err != nil {
					return nil, err
				}
			}
		case f.alternatives < 0 && f.voters < 0:
			f.old = true
			return f.readOldHeader(line)
		default:
			return line, nil
		}
	}
}

func (f *file) headerLine(key, value string) error {
	counts := map[string]*int{
		"NUMBER ALTERNATIVES":       &f.alternatives,
		"NUMBER VOTERS":             &f.voters,
		"NUMBER UNIQUE ORDERS":      &f.orders,
		"NUMBER UNIQUE PREFERENCES": &f.orders,
		"NUMBER CATEGORIES":         &f.categories,
	}
	if count, known := counts[key]; known {
		n, err := parseNumber([]byte(value))
		if err != nil {
			return f.Errorf("# %s: %w", key, err)
		}
		if *count >= 0 {
			return f.Errorf("# %s is given twice", key)
		}
		*count = n
	}
	if key == "DATA TYPE" {
		if !slices.Contains(types, "."+value) {
			return f.Errorf("# DATA TYPE: %s cannot be read; soc, soi, toc, toi and cat can", text.Quote(value))
		}
		f.kind = value
	}
	for prefix, names := range map[string]map[int]string{"ALTERNATIVE NAME ": f.names, "CATEGORY NAME ": f.categoryNames} {
		if number, ok := strings.CutPrefix(key, prefix); ok {
			return f.name(names, []byte(number), value, math.MaxInt)
		}
	}
	return nil
}

func (f *file) name(names map[int]string, number []byte, name string, most int) error {
	n, err := parseNumber(bytes.TrimSpace(number))
	if err != nil {
		return f.Errorf("the number of name %s: %w", text.Quote(name), err)
	}
	if n > most {
		return f.Errorf("alternative %d is called %s; the header says %d alternatives", n, text.Quote(name), most)
	}
	if _, twice := names[n]; twice {
		return f.Errorf("number %d is named twice", n)
	}
	names[n] = name
	return nil
}

// readOldHeader reads the header of files from before 2022: the number of
// alternatives, a line of number and name for each, and a line of three numbers.
func (f *file) readOldHeader(line []byte) ([]byte, error) {
	var err error
	if f.alternatives, err = parseNumber(line); err != nil {
		return nil, f.Errorf("neither # KEY: value nor the number of alternatives: %w", err)
	}
	next := func(missing string) error {
		if line, err = f.next(); line == nil && err == nil {
			err = f.Errorf("the file ends before %s", missing)
		}
		return err
	}
	for range f.alternatives {
		if err := next(fmt.Sprintf("the last of %d names", f.alternatives)); err != nil {
			return nil, err
		}
		number, name, _ := bytes.Cut(line, []byte(","))
		if err := f.name(f.names, number, string(bytes.TrimSpace(name)), f.alternatives); err != nil {
			return nil, err
		}
	}
	if err := next("the line of voters, sum of counts and unique orders"); err != nil {
		return nil, err
	}
	fields := bytes.Split(line, []byte(","))
	if len(fields) != 3 {
		return nil, f.Errorf("%s should be voters, sum of counts and unique orders; is the number of alternatives, %d, right?", text.Quote(line), f.alternatives)
	}
	for k, count := range []*int{&f.voters, &f.total, &f.orders} {
		if *count, err = parseNumber(bytes.TrimSpace(fields[k])); err != nil {
			return nil, f.Errorf("voters, sum of counts and unique orders: %w", err)
		}
	}
	return f.next()
}

// checkHeader checks the header for contradictions and returns the names of the alternatives in the order of their numbers.
func (f *file) checkHeader() ([]string, error) {
	for _, count := range []struct {
		name string
		n    int
	}{{"NUMBER ALTERNATIVES", f.alternatives}, {"NUMBER VOTERS", f.voters}, {"NUMBER UNIQUE ORDERS", f.orders}} {
		if count.n < 0 {
			return nil, f.Errorf("the header ends without # %s", count.name)
		}
	}
	switch {
	case f.kind == "" && f.categories >= 0:
		f.kind = "cat"
	case f.kind == "cat" && f.categories < 0:
		return nil, f.Errorf("the header of a cat file ends without # NUMBER CATEGORIES")
	}
	if f.kind == "cat" && (f.categories == 0 || len(f.categoryNames) > 0 && len(f.categoryNames) != f.categories) {
		return nil, f.Errorf("the header says %d categories and names %d", f.categories, len(f.categoryNames))
	}
	if f.alternatives != len(f.names) || f.alternatives == 0 {
		return nil, f.Errorf("the header says %d alternatives and names %d", f.alternatives, len(f.names))
	}
	f.seen, f.placed = make([]int, f.alternatives+1), make([]bool, f.alternatives+1)
	names := make([]string, f.alternatives)
	for k := range names {
		name, known := f.names[k+1]
		if !known {
			return nil, f.Errorf("the header says %d alternatives and does not name number %d", f.alternatives, k+1)
		}
		names[k] = name
	}
	return names, nil
}
