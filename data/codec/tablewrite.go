package codec

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"fubini/data/ratings"
	"fubini/data/text"
)

// writeBuffer is how much text is gathered before it is written.
const writeBuffer = 1 << 16

// writeTable writes a line for each rating, user by user. Without a header times
// are left out: user, item and level is what scripts expect of a split.
func writeTable(w io.Writer, s *ratings.Set, separator byte, untimed, timed string) error {
	users, err := writableIDs(s.Users(), "user", separator)
	if err != nil {
		return err
	}
	items, err := writableIDs(s.Items(), "item", separator)
	if err != nil {
		return err
	}
	header, times := untimed, false
	if timed != "" && s.HasTimes() {
		header, times = timed, true
	}
	return writeRatings(w, s, header, func(b []byte, user, item uint32, value float32, when int64) []byte {
		b = append(b, users[user]...)
		b = append(b, separator)
		b = append(b, items[item]...)
		b = append(b, separator)
		b = text.AppendRating(b, value)
		if times {
			b = append(b, separator)
			if when != ratings.NoTime {
				b = strconv.AppendInt(b, when, 10)
			}
		}
		return append(b, '\n')
	})
}

// writeRatings writes what line appends for each rating.
func writeRatings(w io.Writer, s *ratings.Set, header string, line func(b []byte, user, item uint32, value float32, when int64) []byte) error {
	buffer := append(make([]byte, 0, writeBuffer+1024), header...)
	for u := range s.Users().Len() {
		row := s.Row(u)
		for k, item := range row.Items {
			when := int64(ratings.NoTime)
			if row.Times != nil {
				when = row.Times[k]
			}
			buffer = line(buffer, uint32(u), item, row.Values[k], when)
			if len(buffer) >= writeBuffer {
				if _, err := w.Write(buffer); err != nil {
					return err
				}
				buffer = buffer[:0]
			}
		}
	}
	_, err := w.Write(buffer)
	return err
}

// writableIDs are the ids of a vocabulary as they stand in a table, in quotes
// where they must. All are looked at before anything is written.
func writableIDs(v *ratings.Vocabulary, kind string, separator byte) ([]string, error) {
	ids := make([]string, v.Len())
	for n := range ids {
		id := v.ID(uint32(n))
		if err := checkID(id, kind); err != nil {
			return nil, err
		}
		if separator == '\t' && strings.ContainsAny(id, "\t\n\r") {
			return nil, fmt.Errorf("format: %s %s has a tab or a line break, which a TSV file cannot hold; write CSV or JSONL", kind, text.Quote(id))
		}
		ids[n] = id
		if strings.IndexByte(id, separator) >= 0 || strings.ContainsAny(id, "\n\r") || id[0] == '"' || id[0] == ' ' || id[len(id)-1] == ' ' || strings.HasPrefix(id, "\ufeff") {
			ids[n] = `"` + strings.ReplaceAll(id, `"`, `""`) + `"`
		}
	}
	return ids, nil
}

// checkID refuses ids that no text file carries and that reading would change.
func checkID(id, kind string) error {
	switch {
	case id == "":
		return fmt.Errorf("format: a %s without an id", kind)
	case len(id) > text.MaxLine/8: // quoted twice over, two still fit into a line
		return fmt.Errorf("format: the id of %s %s has %d bytes; at most %d can be read back", kind, text.Quote(id), len(id), text.MaxLine/8)
	case strings.IndexByte(id, 0) >= 0:
		return fmt.Errorf("format: the id of %s %s has a NUL byte, which a text file cannot hold; write JSONL", kind, text.Quote(id))
	case !utf8.ValidString(id):
		return fmt.Errorf("format: the id of %s %s is not UTF-8", kind, text.Quote(id))
	}
	return nil
}
