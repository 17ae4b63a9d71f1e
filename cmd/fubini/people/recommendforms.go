package people

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fubini/app/recommend"
	"fubini/cmd/fubini/cli"
)

// formOf is the form of a name for the answers of a recommender.
func formOf(p *cli.Program, name string, r *recommend.Recommender) recommend.Form {
	switch name {
	case "json":
		return recommend.JSONForm(r)
	case "jsonl":
		return recommend.JSONLForm(r)
	case "csv":
		header := "user,rank,item,name,score"
		if r.HasInterest() {
			header += ",interest"
		}
		if r.HasOdds() {
			header += ",tier,tier_probs,gap_probs,expected_rank,rank_interval"
		}
		return recommend.Form{Extension: "csv", Encode: encodeCSV, Open: recommend.TextForm(header+"\n", 0, "")}
	case "trec":
		return recommend.Form{Extension: "trec", Encode: encodeTREC, Open: recommend.TextForm("", 0, "")}
	case "parquet":
		return recommend.ParquetForm(r)
	}
	// A table for each user, with a blank line between.
	return recommend.Form{Extension: "txt", Open: recommend.TextForm("", 1, ""), Encode: func(to *recommend.Answered, r *recommend.Recommender, user string, rows []recommend.Row) error {
		if len(rows) == 0 {
			return nil
		}
		var records []cli.Record
		for _, row := range rows {
			records = append(records, append(cli.Record{{"user", user}}, short(fields(r, row))...))
		}
		to.Text.WriteByte('\n')
		w := bufio.NewWriter(&to.Text)
		if _, err := p.WriteFitted(w, records, spare...); err != nil {
			return err
		}
		return w.Flush()
	}}
}

// fields are those of a row, in the order of every format. Places are left out where a model has nothing but picks.
func fields(r *recommend.Recommender, row recommend.Row) cli.Record {
	record := cli.Record{{"rank", row.Rank}, {"item", r.Saved.ItemIDs[row.Item]}, {"name", r.Saved.ItemNames[row.Item]}, {"score", row.Score}}
	if r.HasInterest() {
		var chance any
		if row.Interest != nil {
			chance = *row.Interest
		}
		record = append(record, cli.Field{"interest", chance})
	}
	if !r.Odds || r.Catalogue == nil && r.HasInterest() {
		return record
	}
	var tier, tiers, gaps, rank, interval any
	if o := row.Odds; o != nil {
		tiers, gaps = o.Tiers, o.Gaps
		if t := o.Tier(); t >= 0 { // otherwise there is nothing to rank among
			tier, rank, interval = t+1, o.Rank, []float64{o.Low, o.High}
		}
	}
	return append(record, cli.Record{{"tier", tier}, {"tier_probs", tiers}, {"gap_probs", gaps}, {"expected_rank", rank}, {"rank_interval", interval}}...)
}

// spare are the columns of a table that are left out, in this order, where it is too wide.
var spare = []string{"mean rank", "item", "gap %", "ranks", "tier %"}

// three is a number in three digits.
func three(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

// short is a record for a table: probabilities of places in percent, an interval as 1-6, and numbers of three digits.
func short(record cli.Record) cli.Record {
	percent := map[string]string{"tier_probs": "tier %", "gap_probs": "gap %"}
	record = slices.Clone(record)
	for k, f := range record {
		key, name := f[0].(string), f[0].(string)
		switch v := f[1].(type) {
		case []float64:
			var texts []string
			separator := " "
			for _, x := range v {
				if percent[key] != "" {
					texts = append(texts, strconv.FormatFloat(100*x, 'f', 0, 64))
				} else {
					texts, separator = append(texts, three(x)), "-"
				}
			}
			record[k][1] = strings.Join(texts, separator)
		case float64:
			record[k][1] = three(v)
		}
		switch key {
		case "tier_probs", "gap_probs":
			name = percent[key]
		case "expected_rank":
			name = "mean rank"
		case "rank_interval":
			name = "ranks"
		}
		record[k][0] = name
	}
	return record
}

func encodeCSV(to *recommend.Answered, r *recommend.Recommender, user string, rows []recommend.Row) error {
	w := csv.NewWriter(&to.Text)
	line := make([]string, 0, 8)
	for _, row := range rows {
		line = append(line[:0], cli.CSVCell(user))
		for _, f := range fields(r, row) {
			line = append(line, cli.CSVCell(f[1]))
		}
		if err := w.Write(line); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// encodeTREC writes a run. Its readers sort by score, as float32, and break ties
// each in its own way: so a score that is not below the one before is lowered to the
// next float32 that is.
func encodeTREC(to *recommend.Answered, r *recommend.Recommender, user string, rows []recommend.Row) error {
	if len(rows) > 0 && !isToken(user) {
		return notInTREC("user", user)
	}
	before := float32(math.Inf(1))
	b := to.Text.AvailableBuffer()
	for _, row := range rows {
		id := r.Saved.ItemIDs[row.Item]
		if !isToken(id) {
			return notInTREC("item", id)
		}
		before = min(float32(row.Score), math.Nextafter32(before, float32(math.Inf(-1)))) + 0 // no negative zero
		b = append(append(append(b, user...), " Q0 "...), id...)
		b = strconv.AppendInt(append(b, ' '), int64(row.Rank), 10)
		b = strconv.AppendFloat(append(b, ' '), float64(before), 'g', -1, 32)
		b = append(b, " fubini\n"...)
	}
	to.Text.Write(b)
	return nil
}

func notInTREC(what, id string) error {
	return fmt.Errorf("%s %s cannot stand in a TREC file, whose fields hold no spaces; choose another --format", what, cli.Quote(id))
}

func isToken(id string) bool {
	return id != "" && !strings.ContainsFunc(id, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
}
