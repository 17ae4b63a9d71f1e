package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
)

// result is what a run found out about a fault.
type result struct {
	Outcome outcome `json:"outcome"`
	By      string  `json:"by,omitempty"`
	Seconds float64 `json:"seconds"`
}

// line is one line of a file of results.
type line struct {
	Fault string `json:"fault"`
	Row   string `json:"row"` // a mark of the row as it was: a changed one is measured anew
	result
}

// results are those of earlier runs, and the file that takes the new ones.
type results struct {
	file   *os.File // nil: nothing is kept
	faults map[string]result
}

// openResults reads a file of results, which need not exist, and keeps it open for more. A survivor is forgotten
// when it shall be tried again; a broken fault always is.
func openResults(name string, retry bool) (*results, error) {
	r := &results{faults: map[string]result{}}
	if name == "" {
		return r, nil
	}
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	r.file = file
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

// of is the result of an earlier run.
func (r *results) of(t *task) (result, bool) {
	past, known := r.faults[t.Fault.Name+t.row()]
	return past, known
}

// add writes one line in one piece, so that lines of several workers do not mix.
func (r *results) add(t *task) error {
	if r.file == nil {
		return nil
	}
	text, err := json.Marshal(line{Fault: t.Fault.Name, Row: t.row(), result: t.result})
	if err != nil {
		return err
	}
	_, err = r.file.Write(append(text, '\n'))
	return err
}

func (r *results) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// row is a mark of what is planted and tried; words about it do not count.
func (t *task) row() string {
	f := t.Fault
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{f.Func, f.Package, f.Find, f.Put, f.Tests}))
	return hex.EncodeToString(sum[:6])
}
