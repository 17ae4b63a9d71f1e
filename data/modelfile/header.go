package modelfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// An entry describes one tensor in a header; nothing of it is checked but that
// the numbers are no less than zero.
type entry struct {
	name       string
	dtype      DType
	shape      []int
	begin, end int
}

// parseHeader reads the JSON of a header. Beyond what json.Unmarshal asks for, no
// key may appear twice, none may be unknown or absent, and numbers are plain
// integers.
func parseHeader(text []byte) (metadata map[string]string, entries []entry, err error) {
	if !utf8.Valid(text) {
		return nil, nil, errors.New("it is not UTF-8")
	}
	if !json.Valid(text) {
		return nil, nil, errors.New("it is not JSON")
	}
	p := &parser{decoder: json.NewDecoder(bytes.NewReader(text))}
	p.decoder.UseNumber()
	metadata = map[string]string{}
	p.object("the header", func(name string) {
		if name == metadataName {
			p.object(name, func(key string) { metadata[key] = p.text(key) })
			return
		}
		entries = append(entries, p.entry(name))
	})
	return metadata, entries, p.fault
}

// A parser walks over JSON that is known to be well formed. After its first fault
// it only stops.
type parser struct {
	decoder *json.Decoder
	fault   error
}

func (p *parser) fail(format string, args ...any) {
	if p.fault == nil {
		p.fault = fmt.Errorf(format, args...)
	}
}

func (p *parser) next() json.Token {
	if p.fault != nil {
		return nil
	}
	token, err := p.decoder.Token()
	if err != nil {
		p.fail("%w", err)
	}
	return token
}

// more reports whether another value follows in the open object or array.
func (p *parser) more() bool { return p.fault == nil && p.decoder.More() }

// object reads an object; value is called after each key to read what belongs to it.
func (p *parser) object(what string, value func(key string)) {
	if p.next() != json.Delim('{') {
		p.fail("%.80q is not an object", what)
	}
	seen := map[string]bool{}
	for p.more() {
		key, _ := p.next().(string)
		if seen[key] {
			p.fail("%.80q has the key %.80q twice", what, key)
		}
		seen[key] = true
		value(key)
	}
	p.next()
}

func (p *parser) text(what string) string {
	text, ok := p.next().(string)
	if !ok {
		p.fail("%.80q is not a text", what)
	}
	return text
}

// naturals reads an array of integers, 0 or more each, at most limit of them.
func (p *parser) naturals(what string, limit int) []int {
	if p.next() != json.Delim('[') {
		p.fail("the %s are not an array", what)
	}
	numbers := []int{}
	for p.more() {
		number, _ := p.next().(json.Number)
		x, err := strconv.ParseUint(string(number), 10, strconv.IntSize-1)
		if err != nil {
			p.fail("the %s hold %.80q, which is not an integer of 0 or more, or too large", what, number)
		}
		if len(numbers) == limit {
			p.fail("there are more than %d %s", limit, what)
		}
		numbers = append(numbers, int(x))
	}
	p.next()
	return numbers
}

func (p *parser) entry(name string) entry {
	e := entry{name: name}
	fields := 0
	p.object(name, func(key string) {
		fields++
		switch key {
		case "dtype":
			e.dtype = DType(p.text(key))
		case "shape":
			e.shape = p.naturals(fmt.Sprintf("dimensions of %.80q", name), maxDimensions)
		case "data_offsets":
			offsets := p.naturals(fmt.Sprintf("data_offsets of %.80q", name), 2)
			if len(offsets) != 2 {
				p.fail("%.80q has %d data_offsets, not 2", name, len(offsets))
				return
			}
			e.begin, e.end = offsets[0], offsets[1]
		default:
			p.fail("%.80q has the unknown key %.80q", name, key)
		}
	})
	if fields != 3 {
		p.fail("%.80q lacks dtype, shape or data_offsets", name)
	}
	return e
}
