package format

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"

	"fubini/data/ratings"
)

// movielensCodec reads the three shapes that MovieLens came in, with titles from
// the file beside it:
//
//	u.data       user, item, rating and time, separated by tabs    u.item
//	ratings.dat  the same, separated by ::                         movies.dat
//	ratings.csv  userId,movieId,rating,timestamp                   movies.csv
//
// MovieTweetings and others use the second one too.
var movielensCodec = codec{
	name:       "movielens",
	extensions: []string{".dat", ".data", ".base", ".test"},
	shared:     []string{".csv"},
	detect: func(head []byte) bool {
		_, ok := movielensShape(firstLine(head))
		return ok
	},
	read: readMovieLens,
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
	t := &table{}
	if t.separator = ':'; isRating(t, first, 3) {
		return ':', true
	}
	if t.separator = '\t'; isRating(t, first, 4) { // with three it might be anything
		for _, k := range []int{0, 1, 3} {
			if _, ok := digits(t.fields[k]); !ok {
				return 0, false
			}
		}
		return '\t', true
	}
	return 0, false
}

// isRating says whether a line is a user, an item, a rating and perhaps a time.
func isRating(t *table, line []byte, least int) bool {
	if t.cut(line) != nil || len(t.fields) < least || len(t.fields) > 4 || len(t.fields[0]) == 0 || len(t.fields[1]) == 0 {
		return false
	}
	_, ok := parseRating(t.fields[2])
	if ok && len(t.fields) == 4 {
		_, ok = parseTime(t.fields[3])
	}
	return ok
}

func readMovieLens(in *input, b *ratings.Builder, o Options) error {
	t := &table{lines: newLines(in.name, in.r), separator: '\n'} // the first line is kept whole
	defer t.close()
	if err := t.next(); err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	first := bytes.Clone(t.fields[0])
	separator, ok := movielensShape(first)
	if !ok {
		return t.errorf("the first line %s is not from MovieLens; lines there are user::item::rating::time, or the same with tabs, and the header of a CSV file is %s", quote(first), movielensHeader)
	}
	t.separator = separator
	err := t.cut(first)
	if err != nil {
		return err
	}
	if separator == ',' {
		t.quotes = true
		c, _ := named(t.fields)
		err = t.ratings(in, b, c)
	} else {
		err = t.ratingsFrom(in, b, headerless(len(t.fields)))
	}
	if err != nil || in.folder == nil {
		return err
	}
	return readTitles(in, b, shapes[separator])
}

// readTitles reads the titles in the file beside, if there is one.
func readTitles(in *input, b *ratings.Builder, from titleFile) error {
	f, err := in.folder.Open(from.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return renamed(err, beside(in, from.name))
	}
	defer f.Close()
	t := &table{lines: newLines(beside(in, from.name), f), separator: from.separator, quotes: from.separator == ','}
	defer t.close()
	defer func() { in.counts.Latin1 += t.latin1 }()
	for {
		if err := t.next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if len(t.fields) < 2 || len(t.fields[0]) == 0 {
			return t.errorAt(t.started, "%s is not an id and a title; %s has a line for each item, %s", quote(bytes.Join(t.fields, []byte{t.separator})), from.name, quote("1"+string(t.separator)+"Toy Story (1995)"))
		}
		if t.number == 1 && string(t.fields[0]) == from.header {
			continue
		}
		if len(t.fields[1]) > 0 {
			b.Title(string(t.fields[0]), string(t.fields[1]))
			in.counts.Titles++
		}
	}
}

// beside is what a file in the folder of another is called.
func beside(in *input, name string) string {
	return path.Join(path.Dir(in.name), name)
}
