package fetch

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

// dataset is a public set of ratings: where its publisher keeps it, how to know
// that what came is right, and what its publisher asks.
type dataset struct {
	Name    string
	Ratings int
	Licence string      // in a word, for --list
	Terms   []string    // what one may do with it, in our words; a line each
	Files   remoteFiles // one archive, NAME.zip, or the files of a folder
	Source  string      // of sizes and checksums
}

// remoteFile is a file at its publisher.
type remoteFile struct {
	Name   string `json:"name"` // here, once it is downloaded
	URL    string `json:"url,omitempty"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

type remoteFiles []remoteFile

// String implements [fmt.Stringer], for a cell of a table.
func (files remoteFiles) String() string {
	var parts []string
	for _, f := range files {
		parts = append(parts, fmt.Sprintf("%s %d %s", f.URL, f.Bytes, f.SHA256))
	}
	return strings.Join(parts, "; ")
}

func (d *dataset) archive() bool {
	return len(d.Files) == 1 && strings.HasSuffix(d.Files[0].Name, ".zip")
}

func (d *dataset) bytes() (sum int64) {
	for _, f := range d.Files {
		sum += f.Bytes
	}
	return sum
}

// datasets are the sets that fetch knows, from datasets.json. No publisher gives a SHA-256: the source of each names where
// others have pinned it for the same address. Ratings and terms are those of the sets' own README files.
var datasets = func() (sets []dataset) {
	if err := json.Unmarshal(table, &sets); err != nil {
		panic(err) // the file is part of the program
	}
	return sets
}()

//go:embed datasets.json
var table []byte

func datasetNames(sets []dataset) (names []string) {
	for _, set := range sets {
		names = append(names, set.Name)
	}
	return names
}
