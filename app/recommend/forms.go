package recommend

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"

	"fubini/learn/modelstore"
)

// Form is a file format of recommendations. Many goroutines encode blocks of people; one writes the blocks in order.
type Form struct {
	Extension string
	Encode    func(to *Answered, r *Recommender, user string, rows []Row) error
	Open      func(w io.Writer) Sink
}

// Answered is the encoded recommendations of a block of people.
type Answered struct {
	Text  bytes.Buffer
	table []parquetAnswer
}

func (a *Answered) reset() {
	a.table = a.table[:0]
	a.Text.Reset()
}

// Sink writes encoded blocks to an open file.
type Sink interface {
	Put(a *Answered) error
	Close() error // ends the format; the file stays open
}

// textSink writes blocks of text between a header and a footer. In some forms rows begin with a separator, which the
// first row does without.
type textSink struct {
	w       io.Writer
	header  string // not yet written
	skip    int
	footer  string
	started bool
}

// TextForm returns the Open of a text format with a header and a footer. The first skip bytes of the first row are left out.
func TextForm(header string, skip int, footer string) func(w io.Writer) Sink {
	return func(w io.Writer) Sink { return &textSink{w: w, header: header, skip: skip, footer: footer} }
}

func (s *textSink) Put(a *Answered) error {
	text := a.Text.Bytes()
	if !s.started && len(text) > 0 {
		text, s.started = text[s.skip:], true
	}
	_, err := io.WriteString(s.w, s.header)
	if s.header = ""; err == nil {
		_, err = s.w.Write(text)
	}
	return err
}

func (s *textSink) Close() error {
	_, err := io.WriteString(s.w, s.header+s.footer)
	return err
}

// JSONForm is one JSON array with an object per recommendation, one a line.
func JSONForm(r *Recommender) Form {
	return Form{"json", encodeJSON(r.Saved, ",\n  {", "}"), TextForm("[", 1, "\n]\n")}
}

// JSONLForm is JSON lines: an object per recommendation.
func JSONLForm(r *Recommender) Form {
	return Form{"jsonl", encodeJSON(r.Saved, "{", "}\n"), TextForm("", 0, "")}
}

// encodeJSON writes an object for each row. Ids and names are encoded once.
func encodeJSON(saved *modelstore.Saved, open, end string) func(to *Answered, r *Recommender, user string, rows []Row) error {
	colon, comma := ":", ","
	if strings.HasPrefix(open, ",") { // an array, for people too
		colon, comma = ": ", ", "
	}
	key := func(name string) string { return comma + strconv.Quote(name) + colon }
	first, rank, score, interest := open+`"user"`+colon, key("rank"), key("score"), key("interest")
	tier, tiers, gaps, expected, interval := key("tier"), key("tier_probs"), key("gap_probs"), key("expected_rank"), key("rank_interval")
	items := make([]string, len(saved.ItemIDs))
	for i := range items {
		items[i] = key("item") + asJSON(saved.ItemIDs[i]) + key("name") + asJSON(saved.ItemNames[i])
	}
	return func(to *Answered, r *Recommender, user string, rows []Row) error {
		name := asJSON(user)
		b := to.Text.AvailableBuffer()
		for _, row := range rows {
			b = append(append(b, first...), name...)
			b = strconv.AppendInt(append(b, rank...), int64(row.Rank), 10)
			b = append(append(b, items[row.Item]...), score...)
			b = appendNumber(b, row.Score)
			if row.Interest != nil {
				b = appendNumber(append(b, interest...), *row.Interest)
			} else if r.HasInterest() {
				b = append(append(b, interest...), "null"...)
			}
			if o := row.Odds; o != nil && len(o.Tiers) > 0 {
				b = strconv.AppendInt(append(b, tier...), int64(o.Tier()+1), 10)
				b = appendNumbers(append(b, tiers...), o.Tiers)
				b = appendNumbers(append(b, gaps...), o.Gaps)
				b = appendNumber(append(b, expected...), o.Rank)
				b = appendNumbers(append(b, interval...), []float64{o.Low, o.High})
			} else if o != nil { // without tiers there is nothing to rank among
				b = append(append(append(b, tier...), "null"...), tiers...)
				b = appendNumbers(append(append(b, "[]"...), gaps...), o.Gaps)
				b = append(append(append(append(b, expected...), "null"...), interval...), "null"...)
			}
			b = append(b, end...)
		}
		to.Text.Write(b)
		return nil
	}
}

// asJSON is a text in JSON.
func asJSON(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // not of a text
	}
	return string(b)
}

// appendNumber writes a number as json.Marshal does.
func appendNumber(b []byte, v float64) []byte {
	if size := math.Abs(v); size == 0 || size >= 1e-6 && size < 1e21 {
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // scores and odds are finite
	}
	return append(b, text...)
}

func appendNumbers(b []byte, list []float64) []byte {
	b = append(b, '[')
	for k, v := range list {
		if k > 0 {
			b = append(b, ',')
		}
		b = appendNumber(b, v)
	}
	return append(b, ']')
}
