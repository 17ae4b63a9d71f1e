package format

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Limits on what a compressed file may become. Ratings compress to a third or a
// tenth; 1000 is about the most that gzip can do, and the sign of a bomb.
const (
	maxRatio      = 250      // of unpacked to packed bytes
	freeBytes     = 64 << 20 // unpacked, below which the ratio does not matter
	maxUnpacked   = 64 << 30 // bytes, of all files in an archive together
	maxZipFiles   = 100_000  // the folder of Netflix has 17,770
	maxZipStream  = 1 << 30  // bytes of a zip from a stream, which must be held in memory
	maxZstdWindow = 128 << 20
)

// limits are those above, or smaller ones in tests.
type limits struct {
	ratio, free, total int64
	unpacked           int64 // so far
}

func newLimits() *limits { return &limits{ratio: maxRatio, free: freeBytes, total: maxUnpacked} }

// guard stops a reader that unpacks to more than the limits allow.
type guard struct {
	r      io.Reader
	packed func() int64 // bytes that came in so far
	out    int64
	*limits
}

func (g *guard) Read(p []byte) (int, error) {
	n, err := g.r.Read(p)
	g.out += int64(n)
	g.unpacked += int64(n)
	if g.unpacked > g.total {
		return 0, fmt.Errorf("the file unpacks to more than %d bytes, which is the limit; unpack it first if you trust it", g.total)
	}
	if packed := g.packed(); g.out > g.free && g.out/g.ratio > packed {
		return 0, fmt.Errorf("%d bytes unpack to more than %d, over %d times as many, as in a bomb; unpack it first if you trust it", packed, g.out, g.ratio)
	}
	return n, err
}

// counter counts bytes.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// A packing is a way of compression.
type packing int

const (
	unpacked packing = iota
	gzipped
	zstandard
	zipped
	tarred // and not read
)

// packingOf knows compression by its first bytes.
func packingOf(head []byte) packing {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return gzipped
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return zstandard
	case len(head) >= 4 && head[1] == 0x2a && head[2] == 0x4d && head[3] == 0x18 && head[0]>>4 == 5: // a skippable frame
		return zstandard
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return zipped
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return tarred
	}
	return unpacked
}

// extension of the packing, to be taken off a name.
func (p packing) extensions() []string {
	return map[packing][]string{gzipped: {".gz", ".gzip"}, zstandard: {".zst", ".zstd"}, zipped: {".zip"}}[p]
}

// without takes the extension of a packing off a name.
func (p packing) without(name string) string {
	for _, e := range p.extensions() {
		if n := len(name) - len(e); n > 0 && strings.EqualFold(name[n:], e) {
			return name[:n]
		}
	}
	return name
}

// unpack returns the content of a gzip or zstd file.
func unpack(r io.Reader, p packing, l *limits) (content io.Reader, done func(), err error) {
	in := &counter{r: r}
	packed := func() int64 { return in.n }
	if p == gzipped {
		z, err := gzip.NewReader(bufio.NewReaderSize(in, 1<<16))
		if err != nil {
			return nil, nil, err
		}
		return &guard{r: z, packed: packed, limits: l}, func() { z.Close() }, nil
	}
	z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
	if err != nil {
		return nil, nil, err
	}
	return &guard{r: z, packed: packed, limits: l}, z.Close, nil
}

// zipFS is an archive as a folder, with limits on what is read from it.
type zipFS struct {
	*zip.Reader
	size int64 // of the archive
	*limits
}

func openZip(at io.ReaderAt, size int64, l *limits) (*zipFS, error) {
	z, err := zip.NewReader(at, size)
	if err != nil {
		return nil, err
	}
	if len(z.File) > maxZipFiles {
		return nil, fmt.Errorf("the zip holds %d files; at most %d are read", len(z.File), maxZipFiles)
	}
	return &zipFS{z, size, l}, nil
}

func (z *zipFS) Open(name string) (fs.File, error) {
	f, err := z.Reader.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		return f, err
	}
	packed := z.size
	if header, ok := info.Sys().(*zip.FileHeader); ok {
		if header.Flags&1 != 0 {
			f.Close()
			return nil, fmt.Errorf("%s in the zip is encrypted; unpack it first", name)
		}
		packed = min(packed, int64(min(header.CompressedSize64, 1<<62)))
	}
	return &zipFile{f, guard{r: f, packed: func() int64 { return packed }, limits: z.limits}}, nil
}

type zipFile struct {
	fs.File
	guard
}

func (f *zipFile) Read(p []byte) (int, error) { return f.guard.Read(p) }

// dataFiles lists the files of an archive, but for those that come along: what
// systems leave behind, and what tells of the data.
func (z *zipFS) dataFiles() []string {
	var names []string
	for _, f := range z.File {
		name := strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(f.Name, `\`, "/")), "/")
		base := strings.ToLower(path.Base(name))
		if strings.HasSuffix(f.Name, "/") || strings.HasPrefix(name, "__MACOSX/") || strings.HasPrefix(base, ".") ||
			strings.HasPrefix(base, "readme") || strings.HasPrefix(base, "license") || strings.HasPrefix(base, "licence") {
			continue
		}
		names = append(names, name)
	}
	return names
}
