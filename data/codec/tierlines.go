package codec

import (
	"bytes"
	"encoding/json"
	"fmt"

	"fubini/data/ratings"
	"fubini/data/text"
)

// TierLines has tier lists, one a line: those of [ParseTiers] with a user.
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
