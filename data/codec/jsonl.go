package codec

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
	"fubini/data/text"
)

// JSONL is the format with one JSON value a line: an object with the keys that tables have as column names, or an array of
// user, item, rating and optionally time. Ids are strings, or numbers in their notation.
var JSONL = Codec{
	Name:       "jsonl",
	Extensions: []string{".jsonl", ".ndjson"},
	Detect: func(head []byte) bool {
		first := bytes.TrimSpace(text.FirstLine(head))
		var r jsonRecord
		return json.Valid(first) && r.parse(first) == nil && r.detected(first)
	},
	Open:   openJSONLines,
	ByUser: true,
	Write:  writeJSONL,
}

// jsonRecord is what was found in a line.
type jsonRecord struct {
	fields [roles]jsonField
	roles  map[string][2]int // of keys: role and rank
	naming naming
}

type jsonField struct {
	value []byte // a string without its quotes, or a number
	text  bool   // it was a string
	rank  int    // of the key it came from
	found bool
}

func (r *jsonRecord) detected(line []byte) bool {
	_, err := r.complete(line)
	return err == nil
}

// complete finds out whether a line says who rated what; alone, that it is of one person who is not named.
func (r *jsonRecord) complete(line []byte) (alone bool, err error) {
	f := &r.fields
	whole := (f[roleItem].found || f[roleTitle].found) && (f[roleRating].found || f[roleTier].found)
	if whole && f[roleUser].found {
		return false, nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(line, &object); err != nil {
		return false, err
	}
	var names [][]byte
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if string(object[key]) != "null" {
			names = append(names, []byte(key))
		}
	}
	_, err = r.naming.columnsNamed(names)
	if err == nil && !whole {
		err = lacking(names, []int{roleItem, roleRating})
	}
	return err == nil, err
}

// parse reads a line without copying it when it is a flat object of plain
// strings and numbers; others go through encoding/json.
func (r *jsonRecord) parse(line []byte) error {
	r.fields = [roles]jsonField{}
	if r.parsePlain(line) {
		return nil
	}
	r.fields = [roles]jsonField{}
	if bytes.HasPrefix(line, []byte("[")) {
		return r.parseArray(line)
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(line, &object); err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if err := r.put(r.role([]byte(key)), object[key]); err != nil {
			return fmt.Errorf("%s: %w", text.Quote(key), err)
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
		return fmt.Errorf("%s is neither a string nor a number", text.Quote(value))
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

// parsePlain reads a flat object of plain strings and numbers; it returns false for anything else.
func (r *jsonRecord) parsePlain(line []byte) bool {
	p := text.JSON{Rest: line}
	if !p.Take('{') {
		return false
	}
	for {
		key, ok := p.PlainString()
		if !ok || !p.Take(':') {
			return false
		}
		role := r.role(key)
		value, quoted := p.PlainString()
		if !quoted {
			if value, ok = p.Number(); !ok {
				return false
			}
		}
		if role[0] != noRole && r.set(role, value, quoted) != nil {
			return false
		}
		if !p.Take(',') {
			return p.Take('}') && p.AtEnd()
		}
	}
}

// role is that of a key, without a copy for keys seen before.
func (r *jsonRecord) role(key []byte) [2]int {
	if role, known := r.roles[string(key)]; known {
		return role
	}
	name, rank := r.naming.roleOf(string(key))
	role := [2]int{name, rank}
	const most = 1000 // a file may have any number of keys
	if len(r.roles) < most {
		if r.roles == nil {
			r.roles = map[string][2]int{}
		}
		r.roles[string(key)] = role
	}
	return role
}

// jsonRatings is the source.
type jsonRatings struct {
	*text.Lines
	record jsonRecord
	bare   bool
	counts *Report
	grades grades
	left   []Record // of the tier list at hand
	alone  int      // the first line without a user, of one person's ratings; 0 for none
	named  int      // the first line with one
}

func openJSONLines(in *Input, o Options) (Source, error) {
	return &jsonRatings{Lines: in.Lines(), bare: in.Bare, counts: in.Counts, record: jsonRecord{naming: o.naming()}}, nil
}

// Next gives a rating, or one place of a tier list after another.
func (j *jsonRatings) Next(r *Record) error {
	for {
		if len(j.left) > 0 {
			*r, j.left = j.left[0], j.left[1:]
			return nil
		}
		line, err := j.NextFilled()
		switch {
		case err != nil:
			return err
		case isTierLine(line):
			j.left, err = j.tierList(line)
		default:
			return j.rating(line, r)
		}
		if err != nil {
			return err
		}
	}
}

// rating makes a record of a line.
func (j *jsonRatings) rating(line []byte, r *Record) error {
	const right = `write it like {"user":"7","item":"42","rating":4}`
	if err := j.record.parse(line); err != nil {
		return j.Errorf("%s is not a rating (%w); %s", text.Quote(line), err, right)
	}
	fields := &j.record.fields
	if !fields[roleUser].found || !fields[roleItem].found || !fields[roleRating].found {
		if err := j.incomplete(line); err != nil {
			return j.Errorf("%s: %w; %s", text.Quote(line), err, right)
		}
	} else if j.named == 0 {
		j.named = j.Number
	}
	if j.alone > 0 && j.named > 0 {
		return j.Errorf("%s: line %d has a user and line %d has none; %s", text.Quote(line), j.named, j.alone, right)
	}
	*r = Record{User: fields[roleUser].value, Item: fields[roleItem].value, When: ratings.NoTime, Line: j.Number}
	if len(r.User) == 0 || len(r.Item) == 0 {
		return j.Errorf("%s lacks the user or the item; %s", text.Quote(line), right)
	}
	if tier := fields[roleTier]; tier.found && !fields[roleRating].found {
		if err := j.grades.tier(j.ErrorAt, j.Number, j.record.word(), tier.value, r); err != nil {
			return err
		}
	} else if err := j.grades.rating(j.ErrorAt, j.Number, fields[roleRating].value, r); err != nil {
		return err
	}
	if f := fields[roleTitle]; f.text && !j.bare {
		r.Title = f.value
	}
	j.counts.time(r, fields[roleTime].value, j.Number)
	return nil
}

// incomplete fills in what a line may lack: the user of one person's ratings, and the item that has a title.
func (j *jsonRatings) incomplete(line []byte) error {
	alone, err := j.record.complete(line)
	if err != nil {
		return err
	}
	fields := &j.record.fields
	if !fields[roleItem].found {
		fields[roleItem], fields[roleTitle] = fields[roleTitle], jsonField{}
	}
	if alone {
		fields[roleUser] = jsonField{value: me, found: true}
		if j.alone == 0 {
			j.alone = j.Number
		}
	} else if j.named == 0 {
		j.named = j.Number
	}
	return nil
}

// word is that for the numbers of tiers: tier, or rank.
func (r *jsonRecord) word() string {
	for key, role := range r.roles {
		if role[0] == roleTier && role[1] == r.fields[roleTier].rank {
			return tierWord([]byte(key))
		}
	}
	return "tier"
}

// writeJSONL writes an object a line, with a time where ratings have them.
func writeJSONL(w io.Writer, s *ratings.Set, _ Options) error {
	users, items, err := writtenIDs(s, quotedJSON)
	if err != nil {
		return err
	}
	return writeRatings(w, s, "", func(b []byte, user, item uint32, value float32, when int64) []byte {
		b = append(b, `{"user":`...)
		b = append(b, users[user]...)
		b = append(b, `,"item":`...)
		b = append(b, items[item]...)
		b = append(b, `,"rating":`...)
		b = text.AppendRating(b, value)
		if when != ratings.NoTime {
			b = append(b, `,"timestamp":`...)
			b = strconv.AppendInt(b, when, 10)
		}
		return append(b, "}\n"...)
	})
}

// quotedJSON is an id as a JSON string.
func quotedJSON(kind, id string) (string, error) {
	if !utf8.ValidString(id) {
		return "", fmt.Errorf("format: the id of %s %s is not UTF-8", kind, text.Quote(id))
	}
	if len(id) > text.MaxLine/16 { // six bytes for one, at worst, and two ids a line
		return "", fmt.Errorf("format: the id of %s %s has %d bytes; at most %d can be read back", kind, text.Quote(id), len(id), text.MaxLine/16)
	}
	var quoted strings.Builder
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	err := e.Encode(id)
	return strings.TrimSuffix(quoted.String(), "\n"), err
}
