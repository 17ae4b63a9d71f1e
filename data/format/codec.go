package format

import (
	"io"
	"io/fs"

	"fubini/data/ratings"
)

// codec is one format: how to know it, read it and write it. Every file of
// this package that ends in a format's name defines one.
type codec struct {
	name       string   // as --from and --to have it
	extensions []string // with the dot, without compression: ".csv"
	shared     []string // extensions of other formats that its files may have too
	detect     func(head []byte) bool
	read       func(in *input, b *ratings.Builder, o Options) error
	write      func(w io.Writer, s *ratings.Set, o Options) error
}

// input is one opened file.
type input struct {
	name string    // as the user knows it, for errors
	r    io.Reader // decompressed
	size int64     // of the file as it lies on the disk, or -1

	// at reads the file anywhere, for Parquet and zip; nil for a stream or a
	// compressed file.
	at io.ReaderAt
	// folder is where the file lies, for the files beside it (titles), and base
	// its name there; nil for a stream.
	folder fs.FS
	base   string

	counts *Report // what was read and left out, filled by the codec
}

// Options of reading and writing.
type Options struct {
	Format     string             // of the input, or of the output; empty means by content, or by extension
	Duplicates ratings.Duplicates // what becomes of a second rating of an item by a user
	// Incomplete says what items that an incomplete PrefLib order leaves out
	// are: "subset", nothing is known of them, the default; or "top", they stand
	// tied below all others.
	Incomplete string
	Tag        string // name of the run in a TREC file; empty means fubini
	User       string // id of the user of a tiers file that names none; empty means "me"
	Name       string // what errors call the input; empty means its path
	// Scale, if not nil, are the ends of the rating scale: ratings outside are
	// refused, with the line they stand in.
	Scale []float64

	// Of a [UserReader]. Scattered lets a user come several times, each time with
	// what stands together there. Bad, if not nil, is told of every bad line, and
	// reading goes on behind it; without it the first one ends it.
	Scattered bool
	Bad       func(b *BadLine)
}

// Report counts what happened to an input.
type Report struct {
	Format  string
	Lines   int            // records read: lines, rows, voters
	Dropped map[string]int // records left out, by reason
	Latin1  int            // lines that were not UTF-8 and were read as Latin-1
	Titles  int            // titles found in files beside the ratings
	ratings.Report
}

// drop counts a record that was left out for a reason.
func (r *Report) drop(reason string) {
	if r.Dropped == nil {
		r.Dropped = map[string]int{}
	}
	r.Dropped[reason]++
}
