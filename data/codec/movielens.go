package codec

import (
	"bytes"
	"fmt"

	"fubini/data/ratings"
	"fubini/data/text"
)

// MovieLens is the format of the three kinds of MovieLens files, with titles from
// the file beside it:
//
//	u.data       user, item, rating and time, separated by tabs    u.item
//	ratings.dat  the same, separated by ::                         movies.dat
//	ratings.csv  userId,movieId,rating,timestamp                   movies.csv
//
// MovieTweetings and others use the second kind too.
var MovieLens = Codec{
	Name:       "movielens",
	Extensions: []string{".dat", ".data", ".base", ".test"},
	Shared:     []string{".csv"},
	Detect: func(head []byte) bool {
		_, ok := movielensShape(text.FirstLine(head))
		return ok
	},
	Open:   openMovieLens,
	ByUser: true,
}

// A titleFile is where titles are, and how: id, title and more.
type titleFile struct {
	name      string
	separator byte
	header    string // the first field of its first line, or none
}

// shapes of MovieLens by their separators.
var shapes = map[byte]titleFile{
	'\t': {"u.item", '|', ""},
	':':  {"movies.dat", ':', ""},
	',':  {"movies.csv", ',', "movieId"},
}

const movielensHeader = "userId,movieId,rating,timestamp"

// movielensShape is the separator of a first line in a shape of MovieLens.
func movielensShape(first []byte) (separator byte, ok bool) {
	if string(first) == movielensHeader {
		return ',', true
	}
	t := &text.Fields{}
	fits := func(separator byte) bool {
		t.Separator = separator
		return t.Cut(first) == nil && isRating(t.Values) && len(t.Values[0]) > 0 && len(t.Values[1]) > 0
	}
	if fits(':') {
		return ':', true
	}
	ok = fits('\t') && len(t.Values) == 4 // with three it might be anything
	for _, k := range []int{0, 1, 3} {
		if ok {
			_, ok = text.Digits(t.Values[k])
		}
	}
	return '\t', ok
}

func openMovieLens(in *Input, _ Options) (Source, error) {
	t, first, err := start(in)
	if err != nil {
		return nil, err
	}
	separator, ok := movielensShape(first)
	if !ok {
		return nil, t.Errorf("the first line %s is not from MovieLens; lines there are user::item::rating::time, or the same with tabs, and the header of a CSV file is %s", text.Quote(first), movielensHeader)
	}
	t.Separator, t.Quotes = separator, separator == ','
	if err := t.Cut(first); err != nil {
		return nil, err
	}
	c, header := headerless(len(t.Values)), separator == ','
	if header {
		c, _ = naming{}.columnsNamed(t.Values)
	}
	return &movielens{t.arranged(in, c, header), in}, nil
}

type movielens struct {
	*table
	in *Input
}

func (m *movielens) titles(b *ratings.Builder) error {
	from := shapes[m.Separator]
	_, err := m.in.readTitles(from.name, b, func(t *text.Fields) (id, title string, err error) {
		t.Separator, t.Quotes = from.separator, from.separator == ','
		if err := t.Next(); err != nil {
			return "", "", err
		}
		if len(t.Values) < 2 || len(t.Values[0]) == 0 {
			return "", "", t.ErrorAt(t.Started, "%s is not an id and a title; %s has a line for each item, %s", t.Text(), from.name, text.Quote("1"+string(t.Separator)+"Toy Story (1995)"))
		}
		if t.Number == 1 && string(t.Values[0]) == from.header || len(t.Values[1]) == 0 {
			return "", "", nil
		}
		return string(t.Values[0]), string(t.Values[1]), nil
	})
	return err
}

// Netflix is the format of mv_*.txt and combined_data_*.txt: for each movie a line "movie:", then a line
// "user,rating,date" for each of its ratings.
var Netflix = Codec{
	Name:       "netflix",
	Extensions: []string{".txt"},
	Detect: func(head []byte) bool {
		_, ok := netflixMovie(text.FirstLine(head))
		return ok
	},
	Open: func(in *Input, _ Options) (Source, error) {
		return &netflix{Fields: text.Fields{Lines: in.Lines(), Separator: ','}, in: in}, nil
	},
}

// netflixMovie reads the line of a movie.
func netflixMovie(line []byte) (movie []byte, ok bool) {
	movie, ok = bytes.CutSuffix(bytes.TrimRight(line, " "), []byte(":"))
	for _, c := range movie {
		ok = ok && '0' <= c && c <= '9'
	}
	return movie, ok && len(movie) > 0
}

type netflix struct {
	text.Fields
	movie []byte
	in    *Input
}

// Next reads a rating, and the lines of movies before it.
func (n *netflix) Next(r *Record) error {
	for {
		if err := n.Fields.Next(); err != nil {
			return err
		}
		if len(n.Values) > 1 {
			break
		}
		movie, ok := netflixMovie(n.Values[0])
		if !ok {
			return n.Errorf("%s is neither a movie, such as 1:, nor user,rating,date", text.Quote(n.Values[0]))
		}
		n.movie = append(n.movie[:0], movie...)
	}
	if len(n.movie) == 0 {
		return n.Errorf("%s stands before the first movie; a line such as 1: comes first", n.Text())
	}
	if len(n.Values) != 3 || len(n.Values[0]) == 0 {
		return n.Errorf("%s is not user,rating,date such as 1488844,3,2005-09-06", n.Text())
	}
	*r = Record{User: n.Values[0], Item: n.movie, Line: n.Number}
	var err error
	if r.Value, err = n.Rating(n.Values[1]); err != nil {
		return err
	}
	if r.Value < 1 || r.Value > 5 {
		return n.Errorf("rating %s is outside the scale of Netflix, 1 to 5", text.Quote(n.Values[1]))
	}
	r.When, err = n.Time(n.Values[2])
	return err
}

func (n *netflix) titles(b *ratings.Builder) error { return NetflixTitles(n.in, b) }

// NetflixTitles adds the titles in movie_titles.csv or movie_titles.txt beside an input, if there is such a file. Its lines
// are id,year,title, and titles may contain commas.
func NetflixTitles(beside *Input, b *ratings.Builder) error {
	for _, name := range []string{"movie_titles.csv", "movie_titles.txt"} {
		found, err := beside.readTitles(name, b, func(t *text.Fields) (id, title string, err error) {
			line, err := t.Lines.Next()
			if err != nil || len(line) == 0 {
				return "", "", err
			}
			fields := bytes.SplitN(line, []byte(","), 3)
			if len(fields) < 3 {
				return "", "", t.Errorf("%s is not id,year,title such as 1,2003,Dinosaur Planet", text.Quote(line))
			}
			title = string(fields[2])
			if _, known := text.Digits(fields[1]); known {
				title = fmt.Sprintf("%s (%s)", title, fields[1])
			}
			return string(fields[0]), title, nil
		})
		if found || err != nil {
			return err
		}
	}
	return nil
}
