package votes

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"fubini/data/codec"
	"fubini/data/text"
)

// scanner takes the values of one line of JSON, without a copy where strings have no escapes.
type scanner struct{ text.JSON }

var errJSON = errors.New("no JSON")

// decode takes any value by encoding/json.
func (s *scanner) decode(to any) error {
	d := json.NewDecoder(bytes.NewReader(s.Rest))
	if d.Decode(to) != nil {
		return errJSON
	}
	s.Rest = s.Rest[d.InputOffset():]
	return nil
}

// peek is the byte that comes next, or 0 at the end.
func (s *scanner) peek() byte {
	if s.AtEnd() { // which passes over spaces
		return 0
	}
	return s.Rest[0]
}

// skip passes over a value.
func (s *scanner) skip() error {
	_, err := s.value()
	return err
}

// value takes a value: a string without its quotes, a number or a truth value as it is written; nil for null, lists and objects.
func (s *scanner) value() ([]byte, error) {
	if cell, ok := s.PlainString(); ok {
		return cell, nil
	}
	switch c := s.peek(); {
	case c == '"':
		var cell string
		err := s.decode(&cell)
		return []byte(cell), err
	case c == '-' || '0' <= c && c <= '9':
		if cell, ok := s.Number(); ok {
			return cell, nil
		}
		return nil, errJSON
	case c == 't' || c == 'f':
		var cell json.RawMessage
		err := s.decode(&cell)
		return cell, err
	}
	return nil, s.decode(new(json.RawMessage))
}

// object takes an object and calls member with each key, to take its value.
func (s *scanner) object(member func(key []byte) error) error {
	return s.several('{', '}', func() error {
		if s.peek() != '"' {
			return errJSON
		}
		key, err := s.value()
		if err != nil || !s.Take(':') {
			return errJSON
		}
		return member(key)
	})
}

// several takes members between brackets, separated by commas.
func (s *scanner) several(from, to byte, member func() error) error {
	if !s.Take(from) {
		return errJSON
	}
	for more := !s.Take(to); more; {
		if err := member(); err != nil {
			return err
		}
		if more = s.Take(','); !more && !s.Take(to) {
			return errJSON
		}
	}
	return nil
}

// keysOf are the keys of an object, as far as it goes.
func keysOf(line []byte) (keys []string) {
	s := scanner{text.JSON{Rest: line}}
	_ = s.object(func(key []byte) error { // an error comes again when the line is read
		keys = append(keys, string(key))
		return s.skip()
	})
	return keys
}

// newObjects reads flat objects, one a line. The keys of the first are the header.
func newObjects(l *text.Lines) (*rows, error) {
	r := &rows{Lines: l}
	columns := map[string]int{}
	var names []string
	read := func() error {
		line, err := l.NextFilled()
		if err != nil {
			return err
		}
		clear(r.cells)
		first := r.line == 0
		r.line = l.Number
		s := scanner{text.JSON{Rest: line}}
		err = s.object(func(key []byte) error {
			column, known := columns[string(key)]
			if !known && !first {
				if err := late(l, key, drawNames); err != nil {
					return err
				}
				return s.skip()
			}
			if !known {
				column = len(names)
				columns[string(key)] = column
				names, r.cells = append(names, string(key)), append(r.cells, nil)
			}
			if r.cells[column] != nil {
				return l.Errorf("key %s stands twice; leave one out", text.Quote(key))
			}
			r.cells[column], err = s.value()
			return err
		})
		if err == errJSON || err == nil && !s.AtEnd() {
			err = l.Errorf(`%s is not one JSON object; write it like {"model_a":"x","model_b":"y","winner":"model_a"}`, text.Quote(line))
		}
		return err
	}
	err := read()
	r.header = newHeader(names)
	again := err == nil
	r.next = func() error {
		if again { // the row with the header is one of the rows
			again = false
			return nil
		}
		return read()
	}
	return r, err
}

// late refuses a key that the first line should have had, because the votes before it were read without.
func late(l *text.Lines, key []byte, names []string) error {
	if folded := codec.Folded(string(key)); slices.Contains(weightNames, folded) || slices.Contains(names, folded) {
		return l.Errorf("key %s, which the first line lacks; give it in every line", text.Quote(key))
	}
	return nil
}
