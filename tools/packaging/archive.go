package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"io"
	"slices"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name    string
	content []byte
	program bool // it may be run
}

func (e entry) mode() int64 {
	if e.program {
		return 0o755
	}
	return 0o644
}

func sorted(entries []entry) []entry {
	return slices.SortedFunc(slices.Values(entries), func(a, b entry) int { return cmp.Compare(a.name, b.name) })
}

// zipped is a zip archive with the files in order and one time for all.
func zipped(entries []entry, when time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestCompression) })
	earliest := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC) // a zip archive has no earlier time
	if when.Before(earliest) {
		when = earliest
	}
	for _, e := range sorted(entries) {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: when.UTC()}
		header.SetMode(fileMode(e))
		file, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := file.Write(e.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// tarred is a tar archive packed by gzip, with the files in order, one time and owner for all.
func tarred(entries []entry, when time.Time) ([]byte, error) {
	var plain bytes.Buffer
	if err := writeTar(&plain, sorted(entries), when); err != nil {
		return nil, err
	}
	return gzipped(plain.Bytes())
}

func gzipped(content []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// writeTar writes the files, and empty folders of the user who runs the image.
func writeTar(to io.Writer, entries []entry, when time.Time, folders ...string) error {
	w := tar.NewWriter(to)
	for _, name := range folders {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Uid: 65532, Gid: 65532, ModTime: when.UTC(), Typeflag: tar.TypeDir, Format: tar.FormatPAX}); err != nil {
			return err
		}
	}
	for _, e := range entries {
		header := &tar.Header{Name: e.name, Mode: e.mode(), Size: int64(len(e.content)), ModTime: when.UTC(), Typeflag: tar.TypeReg, Format: tar.FormatPAX}
		if err := w.WriteHeader(header); err != nil {
			return err
		}
		if _, err := w.Write(e.content); err != nil {
			return err
		}
	}
	return w.Close()
}
