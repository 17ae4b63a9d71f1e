package personal

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"fubini/data/codec"
	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/data/text"
)

// Options of reading.
type Options struct {
	Name string // what errors call the input; empty means its path
	// Format is that of package format, for a file of ratings; empty means that the form is found out.
	Format     string
	Duplicates ratings.Duplicates // second ratings of an item by a user, in a file of ratings
	Incomplete string             // items that a PrefLib order leaves out
	// Columns are the names of columns by their roles, for a table whose own names are not understood; see [codec.Options].
	Columns map[string]string
	// Most, if not 0, bounds the bytes of what is read, unpacked, and keeps columns in binary out: for files of strangers.
	Most int64
	// Known, if not nil, reports whether a text is a title for sure. It decides where a comma in a line of a tier list is
	// part of a title.
	Known func(title string) bool
}

// Form is a kind of file.
type Form struct {
	Name   string
	Shape  string // what a person would recognise it by, for messages
	detect func(head []byte, base string) bool
	read   func(x *Export, in *codec.Input, o Options) error
}

// forms returns all forms, in the order in which they are tried.
func forms() []Form {
	return append(tableForms(),
		Form{"myanimelist", "XML <myanimelist> with series_animedb_id, my_score", isXML("myanimelist"), readMyAnimeList},
		Form{"bgg", "XML <items> with objectid, stats/rating", isXML("items"), readGeekXML},
		Form{"bgg", "", isXML("message"), readGeekMessage},
		Form{"letterboxd", "a list: Position, Name, Year", isLetterboxdList, readLetterboxdList},
		Form{"anilist", "JSON with MediaListCollection", isAniList, readAniList},
		Form{"trakt", "JSON list with rated_at, rating, movie or show", isTrakt, readTrakt},
		Form{"tiers", "text like S: Alien, Heat", isTierText, readTierText},
		Form{"rated", "text like Alien 9/10", isRatedText, readRatedText},
		Form{"list", "text, one name a line", isList, readList},
	)
}

// Read reads a file or a folder. Files may be packed by gzip, zstd or zip.
func Read(fsys fs.FS, name string, o Options) (*Export, error) {
	return read(cmp.Or(o.Name, name), o, func(f format.Options) (*ratings.Set, *format.Report, error) {
		return format.Read(fsys, name, f)
	})
}

// ReadStream reads a stream, such as standard input or the body of a request. The name stands in errors.
func ReadStream(r io.Reader, name string, o Options) (*Export, error) {
	return read(cmp.Or(o.Name, name), o, func(f format.Options) (*ratings.Set, *format.Report, error) {
		return format.ReadStream(r, name, f)
	})
}

// read offers the input, opened and unpacked by package format, to the forms here. Those that they leave are ratings.
func read(name string, o Options, open func(format.Options) (*ratings.Set, *format.Report, error)) (*Export, error) {
	var x *Export
	set, report, err := open(format.Options{Name: o.Name, Format: o.Format, Duplicates: o.Duplicates, Incomplete: o.Incomplete, Columns: o.Columns,
		Take: func(in *codec.Input, head []byte) (bool, error) {
			if o.Format != "" || len(o.Columns) > 0 {
				return false, o.bound(in, head)
			}
			x = &Export{}
			return x.take(in, head, o)
		}})
	if empty := errors.Is(err, format.ErrNoRatings); empty && report != nil && report.Format == codec.TierList.Name {
		return &Export{Form: report.Format, People: []Person{{ID: codec.Me}}}, nil // tiers without items
	}
	if err != nil {
		return nil, err
	}
	if set != nil {
		x = fromSet(set, report)
	}
	x.Latin1 = report.Latin1
	x.finish()
	for _, p := range x.People {
		if len(p.Placed)+len(p.Seen) > 0 {
			return x, nil
		}
	}
	return nil, fmt.Errorf("%s: read as %s; no rating in %s%s", name, x.Form, text.Count(x.Read, "record", "records"), x.why())
}

// why lists the reasons for which records were left out.
func (x *Export) why() string {
	var b strings.Builder
	for _, reason := range sorted(x.Reasons) {
		fmt.Fprintf(&b, "; %d skipped: %s", x.Reasons[reason], reason)
	}
	return b.String()
}

// take reads an input of one of the forms here, and leaves others.
func (x *Export) take(in *codec.Input, head []byte, o Options) (taken bool, err error) {
	if taken, err = x.takeOf(in, head, o, func(Form) bool { return true }); taken || err != nil || format.Detects(head) {
		return taken, err
	}
	return false, refusal(in.Name, bytes.TrimPrefix(head, text.ByteOrderMark))
}

// takeOf is take for some of the forms.
func (x *Export) takeOf(in *codec.Input, head []byte, o Options, wanted func(Form) bool) (taken bool, err error) {
	if bytes.HasPrefix(head, text.ByteOrderMark) {
		head = head[len(text.ByteOrderMark):]
		if _, err := io.CopyN(io.Discard, in.R, int64(len(text.ByteOrderMark))); err != nil {
			return false, err
		}
	}
	if len(bytes.TrimSpace(head)) == 0 {
		return false, nil
	}
	if err := o.bound(in, head); err != nil {
		return false, err
	}
	for _, f := range forms() {
		if wanted(f) && f.detect(head, in.Base) {
			x.Form = f.Name
			in.R = &capped{r: in.R, most: mostBytes}
			return true, f.read(x, in, o)
		}
	}
	return false, nil
}

// bound holds an input to o.Most bytes, and refuses columns in binary, whose memory these do not bound.
func (o Options) bound(in *codec.Input, head []byte) error {
	if o.Most == 0 {
		return nil
	}
	if bytes.HasPrefix(head, []byte("PAR1")) || bytes.HasPrefix(head, []byte("\x93NUMPY")) {
		return fmt.Errorf("%s: a file of columns in binary; convert it to CSV first", in.Name)
	}
	in.R, in.At = &capped{r: in.R, most: o.Most}, nil
	return nil
}

// refusal is the error for a table whose columns no form has; nil for what is no table.
func refusal(name string, head []byte) error {
	first := text.FirstLine(head)
	columns := headerOf(first)
	if columns == nil {
		return nil
	}
	var known []string
	for _, f := range tableForms() {
		known = append(known, f.Name+" ("+strings.TrimPrefix(f.Shape, "columns ")+")")
	}
	return fmt.Errorf("%s:1: %w: no form has the columns %s; understood are %s, and tables with a column of users, of items and of ratings",
		name, codec.ErrColumns, shortened(strings.Join(columns, ", ")), strings.Join(known, "; "))
}

// capped is a reader that fails after most bytes.
type capped struct {
	r          io.Reader
	most, read int64
}

func (c *capped) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.read += int64(n); c.read > c.most {
		return 0, fmt.Errorf("more than %d bytes; no list of one person is that long", c.most)
	}
	return n, err
}
