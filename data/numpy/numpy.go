// Package numpy writes files of arrays that NumPy reads.
package numpy

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
)

// maxIDBytes is how large an array of ids may become. NumPy gives every string
// the room of the longest, four bytes a character.
const maxIDBytes int64 = 1 << 32

// Arrays writes a file of arrays for NumPy, as numpy.savez does; equal arrays give equal bytes. Close returns the first
// error.
type Arrays struct {
	archive *zip.Writer
	err     error
}

// New begins a file of arrays.
func New(w io.Writer) *Arrays { return &Arrays{archive: zip.NewWriter(w)} }

// Float64s adds an array of numbers of this shape; the last dimension runs fastest.
func (z *Arrays) Float64s(name string, data []float64, shape ...int) {
	size := 1
	for _, n := range shape {
		size *= n
	}
	if size != len(data) && z.err == nil {
		z.err = fmt.Errorf("format: %d numbers for an array %s of %v", len(data), name, shape)
	}
	z.Array(name, "<f8", shape, func(out *bufio.Writer) {
		for _, v := range data {
			Put64(out, math.Float64bits(v))
		}
	})
}

// Strings adds an array of texts; each takes the space of the longest.
func (z *Arrays) Strings(name string, texts []string) {
	if z.err != nil {
		return
	}
	var width int
	width, z.err = idWidth(texts)
	z.Array(name, fmt.Sprintf("<U%d", width), []int{len(texts)}, func(out *bufio.Writer) {
		for _, text := range texts {
			left := width
			for _, r := range text {
				Put32(out, uint32(r))
				left--
			}
			for range left {
				Put32(out, 0)
			}
		}
	})
}

// Close ends the file and returns the first error.
func (z *Arrays) Close() error {
	if z.err != nil {
		return z.err
	}
	return z.archive.Close()
}

// Array adds an array of a type in NumPy's notation; fill writes its elements, little-endian.
func (z *Arrays) Array(name, kind string, shape []int, fill func(out *bufio.Writer)) {
	if z.err != nil {
		return
	}
	var file io.Writer
	file, z.err = z.archive.CreateHeader(&zip.FileHeader{
		Name:     name + ".npy",
		Method:   zip.Store,
		Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC),
	})
	if z.err == nil {
		out := bufio.NewWriterSize(file, 1<<16)
		out.Write(npyHeader(kind, shape)) // the writer keeps its first error for Flush
		fill(out)
		z.err = out.Flush()
	}
}

// Put32 writes 4 bytes, little-endian.
func Put32(out *bufio.Writer, x uint32) {
	var word [4]byte
	out.Write(binary.LittleEndian.AppendUint32(word[:0], x))
}

// Put64 writes 8 bytes, little-endian.
func Put64(out *bufio.Writer, x uint64) {
	var word [8]byte
	out.Write(binary.LittleEndian.AppendUint64(word[:0], x))
}

// idWidth is the number of characters of the longest text.
func idWidth(texts []string) (int, error) {
	width := 1
	for _, id := range texts {
		if !utf8.ValidString(id) || strings.HasSuffix(id, "\x00") {
			return 0, fmt.Errorf("format: id %q cannot stand in a NumPy array: it is no Unicode text, or ends in NUL", id)
		}
		width = max(width, utf8.RuneCountInString(id))
	}
	if 4*int64(width) > maxIDBytes/int64(max(len(texts), 1)) {
		return 0, fmt.Errorf("format: %d ids with the room of the longest, %d characters, are too large for a NumPy array", len(texts), width)
	}
	return width, nil
}

// npyHeader is the beginning of a .npy file of version 1.0. Its length is a
// multiple of 64.
func npyHeader(kind string, shape []int) []byte {
	dimensions := strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", ", "), "[]")
	if len(shape) == 1 {
		dimensions += ","
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, dimensions)
	const before = len("\x93NUMPY\x01\x00") + 2
	padding := 63 - (before+len(text))%64 // and a newline
	text += strings.Repeat(" ", padding) + "\n"
	header := append([]byte("\x93NUMPY\x01\x00"), byte(len(text)), byte(len(text)>>8))
	return append(header, text...)
}
