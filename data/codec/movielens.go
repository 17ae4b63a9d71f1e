package codec

import (
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
		c, _ = columnsNamed(t.Values)
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
