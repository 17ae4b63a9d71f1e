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

// writeTable writes a line for each rating, user by user, with ids in quotes where they must be.
func writeTable(w io.Writer, s *ratings.Set, separator byte, untimed, timed string) error {
	return writeColumns(w, s, separator, untimed, timed, func(kind, id string) (string, error) { return quotedField(kind, id, separator) })
}

// writeColumns writes a line for each rating, user by user, below the header for ratings without times or with.
func writeColumns(w io.Writer, s *ratings.Set, separator byte, untimed, timed string, field func(kind, id string) (string, error)) error {
	users, items, err := writtenIDs(s, field)
	if err != nil {
		return err
	}
	header, times := untimed, s.HasTimes()
	if times {
		header = timed
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

// writtenIDs are the ids of users and items as write puts them into a file. All are looked at before anything is written.
func writtenIDs(s *ratings.Set, write func(kind, id string) (string, error)) (users, items []string, err error) {
	for _, v := range []struct {
		kind string
		from *ratings.Vocabulary
		to   *[]string
	}{{"user", s.Users(), &users}, {"item", s.Items(), &items}} {
		for n := range v.from.Len() {
			id, err := write(v.kind, v.from.ID(uint32(n)))
			if err != nil {
				return nil, nil, err
			}
			*v.to = append(*v.to, id)
		}
	}
	return users, items, nil
}

// quotedField is an id as it stands in a table, in quotes where it must. Ids that no text file carries, and that
// reading would change, are refused.
func quotedField(kind, id string, separator byte) (string, error) {
	switch {
	case id == "":
		return "", fmt.Errorf("format: a %s without an id", kind)
	case len(id) > text.MaxLine/8: // quoted twice over, two still fit into a line
		return "", fmt.Errorf("format: the id of %s %s has %d bytes; at most %d can be read back", kind, text.Quote(id), len(id), text.MaxLine/8)
	case strings.IndexByte(id, 0) >= 0:
		return "", fmt.Errorf("format: the id of %s %s has a NUL byte, which a text file cannot hold; write JSONL", kind, text.Quote(id))
	case !utf8.ValidString(id):
		return "", fmt.Errorf("format: the id of %s %s is not UTF-8", kind, text.Quote(id))
	case separator == '\t' && strings.ContainsAny(id, "\t\n\r"):
		return "", fmt.Errorf("format: %s %s has a tab or a line break, which a TSV file cannot hold; write CSV or JSONL", kind, text.Quote(id))
	case strings.IndexByte(id, separator) >= 0 || strings.ContainsAny(id, "\n\r") || id[0] == '"' || id[0] == ' ' || id[len(id)-1] == ' ' || strings.HasPrefix(id, "\ufeff"):
		return `"` + strings.ReplaceAll(id, `"`, `""`) + `"`, nil
	}
	return id, nil
}
