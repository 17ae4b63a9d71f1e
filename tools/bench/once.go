package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"fubini/data/format"
	"fubini/tools/peak"
)

// readOnce reads a file of ratings to the set in memory, as the first thing of note that this process does, and writes the core seconds of that and
// the MB that the process had at most. It tells reading from starting a program and from writing the compact form.
func readOnce(path string, w io.Writer) error {
	dir, name := filepath.Split(filepath.Clean(path))
	begin, ok := coreSeconds()
	if !ok {
		begin = float64(time.Now().UnixNano()) / 1e9
	}
	set, _, err := format.Read(os.DirFS(filepath.Join(dir, ".")), name, format.Options{Name: path})
	if err != nil {
		return err
	}
	end, ok := coreSeconds()
	if !ok {
		end = float64(time.Now().UnixNano()) / 1e9
	}
	_, err = fmt.Fprintln(w, end-begin, peak.Own(), set.Len())
	return err
}
