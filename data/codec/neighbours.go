package codec

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"fubini/data/ratings"
	"fubini/data/text"
)

// Inter is the format of RecBole's atomic files: tables with tabs between columns and a header such as
//
//	user_id:token	item_id:token	rating:float	timestamp:float
var Inter = Codec{
	Name:       "inter",
	Extensions: []string{".inter"},
	Detect: func(head []byte) bool {
		_, ok := interNames(text.FirstLine(head))
		return ok
	},
	Open:  openInter,
	Write: writeInter,
}

// interNames takes the types off the names in a header.
func interNames(header []byte) (names [][]byte, ok bool) {
	for field := range bytes.SplitSeq(header, []byte("\t")) {
		name, kind, _ := strings.Cut(string(field), ":")
		switch strings.TrimSpace(kind) {
		case "token", "token_seq", "float", "float_seq":
		default:
			return nil, false
		}
		if name == "" {
			return nil, false
		}
		names = append(names, []byte(name))
	}
	return names, len(names) > 1
}

func openInter(in *Input, o Options) (Source, error) {
	t, header, err := start(in)
	if err != nil {
		return nil, err
	}
	t.Separator = '\t'
	const right = "write it like user_id:token, item_id:token, rating:float, separated by tabs"
	names, ok := interNames(header)
	if !ok {
		return nil, t.Errorf("the header %s has columns without a type; %s", text.Quote(header), right)
	}
	c, err := o.naming().columnsNamed(names)
	if err != nil {
		return nil, t.Errorf("the header %s: %w; %s", text.Quote(header), err, right)
	}
	t.Values = names
	return t.arranged(in, c, true), nil
}

// writeInter writes a file that RecBole reads.
func writeInter(w io.Writer, s *ratings.Set, _ Options) error {
	const header = "user_id:token\titem_id:token\trating:float"
	return writeColumns(w, s, '\t', header+"\n", header+"\ttimestamp:float\n", forPandas("write CSV or JSONL", bareField))
}

// missing are the texts that pandas.read_csv takes for a missing value; RecBole then leaves the rating out.
var missing = strings.Fields("#N/A #NA -1.#IND -1.#QNAN -NaN -nan 1.#IND 1.#QNAN <NA> N/A NA NULL NaN None n/a nan null")

// forPandas refuses ids that pandas would take for missing values.
func forPandas(instead string, field func(kind, id string) (string, error)) func(kind, id string) (string, error) {
	return func(kind, id string) (string, error) {
		if slices.Contains(missing, id) || id == "#N/A N/A" {
			return "", fmt.Errorf("format: %s %s would be lost, because pandas reads it as a missing value; %s", kind, text.Quote(id), instead)
		}
		return field(kind, id)
	}
}

// bareField is an id as it stands between tabs without quotes. RecBole, which reads by pandas, would take a quote at the beginning off,
// and Surprise spaces at the ends.
func bareField(kind, id string) (string, error) {
	written, err := quotedField(kind, id, '\t')
	if err == nil && written != id {
		err = fmt.Errorf("format: %s %s begins with a quote or a byte order mark, or has a space at an end, which would be lost; write CSV or JSONL", kind, text.Quote(id))
	}
	return id, err
}

// LensKit is the format of a frame for LensKit's from_interactions_df, as CSV for pandas.read_csv: user_id, item_id, rating and
// timestamp. Files are read as [CSV], and [LensKitParquet] is the same in Parquet.
var LensKit = Codec{
	Name:   "lenskit",
	Detect: func([]byte) bool { return false },
	Write: func(w io.Writer, s *ratings.Set, _ Options) error {
		return writeColumns(w, s, ',', "user_id,item_id,rating\n", "user_id,item_id,rating,timestamp\n",
			forPandas("write lenskit-parquet", func(kind, id string) (string, error) { return quotedField(kind, id, ',') }))
	},
}

// LensKitParquet is the same frame for pandas.read_parquet. Files are read as [Parquet].
var LensKitParquet = Codec{
	Name:   "lenskit-parquet",
	Detect: func([]byte) bool { return false },
	Write: func(w io.Writer, s *ratings.Set, _ Options) error {
		return writeParquetAs(w, s, column("User", "user_id,dict"), column("Item", "item_id,dict"))
	},
}

// Surprise is the format of files for Surprise's Reader(line_format="user item rating timestamp", sep="\t"): columns
// without a header, the timestamp where times are known. Files with spaces between the columns are read too; with tabs they are like those
// of MovieLens 100K, and without times like [TSV].
var Surprise = Codec{
	Name:   "surprise",
	Detect: detectSurprise,
	Open:   openSurprise,
	Write:  func(w io.Writer, s *ratings.Set, _ Options) error { return writeColumns(w, s, '\t', "", "", bareField) },
}

// detectSurprise wants four columns with single spaces between, the third a rating and the last a time of seconds since 1970 after 1973,
// so that no qrels and no names are taken for it.
func detectSurprise(head []byte) bool {
	fields := bytes.Split(text.FirstLine(head), []byte(" "))
	return len(fields) == 4 && len(fields[3]) >= 9 && isRating(fields) && !bytes.ContainsAny(text.FirstLine(head), ",;\t")
}

func openSurprise(in *Input, _ Options) (Source, error) {
	t, first, err := start(in)
	if err != nil {
		return nil, err
	}
	t.Separator = ' '
	if bytes.IndexByte(first, '\t') >= 0 {
		t.Separator = '\t'
	}
	if err := t.Cut(first); err != nil {
		return nil, err
	}
	if !isRating(t.Values) && !(len(t.Values) == 4 && len(t.Values[3]) == 0 && isRating(t.Values[:3])) {
		return nil, t.Errorf("%s is no user, item, rating and perhaps timestamp, with spaces or tabs between", text.Quote(first))
	}
	return t.arranged(in, headerless(len(t.Values)), false), nil
}
