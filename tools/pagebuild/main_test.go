package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// What is committed was built from what is committed.
func TestCommittedPage(t *testing.T) {
	web := filepath.Join("..", "..", "app", "web")
	made, err := build(web)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range made {
		got, err := os.ReadFile(filepath.Join(web, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("app/web/%s does not come from the sources: run `go run -C tools ./pagebuild`", name)
		}
	}
	committed, err := os.ReadDir(filepath.Join(web, "build"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range committed {
		if made["build/"+entry.Name()] == nil {
			t.Errorf("app/web/build/%s is not made by pagebuild: remove it", entry.Name())
		}
	}
}
