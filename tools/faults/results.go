package main

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
)

// line is one line of a file of results.
type line struct {
	Fault string `json:"fault"`
	Row   string `json:"row"` // a mark of the row as it was: a changed one is measured anew
	result
}

// results are those of earlier runs, and the file that takes the new ones.
type results struct {
	*os.File
	faults map[string]result
}

// openResults reads a file of results, which need not exist, and keeps it open for more; without a name nothing is
// kept. A survivor is forgotten when it shall be tried again; a broken fault always is.
func openResults(name string, retry bool) (*results, error) {
	file, err := os.OpenFile(cmp.Or(name, os.DevNull), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	r := &results{file, map[string]result{}}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			file.Close()
			return nil, fmt.Errorf("%s: line %d: %w", name, n, err)
		}
		if r.faults[l.Fault+l.Row] = l.result; l.Outcome == broken || l.Outcome == survived && retry {
			delete(r.faults, l.Fault+l.Row)
		}
	}
	return r, lines.Err()
}

// add writes one line in one piece, so that lines of several workers do not mix.
func (r *results) add(t *task) error {
	text, err := json.Marshal(line{Fault: t.Name, Row: t.row(), result: t.result})
	if err != nil {
		return err
	}
	_, err = r.Write(append(text, '\n'))
	return err
}

// row is a mark of what is planted and tried; words about it do not count.
func (t *task) row() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{t.Func, t.Package, t.Find, t.Put, t.Tests}))
	return hex.EncodeToString(sum[:6])
}
