package modelfile

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"unicode/utf8"
)

// WriteTo checks the content and writes the file. After an error of the check nothing has been written.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	tensors := f.Tensors()
	for _, t := range tensors {
		if t.fault != nil {
			return 0, t.fault
		}
		if err := t.checkFinite(); err != nil {
			return 0, err
		}
	}
	for _, key := range []string{keyFormat, keyVersion, keyChecksum} {
		if _, there := f.Metadata[key]; there {
			return 0, fmt.Errorf("modelfile: the metadata key %q is for the package to set", key)
		}
	}
	metadata := f.ownMetadata()
	metadata[keyChecksum] = checksum(metadata, tensors)
	return write(w, metadata, tensors)
}

// write writes a safetensors file. It sorts the tensors.
func write(w io.Writer, metadata map[string]string, tensors []Tensor) (written int64, err error) {
	slices.SortFunc(tensors, inFileOrder)
	header, err := header(metadata, tensors)
	if err != nil {
		return 0, err
	}
	put := func(data []byte) {
		if err == nil {
			var n int
			n, err = w.Write(data)
			written += int64(n)
		}
	}
	put(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...))
	for _, t := range tensors {
		if len(t.Data) > 0 {
			put(t.Data)
		}
	}
	if err != nil {
		return written, fmt.Errorf("modelfile: %w", err)
	}
	return written, nil
}

// header is the JSON for tensors that follow each other, with spaces up to a
// multiple of 8 bytes. Without metadata that part is left out.
func header(metadata map[string]string, tensors []Tensor) ([]byte, error) {
	var out bytes.Buffer
	var fault error
	fail := func(bad bool, format string, args ...any) {
		if bad && fault == nil {
			fault = fmt.Errorf("modelfile: "+format, args...)
		}
	}
	valid := func(s string) { fail(!utf8.ValidString(s), "%q is not UTF-8", s) } // the encoder would replace it in silence
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	put := func(before string, value any) {
		out.WriteString(before)
		encoder.Encode(value)       // to memory: it cannot fail
		out.Truncate(out.Len() - 1) // the newline it adds
	}
	separator := "{"
	if len(metadata) > 0 {
		for _, key := range slices.Sorted(maps.Keys(metadata)) {
			valid(key)
			valid(metadata[key])
		}
		put(`{"`+metadataName+`":`, metadata) // by key
		separator = ","
	}
	offset := 0
	for _, t := range tensors {
		fail(t.Name == metadataName, "no tensor can be called %q", t.Name)
		fail(len(t.Shape) > maxDimensions, "tensor %q has %d dimensions, at most %d are allowed", t.Name, len(t.Shape), maxDimensions)
		valid(t.Name)
		put(separator, t.Name)
		put(":", struct {
			Type    DType  `json:"dtype"`
			Shape   []int  `json:"shape"`
			Offsets [2]int `json:"data_offsets"`
		}{t.Type, t.Shape, [2]int{offset, offset + len(t.Data)}})
		offset += len(t.Data)
		separator = ","
	}
	if separator == "{" {
		out.WriteString(separator)
	}
	out.WriteByte('}')
	for out.Len()%8 != 0 {
		out.WriteByte(' ')
	}
	fail(out.Len() > maxHeader, "names and metadata take %d bytes, at most %d are allowed", out.Len(), maxHeader)
	return out.Bytes(), fault
}
