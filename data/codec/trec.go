package codec

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fubini/data/ratings"
	"fubini/data/text"
)

// TREC's two files, as trec_eval and its kin read them: a user is a query, an
// item a document. Fields stand between white space.

// Qrels is the format of relevance judgements: qid 0 docid rel. The second field is not used.
var Qrels = Codec{
	Name:       "qrels",
	Extensions: []string{".qrels"},
	Detect:     func(head []byte) bool { return detectTREC(head, 4, "0", 3) },
	Open: func(in *Input, _ Options) (Source, error) {
		return &trec{in.Lines(), "query, 0, document and relevance", 4, 3, -1}, nil
	},
	Write: writeQrels,
}

// Run is the format of a system's rankings: qid Q0 docid rank score tag. The rating is the score, as in trec_eval; the
// rank must be a number and is not used.
var Run = Codec{
	Name:       "run",
	Extensions: []string{".run", ".trec"},
	Detect:     func(head []byte) bool { return detectTREC(head, 6, "Q0", 4) },
	Open: func(in *Input, _ Options) (Source, error) {
		return &trec{in.Lines(), "query, Q0, document, rank, score and tag", 6, 4, 3}, nil
	},
	Write: writeRun,
}

// detectTREC looks at all whole lines.
func detectTREC(head []byte, fields int, second string, value int) bool {
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	if end := bytes.LastIndexByte(head, '\n'); end >= 0 {
		head = head[:end]
	}
	found := false
	for line := range bytes.Lines(head) {
		parts := bytes.Fields(line)
		if len(parts) == 0 {
			continue
		}
		if len(parts) != fields || string(parts[1]) != second {
			return false
		}
		if _, ok := text.ParseRating(parts[value]); !ok {
			return false
		}
		found = true
	}
	return found
}

type trec struct {
	*text.Lines
	names               string // of the fields
	fields, value, rank int    // their number, and where two of them stand; -1 for none
}

// Next reads a line.
func (t *trec) Next(r *Record) error {
	line, err := t.NextFilled()
	if err != nil {
		return err
	}
	parts := bytes.Fields(line)
	if len(parts) != t.fields {
		return t.Errorf("%d fields in %s; there should be %d: %s", len(parts), text.Quote(line), t.fields, t.names)
	}
	if t.rank >= 0 {
		if _, err := strconv.ParseUint(string(parts[t.rank]), 10, 32); err != nil {
			return t.Errorf("rank %s is not a whole number", text.Quote(parts[t.rank]))
		}
	}
	value, ok := text.ParseRating(parts[t.value])
	if !ok {
		return t.Errorf("%s is not a number", text.Quote(parts[t.value]))
	}
	*r = Record{User: parts[0], Item: parts[2], Value: value, When: ratings.NoTime, Line: t.Number}
	return nil
}

// tokenTREC refuses ids that would not be read back as one field.
func tokenTREC(kind, id string) (string, error) {
	apart := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	if id == "" || strings.ContainsFunc(id, apart) || strings.HasPrefix(id, string(text.ByteOrderMark)) || !utf8.ValidString(id) {
		return "", fmt.Errorf("format: %s %q cannot stand in a TREC file, whose fields hold no spaces; convert to CSV or rename it", kind, id)
	}
	return id, nil
}

// writeQrels wants whole numbers: trec_eval cuts off the rest of others.
func writeQrels(w io.Writer, s *ratings.Set, _ Options) error {
	users, items, err := writtenIDs(s, tokenTREC)
	if err != nil {
		return err
	}
	for u := range s.Users().Len() {
		row := s.Row(u)
		for k, v := range row.Values {
			if float64(v) != math.Trunc(float64(v)) || math.Abs(float64(v)) > 1<<24 {
				return fmt.Errorf("format: user %q rates item %q %g; relevance in qrels is a whole number: make levels of the ratings first", users[u], items[row.Items[k]], v)
			}
		}
	}
	return writeRatings(w, s, "", func(b []byte, user, item uint32, value float32, _ int64) []byte {
		return fmt.Appendf(b, "%s 0 %s %d\n", users[user], items[item], int64(value))
	})
}

// writeRun ranks every user's items by value, ties in the order of their ids.
// Readers sort by score, and break ties each in its own way: so a score that is
// not below the one before is lowered to the next float32 that is.
func writeRun(w io.Writer, s *ratings.Set, _ Options) error {
	users, items, err := writtenIDs(s, tokenTREC)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	var order []int
	for u := range s.Users().Len() {
		row := s.Row(u)
		order = order[:0]
		for k := range row.Items {
			order = append(order, k)
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(row.Values[b], row.Values[a]) })
		before := float32(math.Inf(1))
		for place, k := range order {
			score := min(row.Values[k], math.Nextafter32(before, float32(math.Inf(-1)))) + 0 // no negative zero
			if math.IsInf(float64(score), 0) {
				return fmt.Errorf("format: user %q: no score is left below %g for item %q", users[u], before, items[row.Items[k]])
			}
			before = score
			fmt.Fprintf(out, "%s Q0 %s %d %s fubini\n", users[u], items[row.Items[k]], place+1, text.AppendRating(nil, score))
		}
	}
	return out.Flush()
}
