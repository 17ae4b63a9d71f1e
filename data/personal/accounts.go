package personal

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"fubini/data/codec"
	"fubini/data/text"
)

// tableForms are the forms of exports that are tables.
func tableForms() []Form {
	return []Form{
		tableForm("letterboxd", [2]float64{0.5, 5}, letterboxd, "Name", "Year", "Letterboxd URI"),
		tableForm("imdb", [2]float64{1, 10}, imdb, "Const", "Your Rating", "Title"),
		tableForm("goodreads", [2]float64{1, 5}, goodreads, "Book Id", "Title", "My Rating"),
		tableForm("storygraph", [2]float64{0.25, 5}, storygraph, "Title", "Read Status", "Star Rating"),
		tableForm("bgg", [2]float64{1, 10}, geek, "objectname", "objectid", "rating"),
		tableForm("movielens", [2]float64{0.5, 5}, movielens, "movie_id", "imdb_id", "tmdb_id", "rating", "title"),
		{"table", "columns item, name or title, and rating or tier", isOwnTable, readOwnTable},
	}
}

// tableForm is the form of a table with these columns.
func tableForm(name string, scale [2]float64, row func(*table, *codec.Input), columns ...string) Form {
	return Form{name, "columns " + strings.Join(columns, ", "),
		func(head []byte, _ string) bool { return has(headerOf(text.FirstLine(head)), columns...) },
		func(x *Export, in *codec.Input, _ Options) error {
			x.Rated, x.Scale = true, scale
			err := x.rows(in, func(t *table) { row(t, in) })
			if err != nil || name != "letterboxd" || in.Folder == nil || in.Base != "ratings.csv" {
				return err
			}
			return x.beside(in, "watched.csv", func(in *codec.Input) error {
				return x.rows(in, func(t *table) { letterboxd(t, in) })
			})
		}}
}

// beside reads another file in the folder of an input, if there is one.
func (x *Export) beside(in *codec.Input, name string, read func(in *codec.Input) error) error {
	if in.Base == name {
		return nil
	}
	f, err := in.Folder.Open(name)
	if err != nil {
		return nil // not there
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Mode()&fs.ModeType != 0 {
		return nil
	}
	other := &codec.Input{Name: path.Join(path.Dir(in.Name), name), Base: name, Size: -1, Counts: in.Counts}
	other.R = &capped{r: f, most: mostBytes}
	if len(x.Files) == 0 {
		x.Files = []string{in.Base}
	}
	x.Files = append(x.Files, name)
	return read(other)
}

// put adds the item of a row with its rating, or as seen.
func (t *table) put(item Item, rating, date string, seen bool) {
	value, rated := t.rating(item, rating)
	switch {
	case rated:
		t.x.rateIn(item, value, t.when(date))
	case value < 0: // skipped
	case seen:
		t.x.see(item)
	default:
		t.x.skip(item.Line, item.Text(), wanted)
	}
}

// given is the cell of a rating, empty for 0 and -1, which are none.
func (t *table) given(column string) string {
	if rating := t.get(column); rating != "0" && rating != "-1" {
		return rating
	}
	return ""
}

// letterboxd reads a row of ratings.csv, watched.csv, watchlist.csv or diary.csv. Addresses in a diary are of entries, not
// of films.
func letterboxd(t *table, in *codec.Input) {
	item := t.item(t.get("name"), t.get("year"))
	if !t.has("watched date") && !t.has("review") {
		item.addFilm(t.get("letterboxd uri"))
	}
	t.put(item, t.get("rating"), cmp.Or(t.get("watched date"), t.get("date")), !strings.HasPrefix(in.Base, "watchlist"))
}

func imdb(t *table, _ *codec.Input) {
	item := t.item(t.get("title"), t.get("year"), "imdb", t.get("const"))
	item.addOther(t.get("original title"))
	if strings.EqualFold(strings.ReplaceAll(t.get("title type"), " ", ""), "tvEpisode") {
		t.x.skip(item.Line, item.Text(), noEpisode)
		return
	}
	t.put(item, t.get("your rating"), t.get("date rated"), false)
}

// series matches the series behind the title of a book: "The Hunger Games (The Hunger Games, #1)".
var series = regexp.MustCompile(`\s*\([^()]*#[^()]*\)\s*$`)

func goodreads(t *table, _ *codec.Input) {
	title := series.ReplaceAllString(t.get("title"), "")
	item := t.item(title, t.get("original publication year"), "goodreads", t.get("book id"), "isbn", t.get("isbn13"), "isbn", t.get("isbn"))
	t.put(item, t.given("my rating"), t.get("date read", "date added"), t.get("exclusive shelf", "bookshelves") != "to-read")
}

func storygraph(t *table, _ *codec.Input) {
	item := t.item(t.get("title"), "")
	if id := t.get("isbn/uid"); isISBN(id) {
		item.addID("isbn", id)
	} else {
		item.addID("storygraph", id)
	}
	t.put(item, t.get("star rating"), t.get("last date read", "date added"), t.get("read status") != "to-read")
}

// isISBN reports whether an id is an ISBN: 10 or 13 digits, the last of 10 perhaps an X.
func isISBN(id string) bool {
	return (len(id) == 13 || len(id) == 10) && strings.Trim(strings.TrimSuffix(id, "X"), "0123456789") == ""
}

func geek(t *table, _ *codec.Input) {
	item := t.item(t.get("objectname"), t.get("yearpublished"), "bgg", t.get("objectid"))
	item.addOther(t.get("originalname"))
	seen := t.get("own") == "1" || t.get("prevowned") == "1" || t.get("numplays") != "0" && t.get("numplays") != ""
	t.put(item, t.given("rating"), t.get("lastmodified"), seen)
}

func movielens(t *table, _ *codec.Input) {
	item := t.item(t.get("title"), "", "movielens", t.get("movie_id"), "imdb", t.get("imdb_id"), "tmdb", t.get("tmdb_id"))
	t.put(item, t.given("rating"), "", false)
}
