package demo

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fubini/data/catalogue"
	"fubini/data/ratings"
	"fubini/learn/modelstore"
)

// filmsTitle names the source of the films and their ratings.
const filmsTitle = "Films: MovieTweetings, 2013"

// filmFiles are MovieTweetings' films and ratings, packed by tools/filmworld, with their licence.
//
//go:embed films
var filmFiles embed.FS

// Films returns the ratings of the second world: real people, who said on Twitter what they gave a film on IMDb, from 0 to 10. Films
// have the numbers of IMDb as ids.
func Films() (*ratings.Set, error) {
	films, err := unpack("films/movies.dat.gz")
	if err != nil {
		return nil, err
	}
	lists, err := unpack("films/tiers.gz")
	if err != nil {
		return nil, err
	}
	b := ratings.NewBuilder()
	var ids [][]byte
	for _, line := range films {
		fields := strings.Split(line, "::")
		ids = append(ids, []byte(fields[0]))
		b.Title(fields[0], fields[1])
	}
	for u, line := range lists {
		user := fmt.Appendf(nil, "%d", u+1)
		for below, tier := range strings.Split(line, "|") {
			for text := range strings.SplitSeq(tier, ",") {
				if text == "" {
					continue
				}
				at, err := strconv.Atoi(text)
				if err != nil || at < 0 || at >= len(ids) {
					return nil, fmt.Errorf("demo: films: line %d: %q is no film", u+1, text)
				}
				if err := b.Add(user, ids[at], float32(10-below), ratings.NoTime); err != nil {
					return nil, fmt.Errorf("demo: films: line %d: %w", u+1, err)
				}
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	return set, err
}

// WriteFilms writes the films as CSV: item, name, year, genres with bars between, and the number at IMDb.
func WriteFilms(to io.Writer) error {
	films, err := unpack("films/movies.dat.gz")
	if err != nil {
		return err
	}
	rows := [][]string{{"item", "name", "year", "genres", "imdb"}}
	for _, line := range films {
		fields := strings.Split(line, "::")
		name, year, _ := strings.Cut(fields[1], " (")
		rows = append(rows, []string{fields[0], name, strings.TrimSuffix(year, ")"), fields[2], "tt" + fields[0]})
	}
	return csv.NewWriter(to).WriteAll(rows)
}

// filmEpochs are fewer than by default, so that the page is there soon.
const filmEpochs = 15

// TrainFilms learns a model of the films, with fewer epochs than fubini train takes.
func TrainFilms(ctx context.Context, t Training) (*modelstore.Saved, error) {
	set, err := Films()
	if err != nil {
		return nil, err
	}
	saved, err := t.fit(ctx, set, map[string]float64{"epochs": filmEpochs}, modelstore.Request{Calibrate: 0.1, Interest: true})
	if err != nil {
		return nil, err
	}
	saved.Title = filmsTitle
	var table bytes.Buffer
	if err := WriteFilms(&table); err != nil {
		return nil, err
	}
	about := catalogue.New()
	if err := about.ReadStream(&table, "films", "items.csv"); err != nil {
		return nil, err
	}
	saved.Describe(about)
	return saved, nil
}

// unpack returns the lines of a file that the package carries.
func unpack(name string) ([]string, error) {
	packed, err := filmFiles.ReadFile(name)
	if err != nil {
		return nil, err
	}
	in, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(in)
	return strings.Split(strings.TrimRight(string(text), "\n"), "\n"), err
}
