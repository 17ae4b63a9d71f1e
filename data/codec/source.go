package codec

import (
	"io"

	"fubini/data/ratings"
)

// Record is one rating, or a user without any.
type Record struct {
	User, Item []byte // ids, views that the next record overwrites; no item for a user without ratings
	Value      float32
	When       int64  // seconds since 1970, or ratings.NoTime
	Title      []byte // of the item, or none
	Line       int    // where the rating stands: a line, or a row of a Parquet file
	Begins     bool   // a list begins here, even if its user is that of the record before
}

// Source yields one rating after another. It may be an [io.Closer] too.
type Source interface {
	// Next overwrites the record with the next one, or returns io.EOF. After a [text.BadLine] it can go on.
	Next(r *Record) error
	// ErrorAt is an error at a line or row of the input.
	ErrorAt(line int, format string, args ...any) error
}

// titler is a [Source] with titles in a file beside the ratings.
type titler interface {
	titles(b *ratings.Builder) error
}

// Load adds all ratings of an input to a builder.
func (c *Codec) Load(in *Input, b *ratings.Builder, o Options) error {
	if c.Read != nil {
		return c.Read(in, b, o)
	}
	source, err := c.Open(in, o)
	if err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	if c, can := source.(io.Closer); can {
		defer c.Close()
	}
	if err := addAll(source, in.Counts, b); err != nil || in.Folder == nil {
		return err
	}
	if t, can := source.(titler); can {
		return t.titles(b)
	}
	return nil
}

func addAll(source Source, counts *Report, b *ratings.Builder) error {
	titled := map[string]bool{}
	var r Record
	for {
		if err := source.Next(&r); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		counts.Lines++
		if err := b.Add(r.User, r.Item, r.Value, r.When); err != nil {
			return source.ErrorAt(r.Line, "%w", err)
		}
		if len(r.Title) > 0 && !titled[string(r.Item)] {
			titled[string(r.Item)] = true
			b.Title(string(r.Item), string(r.Title))
		}
	}
}
