package personal

import (
	"bytes"
	"fmt"
	"io"

	"fubini/data/codec"
	"fubini/data/ratings"
)

// Options of reading.
type Options struct {
	Name string // what errors call the input; empty means its path
	// Format is that of package format, for a file of ratings; empty means that the form is found out.
	Format     string
	Duplicates ratings.Duplicates // second ratings of an item by a user, in a file of ratings
	Incomplete string             // items that a PrefLib order leaves out
	// Columns are the names of columns by their roles, for a table whose own names are not understood; see [codec.Options].
	Columns map[string]string
	// Most, if not 0, bounds the bytes of what is read, unpacked, and keeps columns in binary out: for files of strangers.
	Most int64
	// Known, if not nil, reports whether a text is a title for sure. It decides where a comma in a line of a tier list is
	// part of a title.
	Known func(title string) bool
}

// Form is a kind of file.
type Form struct {
	Name   string
	Shape  string // what a person would recognise it by, for messages
	detect func(head []byte, base string) bool
	read   func(x *Export, in *codec.Input, o Options) error
}

// capped is a reader that fails after most bytes.
type capped struct {
	r          io.Reader
	most, read int64
}

func (c *capped) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.read += int64(n); c.read > c.most {
		return 0, fmt.Errorf("more than %d bytes; no list of one person is that long", c.most)
	}
	return n, err
}

// bound holds an input to o.Most bytes, and refuses columns in binary, whose memory these do not bound.
func (o Options) bound(in *codec.Input, head []byte) error {
	if o.Most == 0 {
		return nil
	}
	if bytes.HasPrefix(head, []byte("PAR1")) || bytes.HasPrefix(head, []byte("\x93NUMPY")) {
		return fmt.Errorf("%s: a file of columns in binary; convert it to CSV first", in.Name)
	}
	in.R, in.At = &capped{r: in.R, most: o.Most}, nil
	return nil
}
