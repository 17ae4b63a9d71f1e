package fetch

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"fubini/cmd/fubini/cli"
)

// maxEntries is far more than any set has: ml-100k, the richest, has 23 files.
const maxEntries = 1000

// entry is a file in an archive, and its name in the folder.
type entry struct {
	*zip.File
	name string
}

// unpack writes the files of an archive into an empty folder and returns them, with the number of those left out. A
// folder around everything in the archive is dropped: ml-10m.zip has all it has in ml-10M100K.
func unpack(ctx context.Context, p *cli.Program, archive, folder string, limit int64) (files remoteFiles, left int, err error) {
	z, err := zip.OpenReader(archive)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // entries says which
		return nil, 0, err
	}
	defer z.Close()
	list, left, err := entries(z.File, limit)
	if err != nil {
		return nil, 0, err
	}
	root, err := os.OpenRoot(folder) // nothing can be written outside it
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	total := int64(0)
	for _, e := range list {
		total += int64(e.UncompressedSize64)
	}
	meter := newMeter(p, total)
	defer meter.Clear()
	for _, e := range list {
		file, err := e.unpack(ctx, root, meter.add)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", cli.Quote(e.Name), err)
		}
		files = append(files, file)
	}
	return files, left, nil
}

// entries are the files to unpack. An archive with anything that has no place in a set of ratings is refused.
func entries(files []*zip.File, limit int64) (list []entry, left int, err error) {
	if len(files) > maxEntries {
		return nil, 0, fmt.Errorf("%d files, more than the %d that are allowed", len(files), maxEntries)
	}
	room := uint64(limit)
	for _, f := range files {
		name := strings.TrimSuffix(f.Name, "/")
		switch {
		case strings.ContainsAny(name, "\\\x00") || !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name:
			return nil, 0, fmt.Errorf("%s: a name that leads out of the folder, or may do so", cli.Quote(f.Name))
		case strings.HasPrefix(name, "__MACOSX/") || name == "__MACOSX" || path.Base(name) == ".DS_Store":
			if !strings.HasSuffix(f.Name, "/") {
				left++
			}
			continue
		case f.Mode().IsDir():
			continue // made for the files in it
		case !f.Mode().IsRegular():
			return nil, 0, fmt.Errorf("%s: a link or a device, not a file", cli.Quote(f.Name))
		case f.UncompressedSize64 > room:
			return nil, 0, fmt.Errorf("unpacks to more than the %s that are allowed", megabytes(limit))
		}
		room -= f.UncompressedSize64
		list = append(list, entry{f, name})
	}
	if len(list) == 0 {
		return nil, 0, errors.New("no files in it")
	}
	top, _, _ := strings.Cut(list[0].name, "/")
	for _, e := range list {
		if !strings.HasPrefix(e.name, top+"/") {
			return list, left, nil
		}
	}
	for i := range list {
		list[i].name = strings.TrimPrefix(list[i].name, top+"/")
	}
	return list, left, nil
}

func (e entry) unpack(ctx context.Context, root *os.Root, wrote func(n int)) (file remoteFile, err error) {
	in, err := e.Open()
	if err != nil {
		return file, err
	}
	defer in.Close()
	if err := root.MkdirAll(path.Dir(e.name), 0o777); err != nil {
		return file, err
	}
	out, err := root.OpenFile(e.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return file, err
	}
	defer out.Close()
	sum := sha256.New()
	// The header may lie: one byte more than it says is read, and refused.
	size := int64(e.UncompressedSize64)
	n, err := io.Copy(io.MultiWriter(out, sum, counter(wrote)), cli.Interruptible(ctx, io.LimitReader(in, size+1)))
	if err != nil {
		return file, err
	}
	if n != size {
		return file, fmt.Errorf("unpacks to another size than the %d bytes it should have", size)
	}
	if err := out.Sync(); err != nil {
		return file, err
	}
	return remoteFile{Name: e.name, Bytes: n, SHA256: hex.EncodeToString(sum.Sum(nil))}, out.Close()
}
