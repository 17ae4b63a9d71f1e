package recommend

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// The files of a folder of parts, beside the parts: what it was made from, written first, and the mark that it is
// complete, written last.
const (
	ManifestName = "manifest.json"
	CompleteName = "_SUCCESS"
)

// Manifest describes the inputs and settings of a folder of parts. A run continues in a folder only if all are equal.
type Manifest struct {
	Program string `json:"program"`
	Model   string `json:"model"`            // checksum
	Data    string `json:"data,omitempty"`   // checksum
	Inputs  any    `json:"inputs,omitempty"` // files, where there may be several
	Exclude string `json:"exclude,omitempty"`
	Only    string `json:"only,omitempty"`
	Rules
	Unknown    string `json:"on_unknown"` // what becomes of items that the model does not know
	Duplicates string `json:"duplicates"`
	Incomplete string `json:"incomplete,omitempty"`
	Whole      bool   `json:"whole,omitempty"`
	Format     string `json:"format"` // of the parts
	DataFormat string `json:"data_format,omitempty"`
	Shards     int    `json:"shards,omitempty"`
}

// Folder is a folder of parts and the functions that change it. Write writes a file whole or not at all.
type Folder struct {
	fs.FS
	Name   string // prefix of messages
	Write  func(name string, write func(w io.Writer) error) error
	Remove func(name string) error
}

// IsTemporary reports whether a file is an unfinished one that a killed run left behind.
func IsTemporary(name string) bool {
	return strings.HasPrefix(name, ".fubini-") && strings.HasSuffix(name, ".tmp")
}

// Enter writes the manifest into a new folder, or checks that an old folder has the same manifest. It returns the
// content of the mark of completeness; nil if there is none.
func (f Folder) Enter(m Manifest) (mark []byte, err error) {
	text, err := fs.ReadFile(f, ManifestName)
	if errors.Is(err, fs.ErrNotExist) {
		files, err := fs.ReadDir(f, ".")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		if at := slices.IndexFunc(files, func(e fs.DirEntry) bool { return !IsTemporary(e.Name()) }); at >= 0 {
			return nil, fmt.Errorf("%s holds other files, %.100q among them; name a new or an empty folder", f.Name, files[at].Name())
		}
		return nil, f.WriteJSON(ManifestName, m)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	var there, here map[string]any
	if err := json.Unmarshal(text, &there); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", f.Name, ManifestName, err)
	}
	if text, err = json.Marshal(m); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &here); err != nil {
		return nil, err
	}
	all := maps.Clone(here)
	maps.Copy(all, there)
	maps.DeleteFunc(all, func(key string, _ any) bool { return reflect.DeepEqual(there[key], here[key]) })
	if len(all) > 0 {
		other := strings.Join(slices.Sorted(maps.Keys(all)), ", ")
		return nil, fmt.Errorf("%s holds parts of another batch (other %s); name another folder, or delete it", f.Name, other)
	}
	if mark, err = fs.ReadFile(f, CompleteName); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return mark, err
}

// Clean removes the files for whose names gone is true.
func (f Folder) Clean(gone func(name string) bool) error {
	files, err := fs.ReadDir(f, ".")
	if err != nil {
		return err
	}
	for _, e := range files {
		if gone(e.Name()) {
			if err := f.Remove(e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

// WriteJSON writes a value as JSON into a file of the folder.
func (f Folder) WriteJSON(name string, content any) error {
	return f.Write(name, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(content)
	})
}
