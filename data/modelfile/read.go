package modelfile

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

const (
	// maxHeader is the limit of the reference implementation, in bytes.
	maxHeader = 100_000_000
	// maxDimensions is the limit of NumPy.
	maxDimensions = 64

	metadataName = "__metadata__"
)

// Read reads a model file of size bytes and checks its header, checksum and numbers.
func Read(r io.ReaderAt, size int64) (*File, error) {
	f, err := read(r, size, checkFormat)
	if err != nil {
		return nil, err
	}
	tensors := f.Tensors()
	if checksum(f.Metadata, tensors) != f.Metadata[keyChecksum] {
		return nil, fmt.Errorf("modelfile: damaged or edited: the content does not have the checksum in its metadata (%s)", keyChecksum)
	}
	for _, t := range tensors {
		if err := t.checkFinite(); err != nil {
			return nil, err
		}
	}
	for _, key := range []string{keyFormat, keyVersion, keyChecksum} {
		delete(f.Metadata, key)
	}
	return f, nil
}

// read reads a file; accept may refuse it by its metadata, before the tensors are
// looked at.
func read(r io.ReaderAt, size int64, accept func(metadata map[string]string) error) (*File, error) {
	if size < 8 {
		return nil, fmt.Errorf("modelfile: not a safetensors file: %d bytes are too few", size)
	}
	start, err := readRange(r, 0, 8)
	if err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint64(start)
	if length > uint64(size-8) {
		return nil, fmt.Errorf("modelfile: truncated, or not a safetensors file: it has %d bytes, its header alone should have %d", size, length)
	}
	if length > maxHeader {
		return nil, fmt.Errorf("modelfile: the header has %d bytes, at most %d are allowed", length, maxHeader)
	}
	text, err := readRange(r, 8, int64(length))
	if err != nil {
		return nil, err
	}
	metadata, entries, err := parseHeader(text)
	if err != nil {
		return nil, fmt.Errorf("modelfile: bad header: %w", err)
	}
	if err := accept(metadata); err != nil {
		return nil, err
	}
	dataSize := size - 8 - int64(length)
	if err := checkLayout(entries, dataSize); err != nil {
		return nil, fmt.Errorf("modelfile: %w", err)
	}
	data, err := readRange(r, 8+int64(length), dataSize)
	if err != nil {
		return nil, err
	}
	f := &File{Metadata: metadata, tensors: make(map[string]Tensor, len(entries))}
	for _, e := range entries {
		f.tensors[e.name] = Tensor{Name: e.name, Type: e.dtype, Shape: e.shape, Data: data[e.begin:e.end:e.end]}
	}
	return f, nil
}

func readRange(r io.ReaderAt, offset, length int64) ([]byte, error) {
	if length > math.MaxInt {
		return nil, fmt.Errorf("modelfile: %d bytes are too many for this machine", length)
	}
	data := make([]byte, length)
	n, err := io.ReadFull(io.NewSectionReader(r, offset, length), data)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("modelfile: truncated: it ends after %d bytes", offset+int64(n))
	}
	if err != nil {
		return nil, fmt.Errorf("modelfile: %w", err)
	}
	return data, nil
}

// checkLayout checks the tensors of a header: each range has the length
// that dtype and shape ask for, and together the ranges fill the data without
// gap or overlap. It sorts the entries.
func checkLayout(entries []entry, size int64) error {
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end), cmp.Compare(a.name, b.name))
	})
	at := 0
	for _, e := range entries {
		if e.dtype.rank() < 0 {
			return fmt.Errorf("tensor %.80q: dtype %.80q is not supported", e.name, string(e.dtype))
		}
		length, ok := byteLength(e.dtype, e.shape)
		if !ok {
			return fmt.Errorf("tensor %.80q: shape %v is too large", e.name, e.shape)
		}
		if e.end < e.begin || e.end-e.begin != length {
			return fmt.Errorf("tensor %.80q: %v%s takes %d bytes, its range is %d to %d", e.name, e.dtype, ofShape(e.shape), length, e.begin, e.end)
		}
		if e.begin < at {
			return fmt.Errorf("tensor %.80q: begins at %d, inside the one before, which ends at %d", e.name, e.begin, at)
		}
		if e.begin > at {
			return fmt.Errorf("tensor %.80q: begins at %d, after a gap from %d", e.name, e.begin, at)
		}
		at = e.end
	}
	switch {
	case int64(at) > size:
		return fmt.Errorf("truncated: %d bytes of data are there, the header has %d; copy or make the file again", size, at)
	case int64(at) < size:
		return fmt.Errorf("%d bytes follow after the last tensor", size-int64(at))
	}
	return nil
}
