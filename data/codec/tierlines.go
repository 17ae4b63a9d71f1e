package codec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"fubini/data/ratings"
	"fubini/data/text"
	"fubini/data/tierlist"
)

// TierLists is the format of tier lists of many people, one a line, each in a form of package tierlist, with its user and
// perhaps a time:
//
//	{"user":"ann","tiers":[["a","b"],["c"]]}
//	{"user":"bob","tiers":{"S":["a"],"B":["b","c"]},"unranked":["d"]}
//
// Ratings, one a line as in [JSONL], may stand among them. The user of a list without one is its line.
var TierLists = Codec{
	Name:       "tierlists",
	Extensions: []string{".tiers"},
	Shared:     []string{".jsonl", ".ndjson", ".json"},
	Detect:     detectTierLists,
	Open:       openJSONLines,
	ByUser:     true,
	Write:      writeTierLists,
}

// detectTierLists looks at the first line. Of one that is longer than the head the user must come first.
func detectTierLists(head []byte) bool {
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	first := bytes.TrimSpace(text.FirstLine(head))
	if isTierLine(first) {
		_, more, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
		var found map[string]json.RawMessage
		if json.Unmarshal(first, &found) == nil {
			for key := range found {
				if role, _ := (naming{}).roleOf(key); role == roleUser {
					return true
				}
			}
		}
		return len(bytes.TrimSpace(more)) > 0 && json.Valid(first) // alone it is one person's
	}
	if bytes.IndexByte(head, '\n') >= 0 {
		return false
	}
	decoder := json.NewDecoder(bytes.NewReader(head))
	for _, want := range []json.Token{json.Delim('{'), "user", nil, "tiers", json.Delim('[')} {
		if token, err := decoder.Token(); err != nil || want != nil && token != want {
			return false
		}
	}
	return true
}

// isTierLine reports whether a line is a tier list and not a rating.
func isTierLine(line []byte) bool {
	if len(line) == 0 || line[0] == '[' {
		return len(line) > 0 && bytes.HasPrefix(bytes.TrimLeft(line[1:], " \t"), []byte("["))
	}
	if !bytes.Contains(line, []byte(`"tiers"`)) {
		return false
	}
	var found map[string]json.RawMessage
	return json.Unmarshal(line, &found) == nil && found["tiers"] != nil
}

// tierList are the records of a line with a tier list; one without an item where it places none.
func (j *jsonRatings) tierList(line []byte) ([]Record, error) {
	of, err := j.listFields(line)
	if err != nil {
		return nil, err
	}
	list, err := tierlist.Parse(bytes.NewReader(line), fmt.Sprintf("%s:%d", j.Name, j.Number))
	if err != nil {
		return nil, &text.BadLine{Name: j.Name, Line: j.Number, Err: err}
	}
	records := places(list, j.counts)
	if len(records) == 0 {
		records = []Record{{Tiers: []string{""}}}
	}
	for k := range records {
		r := &records[k]
		r.User, r.When, r.Open, r.Line = of.User, of.When, of.Open, j.Number
	}
	records[0].Begins = true
	return records, nil
}

// listFields are the user and the time of a tier list.
func (j *jsonRatings) listFields(line []byte) (of Record, err error) {
	var found map[string]json.RawMessage
	if line[0] == '{' {
		if err := json.Unmarshal(line, &found); err != nil {
			return of, j.Errorf("%s is no JSON: %w", text.Quote(line), err)
		}
	}
	var fields jsonRecord
	for key, value := range found {
		role := j.record.role([]byte(key))
		if role[0] != roleUser && role[0] != roleTime {
			continue
		}
		if err := fields.put(role, value); err != nil || role[0] == roleUser && (len(fields.fields[roleUser].value) == 0) {
			return of, j.Errorf("%s has the %s %s; an id is text or a number", text.Quote(line), key, text.Quote(string(value)))
		}
	}
	if of.User = fields.fields[roleUser].value; len(of.User) == 0 {
		of.User = append([]byte("line "), strconv.Itoa(j.Number)...)
	}
	j.counts.time(&of, fields.fields[roleTime].value, j.Number)
	return of, nil
}

// writeTierLists writes a line for each user, with the items that they have not placed. Where tiers have common names, every line has all of them; tiers of each user's
// own have none; and else the names are the values, so that these are read again as they are.
func writeTierLists(w io.Writer, s *ratings.Set, _ Options) error {
	if err := checkUTF8(s); err != nil {
		return err
	}
	for _, user := range everybody(s) {
		list := tierlist.Line{User: user, Tiers: []string{}, Unranked: s.Unplaced(user)}
		if u, known := s.Users().Find(user); known {
			list.Tiers = tiersWritten(s, int(u))
		}
		line, err := list.Encode()
		if err != nil {
			return err
		}
		if len(line) > text.MaxLine {
			return fmt.Errorf("format: the tier list of user %s has %d bytes; at most %d can be read back in a line: write csv or jsonl", text.Quote(user), len(line), text.MaxLine)
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// tiersWritten are the tiers of a user as they are written.
func tiersWritten(s *ratings.Set, u int) any {
	list := listOf(s, u, func(value float32, _, _ int) string { return string(text.AppendRating(nil, value)) })
	switch names := s.LevelNames(); {
	case s.Own():
		tiers := make([][]string, len(list.Tiers))
		for k, tier := range list.Tiers {
			tiers[k] = tier.Items
		}
		return tiers
	case names != nil:
		all := make([]tierlist.Tier, len(names))
		for k, name := range names {
			all[len(names)-1-k] = tierlist.Tier{Name: name, Items: []string{}}
		}
		for _, tier := range list.Tiers {
			level, _ := strconv.Atoi(tier.Name)
			all[len(names)-level].Items = tier.Items
		}
		return all
	}
	return list.Tiers
}
