package modelfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
)

// formatVersion is the version of the files that this package writes, and the
// newest that it reads.
const formatVersion = 1

// The keys of the metadata, and the names of two tensors of texts.
const (
	KeyProgramVersion = "program_version" // of the fubini that wrote it
	KeyModel          = "model"           // its name in the registry
	KeySeed           = "seed"            // JSON: a number
	KeyData           = "data"            // fingerprint of the ratings it learnt from
	KeySettings       = "settings"        // JSON
	KeyHistory        = "history"         // JSON: what was observed in each epoch

	ItemIDs   = "items.ids"
	ItemNames = "items.names"
)

// The keys of this package, and the value of format.
const (
	keyFormat   = "format"
	keyVersion  = "format_version"
	keyChecksum = "sha256"

	formatName = "fubini"
)

// SetJSON stores the JSON encoding of a value in the metadata.
func (f *File) SetJSON(key string, value any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("modelfile: metadata %q: %w", key, err)
	}
	f.Metadata[key] = string(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	return nil
}

// JSON decodes a value of the metadata. An unknown field is an error, so that no setting is lost between two versions of
// the program.
func (f *File) JSON(key string, value any) error {
	text, there := f.Metadata[key]
	if !there {
		return fmt.Errorf("modelfile: there is no metadata %q", key)
	}
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		return fmt.Errorf("modelfile: metadata %q: %w", key, err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return fmt.Errorf("modelfile: metadata %q: more follows after the JSON value", key)
	}
	return nil
}

// Checksum returns the SHA-256 of the content, in hex, as [File.WriteTo] writes it.
func (f *File) Checksum() string {
	return checksum(f.ownMetadata(), f.Tensors())
}

// ownMetadata is the metadata with the keys of this package but for the checksum.
func (f *File) ownMetadata() map[string]string {
	metadata := make(map[string]string, len(f.Metadata)+3)
	maps.Copy(metadata, f.Metadata)
	metadata[keyFormat] = formatName
	metadata[keyVersion] = strconv.Itoa(formatVersion)
	return metadata
}

// checkFormat refuses files that are not models or that a newer program wrote. It
// needs the metadata alone, as a newer format may do the rest in another way.
func checkFormat(metadata map[string]string) error {
	format, there := metadata[keyFormat]
	if !there {
		return fmt.Errorf("modelfile: not a fubini model: its metadata has no %q", keyFormat)
	}
	if format != formatName {
		return fmt.Errorf("modelfile: not a fubini model: its format is %.80q", format)
	}
	version, err := strconv.Atoi(metadata[keyVersion])
	if err != nil || version < 1 {
		return fmt.Errorf("modelfile: damaged: %.80q is not a format version", metadata[keyVersion])
	}
	if version > formatVersion {
		return fmt.Errorf("modelfile: written by a newer fubini, format %d; this program reads up to %d", version, formatVersion)
	}
	return nil
}

// checksum hashes all content but the checksum in the metadata; doc.go has the details.
// The tensors are in the order of their names.
func checksum(metadata map[string]string, tensors []Tensor) string {
	hash := sha256.New()
	number := func(x int) { hash.Write(binary.LittleEndian.AppendUint64(nil, uint64(x))) } // a hash never fails
	text := func(s string) { number(len(s)); io.WriteString(hash, s) }

	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(metadata)), func(key string) bool { return key == keyChecksum })
	number(len(keys))
	for _, key := range keys {
		text(key)
		text(metadata[key])
	}
	number(len(tensors))
	for _, t := range tensors {
		text(t.Name)
		text(string(t.Type))
		number(len(t.Shape))
		for _, dim := range t.Shape {
			number(dim)
		}
		number(len(t.Data))
		hash.Write(t.Data)
	}
	return hex.EncodeToString(hash.Sum(nil))
}
