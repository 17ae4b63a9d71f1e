package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"fubini/data/ratings"
)

// netflixCodec reads mv_*.txt and combined_data_*.txt: a line "movie:", then a
// line "user,rating,date" for each of its ratings, and so on.
var netflixCodec = codec{
	name:       "netflix",
	extensions: []string{".txt"},
	detect: func(head []byte) bool {
		_, ok := netflixMovie(firstLine(head))
		return ok
	},
	read: func(in *input, b *ratings.Builder, o Options) error {
		if err := readNetflix(in, b); err != nil || in.folder == nil {
			return err
		}
		return readNetflixTitles(in.folder, path.Dir(in.name), in.counts, b)
	},
}

// netflixMovie reads the line of a movie.
func netflixMovie(line []byte) (movie []byte, ok bool) {
	movie, ok = bytes.CutSuffix(bytes.TrimRight(line, " "), []byte(":"))
	if !ok {
		return nil, false
	}
	for _, c := range movie {
		if c < '0' || c > '9' {
			return nil, false
		}
	}
	return movie, len(movie) > 0
}

func readNetflix(in *input, b *ratings.Builder) error {
	t := &table{lines: newLines(in.name, in.r), separator: ','}
	defer t.close()
	defer func() { in.counts.Latin1 += t.latin1 }()
	var movie []byte
	for {
		if err := t.next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if len(t.fields) == 1 {
			m, ok := netflixMovie(t.fields[0])
			if !ok {
				return t.errorf("%s is neither a movie, such as 1:, nor user,rating,date", quote(t.fields[0]))
			}
			movie = append(movie[:0], m...)
			continue
		}
		line := func() string { return quote(bytes.Join(t.fields, []byte(","))) }
		if len(movie) == 0 {
			return t.errorf("%s stands before the first movie; a line such as 1: comes first", line())
		}
		if len(t.fields) != 3 || len(t.fields[0]) == 0 {
			return t.errorf("%s is not user,rating,date such as 1488844,3,2005-09-06", line())
		}
		in.counts.Lines++
		value, ok := parseRating(t.fields[1])
		if !ok {
			return t.badRating(t.fields[1])
		}
		if value < 1 || value > 5 {
			return t.errorf("rating %s is outside the scale of Netflix, 1 to 5", quote(t.fields[1]))
		}
		when, ok := parseTime(t.fields[2])
		if !ok {
			return t.badTime(t.fields[2])
		}
		if err := b.Add(t.fields[0], movie, value, when); err != nil {
			return t.errorf("%w", err)
		}
	}
}

// readNetflixTitles reads movie_titles.csv or .txt, lines of id,year,title with
// commas in the titles, if there is one.
func readNetflixTitles(folder fs.FS, folderName string, counts *Report, b *ratings.Builder) error {
	for _, name := range []string{"movie_titles.csv", "movie_titles.txt"} {
		f, err := folder.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return renamed(err, path.Join(folderName, name))
		}
		defer f.Close()
		l := newLines(path.Join(folderName, name), f)
		defer l.close()
		defer func() { counts.Latin1 += l.latin1 }()
		for {
			line, err := l.next()
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
				return l.errorf("%s is not id,year,title such as 1,2003,Dinosaur Planet", quote(line))
			}
			title := string(fields[2])
			if _, known := digits(fields[1]); known {
				title = fmt.Sprintf("%s (%s)", title, fields[1])
			}
			b.Title(string(fields[0]), title)
			counts.Titles++
		}
	}
	return nil
}
