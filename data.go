package fubini

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"fubini/app/recommend"
	"fubini/data/codec"
	"fubini/data/format"
	"fubini/data/personal"
	"fubini/data/ratings"
)

// Data is who rated, placed or picked what: what models are trained on and judged by.
type Data struct {
	*ratings.Set
	// Name is what errors and notes call the data.
	Name string
	// Format is the name of the form the data came in.
	Format string
	// Picks is set where the data have no ratings and no tiers, only who picked what.
	Picks bool
	// TiersOnly is set where values only order the items of a user.
	TiersOnly bool
}

// Rating is one rating of an item by a user. The time may be zero.
type Rating struct {
	User, Item string
	Value      float64
	Time       time.Time
}

// ReadData reads ratings, tier lists or picks from a file or a known folder. The form is found out from the content: see
// `fubini data info --help`.
func ReadData(path string) (*Data, error) {
	files, name, err := locate(path)
	if err != nil {
		return nil, err
	}
	return ReadDataFS(files, name)
}

// locate is the folder around a file or folder that is there, and its name in it.
func locate(path string) (files fs.FS, name string, err error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, "", err
	}
	if _, err := os.Stat(full); err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	return os.DirFS(filepath.Dir(full)), filepath.Base(full), nil
}

// ReadDataFS is [ReadData] in a file system.
func ReadDataFS(files fs.FS, name string) (*Data, error) {
	set, report, err := personal.ReadSet(files, name, format.Options{})
	if err != nil {
		return nil, err
	}
	return NewData(name, set, report), nil
}

// ReadDataFrom is [ReadData] for a stream. The name stands in errors.
func ReadDataFrom(r io.Reader, name string) (*Data, error) {
	set, report, err := personal.ReadSetStream(r, name, format.Options{})
	if err != nil {
		return nil, err
	}
	return NewData(name, set, report), nil
}

// NewData is data that package format read.
func NewData(name string, set *ratings.Set, report *format.Report) *Data {
	return &Data{Set: set, Name: name, Format: report.Format, Picks: report.Format == codec.Picks.Name, TiersOnly: !recommend.AreRatings(report)}
}

// Ratings makes data of ratings in memory. Two ratings of one item by one user are an error.
func Ratings(all []Rating) (*Data, error) {
	b := ratings.NewBuilder()
	for k, r := range all {
		when := int64(ratings.NoTime)
		if !r.Time.IsZero() {
			when = r.Time.Unix()
		}
		if err := b.Add([]byte(r.User), []byte(r.Item), float32(r.Value), when); err != nil {
			return nil, fmt.Errorf("rating %d: %w", k, err)
		}
	}
	return built(b)
}

// TierLists makes data of tier lists in memory: for each user the tiers, best first, with the ids of their items.
func TierLists(lists map[string][][]string) (*Data, error) {
	b := ratings.NewBuilder()
	for user, tiers := range lists {
		names := make([]string, len(tiers)) // they have none
		for t, tier := range tiers {
			for _, item := range tier {
				if err := b.Place([]byte(user), []byte(item), names, len(tiers)-t, ratings.NoTime); err != nil {
					return nil, fmt.Errorf("user %q: %w", user, err)
				}
			}
		}
	}
	data, err := built(b)
	if err == nil {
		data.TiersOnly = true
	}
	return data, err
}

func built(b *ratings.Builder) (*Data, error) {
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		return nil, err
	}
	return &Data{Set: set, Name: "the data set", Format: "memory"}, nil
}
