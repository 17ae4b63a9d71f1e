package votes

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"fubini/data/codec"
	"fubini/data/codec/preflib"
	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/data/text"
	"fubini/data/tierlist"
)

// Read reads a file of votes, or a file or a folder of ratings. Files may be packed by gzip, zstd or zip.
func Read(fsys fs.FS, name string, o Options) (*Set, error) {
	return read(cmp.Or(o.Name, name), o, func(f format.Options) (*ratings.Set, *format.Report, error) {
		return format.Read(fsys, name, f)
	})
}

// ReadStream reads votes from a reader, such as standard input. The name stands in errors.
func ReadStream(r io.Reader, name string, o Options) (*Set, error) {
	return read(cmp.Or(o.Name, name), o, func(f format.Options) (*ratings.Set, *format.Report, error) {
		return format.ReadStream(r, name, f)
	})
}

// read offers the input, opened and unpacked by package format, to the forms here. Those that they leave are ratings.
func read(name string, o Options, open func(format.Options) (*ratings.Set, *format.Report, error)) (*Set, error) {
	if err := o.checkColumns(); err != nil {
		return nil, err
	}
	var b *builder
	var columns map[string]string
	if o.ofRatings() {
		columns = o.Columns
	}
	table, report, err := open(format.Options{Name: o.Name, Columns: columns,
		Take: func(in *codec.Input, head []byte) (bool, error) {
			b = newBuilder(o)
			return b.take(in, head)
		}})
	if err != nil {
		return nil, err
	}
	if table != nil {
		b = newBuilder(o)
		if err := b.addRatings(name, table); err != nil {
			return nil, err
		}
	}
	b.Counts.Latin1 = report.Latin1
	if b.Len() == 0 {
		var why []string
		for reason, t := range b.Counts.Dropped {
			why = append(why, fmt.Sprintf("; %d left out: %s", t.Records, reason))
		}
		slices.Sort(why)
		if b.Counts.Records == 0 {
			return nil, fmt.Errorf("%s: no votes, only a header; write one vote a line below it", name)
		}
		return nil, fmt.Errorf("%s: no votes among %s%s; a vote has two different items or more, and a weight above zero", name, text.Count(b.Counts.Records, "record", "records"), strings.Join(why, ""))
	}
	return &b.Set, nil
}

// take reads an input of any form but ratings, which it leaves.
func (b *builder) take(in *codec.Input, head []byte) (taken bool, err error) {
	line := text.FirstLine(head)
	first := bytes.TrimSpace(line)
	if len(bytes.TrimSpace(bytes.TrimPrefix(head, text.ByteOrderMark))) == 0 {
		return false, fmt.Errorf("%s: the file is empty; %s", in.Name, expected)
	}
	if b.o.ofRatings() {
		return false, b.refuseWeights(in, line)
	}
	if len(first) == 0 {
		return false, nil
	}
	known := slices.Contains(preflib.Codec.Extensions, strings.ToLower(path.Ext(in.Base)))
	switch {
	case known || preflib.Codec.Detect(head):
		return true, b.readPrefLib(in)
	case first[0] == '{' || first[0] == '[':
		taken, err = b.takeJSON(in, head, first)
	default:
		taken, err = b.takeTable(in, head, line)
	}
	if taken || err != nil {
		return taken, err
	}
	if format.Detects(head) {
		return false, b.refuseWeights(in, line)
	}
	return false, fmt.Errorf("%s: the file starts with %s; %s", in.Name, text.Quote(first), expected)
}

// refuseWeights refuses ratings with a column or a key of weights: all ratings of a user are one vote, whose weight is 1.
func (b *builder) refuseWeights(in *codec.Input, first []byte) error {
	h := newHeader(keysOf(first))
	f := &text.Fields{Lines: text.NewLines(in.Name, bytes.NewReader(nil)), Quotes: true}
	for _, f.Separator = range []byte("\t,;") {
		if f.Cut(first) == nil && len(f.Values) > len(h.names) {
			h = headerOf(f.Values)
		}
	}
	if k := h.index(weightNames...); k >= 0 {
		return fmt.Errorf("%s: ratings with a column %s; all ratings of a user are one vote, which has no weight: rename the column or take it out, or write the votes as tier lists with a weight", in.Name, text.Quote(h.names[k]))
	}
	return nil
}

// takeJSON reads tier lists or rows of a table, one a line, or one tier list over several lines.
func (b *builder) takeJSON(in *codec.Input, head, first []byte) (bool, error) {
	if !json.Valid(first) && bytes.IndexByte(bytes.TrimSpace(head), '\n') >= 0 { // no whole value in the first line
		if tierlist.Detect(head) {
			return true, b.readTierList(in)
		}
		return false, nil
	}
	if first[0] == '[' {
		var rows []map[string]json.RawMessage
		if json.Unmarshal(first, &rows) == nil && len(rows) > 0 && rows[0]["items"] == nil {
			return false, fmt.Errorf("%s: a JSON list of objects; write one object a line, as jq -c '.[]' does", in.Name)
		}
		if tierlist.Detect(first) {
			return true, b.readTierLines(in)
		}
		return false, nil
	}
	keys := keysOf(first)
	h, wrong := b.named(newHeader(keys))
	if wrong != nil {
		return false, fmt.Errorf("%s: %w", in.Name, wrong)
	}
	if h.index("tiers") >= 0 {
		return true, b.readTierLines(in)
	}
	if read := b.formOf(h); read != nil {
		r, err := newObjects(in.Lines())
		return true, b.readRows(r, err, read)
	}
	return false, b.refuseLacking(in.Name, h)
}

// takeTable reads a table with a header.
func (b *builder) takeTable(in *codec.Input, head, first []byte) (bool, error) {
	f := &text.Fields{Lines: text.NewLines(in.Name, bytes.NewReader(nil)), Quotes: true}
	var separator byte // the one that makes most columns
	most := 1
	var widest header
	var wrong error // with its columns
	for _, s := range []byte("\t,;") {
		f.Separator = s
		if f.Cut(first) != nil {
			continue
		}
		h, err := b.named(headerOf(f.Values))
		if read := b.formOf(h); err == nil && read != nil {
			r, err := newTable(in.Lines(), s)
			return true, b.readRows(r, err, read)
		}
		if len(f.Values) > most {
			separator, most, widest, wrong = s, len(f.Values), h, err
		}
	}
	if len(b.o.Columns) > 0 && most > 1 {
		if wrong != nil {
			return false, fmt.Errorf("%s: %w", in.Name, wrong)
		}
		if err := b.refuseLacking(in.Name, widest); err != nil {
			return false, err
		}
	}
	if most < 2 || len(b.o.Columns) == 0 && format.Detects(head) {
		return false, nil
	}
	r, err := newTable(in.Lines(), separator)
	return true, b.readRows(r, err, (*builder).readRanks)
}
