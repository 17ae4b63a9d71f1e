package format

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"fubini/data/ratings"
)

// letterboxdCodec reads ratings.csv from the export of an account, all by one
// user. A film is called by its name and year, "Alien (1979)"; a second film of
// that name and year also by the end of its address. Films in watched.csv that
// are not rated are counted as left out.
var letterboxdCodec = codec{
	name:   "letterboxd",
	shared: []string{".csv"},
	detect: func(head []byte) bool {
		_, ok := letterboxdHeader(firstLine(head))
		return ok
	},
	read: readLetterboxd,
}

type letterboxdColumns struct {
	name, year, address, rating, date int
	width                             int
	diary                             bool // addresses are those of entries, not of films
}

func letterboxdHeader(header []byte) (c letterboxdColumns, ok bool) {
	c = letterboxdColumns{-1, -1, -1, -1, -1, 0, false}
	for name := range bytes.SplitSeq(header, []byte(",")) {
		switch string(name) {
		case "Name":
			c.name = c.width
		case "Year":
			c.year = c.width
		case "Letterboxd URI":
			c.address = c.width
		case "Rating":
			c.rating = c.width
		case "Date":
			c.date = c.width
		case "Watched Date", "Review":
			c.diary = true
		}
		c.width++
	}
	return c, c.name >= 0 && c.year >= 0 && c.address >= 0
}

// letterboxd is an export while it is read.
type letterboxd struct {
	user  []byte
	films map[string]string // addresses of films by their ids
}

func readLetterboxd(in *input, b *ratings.Builder, o Options) error {
	x := &letterboxd{user: []byte(cmp.Or(o.User, "me")), films: map[string]string{}}
	rated := map[string]bool{}
	err := x.each(in.name, in.r, in.counts, func(t *table, c letterboxdColumns, id string) error {
		if c.rating < 0 || len(t.fields[c.rating]) == 0 {
			in.counts.drop("not rated")
			return nil
		}
		value, ok := parseRating(t.fields[c.rating])
		if !ok {
			return t.badRating(t.fields[c.rating])
		}
		if value < 0.5 || value > 5 || value*2 != float32(int(value*2)) {
			return t.errorf("rating %s is outside the scale of Letterboxd, half stars from 0.5 to 5", quote(t.fields[c.rating]))
		}
		when := int64(ratings.NoTime)
		if c.date >= 0 && len(t.fields[c.date]) > 0 {
			if when, ok = parseTime(t.fields[c.date]); !ok {
				return t.badTime(t.fields[c.date])
			}
		}
		rated[id] = true
		if err := b.Add(x.user, []byte(id), value, when); err != nil {
			return t.errorf("%w", err)
		}
		return nil
	})
	const watched = "watched.csv"
	if err != nil || in.folder == nil || in.base == watched {
		return err
	}
	f, err := in.folder.Open(watched)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return renamed(err, beside(in, watched))
	}
	defer f.Close()
	return x.each(beside(in, watched), f, in.counts, func(t *table, c letterboxdColumns, id string) error {
		if !rated[id] {
			in.counts.drop("watched, not rated")
		}
		return nil
	})
}

// each calls film for every record of a file.
func (x *letterboxd) each(name string, r io.Reader, counts *Report, film func(t *table, c letterboxdColumns, id string) error) error {
	t := &table{lines: newLines(name, r), separator: ',', quotes: true}
	defer t.close()
	defer func() { counts.Latin1 += t.latin1 }()
	if err := t.next(); err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	header := bytes.Join(t.fields, []byte(","))
	c, ok := letterboxdHeader(header)
	if !ok {
		return t.errorf("the header %s is not that of an export from Letterboxd, Date,Name,Year,Letterboxd URI,Rating", quote(header))
	}
	for {
		if err := t.next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if len(t.fields) != c.width {
			return t.wrongWidth(columns{width: c.width, header: true})
		}
		counts.Lines++
		id, err := x.film(t, c)
		if err != nil {
			return err
		}
		if err := film(t, c, id); err != nil {
			return err
		}
	}
}

// film is the id of the film of a record.
func (x *letterboxd) film(t *table, c letterboxdColumns) (string, error) {
	id := string(t.fields[c.name])
	if id == "" {
		return "", t.errorf("a film without a name: %s", quote(bytes.Join(t.fields, []byte(","))))
	}
	if year := t.fields[c.year]; len(year) > 0 {
		id = fmt.Sprintf("%s (%s)", id, year)
	}
	address := string(t.fields[c.address])
	if c.diary || address == "" {
		return id, nil
	}
	if known, taken := x.films[id]; taken && known != address {
		id = fmt.Sprintf("%s #%s", id, path.Base(strings.TrimRight(address, "/")))
	}
	x.films[id] = address
	return id, nil
}
