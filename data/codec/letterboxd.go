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

// Letterboxd is the format of ratings.csv in the export of an account, which has one user. The id of a film is its name
// and year, "Alien (1979)"; for a second film of that name and year the end of its address is added. Films in
// watched.csv without a rating are counted as left out.
var Letterboxd = Codec{
	Name:   "letterboxd",
	Shared: []string{".csv"},
	Detect: func(head []byte) bool {
		_, ok := letterboxdHeader(text.FirstLine(head))
		return ok
	},
	Read: readLetterboxd,
}

// letterboxdColumns are the places of columns by their names.
type letterboxdColumns struct {
	at    map[string]int
	width int
}

func letterboxdHeader(header []byte) (c letterboxdColumns, ok bool) {
	c.at = map[string]int{}
	for name := range bytes.SplitSeq(header, []byte(",")) {
		c.at[string(name)] = c.width
		c.width++
	}
	return c, c.has("Name") && c.has("Year") && c.has("Letterboxd URI")
}

func (c letterboxdColumns) has(name string) bool {
	_, has := c.at[name]
	return has
}

// of is a field of a record, empty where there is no such column.
func (c letterboxdColumns) of(t *text.Fields, name string) []byte {
	if k, has := c.at[name]; has {
		return t.Values[k]
	}
	return nil
}

// letterboxd has the addresses of films by their ids, while an export is read.
type letterboxd map[string]string

func readLetterboxd(in *Input, b *ratings.Builder, _ Options) error {
	x := letterboxd{}
	rated := map[string]bool{}
	err := x.each(in, func(t *text.Fields, c letterboxdColumns, id string) error {
		rating := c.of(t, "Rating")
		if len(rating) == 0 {
			in.Counts.Drop("not rated")
			return nil
		}
		value, err := t.Rating(rating)
		if err != nil {
			return err
		}
		if value < 0.5 || value > 5 || value*2 != float32(int(value*2)) {
			return t.Errorf("rating %s is outside the scale of Letterboxd, half stars from 0.5 to 5", text.Quote(rating))
		}
		when := int64(ratings.NoTime)
		if date := c.of(t, "Date"); len(date) > 0 {
			if when, err = t.Time(date); err != nil {
				return err
			}
		}
		rated[id] = true
		if err := b.Add([]byte(Me), []byte(id), value, when); err != nil {
			return t.Errorf("%w", err)
		}
		return nil
	})
	const watched = "watched.csv"
	if err != nil || in.Folder == nil || in.Base == watched {
		return err
	}
	beside, file, err := in.beside(watched)
	if beside == nil {
		return err
	}
	defer file.Close()
	return x.each(beside, func(_ *text.Fields, _ letterboxdColumns, id string) error {
		if !rated[id] {
			in.Counts.Drop("watched, not rated")
		}
		return nil
	})
}

// each calls film for every record of a file.
func (x letterboxd) each(in *Input, film func(t *text.Fields, c letterboxdColumns, id string) error) error {
	t := &text.Fields{Lines: in.Lines(), Separator: ',', Quotes: true}
	var c letterboxdColumns
	for {
		if err := t.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if c.at == nil {
			header, ok := bytes.Join(t.Values, []byte(",")), false
			if c, ok = letterboxdHeader(header); !ok {
				return t.Errorf("the header %s is not that of an export from Letterboxd, Date,Name,Year,Letterboxd URI,Rating", text.Quote(header))
			}
			continue
		}
		if len(t.Values) != c.width {
			return t.WrongWidth(c.width)
		}
		in.Counts.Lines++
		id := x.film(t, c)
		if id == "" {
			return t.Errorf("a film without a name: %s", t.Text())
		}
		if err := film(t, c, id); err != nil {
			return err
		}
	}
}

// film is the id of the film of a record, empty for a film without a name.
func (x letterboxd) film(t *text.Fields, c letterboxdColumns) string {
	id := string(c.of(t, "Name"))
	if id == "" {
		return ""
	}
	if year := c.of(t, "Year"); len(year) > 0 {
		id = fmt.Sprintf("%s (%s)", id, year)
	}
	address := string(c.of(t, "Letterboxd URI"))
	if address == "" || c.has("Watched Date") || c.has("Review") { // those of the diary are of entries, not of films
		return id
	}
	if known, taken := x[id]; taken && known != address {
		id = fmt.Sprintf("%s #%s", id, path.Base(strings.TrimRight(address, "/")))
	}
	x[id] = address
	return id
}
