package format

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
)

// TREC's two files, as trec_eval and its kin read them: a user is a query, an
// item a document. Fields stand between white space.

// qrelsCodec is what is relevant: qid 0 docid rel. The second field is not used.
var qrelsCodec = codec{
	name:       "qrels",
	extensions: []string{".qrels"},
	detect:     func(head []byte) bool { return detectTREC(head, 4, "0", 3) },
	read: func(in *input, b *ratings.Builder, _ Options) error {
		return readTREC(in, b, "query, 0, document and relevance", 4, 3, -1)
	},
	write: writeQrels,
}

// runCodec is what a system found: qid Q0 docid rank score tag. As for trec_eval,
// the score makes the order, and the rank is only looked at.
var runCodec = codec{
	name:       "run",
	extensions: []string{".run", ".trec"},
	detect:     func(head []byte) bool { return detectTREC(head, 6, "Q0", 4) },
	read: func(in *input, b *ratings.Builder, _ Options) error {
		return readTREC(in, b, "query, Q0, document, rank, score and tag", 6, 4, 3)
	},
	write: writeRun,
}

// detectTREC looks at all whole lines.
func detectTREC(head []byte, fields int, second string, value int) bool {
	head = bytes.TrimPrefix(head, byteOrderMark)
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
		if _, ok := parseRating(parts[value]); !ok {
			return false
		}
		found = true
	}
	return found
}

func readTREC(in *input, b *ratings.Builder, names string, fields, value, rank int) error {
	lines := newLines(in.name, in.r)
	defer func() {
		in.counts.Latin1 += lines.latin1
		lines.close()
	}()
	for {
		line, err := lines.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		parts := bytes.Fields(line)
		if len(parts) == 0 {
			continue
		}
		in.counts.Lines++
		if len(parts) != fields {
			return lines.errorf("%d fields in %s; there should be %d: %s", len(parts), quote(line), fields, names)
		}
		if rank >= 0 {
			if _, err := strconv.ParseUint(string(parts[rank]), 10, 32); err != nil {
				return lines.errorf("rank %s is not a whole number", quote(parts[rank]))
			}
		}
		v, ok := parseRating(parts[value])
		if !ok {
			return lines.errorf("%s is not a number", quote(parts[value]))
		}
		if err := b.Add(parts[0], parts[2], v, ratings.NoTime); err != nil {
			return lines.errorf("%w", err)
		}
	}
}

// checkToken refuses ids that would not be read back as one field.
func checkToken(what, id string) error {
	apart := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	if id == "" || strings.ContainsFunc(id, apart) || strings.HasPrefix(id, string(byteOrderMark)) || !utf8.ValidString(id) {
		return fmt.Errorf("format: %s %q cannot stand in a TREC file, whose fields hold no spaces; convert to CSV or rename it", what, id)
	}
	return nil
}

func checkTokens(s *ratings.Set) error {
	for _, v := range []struct {
		what string
		*ratings.Vocabulary
	}{{"user", s.Users()}, {"item", s.Items()}} {
		for n := range v.Len() {
			if err := checkToken(v.what, v.ID(uint32(n))); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeQrels wants whole numbers: trec_eval cuts off the rest of others.
func writeQrels(w io.Writer, s *ratings.Set, _ Options) error {
	if err := checkTokens(s); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	var line []byte
	for u := range s.Users().Len() {
		row := s.Row(u)
		for k, item := range row.Items {
			v := row.Values[k]
			if float64(v) != math.Trunc(float64(v)) || math.Abs(float64(v)) > 1<<24 {
				return fmt.Errorf("format: user %q rates item %q %g; relevance in qrels is a whole number: make levels of the ratings first", s.Users().ID(uint32(u)), s.Items().ID(item), v)
			}
			line = append(append(line[:0], s.Users().ID(uint32(u))...), " 0 "...)
			line = append(append(line, s.Items().ID(item)...), ' ')
			line = strconv.AppendInt(line, int64(v), 10)
			if _, err := out.Write(append(line, '\n')); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// writeRun ranks every user's items by value, ties in the order of their ids.
// Readers sort by score, and break ties each in its own way: so a score that is
// not below the one before is lowered to the next float32 that is.
func writeRun(w io.Writer, s *ratings.Set, o Options) error {
	if err := checkTokens(s); err != nil {
		return err
	}
	tag := cmp.Or(o.Tag, "fubini")
	if err := checkToken("tag", tag); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	var order []int
	var line []byte
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
				return fmt.Errorf("format: user %q: no score is left below %g for item %q", s.Users().ID(uint32(u)), before, s.Items().ID(row.Items[k]))
			}
			before = score
			line = append(append(line[:0], s.Users().ID(uint32(u))...), " Q0 "...)
			line = append(append(line, s.Items().ID(row.Items[k])...), ' ')
			line = append(strconv.AppendInt(line, int64(place+1), 10), ' ')
			line = append(append(appendRating(line, score), ' '), tag...)
			if _, err := out.Write(append(line, '\n')); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}
