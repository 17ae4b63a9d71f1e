package modelfile

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// WriteTo writes the file. Everything is checked first: after an error about the
// content nothing has been written.
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
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	text := func(s string) {
		if fault == nil && !utf8.ValidString(s) { // the encoder would replace it in silence
			fault = fmt.Errorf("modelfile: %q is not UTF-8", s)
		}
		encoder.Encode(s)           // writing a string to memory cannot fail
		out.Truncate(out.Len() - 1) // the newline it adds
	}
	separator := byte('{')
	if len(metadata) > 0 {
		out.WriteByte(separator)
		out.WriteString(`"` + metadataName + `":`)
		inner := byte('{')
		for _, key := range slices.Sorted(maps.Keys(metadata)) {
			out.WriteByte(inner)
			text(key)
			out.WriteByte(':')
			text(metadata[key])
			inner = ','
		}
		out.WriteByte('}')
		separator = ','
	}
	offset := 0
	for _, t := range tensors {
		if fault == nil && t.Name == metadataName {
			fault = fmt.Errorf("modelfile: no tensor can be called %q", t.Name)
		}
		if fault == nil && len(t.Shape) > maxDimensions {
			fault = fmt.Errorf("modelfile: tensor %q has %d dimensions, at most %d are allowed", t.Name, len(t.Shape), maxDimensions)
		}
		out.WriteByte(separator)
		text(t.Name)
		shape := strings.ReplaceAll(fmt.Sprint(t.Shape), " ", ",")
		fmt.Fprintf(&out, `:{"dtype":"%s","shape":%s,"data_offsets":[%d,%d]}`, string(t.Type), shape, offset, offset+len(t.Data))
		offset += len(t.Data)
		separator = ','
	}
	if separator == '{' {
		out.WriteByte('{')
	}
	out.WriteByte('}')
	for out.Len()%8 != 0 {
		out.WriteByte(' ')
	}
	if fault == nil && out.Len() > maxHeader {
		fault = fmt.Errorf("modelfile: names and metadata take %d bytes, at most %d are allowed", out.Len(), maxHeader)
	}
	return out.Bytes(), fault
}
