package codec

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"strings"

	"fubini/data/ratings"
	"fubini/data/text"
)

// Letterboxd is ratings.csv from the export of an account, all by one
// user. A film is called by its name and year, "Alien (1979)"; a second film of
// that name and year also by the end of its address. Films in watched.csv that
// are not rated are counted as left out.
var Letterboxd = Codec{
	Name:   "letterboxd",
	Shared: []string{".csv"},
	Detect: func(head []byte) bool {
		_, ok := letterboxdHeader(text.FirstLine(head))
		return ok
	},
	Read: readLetterboxd,
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

func readLetterboxd(in *Input, b *ratings.Builder, _ Options) error {
	x := &letterboxd{user: []byte(Me), films: map[string]string{}}
	rated := map[string]bool{}
	err := x.each(in, func(t *text.Fields, c letterboxdColumns, id string) error {
		if c.rating < 0 || len(t.Values[c.rating]) == 0 {
			in.Counts.Drop("not rated")
			return nil
		}
		value, ok := text.ParseRating(t.Values[c.rating])
		if !ok {
			return t.BadRating(t.Values[c.rating])
		}
		if value < 0.5 || value > 5 || value*2 != float32(int(value*2)) {
			return t.Errorf("rating %s is outside the scale of Letterboxd, half stars from 0.5 to 5", text.Quote(t.Values[c.rating]))
		}
		when := int64(ratings.NoTime)
		if c.date >= 0 && len(t.Values[c.date]) > 0 {
			if when, ok = text.ParseTime(t.Values[c.date]); !ok {
				return t.BadTime(t.Values[c.date])
			}
		}
		rated[id] = true
		if err := b.Add(x.user, []byte(id), value, when); err != nil {
			return t.Errorf("%w", err)
		}
		return nil
	})
	const watched = "watched.csv"
	if err != nil || in.Folder == nil || in.Base == watched {
		return err
	}
	beside, file, err := in.Beside(watched)
	if beside == nil {
		return err
	}
	defer file.Close()
	return x.each(beside, func(t *text.Fields, c letterboxdColumns, id string) error {
		if !rated[id] {
			in.Counts.Drop("watched, not rated")
		}
		return nil
	})
}

// each calls film for every record of a file.
func (x *letterboxd) each(in *Input, film func(t *text.Fields, c letterboxdColumns, id string) error) error {
	t := &text.Fields{Lines: in.Lines(), Separator: ',', Quotes: true}
	defer t.Close()
	if err := t.Next(); err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	header := bytes.Join(t.Values, []byte(","))
	c, ok := letterboxdHeader(header)
	if !ok {
		return t.Errorf("the header %s is not that of an export from Letterboxd, Date,Name,Year,Letterboxd URI,Rating", text.Quote(header))
	}
	for {
		if err := t.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if len(t.Values) != c.width {
			return t.WrongWidth(c.width)
		}
		in.Counts.Lines++
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
func (x *letterboxd) film(t *text.Fields, c letterboxdColumns) (string, error) {
	id := string(t.Values[c.name])
	if id == "" {
		return "", t.Errorf("a film without a name: %s", text.Quote(bytes.Join(t.Values, []byte(","))))
	}
	if year := t.Values[c.year]; len(year) > 0 {
		id = fmt.Sprintf("%s (%s)", id, year)
	}
	address := string(t.Values[c.address])
	if c.diary || address == "" {
		return id, nil
	}
	if known, taken := x.films[id]; taken && known != address {
		id = fmt.Sprintf("%s #%s", id, path.Base(strings.TrimRight(address, "/")))
	}
	x.films[id] = address
	return id, nil
}
