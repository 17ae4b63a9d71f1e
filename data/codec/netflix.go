package codec

import (
	"bytes"
	"fmt"
	"io"

	"fubini/data/ratings"
	"fubini/data/text"
)

// Netflix has mv_*.txt and combined_data_*.txt: a line "movie:", then a
// line "user,rating,date" for each of its ratings, and so on.
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
	line := func() string { return text.Quote(bytes.Join(n.Values, []byte(","))) }
	if len(n.movie) == 0 {
		return n.Errorf("%s stands before the first movie; a line such as 1: comes first", line())
	}
	if len(n.Values) != 3 || len(n.Values[0]) == 0 {
		return n.Errorf("%s is not user,rating,date such as 1488844,3,2005-09-06", line())
	}
	*r = Record{User: n.Values[0], Item: n.movie, Line: n.Number}
	var ok bool
	if r.Value, ok = text.ParseRating(n.Values[1]); !ok {
		return n.BadRating(n.Values[1])
	}
	if r.Value < 1 || r.Value > 5 {
		return n.Errorf("rating %s is outside the scale of Netflix, 1 to 5", text.Quote(n.Values[1]))
	}
	if r.When, ok = text.ParseTime(n.Values[2]); !ok {
		return n.BadTime(n.Values[2])
	}
	return nil
}

// Titles reads those in the folder of the ratings.
func (n *netflix) Titles(b *ratings.Builder) error { return NetflixTitles(n.in, b) }

// NetflixTitles reads movie_titles.csv or .txt beside an input, lines of id,year,title with
// commas in the titles, if there is one.
func NetflixTitles(beside *Input, b *ratings.Builder) error {
	for _, name := range []string{"movie_titles.csv", "movie_titles.txt"} {
		in, file, err := beside.Beside(name)
		if err != nil {
			return err
		}
		if in == nil {
			continue
		}
		defer file.Close()
		l := in.Lines()
		defer l.Close()
		for {
			line, err := l.Next()
			if err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			if len(line) == 0 {
				continue
			}
			fields := bytes.SplitN(line, []byte(","), 3)
			if len(fields) < 3 {
				return l.Errorf("%s is not id,year,title such as 1,2003,Dinosaur Planet", text.Quote(line))
			}
			title := string(fields[2])
			if _, known := text.Digits(fields[1]); known {
				title = fmt.Sprintf("%s (%s)", title, fields[1])
			}
			b.Title(string(fields[0]), title)
			in.Counts.Titles++
		}
	}
	return nil
}
