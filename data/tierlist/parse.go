package tierlist

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"fubini/data/grade"
	"fubini/data/text"
)

// maxBytes bounds a tier list: a person places hundreds of items, so 16 MB is plenty.
const maxBytes = 16 << 20

// Parse reads a tier list. The name stands in errors, with line and column.
// Every id, a text or a number, stands once, in one tier or among the unranked; empty tiers are kept.
// Keys other than those of [List] and [Tier] are passed over.
func Parse(r io.Reader, name string) (*List, error) {
	all, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p := parser{name: name, text: bytes.TrimPrefix(all, text.ByteOrderMark), placed: map[string]string{}}
	p.json = json.NewDecoder(bytes.NewReader(p.text))
	p.json.UseNumber() // ids keep their notation
	switch {
	case len(all) > maxBytes:
		return nil, fmt.Errorf("%s: a tier list of more than %d bytes", name, maxBytes)
	case len(bytes.TrimSpace(p.text)) == 0:
		return nil, fmt.Errorf("%s: the file is empty; a tier list is JSON: [[\"best\"],[\"second\",\"tied with it\"]]", name)
	case !utf8.Valid(p.text): // the decoder would change ids
		at := strings.IndexRune(string(p.text), utf8.RuneError) // finds the first byte that is not UTF-8 too
		return nil, p.errorAt(at, "a byte that is not UTF-8: save the file as UTF-8")
	}
	var t List
	p.list(&t)
	if p.err == nil {
		if _, err := p.json.Token(); err != io.EOF {
			p.fail("something follows the tier list")
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return &t, nil
}

// parser walks over the tokens, whose places it gives in errors. After its first error it only stops.
type parser struct {
	name   string
	text   []byte
	json   *json.Decoder
	placed map[string]string // where an id stands
	err    error
}

// fail is an error at the token last read.
func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = p.errorAt(int(p.json.InputOffset()), format, args...)
	}
}

func (p *parser) errorAt(offset int, format string, args ...any) error {
	before := p.text[:min(offset, len(p.text))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("%s:%d:%d: %w", p.name, line, column, fmt.Errorf(format, args...))
}

// token reads the next token.
func (p *parser) token() (token json.Token) {
	p.read(func() (err error) {
		token, err = p.json.Token()
		return err
	})
	return token
}

// read calls the decoder, and keeps its error with the place.
func (p *parser) read(decode func() error) {
	if p.err != nil {
		return
	}
	switch err := decode(); {
	case err == nil:
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		p.err = p.errorAt(len(p.text), "the JSON is cut short")
	default:
		p.fail("no JSON: %w", err)
	}
}

// more reports whether another value follows in the list or object at hand; if not, it reads the end.
func (p *parser) more() bool {
	if p.err == nil && p.json.More() {
		return true
	}
	p.token()
	return false
}

// show names a token in an error.
func show(token json.Token) string {
	switch token := token.(type) {
	case nil:
		return "null"
	case json.Delim:
		return "a " + map[json.Delim]string{'{': "JSON object", '[': "JSON list", '}': "}", ']': "]"}[token]
	case string:
		return "the text " + text.Quote(token)
	case json.Number:
		return "the number " + token.String()
	}
	return fmt.Sprint(token)
}

// list reads the whole, in any form.
func (p *parser) list(t *List) {
	switch token := p.token(); token {
	case json.Delim('['):
		p.tiers(t)
	case json.Delim('{'):
		if byName(p.text) {
			p.byName(t)
			return
		}
		found := false
		p.object(func(key string) bool {
			switch key {
			case "tiers":
				found = true
				switch token := p.token(); token {
				case json.Delim('['):
					p.tiers(t)
				case json.Delim('{'):
					p.byName(t)
				default:
					p.fail("%q is %s; it should be %s", key, show(token), show(json.Delim('[')))
				}
			case "unranked":
				p.open(key)
				t.Unranked = p.items(key)
			default:
				return false
			}
			return true
		})
		if !found {
			p.fail(`the object has no "tiers", as in {"tiers":[["a"],["b"]]}`)
		}
	default:
		p.fail("a tier list is a JSON object or list, not %s", show(token))
	}
}

// byName reads an object with a list of ids for every tier, up to its end. The tiers come in the order of their grades, or
// else as they are written.
func (p *parser) byName(t *List) {
	t.Tiers = []Tier{}
	p.object(func(key string) bool {
		p.open(key)
		if isUnranked(key) {
			t.Unranked = append(t.Unranked, p.items(key)...)
		} else {
			t.Tiers = append(t.Tiers, Tier{key, p.items("tier " + text.Quote(key))})
		}
		return true
	})
	grade.Sort(t.Tiers, func(tier Tier) string { return tier.Name })
}

// open wants a list to begin.
func (p *parser) open(what string) {
	if token := p.token(); token != json.Delim('[') {
		p.fail("%q is %s; it should be %s", what, show(token), show(json.Delim('[')))
	}
}

// object calls member for every key of an object that has begun. Values that member does not read are passed over.
func (p *parser) object(member func(key string) bool) {
	seen := map[string]bool{}
	for p.more() {
		token := p.token()
		key, ok := token.(string)
		if !ok {
			p.fail("a key is text, not %s", show(token))
		}
		if seen[key] {
			p.fail("the key %s stands twice in one object", text.Quote(key))
		}
		seen[key] = true
		if p.err == nil && !member(key) {
			p.read(func() error { return p.json.Decode(new(json.RawMessage)) })
		}
	}
}

// tiers reads tiers up to the end of a list that has begun.
func (p *parser) tiers(t *List) {
	t.Tiers = []Tier{}
	for p.more() {
		var tier Tier
		where := fmt.Sprintf("tier %d", len(t.Tiers)+1)
		switch token := p.token(); token {
		case json.Delim('['):
			tier.Items = p.items(where)
		case json.Delim('{'):
			tier = p.named(where)
		default:
			p.fail("a tier is a list of ids or an object with a name and items, not %s", show(token))
		}
		t.Tiers = append(t.Tiers, tier)
	}
}

// named reads a tier that is an object.
func (p *parser) named(where string) (tier Tier) {
	p.object(func(key string) bool {
		switch key {
		case "name":
			token, ok := p.token(), false
			if tier.Name, ok = token.(string); !ok {
				p.fail("the name of a tier is text, not %s", show(token))
			}
		case "items":
			p.open(key)
			tier.Items = p.items(where)
		default:
			return false
		}
		return true
	})
	if tier.Items == nil {
		p.fail(`%s has no "items"`, where)
	}
	return tier
}

// items reads ids up to the end of a list that has begun.
func (p *parser) items(where string) []string {
	items := []string{}
	for p.more() {
		token := p.token()
		id, ok := token.(string)
		if number, is := token.(json.Number); is {
			id, ok = number.String(), true
		}
		switch {
		case !ok:
			p.fail("an item is an id, a text or a number, not %s", show(token))
		case id == "":
			p.fail("an item with an empty id")
		case p.placed[id] != "":
			p.fail("item %s stands twice: in %s and in %s", text.Quote(id), p.placed[id], where)
		}
		p.placed[id] = where
		items = append(items, id)
	}
	return items
}
