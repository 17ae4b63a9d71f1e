package format

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"fubini/data/ratings"
)

// npzCodec writes arrays for NumPy, one element a rating: users and items are
// positions in user_ids and item_ids, ratings are values, timestamps seconds. It
// is laid out as numpy.savez does, without compression.
var npzCodec = codec{
	name:       "npz",
	extensions: []string{".npz"},
	write:      writeNPZ,
}

// maxIDBytes is how large an array of ids may become. NumPy gives every string
// the room of the longest, four bytes a character.
const maxIDBytes = 1 << 32

func writeNPZ(w io.Writer, s *ratings.Set, _ Options) error {
	archive := zip.NewWriter(w)
	array := func(name, kind string, length int, fill func(out *bufio.Writer) error) error {
		file, err := archive.CreateHeader(&zip.FileHeader{
			Name:     name + ".npy",
			Method:   zip.Store,
			Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), // the same bytes every time
		})
		if err != nil {
			return err
		}
		out := bufio.NewWriterSize(file, 1<<16)
		out.Write(npyHeader(kind, length)) // the writer keeps its first error for Flush
		if err := fill(out); err != nil {
			return err
		}
		return out.Flush()
	}
	each := func(write func(out *bufio.Writer, user int, row ratings.Row, k int)) func(*bufio.Writer) error {
		return func(out *bufio.Writer) error {
			for u := range s.Users().Len() {
				row := s.Row(u)
				for k := range row.Items {
					write(out, u, row, k)
				}
			}
			return nil
		}
	}
	var word [8]byte
	put := func(out *bufio.Writer, x uint32) { out.Write(binary.LittleEndian.AppendUint32(word[:0], x)) }

	steps := []struct {
		name, kind string
		fill       func(*bufio.Writer) error
	}{
		{"users", "<i4", each(func(out *bufio.Writer, u int, _ ratings.Row, _ int) { put(out, uint32(u)) })},
		{"items", "<i4", each(func(out *bufio.Writer, _ int, row ratings.Row, k int) { put(out, row.Items[k]) })},
		{"ratings", "<f4", each(func(out *bufio.Writer, _ int, row ratings.Row, k int) { put(out, math.Float32bits(row.Values[k])) })},
	}
	for _, step := range steps {
		if err := array(step.name, step.kind, s.Len(), step.fill); err != nil {
			return err
		}
	}
	if s.HasTimes() {
		err := array("timestamps", "<i8", s.Len(), each(func(out *bufio.Writer, _ int, row ratings.Row, k int) {
			out.Write(binary.LittleEndian.AppendUint64(word[:0], uint64(row.Times[k])))
		}))
		if err != nil {
			return err
		}
	}
	for _, v := range []struct {
		name string
		*ratings.Vocabulary
	}{{"user_ids", s.Users()}, {"item_ids", s.Items()}} {
		width, err := idWidth(v.Vocabulary)
		if err != nil {
			return err
		}
		err = array(v.name, fmt.Sprintf("<U%d", width), v.Len(), func(out *bufio.Writer) error {
			for n := range v.Len() {
				left := width
				for _, r := range v.ID(uint32(n)) {
					put(out, uint32(r))
					left--
				}
				for range left {
					put(out, 0)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return archive.Close()
}

// idWidth is the number of characters of the longest id.
func idWidth(v *ratings.Vocabulary) (int, error) {
	width := 1
	for n := range v.Len() {
		id := v.ID(uint32(n))
		if !utf8.ValidString(id) || strings.HasSuffix(id, "\x00") {
			return 0, fmt.Errorf("format: id %q cannot stand in a NumPy array: it is no Unicode text, or ends in NUL", id)
		}
		width = max(width, utf8.RuneCountInString(id))
	}
	if 4*width > maxIDBytes/max(v.Len(), 1) {
		return 0, fmt.Errorf("format: %d ids with the room of the longest, %d characters, are too large for a NumPy array", v.Len(), width)
	}
	return width, nil
}

// npyHeader is the beginning of a .npy file of version 1.0 that holds one row.
// Its length is a multiple of 64.
func npyHeader(kind string, length int) []byte {
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }", kind, length)
	const before = len("\x93NUMPY\x01\x00") + 2
	padding := 63 - (before+len(text))%64 // and a newline
	text += strings.Repeat(" ", padding) + "\n"
	header := append([]byte("\x93NUMPY\x01\x00"), byte(len(text)), byte(len(text)>>8))
	return append(header, text...)
}
