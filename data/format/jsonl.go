package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fubini/data/ratings"
)

// jsonlCodec reads a JSON value a line: an object whose keys go by the names that
// columns of tables have, or an array of user, item, rating and perhaps time. Ids
// are strings or numbers, these as they are written.
var jsonlCodec = codec{
	name:       "jsonl",
	extensions: []string{".jsonl", ".ndjson"},
	detect: func(head []byte) bool {
		first := bytes.TrimSpace(firstLine(head))
		if !json.Valid(first) {
			return false
		}
		var r jsonRecord
		return r.parse(first) == nil && r.complete()
	},
	read:  readJSONL,
	write: writeJSONL,
}

// jsonRecord is what was found in a line.
type jsonRecord struct {
	fields [len(aliases)]jsonField
	roles  map[string][2]int // of keys: role and rank
}

type jsonField struct {
	value []byte // a string without its quotes, or a number
	text  bool   // it was a string
	rank  int    // of the key it came from
	found bool
}

func (r *jsonRecord) complete() bool {
	return r.fields[userRole].found && r.fields[itemRole].found && r.fields[ratingRole].found
}

// parse reads a line without copying it when it is a flat object of plain
// strings and numbers; others go through encoding/json.
func (r *jsonRecord) parse(line []byte) error {
	r.fields = [len(aliases)]jsonField{}
	if r.parsePlain(line) {
		return nil
	}
	r.fields = [len(aliases)]jsonField{}
	if bytes.HasPrefix(line, []byte("[")) {
		return r.parseArray(line)
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(line, &object); err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if err := r.put(r.role(key), object[key]); err != nil {
			return fmt.Errorf("%s: %w", quote(key), err)
		}
	}
	return nil
}

// parseArray reads user, item, rating and perhaps time.
func (r *jsonRecord) parseArray(line []byte) error {
	var values []json.RawMessage
	if err := json.Unmarshal(line, &values); err != nil {
		return err
	}
	if len(values) != 3 && len(values) != 4 {
		return fmt.Errorf("an array of %d", len(values))
	}
	for role, value := range values {
		if err := r.put([2]int{role, 0}, value); err != nil {
			return err
		}
	}
	return nil
}

// put sets a field to a JSON value.
func (r *jsonRecord) put(role [2]int, value []byte) error {
	if role[0] == noRole {
		return nil
	}
	switch value[0] {
	case '"':
		var s string
		if err := json.Unmarshal(value, &s); err != nil {
			return err
		}
		return r.set(role, []byte(s), true)
	case 'n': // null is as if it were not there
	case '{', '[', 't', 'f':
		return fmt.Errorf("%s is neither a string nor a number", quote(value))
	default:
		return r.set(role, value, false)
	}
	return nil
}

// set fills a field, unless it was by a better key.
func (r *jsonRecord) set(role [2]int, value []byte, text bool) error {
	f := &r.fields[role[0]]
	if f.found && role[1] == f.rank { // user_id and userId, say
		return fmt.Errorf("two keys for the %s", aliases[role[0]][0])
	}
	if !f.found || role[1] < f.rank {
		*f = jsonField{value, text, role[1], true}
	}
	return nil
}

// parsePlain says false of anything that is not quite simple.
func (r *jsonRecord) parsePlain(line []byte) bool {
	p := plainJSON{line}
	if !p.take('{') {
		return false
	}
	for {
		key, ok := p.plainString()
		if !ok || !p.take(':') {
			return false
		}
		role := r.roleOfBytes(key)
		value, text := p.plainString()
		if !text {
			if value, ok = p.number(); !ok {
				return false
			}
		}
		if role[0] != noRole && r.set(role, value, text) != nil {
			return false
		}
		if !p.take(',') {
			return p.take('}') && p.atEnd()
		}
	}
}

// plainJSON is what is left of a line.
type plainJSON struct{ rest []byte }

func (p *plainJSON) spaces() {
	for len(p.rest) > 0 && (p.rest[0] == ' ' || p.rest[0] == '\t') {
		p.rest = p.rest[1:]
	}
}

func (p *plainJSON) take(c byte) bool {
	p.spaces()
	if len(p.rest) == 0 || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *plainJSON) atEnd() bool {
	p.spaces()
	return len(p.rest) == 0
}

// plainString takes a string without escapes.
func (p *plainJSON) plainString() ([]byte, bool) {
	p.spaces()
	if len(p.rest) == 0 || p.rest[0] != '"' {
		return nil, false
	}
	for k, c := range p.rest[1:] {
		if c == '"' {
			s := p.rest[1 : 1+k]
			p.rest = p.rest[k+2:]
			return s, true
		}
		if c == '\\' || c < ' ' {
			break
		}
	}
	return nil, false
}

// number takes a number in the grammar of JSON.
func (p *plainJSON) number() ([]byte, bool) {
	p.spaces()
	b, k := p.rest, 0
	if k < len(b) && b[k] == '-' {
		k++
	}
	run := func() bool {
		from := k
		for k < len(b) && '0' <= b[k] && b[k] <= '9' {
			k++
		}
		return k > from
	}
	whole := k
	if !run() || b[whole] == '0' && k > whole+1 {
		return nil, false
	}
	if k < len(b) && b[k] == '.' {
		if k++; !run() {
			return nil, false
		}
	}
	if k < len(b) && (b[k] == 'e' || b[k] == 'E') {
		if k++; k < len(b) && (b[k] == '+' || b[k] == '-') {
			k++
		}
		if !run() {
			return nil, false
		}
	}
	p.rest = b[k:]
	return b[:k], true
}

// roleOfBytes is role without a copy for keys seen before.
func (r *jsonRecord) roleOfBytes(key []byte) [2]int {
	if role, known := r.roles[string(key)]; known {
		return role
	}
	return r.role(string(key))
}

func (r *jsonRecord) role(key string) [2]int {
	name, rank := roleOf(key)
	role := [2]int{name, rank}
	const most = 1000 // a file may have any number of keys
	if len(r.roles) < most {
		if r.roles == nil {
			r.roles = map[string][2]int{}
		}
		r.roles[strings.Clone(key)] = role
	}
	return role
}

func readJSONL(in *input, b *ratings.Builder, o Options) error {
	l := newLines(in.name, in.r)
	defer l.close()
	defer func() { in.counts.Latin1 += l.latin1 }()
	var r jsonRecord
	titled := map[string]bool{}
	for {
		line, err := l.next()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if line = bytes.Trim(line, " \t\r"); len(line) == 0 {
			continue
		}
		const right = `write it like {"user":"7","item":"42","rating":4}`
		if err := r.parse(line); err != nil {
			return l.errorf("%s is not a rating (%w); %s", quote(line), err, right)
		}
		user, item, rating := r.fields[userRole], r.fields[itemRole], r.fields[ratingRole]
		if !r.complete() || len(user.value) == 0 || len(item.value) == 0 {
			return l.errorf("%s lacks the user, the item or the rating; %s", quote(line), right)
		}
		in.counts.Lines++
		value, ok := parseRating(rating.value)
		if !ok {
			return l.badRating(rating.value)
		}
		when := int64(ratings.NoTime)
		if f := r.fields[timeRole]; f.found && len(f.value) > 0 {
			if when, ok = parseTime(f.value); !ok {
				return l.badTime(f.value)
			}
		}
		if err := b.Add(user.value, item.value, value, when); err != nil {
			return l.errorf("%w", err)
		}
		if f := r.fields[titleRole]; f.text && len(f.value) > 0 && !titled[string(item.value)] {
			titled[string(item.value)] = true
			b.Title(string(item.value), string(f.value))
		}
	}
}

// writeJSONL writes an object a line, with a time where ratings have them.
func writeJSONL(w io.Writer, s *ratings.Set, o Options) error {
	users, err := jsonIDs(s.Users(), "user")
	if err != nil {
		return err
	}
	items, err := jsonIDs(s.Items(), "item")
	if err != nil {
		return err
	}
	return writeRatings(w, s, "", func(b []byte, user, item uint32, value float32, when int64) []byte {
		b = append(b, `{"user":`...)
		b = append(b, users[user]...)
		b = append(b, `,"item":`...)
		b = append(b, items[item]...)
		b = append(b, `,"rating":`...)
		b = appendRating(b, value)
		if when != ratings.NoTime {
			b = append(b, `,"timestamp":`...)
			b = strconv.AppendInt(b, when, 10)
		}
		return append(b, "}\n"...)
	})
}

// jsonIDs are the ids of a vocabulary as JSON strings.
func jsonIDs(v *ratings.Vocabulary, kind string) ([]string, error) {
	ids := make([]string, v.Len())
	for n := range ids {
		id := v.ID(uint32(n))
		if !utf8.ValidString(id) {
			return nil, fmt.Errorf("format: the id of %s %s is not UTF-8", kind, quote(id))
		}
		if len(id) > maxLine/16 { // six bytes for one, at worst, and two ids a line
			return nil, fmt.Errorf("format: the id of %s %s has %d bytes; at most %d can be read back", kind, quote(id), len(id), maxLine/16)
		}
		var text bytes.Buffer
		e := json.NewEncoder(&text)
		e.SetEscapeHTML(false)
		if err := e.Encode(id); err != nil {
			return nil, err
		}
		ids[n] = strings.TrimSuffix(text.String(), "\n")
	}
	return ids, nil
}
