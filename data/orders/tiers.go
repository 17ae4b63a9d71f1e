package orders

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fubini/data/codec"
	"fubini/data/ratings"
	"fubini/data/text"
)

// TierList is the tier list of one person, in JSON. Only the order of the tiers
// counts: the last one that is not empty has the value 1, each one above it one
// more.
var TierList = codec.Codec{
	Name:       "tiers",
	Extensions: []string{".json"},
	Detect:     detectTiers,
	Read:       readTiers,
	Write:      writeTiers,
}

// Tiers is a tier list, the best tier first. In JSON it is
//
//	{"tiers":[{"name":"S","items":["id",…]},…],"unranked":["id",…]}
//
// Read, a tier may also be a plain list of ids, and so may the whole be a plain
// list of tiers.
type Tiers struct {
	Tiers    []Tier   `json:"tiers"`
	Unranked []string `json:"unranked,omitempty"`
}

// Tier is one tier.
type Tier struct {
	Name  string   `json:"name"`
	Items []string `json:"items"`
}

// Limits of a tiers file: a person places hundreds of items, so 16 MB is plenty.
const (
	maxTiersBytes = 16 << 20
	maxTiersDepth = 32 // inside a key that we do not know
)

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

// tiersParser walks over the tokens, which bounds the depth and gives their places.
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
	if err == nil {
		return token, nil
	}
	var syntax *json.SyntaxError
	switch {
	case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
		return nil, p.errorAt(len(p.text), "the JSON is cut short")
	case errors.As(err, &syntax):
		return nil, p.errorAt(int(syntax.Offset), "no JSON: %w", syntax)
	}
	return nil, p.errorf("no JSON: %w", err)
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
	for depth := 0; ; {
		token, err := p.token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('['), json.Delim('{'):
			depth++
		case json.Delim(']'), json.Delim('}'):
			depth--
		}
		if depth > maxTiersDepth {
			return p.errorf("the JSON is nested deeper than %d", maxTiersDepth)
		}
		if depth == 0 {
			return nil
		}
	}
}

// detectTiers looks for a list of lists, or an object that begins with tiers.
func detectTiers(head []byte) bool {
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	decoder := json.NewDecoder(bytes.NewReader(head))
	first, err := decoder.Token()
	if err != nil {
		return false
	}
	switch first {
	case json.Delim('['):
		second, err := decoder.Token()
		return err == nil && (second == json.Delim('[') || second == json.Delim(']') || second == json.Delim('{'))
	case json.Delim('{'):
		for depth := 0; ; {
			key, err := decoder.Token()
			if err != nil {
				return false
			}
			switch {
			case depth == 0 && key == "tiers":
				next, err := decoder.Token()
				return err == nil && next == json.Delim('[')
			case key == json.Delim('[') || key == json.Delim('{'):
				depth++
			case key == json.Delim(']') || key == json.Delim('}'):
				if depth--; depth < 0 {
					return false
				}
			}
		}
	}
	return false
}

func readTiers(in *codec.Input, b *ratings.Builder, _ codec.Options) error {
	t, err := ParseTiers(in.R, in.Name)
	if err != nil {
		return err
	}
	user := []byte(codec.Me)
	level := 0
	for _, tier := range slices.Backward(t.Tiers) {
		if len(tier.Items) == 0 {
			in.Counts.Lines++
			in.Counts.Drop("empty tier")
			continue
		}
		level++
		for _, id := range tier.Items {
			in.Counts.Lines++
			if err := b.Add(user, []byte(id), float32(level), ratings.NoTime); err != nil {
				return fmt.Errorf("%s: %w", in.Name, err)
			}
		}
	}
	for range t.Unranked {
		in.Counts.Lines++
		in.Counts.Drop("unranked item")
	}
	return nil
}

// tierNames are those of the pages where people make tier lists.
var tierNames = []string{"S", "A", "B", "C", "D", "E", "F"}

// TiersOf is the tier list of one user of a set: a tier for every value, items in
// the order of their ids.
func TiersOf(s *ratings.Set, user int) *Tiers {
	row := s.Row(user)
	values := slices.Clone(row.Values)
	down := func(a, b float32) int { return cmp.Compare(b, a) }
	slices.SortFunc(values, down)
	values = slices.Compact(values)
	t := &Tiers{Tiers: make([]Tier, len(values))}
	for k := range t.Tiers {
		t.Tiers[k] = Tier{Name: strconv.Itoa(k + 1), Items: []string{}}
		if len(values) <= len(tierNames) {
			t.Tiers[k].Name = tierNames[k]
		}
	}
	for k, item := range row.Items {
		tier, _ := slices.BinarySearchFunc(values, row.Values[k], down)
		t.Tiers[tier].Items = append(t.Tiers[tier].Items, s.Items().ID(item))
	}
	return t
}

func writeTiers(w io.Writer, s *ratings.Set, _ codec.Options) error {
	if n := s.Users().Len(); n != 1 {
		return fmt.Errorf("format: a tiers file holds one user; there are %d", n)
	}
	t := TiersOf(s, 0)
	for _, tier := range t.Tiers {
		for _, id := range tier.Items {
			if !utf8.ValidString(id) {
				return fmt.Errorf("format: item %q cannot stand in JSON: it is not UTF-8", id)
			}
		}
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	return out.Encode(t)
}
