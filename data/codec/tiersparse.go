package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"fubini/data/text"
)

// maxTiersBytes bounds a tiers file: a person places hundreds of items, so 16 MB is plenty.
const maxTiersBytes = 16 << 20

// ParseTiers reads a tier list. The name stands in errors, with line and column.
// Every id stands once, in one tier or among the unranked; empty tiers are kept.
// Keys other than those of [Tiers] and [Tier] are passed over.
func ParseTiers(r io.Reader, name string) (*Tiers, error) {
	all, err := io.ReadAll(io.LimitReader(r, maxTiersBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p := tiersParser{name: name, text: bytes.TrimPrefix(all, text.ByteOrderMark), placed: map[string]string{}}
	p.json = json.NewDecoder(bytes.NewReader(p.text))
	switch {
	case len(all) > maxTiersBytes:
		return nil, fmt.Errorf("%s: a tier list of more than %d bytes", name, maxTiersBytes)
	case len(bytes.TrimSpace(p.text)) == 0:
		return nil, fmt.Errorf("%s: the file is empty; a tier list is JSON: [[\"best\"],[\"second\",\"tied with it\"]]", name)
	case !utf8.Valid(p.text): // the decoder would change ids
		at := strings.IndexRune(string(p.text), utf8.RuneError) // finds the first byte that is not UTF-8 too
		return nil, p.errorAt(at, "a byte that is not UTF-8: save the file as UTF-8")
	}
	var t Tiers
	if err := p.list(&t); err != nil {
		return nil, err
	}
	if _, err := p.json.Token(); err != io.EOF {
		return nil, p.errorf("something follows the tier list")
	}
	return &t, nil
}

// tiersParser walks over the tokens, whose places it gives in errors.
type tiersParser struct {
	name   string
	text   []byte
	json   *json.Decoder
	placed map[string]string // where an id stands
}

// errorf is an error at the token last read.
func (p *tiersParser) errorf(format string, args ...any) error {
	return p.errorAt(int(p.json.InputOffset()), format, args...)
}

func (p *tiersParser) errorAt(offset int, format string, args ...any) error {
	before := p.text[:min(offset, len(p.text))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("%s:%d:%d: %w", p.name, line, column, fmt.Errorf(format, args...))
}

func (p *tiersParser) token() (json.Token, error) {
	token, err := p.json.Token()
	if err != nil {
		return nil, p.fault(err)
	}
	return token, nil
}

// fault is an error of the decoder, at its place.
func (p *tiersParser) fault(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return p.errorAt(len(p.text), "the JSON is cut short")
	}
	return p.errorf("no JSON: %w", err)
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
	case float64:
		return "the number " + strconv.FormatFloat(token, 'g', -1, 64)
	}
	return fmt.Sprint(token)
}

// list reads the whole, in either form.
func (p *tiersParser) list(t *Tiers) error {
	token, err := p.token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('['):
		return p.tiers(t)
	case json.Delim('{'):
	default:
		return p.errorf("a tier list is a JSON object or list, not %s", show(token))
	}
	found := false
	err = p.object(func(key string) error {
		switch key {
		case "tiers":
			found = true
			if err := p.open('[', "tiers"); err != nil {
				return err
			}
			return p.tiers(t)
		case "unranked":
			if err := p.open('[', "unranked"); err != nil {
				return err
			}
			t.Unranked, err = p.items("unranked")
			return err
		}
		return p.skip()
	})
	if err == nil && !found {
		err = p.errorf(`the object has no "tiers"`)
	}
	return err
}

// open wants a list, or an object, to begin.
func (p *tiersParser) open(delimiter json.Delim, what string) error {
	token, err := p.token()
	if err == nil && token != delimiter {
		err = p.errorf("%q is %s; it should be %s", what, show(token), show(delimiter))
	}
	return err
}

// object calls member for every key of an object that has begun.
func (p *tiersParser) object(member func(key string) error) error {
	seen := map[string]bool{}
	for p.json.More() {
		token, err := p.token()
		if err != nil {
			return err
		}
		key, ok := token.(string)
		if !ok {
			return p.errorf("a key is text, not %s", show(token))
		}
		if seen[key] {
			return p.errorf("the key %s stands twice in one object", text.Quote(key))
		}
		seen[key] = true
		if err := member(key); err != nil {
			return err
		}
	}
	_, err := p.token() // the end
	return err
}

// tiers reads tiers up to the end of a list that has begun.
func (p *tiersParser) tiers(t *Tiers) error {
	t.Tiers = []Tier{}
	for p.json.More() {
		tier := Tier{Items: []string{}}
		where := fmt.Sprintf("tier %d", len(t.Tiers)+1)
		token, err := p.token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('['):
			tier.Items, err = p.items(where)
		case json.Delim('{'):
			tier, err = p.named(where)
		default:
			err = p.errorf("a tier is a list of ids or an object with a name and items, not %s", show(token))
		}
		if err != nil {
			return err
		}
		t.Tiers = append(t.Tiers, tier)
	}
	_, err := p.token() // the end
	return err
}

// named reads a tier that is an object.
func (p *tiersParser) named(where string) (Tier, error) {
	var tier Tier
	err := p.object(func(key string) (err error) {
		switch key {
		case "name":
			token, err := p.token()
			if err != nil {
				return err
			}
			var ok bool
			if tier.Name, ok = token.(string); !ok {
				return p.errorf("the name of a tier is text, not %s", show(token))
			}
			return nil
		case "items":
			if err := p.open('[', "items"); err != nil {
				return err
			}
			tier.Items, err = p.items(where)
			return err
		}
		return p.skip()
	})
	if err == nil && tier.Items == nil {
		err = p.errorf(`%s has no "items"`, where)
	}
	return tier, err
}

// items reads ids up to the end of a list that has begun.
func (p *tiersParser) items(where string) ([]string, error) {
	items := []string{}
	for p.json.More() {
		token, err := p.token()
		if err != nil {
			return nil, err
		}
		id, ok := token.(string)
		switch {
		case !ok:
			return nil, p.errorf("an item is an id in quotes, not %s", show(token))
		case id == "":
			return nil, p.errorf("an item with an empty id")
		case p.placed[id] != "":
			return nil, p.errorf("item %s stands twice: in %s and in %s", text.Quote(id), p.placed[id], where)
		}
		p.placed[id] = where
		items = append(items, id)
	}
	_, err := p.token() // the end
	return items, err
}

// skip passes over a value.
func (p *tiersParser) skip() error {
	if err := p.json.Decode(new(json.RawMessage)); err != nil {
		return p.fault(err)
	}
	return nil
}
