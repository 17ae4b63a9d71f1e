package codec

import (
	"bytes"
	"fmt"

	"fubini/data/ratings"
	"fubini/data/text"
)

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
