package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"fubini/tools/peak"
)

// A pass counts what was planted, over several row groups, and a file of other ratings is not taken for it.
func TestStream(t *testing.T) {
	var tallies []tally
	for seed := range uint64(2) {
		var file bytes.Buffer
		written, err := plant(&file, 1<<20+100_000, seed)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "ratings.parquet")
		if err := os.WriteFile(path, file.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		read, err := passOver(path)
		if err != nil || read != written || read.Ratings != 1<<20+100_000 {
			t.Errorf("%+v read, %+v written, %v", read, written, err)
		}
		for value, n := range read.Levels[1:] {
			if n < read.Ratings/100 {
				t.Errorf("%d ratings of %d are %d", n, read.Ratings, value+1)
			}
		}
		tallies = append(tallies, read)
	}
	if tallies[0] == tallies[1] {
		t.Error("two seeds give the same tally")
	}
	if memory := peak.Own(); runtime.GOOS == "linux" && !(memory > 5 && memory < 5000) {
		t.Errorf("%g MB at the peak of a test", memory)
	}
}
