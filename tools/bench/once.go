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

// readOnce reads a file of ratings to the set in memory, as the first thing of note that this process does. It writes the core seconds of that, where the
// system does not have them the seconds on the clock; the MB that the process had at most; and the number of ratings.
func readOnce(path string, w io.Writer) error {
	dir, name := filepath.Split(filepath.Clean(path))
	begin := seconds()
	set, _, err := format.Read(os.DirFS(filepath.Join(dir, ".")), name, format.Options{Name: path})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, seconds()-begin, peak.Own(), set.Len())
	return err
}

// seconds are those that this process has taken of a core so far, or those on the clock.
func seconds() float64 {
	if core, ok := coreSeconds(); ok {
		return core
	}
	return float64(time.Now().UnixNano()) / 1e9
}
