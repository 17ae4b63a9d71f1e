package recommend

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/fstest"
)

// A folder of parts is entered by the batch that began it, and by no other, whose difference is named.
func TestFoldersAreOfOneBatch(t *testing.T) {
	files := fstest.MapFS{}
	f := Folder{FS: files, Name: "out", Write: func(name string, write func(io.Writer) error) error {
		var text bytes.Buffer
		err := write(&text)
		files[name] = &fstest.MapFile{Data: text.Bytes()}
		return err
	}}
	first := Manifest{Program: "fubini", Model: "a", Format: "jsonl"}
	for range 2 { // begun, and gone on with
		if mark, err := f.Enter(first); mark != nil || err != nil {
			t.Fatalf("%q, %v", mark, err)
		}
	}
	other := first
	other.Model, other.Shards = "b", 3
	if _, err := f.Enter(other); err == nil || !strings.Contains(err.Error(), "another batch (other model, shards)") {
		t.Errorf("another batch: %v", err)
	}
	files[CompleteName] = &fstest.MapFile{Data: []byte("done")}
	if mark, err := f.Enter(first); string(mark) != "done" || err != nil {
		t.Errorf("complete: %q, %v", mark, err)
	}
	delete(files, ManifestName)
	if _, err := f.Enter(first); err == nil || !strings.Contains(err.Error(), "holds other files") {
		t.Errorf("a folder of other files: %v", err)
	}
}
