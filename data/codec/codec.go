package codec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"fubini/data/ratings"
	"fubini/data/text"
)

// Codec is a file format of ratings: functions that recognise, read and write it.
type Codec struct {
	Name       string   // as the command line has it
	Extensions []string // with the dot, without compression: ".csv"
	Shared     []string // extensions of other formats that its files may have too
	Detect     func(head []byte) bool

	// Open reads a format with one rating a line or row, Read any other. A format that is only written has neither.
	Open func(in *Input, o Options) (Source, error)
	Read func(in *Input, b *ratings.Builder, o Options) error
	// Whole returns the set of an input at once; nil for a format that is read rating by rating.
	Whole func(in *Input) (*ratings.Set, error)
	// ByUser is true where most files have the ratings of a user together.
	ByUser bool

	Write func(w io.Writer, s *ratings.Set, o Options) error
}

// Reads reports whether the format can be read.
func (c *Codec) Reads() bool { return c.Open != nil || c.Read != nil }

// Input is an opened file or stream.
type Input struct {
	Name string    // as the user knows it, for errors
	R    io.Reader // decompressed
	Size int64     // of the file as it lies on the disk, or -1

	// At reads the file at any offset, for Parquet and zip; nil for a stream or a
	// compressed file.
	At io.ReaderAt
	// Map returns the bytes of the file, mapped into memory; nil for a stream or a compressed file.
	Map func() ([]byte, error)
	// Folder is where the file lies, for the files beside it (titles), and Base
	// its name there; nil for a stream.
	Folder fs.FS
	Base   string

	Counts *Report // what was read and left out
	Bare   bool    // titles are not read
}

// Lines returns the lines of the input. The report counts the lines that are not UTF-8.
func (in *Input) Lines() *text.Lines {
	lines := text.NewLines(in.Name, in.R)
	lines.Latin1 = &in.Counts.Latin1
	return lines
}

// beside opens a file in the folder of the input: nil where there is none.
func (in *Input) beside(name string) (*Input, io.Closer, error) {
	beside := &Input{Name: path.Join(path.Dir(in.Name), name), Size: -1, Counts: in.Counts}
	f, err := in.Folder.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	} else if err != nil {
		return nil, nil, Renamed(err, beside.Name)
	}
	beside.R = f
	return beside, f, nil
}

// readTitles adds the titles of a file beside the input, if there is one. Read returns the next id and its title, or no
// id for a line without a title.
func (in *Input) readTitles(name string, b *ratings.Builder, read func(t *text.Fields) (id, title string, err error)) (found bool, err error) {
	from, file, err := in.beside(name)
	if from == nil {
		return false, err
	}
	defer file.Close()
	t := &text.Fields{Lines: from.Lines()}
	for {
		id, title, err := read(t)
		if err == io.EOF {
			return true, nil
		} else if err != nil {
			return true, err
		}
		if id != "" {
			b.Title(id, title)
			in.Counts.Titles++
		}
	}
}

// Hold reads a stream of at most n bytes into memory and sets At, for formats with their table of contents at the end.
func (in *Input) Hold(n int64, tooLarge string) error {
	if in.At != nil && in.Size >= 0 {
		return nil
	}
	held, err := io.ReadAll(io.LimitReader(in.R, n+1))
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	if int64(len(held)) > n {
		return fmt.Errorf("%s: "+tooLarge, in.Name, n)
	}
	in.At, in.Size = bytes.NewReader(held), int64(len(held))
	return nil
}

// Me is the id of the user in a file of one unnamed person.
const Me = "me"

var me = []byte(Me)

// Renamed returns an error of opening a file, with the name that the user gave.
func Renamed(err error, name string) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// Options are the options of reading and writing ratings.
type Options struct {
	Format     string             // of the input, or of the output; empty means by content, or by extension
	Duplicates ratings.Duplicates // what becomes of a second rating of an item by a user
	// Incomplete is the reading of items that a PrefLib order leaves out: "subset", the default, where
	// nothing is known of them, or "top", where they stand tied below all others.
	Incomplete string
	Name       string // what errors call the input; empty means its path
	// Scale, if not nil, are the ends of the rating scale: ratings outside are
	// refused, with the line they stand in.
	Scale []float64

	// Times, for the output, writes times into tables that go without them otherwise (tsv).
	Times bool

	// Columns has names of columns or keys by their roles ([Roles]), where they are not among the known ones.
	Columns map[string]string

	// Take, if not nil, is offered every input first, unpacked, with its first bytes. It reads an input that is no ratings
	// itself and reports that it took it.
	Take func(in *Input, head []byte) (taken bool, err error)

	// Reading user by user: Scattered allows a user to come several times, each time with
	// the ratings that stand together there. Bad, if not nil, is called with every bad line, and
	// reading goes on behind it; without it the first bad line ends the reading.
	Scattered bool
	Bad       func(b *text.BadLine)
}

// Report has the number of records that were read, and of those left out by reason.
type Report struct {
	Format  string
	Lines   int            // records read: lines, rows, voters
	Dropped map[string]int // records left out, by reason
	Latin1  int            // lines that were not UTF-8 and were read as Latin-1
	Titles  int            // titles found in files beside the ratings
	Titled  bool           // ids of items are titles: the export of one person
	// BadTimes is the number of times that are none, whose ratings have no time; BadTime is the first, with its line.
	BadTimes int
	BadTime  string
	Slashes  text.Slashes // how dates like 3/4/2021 are read
	ratings.Report
}

// time sets the time of a record: that of a field, or ratings.NoTime, and counts a field that is none.
func (r *Report) time(record *Record, field []byte, line int) {
	record.When, record.Open = ratings.NoTime, false
	if len(field) == 0 {
		return
	}
	if seconds, open, ok := r.Slashes.Parse(field, line); ok {
		record.When, record.Open = seconds, open
		return
	}
	if r.BadTimes == 0 {
		r.BadTime = fmt.Sprintf("%s in line %d", text.Quote(field), line)
	}
	r.BadTimes++
}

// Drop adds 1 to the number of records left out for a reason.
func (r *Report) Drop(reason string) {
	if r.Dropped == nil {
		r.Dropped = map[string]int{}
	}
	r.Dropped[reason]++
}

// Record is one rating as it is read, an item without a place, or a user without ratings.
type Record struct {
	User, Item []byte // ids, views that the next record overwrites; no item for a user without ratings
	Value      float32
	Tiers      []string // the names of the tiers, the worst first, of which Value is the number, as in ratings.Builder.Place; nil for a rating
	Unplaced   bool     // the user has the item and has not placed it; there is no value
	When       int64    // seconds since 1970, or ratings.NoTime
	Open       bool     // the day and the month of When may be the other way round, which the whole column settles
	Title      []byte   // of the item, or none
	Line       int      // where the rating stands: a line, or a row of a Parquet file
	Begins     bool     // a new list begins here, even if the user is that of the previous record
}

// Source reads the ratings of an input one by one. It may implement [io.Closer].
type Source interface {
	// Next overwrites the record with the next one, or returns io.EOF. After a [text.BadLine] it can go on.
	Next(r *Record) error
	// ErrorAt is an error at a line or row of the input.
	ErrorAt(line int, format string, args ...any) error
}

// titler is a [Source] with titles in a file beside the ratings.
type titler interface {
	titles(b *ratings.Builder) error
}

// Load adds all ratings of an input to a builder.
func (c *Codec) Load(in *Input, b *ratings.Builder, o Options) error {
	if c.Read != nil {
		return c.Read(in, b, o)
	}
	source, err := c.Open(in, o)
	if err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	if c, can := source.(io.Closer); can {
		defer c.Close()
	}
	if err := addAll(source, in.Counts, b); err != nil || in.Folder == nil {
		return err
	}
	if t, can := source.(titler); can {
		return t.titles(b)
	}
	return nil
}

// plainSource is a [Source] with a quick way to read plain lines.
type plainSource interface {
	// addPlain adds the plain lines that come next, as far as they are at hand, and returns their number.
	addPlain(b *ratings.Builder) int
}

func addAll(source Source, counts *Report, b *ratings.Builder) error {
	titled := map[string]bool{}
	var open []int // ratings whose day and month may be swapped
	var r Record
	quick, _ := source.(plainSource)
	for {
		if quick != nil {
			counts.Lines += quick.addPlain(b)
		}
		if err := source.Next(&r); err == io.EOF {
			if counts.Slashes.DayFirst() {
				b.Retime(open, text.Swapped)
			}
			return nil
		} else if err != nil {
			return err
		}
		counts.Lines++
		var err error
		switch {
		case r.Unplaced:
			b.Aside(r.User, r.Item)
			continue
		case r.Tiers == nil:
			err = b.Add(r.User, r.Item, r.Value, r.When)
		case len(r.Item) > 0:
			err = b.Place(r.User, r.Item, r.Tiers, int(r.Value), r.When)
		default:
			counts.Drop("tier list without items")
		}
		if err != nil {
			return source.ErrorAt(r.Line, "%w", err)
		}
		if r.Open && len(r.Item) > 0 {
			open = append(open, b.Len()-1)
		}
		if len(r.Title) > 0 && !titled[string(r.Item)] {
			titled[string(r.Item)] = true
			b.Title(string(r.Item), string(r.Title))
		}
	}
}
