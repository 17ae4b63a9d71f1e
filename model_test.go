package fubini_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A saved model has the permissions of any new file, so that a server of another user can read it, and nothing else stays in the folder.
func TestPermissionsOfASavedModel(t *testing.T) {
	folder := t.TempDir()
	path, plain := filepath.Join(folder, "model.safetensors"), filepath.Join(folder, "plain")
	for range 2 { // the second time over the first
		if err := taught().Save(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(plain, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	saved, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(plain)
	if err != nil || saved.Mode() != want.Mode() {
		t.Errorf("the model has the mode %v, a new file %v (%v)", saved.Mode(), want.Mode(), err)
	}
	if there, err := os.ReadDir(folder); err != nil || len(there) != 2 {
		t.Errorf("in the folder: %v, %v", there, err)
	}
	if err := taught().Save(filepath.Join(folder, "none", "model.safetensors")); err == nil || !strings.Contains(err.Error(), "model.safetensors: no such file") {
		t.Errorf("a folder that is not there: %v", err)
	}
}
