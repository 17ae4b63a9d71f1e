package codec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"fubini/data/ratings"
	"fubini/data/text"
)

// TierList is the format of one person's tier list in JSON. The last tier that is not empty has the rating 1, each tier
// above it one more.
var TierList = Codec{
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
// Where it is read, a tier may also be a list of ids, and the whole a list of tiers.
type Tiers struct {
	Tiers    []Tier   `json:"tiers"`
	Unranked []string `json:"unranked,omitempty"`
}

// Tier is a tier with its name and the ids of its items.
type Tier struct {
	Name  string   `json:"name"`
	Items []string `json:"items"`
}

// detectTiers looks for a list of lists, or an object that begins with tiers.
func detectTiers(head []byte) bool {
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	decoder := json.NewDecoder(bytes.NewReader(head))
	first, err := decoder.Token()
	if err == nil && first == json.Delim('[') {
		second, err := decoder.Token()
		_, begins := second.(json.Delim)
		return err == nil && begins
	}
	for err == nil && first == json.Delim('{') && decoder.More() {
		var key json.Token
		if key, err = decoder.Token(); key == "tiers" {
			next, err := decoder.Token()
			return err == nil && next == json.Delim('[')
		} else if err == nil {
			err = decoder.Decode(new(json.RawMessage))
		}
	}
	return false
}

func readTiers(in *Input, b *ratings.Builder, _ Options) error {
	t, err := ParseTiers(in.R, in.Name)
	if err != nil {
		return err
	}
	user := []byte(Me)
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

// TiersOf returns the tier list of a user of a set: a tier for each value, the largest first, with items in the order
// of their ids.
func TiersOf(s *ratings.Set, user int) *Tiers {
	row := s.Row(user)
	t := &Tiers{Tiers: []Tier{}}
	order, err := ratings.Order(row)
	if err != nil { // there are no ratings
		return t
	}
	for k, places := range order.Blocks() {
		tier := Tier{Name: strconv.Itoa(k + 1)}
		if order.Len() <= len(tierNames) {
			tier.Name = tierNames[k]
		}
		for _, place := range places {
			tier.Items = append(tier.Items, s.Items().ID(row.Items[place]))
		}
		t.Tiers = append(t.Tiers, tier)
	}
	return t
}

func writeTiers(w io.Writer, s *ratings.Set, _ Options) error {
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

// TierLines is the format of tier lists, one a line, with the user of each:
//
//	{"user":"ann","tiers":[["a","b"],["c"]]}
var TierLines = Codec{
	Name:   "tiers, one a line",
	Detect: detectTierLines,
	Open: func(in *Input, _ Options) (Source, error) {
		return &tierLines{Lines: in.Lines()}, nil
	},
	ByUser: true,
}

// detectTierLines looks at the first line. Of one that is longer than the head the
// user must come first.
func detectTierLines(head []byte) bool {
	if _, ok := userOf(text.FirstLine(head)); ok {
		return true
	}
	if bytes.IndexByte(head, '\n') >= 0 {
		return false
	}
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(head, text.ByteOrderMark)))
	for _, want := range []json.Token{json.Delim('{'), "user", nil, "tiers", json.Delim('[')} {
		if token, err := decoder.Token(); err != nil || want != nil && token != want {
			return false
		}
	}
	return true
}

// userOf is the user of a line that is an object with a user and tiers.
func userOf(line []byte) (user json.RawMessage, ok bool) {
	var found struct{ User, Tiers json.RawMessage }
	err := json.Unmarshal(line, &found)
	return found.User, err == nil && found.User != nil && bytes.HasPrefix(found.Tiers, []byte("["))
}

type tierLines struct {
	*text.Lines
	left []Record // of the list at hand
}

// Next gives one placed item after another, and a record without an item for a list that places none.
func (t *tierLines) Next(r *Record) error {
	if len(t.left) == 0 {
		if err := t.list(); err != nil {
			return err
		}
	}
	*r, t.left = t.left[0], t.left[1:]
	return nil
}

func (t *tierLines) list() error {
	line, err := t.NextFilled()
	if err != nil {
		return err
	}
	user, ok := userOf(line)
	if !ok {
		return t.Errorf(`%s is no tier list of a user; write it like {"user":"ann","tiers":[["a","b"],["c"]]}`, text.Quote(line))
	}
	var name string
	if err := json.Unmarshal(user, &name); err != nil {
		name = string(user) // a number, as it is written
	}
	if name == "" || name[0] == '{' || name[0] == '[' || name == "null" && user[0] != '"' {
		return t.Errorf("%s has the user %s; an id is text or a number", text.Quote(line), text.Quote(string(user)))
	}
	tiers, err := ParseTiers(bytes.NewReader(line), fmt.Sprintf("%s:%d", t.Name, t.Number))
	if err != nil {
		return &text.BadLine{Name: t.Name, Line: t.Number, Err: err}
	}
	record := Record{User: []byte(name), When: ratings.NoTime, Line: t.Number, Begins: true}
	for k, tier := range tiers.Tiers {
		for _, id := range tier.Items {
			record.Item, record.Value = []byte(id), float32(len(tiers.Tiers)-k)
			t.left = append(t.left, record)
			record.Begins = false
		}
	}
	if len(t.left) == 0 {
		t.left = append(t.left, record)
	}
	return nil
}
