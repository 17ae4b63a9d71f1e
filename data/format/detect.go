package format

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// headSize is how much of a file detection looks at.
const headSize = 64 << 10

// codecs are all formats. Where a file might be several and its name does not
// tell, the first one here is taken: those with marks of their own come before
// plain columns.
var codecs = []codec{
	parquetCodec, preflibCodec, tiersCodec, jsonlCodec, interCodec, letterboxdCodec, netflixCodec, runCodec, qrelsCodec,
	movielensCodec, tsvCodec, csvCodec, npzCodec,
}

// Format describes a format, for help and completion.
type Format struct {
	Name          string
	Extensions    []string
	Reads, Writes bool
}

// Formats lists all formats by name.
func Formats() []Format {
	var all []Format
	for _, c := range codecs {
		all = append(all, Format{c.name, slices.Clone(c.extensions), c.read != nil, c.write != nil})
	}
	slices.SortFunc(all, func(a, b Format) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Detect names the format of a file from its first bytes, 64 KiB or all there
// are, unpacked. The name of the file decides only between formats that the
// content allows; when it allows none, the extension is believed.
func Detect(head []byte, name string) (string, error) {
	if c := detect(codecs, head, name); c != nil {
		return c.name, nil
	}
	return "", unknown(codecs, head, name)
}

// detect returns nil when there is no telling.
func detect(codecs []codec, head []byte, name string) *codec {
	head = bytes.TrimPrefix(head, byteOrderMark)
	extension := strings.ToLower(path.Ext(name))
	var byContent, byBoth, byName *codec
	for k := range codecs {
		c := &codecs[k]
		named := slices.Contains(c.extensions, extension)
		if c.read == nil {
			continue
		}
		if named && byName == nil {
			byName = c
		}
		if c.detect == nil || !c.detect(head) {
			continue
		}
		if byContent == nil {
			byContent = c
		}
		if byBoth == nil && (named || slices.Contains(c.shared, extension)) {
			byBoth = c
		}
	}
	for _, c := range []*codec{byBoth, byContent, byName} {
		if c != nil {
			return c
		}
	}
	return nil
}

// unknown is the error for a file of no format that is known.
func unknown(codecs []codec, head []byte, name string) error {
	l := newLines(name, bytes.NewReader(head))
	defer l.close()
	if _, err := l.next(); err != nil && err != io.EOF { // it is not even text
		return err
	}
	return fmt.Errorf("%s: no format that is known; it starts with %s; if it is one of %s after all, say which", name, quote(firstOf(head)), strings.Join(readable(codecs), ", "))
}

// firstOf is the first line of a head for an error.
func firstOf(head []byte) []byte {
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
	return bytes.TrimRight(line, "\r")
}

func readable(codecs []codec) (names []string) {
	for _, c := range codecs {
		if c.read != nil {
			names = append(names, c.name)
		}
	}
	slices.Sort(names)
	return names
}

func writable(codecs []codec) (names []string) {
	for _, c := range codecs {
		if c.write != nil {
			names = append(names, c.name)
		}
	}
	slices.Sort(names)
	return names
}

// find returns the codec of a name; an extension, such as soc, is one too.
func find(codecs []codec, name string) *codec {
	for k := range codecs {
		if codecs[k].name == name {
			return &codecs[k]
		}
	}
	for k := range codecs {
		if slices.Contains(codecs[k].extensions, "."+name) {
			return &codecs[k]
		}
	}
	return nil
}
