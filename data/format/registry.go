package format

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"fubini/data/codec"
	"fubini/data/codec/preflib"
	"fubini/data/text"
)

// codecs are all formats. Where the content and the name of a file fit several,
// the first one here is taken: those with marks of their own come before
// plain columns.
var codecs = []*codec.Codec{
	&codec.Compact, &codec.Parquet, &preflib.Codec, &codec.TierLists, &codec.TierList, &codec.JSONL, &codec.Inter, &codec.Netflix, &codec.Run, &codec.Qrels,
	&codec.MovieLens, &codec.TSV, &codec.CSV, &codec.Picks, &codec.Surprise, &codec.NPZ, &codec.LensKit, &codec.LensKitParquet,
}

// Readable returns the names of the formats that [Read] reads.
func Readable() []string { return names((*codec.Codec).Reads) }

// Writable returns the names of the formats that [Write] writes.
func Writable() []string { return names(func(c *codec.Codec) bool { return c.Write != nil }) }

func names(wanted func(c *codec.Codec) bool) (names []string) {
	for _, c := range codecs {
		if wanted(c) {
			names = append(names, c.Name)
		}
	}
	slices.Sort(names)
	return names
}

// headSize is how much of a file detection looks at.
const headSize = 64 << 10

// detect finds the format of a file from its first bytes, unpacked; nil when no format fits. The name of the file
// decides only between formats that the content allows; when it allows none, the extension is believed.
func detect(head []byte, name string) *codec.Codec {
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	extension := strings.ToLower(path.Ext(name))
	var byContent, byName *codec.Codec
	for _, c := range codecs {
		if !c.Reads() {
			continue
		}
		named := slices.Contains(c.Extensions, extension)
		if named && byName == nil {
			byName = c
		}
		if !c.Detect(head) {
			continue
		}
		if named || slices.Contains(c.Shared, extension) {
			return c
		}
		if byContent == nil {
			byContent = c
		}
	}
	if byContent != nil {
		return byContent
	}
	return byName
}

// Detects reports whether the first bytes of a file, unpacked, look like a format that can be read, whatever its name is.
func Detects(head []byte) bool {
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	return slices.ContainsFunc(codecs, func(c *codec.Codec) bool { return c.Reads() && c.Detect(head) })
}

// unknown is the error for a file of no format that is known.
func unknown(head []byte, name string) error {
	l := text.NewLines(name, bytes.NewReader(head))
	if _, err := l.Next(); err != nil && err != io.EOF { // it is not even text
		return err
	}
	first, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
	return fmt.Errorf("%s: no format that is known; it starts with %s; if it is one of %s after all, say which", name, text.Quote(bytes.TrimRight(first, "\r")), strings.Join(Readable(), ", "))
}

// find returns the format of a name; an extension, such as soc, is one too. It is nil for an unknown one.
func find(name string) *codec.Codec {
	for _, c := range codecs {
		if c.Name == name {
			return c
		}
	}
	for _, c := range codecs {
		if slices.Contains(c.Extensions, "."+name) {
			return c
		}
	}
	return nil
}

// reader is the format to read by: the one asked for, or else the one that the first bytes look like.
func reader(o Options, head []byte, in *codec.Input) (*codec.Codec, error) {
	if o.Format != "" {
		return readable(o.Format)
	}
	if len(bytes.TrimSpace(bytes.TrimPrefix(head, text.ByteOrderMark))) == 0 && len(head) < headSize {
		return nil, fmt.Errorf("%s: the file is empty and %w", in.Name, ErrNoRatings)
	}
	c := detect(head, in.Base)
	if len(o.Columns) > 0 && (c == nil || !slices.Contains([]*codec.Codec{&codec.Parquet, &codec.Inter, &codec.JSONL, &codec.TierLists}, c)) {
		// A table whose columns are named, whatever it looks like without the names.
		c = &codec.CSV
		if first := bytes.TrimSpace(text.FirstLine(head)); bytes.HasPrefix(first, []byte("{")) {
			c = &codec.JSONL
		}
	}
	if c == nil && (bytes.ContainsAny(text.FirstLine(head), ",;\t")) && utf8.Valid(text.FirstLine(head)) {
		c = &codec.CSV // which says what is wrong with its columns
	}
	if c != nil {
		return c, nil
	}
	return nil, unknown(head, in.Name)
}

// readable is the format of a name, which must be one that can be read.
func readable(name string) (*codec.Codec, error) {
	if c := find(name); c != nil && c.Reads() {
		return c, nil
	}
	return nil, fmt.Errorf("format: cannot read %q; there are %s", name, strings.Join(Readable(), ", "))
}
