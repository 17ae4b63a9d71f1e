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
	"fubini/data/codec/preflib"
	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/data/text"
)

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

// fromSet returns an export of the users of a set.
func fromSet(set *ratings.Set, report *format.Report) *Export {
	x := &Export{Form: report.Format, Read: report.Lines, Reasons: report.Dropped}
	x.Rated = report.Format != codec.Picks.Name && (report.Placed == 0 || report.Placed < report.Kept)
	for reason, n := range map[string]int{unplaced: report.Unplaced, twice: report.Duplicates} {
		if n > 0 && x.Reasons == nil {
			x.Reasons = map[string]int{}
		}
		if n > 0 {
			x.Reasons[reason] = n
		}
	}
	if report.Format == preflib.Codec.Name { // its records are voters
		x.Read = report.Kept + report.Unplaced + report.Duplicates
	}
	for u := range set.Users().Len() {
		row := set.Row(u)
		p := Person{ID: set.Users().ID(uint32(u)), Placed: make([]Placed, len(row.Items))}
		for k, item := range row.Items {
			named := Item{ID: set.Items().ID(item)}
			if title := set.Items().Name(item); title != named.ID {
				named.Title = title
			}
			p.Placed[k] = Placed{named, row.Values[k], ratings.NoTime}
			if row.Times != nil {
				p.Placed[k].When = row.Times[k]
			}
		}
		x.People = append(x.People, p)
	}
	return x
}
