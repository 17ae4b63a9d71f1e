package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"fubini/learn/zoo"
)

// form is how the answers of a batch are written. Encoding goes on in many
// goroutines, block by block; what is encoded is written by one, in order.
type form struct {
	extension string
	encode    func(to *answered, r *recommender, user string, rows []recommendation) error
	open      func(w io.Writer) sink
}

// answered is what became of a block.
type answered struct {
	rows  int
	text  bytes.Buffer
	table []parquetAnswer
}

func (a *answered) reset() {
	a.rows, a.table = 0, a.table[:0]
	a.text.Reset()
}

// sink is an open file of answers.
type sink interface {
	put(a *answered) error
	close() error // of the form; the file stays open
}

// textSink writes blocks of text between a header and a footer. Rows of some forms
// begin with what stands between them, which the first one does without.
type textSink struct {
	w       io.Writer
	header  string // not yet written
	skip    int
	footer  string
	started bool
}

func textForm(header string, skip int, footer string) func(w io.Writer) sink {
	return func(w io.Writer) sink { return &textSink{w: w, header: header, skip: skip, footer: footer} }
}

func (s *textSink) put(a *answered) error {
	text := a.text.Bytes()
	if !s.started && len(text) > 0 {
		text, s.started = text[s.skip:], true
	}
	_, err := io.WriteString(s.w, s.header)
	if s.header = ""; err == nil {
		_, err = s.w.Write(text)
	}
	return err
}

func (s *textSink) close() error {
	_, err := io.WriteString(s.w, s.header+s.footer)
	return err
}

// formOf is the form of a name for the answers of a recommender.
func (p *program) formOf(name string, r *recommender) form {
	switch name {
	case "json":
		return form{"json", encodeJSON(r.saved, ",\n  {", "}"), textForm("[", 1, "\n]\n")}
	case "jsonl":
		return form{"jsonl", encodeJSON(r.saved, "{", "}\n"), textForm("", 0, "")}
	case "csv":
		header := "user,rank,item,name,score"
		if r.odds {
			header += ",tier,tier_probs,gap_probs,expected_rank,rank_interval"
		}
		return form{"csv", encodeCSV, textForm(header+"\n", 0, "")}
	case "trec":
		return form{"trec", encodeTREC, textForm("", 0, "")}
	case "parquet":
		return form{"parquet", encodeParquet, openParquet(r.odds)}
	}
	return form{"txt", p.encodeTable, textForm("", 1, "")}
}

// encodeTable writes a table for each user, with a blank line between.
func (p *program) encodeTable(to *answered, r *recommender, user string, rows []recommendation) error {
	if len(rows) == 0 {
		return nil
	}
	var records [][]field
	for _, row := range rows {
		records = append(records, append([]field{{"user", user}}, r.fields(row)...))
	}
	to.text.WriteByte('\n')
	w := bufio.NewWriter(&to.text)
	if err := p.writeRecords(w, records); err != nil {
		return err
	}
	return w.Flush()
}

func encodeCSV(to *answered, r *recommender, user string, rows []recommendation) error {
	w := csv.NewWriter(&to.text)
	line := make([]string, 0, 8)
	for _, row := range rows {
		line = append(line[:0], user)
		for _, f := range r.fields(row) {
			line = append(line, plain(f.value, -1))
		}
		if err := w.Write(line); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// encodeJSON writes an object for each row, as [program.writeRecords] does. Ids and
// names are made JSON once.
func encodeJSON(saved *zoo.Saved, open, end string) func(to *answered, r *recommender, user string, rows []recommendation) error {
	colon, comma := ":", ","
	if strings.HasPrefix(open, ",") { // an array, for people too
		colon, comma = ": ", ", "
	}
	key := func(name string) string { return comma + strconv.Quote(name) + colon }
	first, rank, score := open+`"user"`+colon, key("rank"), key("score")
	odds := []string{key("tier"), key("tier_probs"), key("gap_probs"), key("expected_rank"), key("rank_interval")}
	items := make([]string, len(saved.ItemIDs))
	for i := range items {
		items[i] = key("item") + asJSON(saved.ItemIDs[i]) + key("name") + asJSON(saved.ItemNames[i])
	}
	return func(to *answered, r *recommender, user string, rows []recommendation) error {
		name := asJSON(user)
		b := to.text.AvailableBuffer()
		for _, row := range rows {
			b = append(append(b, first...), name...)
			b = strconv.AppendInt(append(b, rank...), int64(row.rank), 10)
			b = append(append(b, items[row.item]...), score...)
			b = appendNumber(b, row.score)
			if row.odds != nil {
				b = append(b, odds[0]...)
				t := row.odds.Tier()
				if t >= 0 {
					b = strconv.AppendInt(b, int64(t+1), 10)
				} else {
					b = append(b, "null"...)
				}
				b = appendNumbers(append(b, odds[1]...), row.odds.Tiers)
				b = appendNumbers(append(b, odds[2]...), row.odds.Gaps)
				if t >= 0 {
					b = appendNumber(append(b, odds[3]...), row.odds.Rank)
					b = appendNumbers(append(b, odds[4]...), []float64{row.odds.Low, row.odds.High})
				} else {
					b = append(append(append(append(b, odds[3]...), "null"...), odds[4]...), "null"...)
				}
			}
			b = append(b, end...)
		}
		to.text.Write(b)
		return nil
	}
}

// asJSON is a text as JSON has it.
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

// encodeTREC writes a run. Its readers sort by score, as float32, and break ties
// each in its own way: so a score that is not below the one before is lowered to the
// next float32 that is.
func encodeTREC(to *answered, r *recommender, user string, rows []recommendation) error {
	if len(rows) > 0 && !isToken(user) {
		return fmt.Errorf("user %s cannot stand in a TREC file, whose fields hold no spaces; choose another --format", quote(user))
	}
	before := float32(math.Inf(1))
	b := to.text.AvailableBuffer()
	for _, row := range rows {
		id := r.saved.ItemIDs[row.item]
		if !isToken(id) {
			return fmt.Errorf("item %s cannot stand in a TREC file, whose fields hold no spaces; choose another --format", quote(id))
		}
		before = min(float32(row.score), math.Nextafter32(before, float32(math.Inf(-1)))) + 0 // no negative zero
		b = append(append(append(b, user...), " Q0 "...), id...)
		b = strconv.AppendInt(append(b, ' '), int64(row.rank), 10)
		b = strconv.AppendFloat(append(b, ' '), float64(before), 'g', -1, 32)
		b = append(b, " fubini\n"...)
	}
	to.text.Write(b)
	return nil
}

func isToken(id string) bool {
	return id != "" && !strings.ContainsFunc(id, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
}
