// Package archive unpacks gzip, zstd and zip, with limits against files that unpack to far more than they are.
package archive

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

// Limits of what a compressed file may unpack to. Ratings compress to a third or a tenth of their size; a ratio of 1000
// is about the most that gzip reaches, and a sign of a decompression bomb.
const (
	maxRatio      = 250      // of unpacked to packed bytes
	freeBytes     = 64 << 20 // unpacked, below which the ratio does not matter
	maxUnpacked   = 64 << 30 // bytes, of all files in an archive together
	maxZipFiles   = 100_000  // the folder of Netflix has 17,770
	MaxZipStream  = 1 << 30  // bytes of a zip file that is read from a stream, which is held in memory
	maxZstdWindow = 128 << 20
)

// Limits bound the unpacked size of all files of one input: at most Total bytes, and beyond Free bytes at most Ratio times
// the packed size.
type Limits struct {
	Ratio, Free, Total int64
	unpacked           int64 // so far
}

// NewLimits returns the default limits.
func NewLimits() *Limits { return &Limits{Ratio: maxRatio, Free: freeBytes, Total: maxUnpacked} }

// guard stops a reader that unpacks to more than the limits allow.
type guard struct {
	r      io.Reader
	packed func() int64 // bytes that came in so far
	out    int64
	*Limits
}

func (g *guard) Read(p []byte) (int, error) {
	n, err := g.r.Read(p)
	g.out += int64(n)
	g.unpacked += int64(n)
	if g.unpacked > g.Total {
		return 0, fmt.Errorf("the file unpacks to more than %d bytes, which is the limit; unpack it first if you trust it", g.Total)
	}
	if packed := g.packed(); g.out > g.Free && g.out/g.Ratio > packed {
		return 0, fmt.Errorf("%d bytes unpack to more than %d, over %d times as many, as in a bomb; unpack it first if you trust it", packed, g.out, g.Ratio)
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

// Packing is a compression format.
type Packing int

// The compression formats. Tar is recognised and refused.
const (
	None Packing = iota
	Gzip
	Zstd
	Zip
	Tar
)

// PackingOf returns the compression format of a file with these first bytes.
func PackingOf(head []byte) Packing {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return Gzip
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return Zstd
	case len(head) >= 4 && head[1] == 0x2a && head[2] == 0x4d && head[3] == 0x18 && head[0]>>4 == 5: // a skippable frame
		return Zstd
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return Zip
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return Tar
	}
	return None
}

// Extensions returns the file extensions of the compression format.
func (p Packing) Extensions() []string {
	return map[Packing][]string{Gzip: {".gz", ".gzip"}, Zstd: {".zst", ".zstd"}, Zip: {".zip"}}[p]
}

// Without returns a file name without the extension of the compression format.
func (p Packing) Without(name string) string {
	for _, e := range p.Extensions() {
		if n := len(name) - len(e); n > 0 && strings.EqualFold(name[n:], e) {
			return name[:n]
		}
	}
	return name
}

// Unpack decompresses a gzip or zstd file, within the limits.
func Unpack(r io.Reader, p Packing, l *Limits) (content io.ReadCloser, err error) {
	in := &counter{r: r}
	var z io.ReadCloser
	if p == Gzip {
		z, err = gzip.NewReader(bufio.NewReaderSize(in, 1<<16))
	} else {
		var frames *zstd.Decoder
		if frames, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow)); err == nil {
			z = frames.IOReadCloser()
		}
	}
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{&guard{r: z, packed: func() int64 { return in.n }, Limits: l}, z}, nil
}

// ZipFS is a zip archive as a file system, with limits on the unpacked size.
type ZipFS struct {
	*zip.Reader
	size int64 // of the archive
	*Limits
}

// OpenZip opens a zip archive of size bytes.
func OpenZip(at io.ReaderAt, size int64, l *Limits) (*ZipFS, error) {
	z, err := zip.NewReader(at, size)
	if err != nil {
		return nil, err
	}
	if len(z.File) > maxZipFiles {
		return nil, fmt.Errorf("the zip holds %d files; at most %d are read", len(z.File), maxZipFiles)
	}
	return &ZipFS{z, size, l}, nil
}

// Open opens a file of the archive, within the limits.
func (z *ZipFS) Open(name string) (fs.File, error) {
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
	return &zipFile{f, guard{r: f, packed: func() int64 { return packed }, Limits: z.Limits}}, nil
}

type zipFile struct {
	fs.File
	guard
}

func (f *zipFile) Read(p []byte) (int, error) { return f.guard.Read(p) }

// DataFiles returns the names of the files in the archive, without hidden files, licences and read-me files.
func (z *ZipFS) DataFiles() []string {
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
