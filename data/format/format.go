package format

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"fubini/data/archive"
	"fubini/data/codec"
	"fubini/data/codec/preflib"
	"fubini/data/ratings"
	"fubini/data/text"
)

// The types of package codec and text in the signatures of this package.
type (
	Options = codec.Options // options of reading and writing
	Report  = codec.Report  // numbers of records read and left out
	BadLine = text.BadLine  // the error for one line; the lines after it can still be read
)

// ErrNoRatings is the error, wrapped, for an input without ratings.
var ErrNoRatings = errors.New("holds no ratings")

// Read reads a file or a known folder: one from MovieLens (u.data, ratings.dat or
// ratings.csv, with titles from the file of movies beside it) or from Netflix
// (mv_*.txt, there or in training_set, or combined_data_*.txt). Files may be
// packed by gzip, zstd or zip, which is found out from their content, as the
// format is. The report counts what was read even when there is an error. The set is nil for an input that Options.Take took.
func Read(fsys fs.FS, name string, o Options) (*ratings.Set, *Report, error) {
	shown := cmp.Or(o.Name, name)
	j, err := newJob(o)
	if err != nil {
		return nil, j.report, err
	}
	s, report, err := j.finish(shown, j.path(fsys, name, shown))
	if twice := (*ratings.DuplicateError)(nil); errors.As(err, &twice) {
		// Read once more, up to the second rating, to find its line.
		if again, bad := newJob(o); bad == nil {
			again.builder.RefuseSecond(twice)
			if found := again.path(fsys, name, shown); errors.Is(found, ratings.ErrDuplicate) {
				err = found
			}
		}
	}
	return s, report, err
}

// path reads a file or a folder.
func (j *job) path(fsys fs.FS, name, shown string) error {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return codec.Renamed(err, shown)
	}
	if !info.IsDir() {
		return j.file(fsys, name, shown, 0)
	}
	folder, err := fs.Sub(fsys, name)
	if err != nil {
		return err
	}
	var above fs.FS
	if name != "." {
		if above, err = fs.Sub(fsys, path.Dir(name)); err != nil {
			return err
		}
	}
	return j.folder(folder, above, shown)
}

// ReadStream reads ratings from a reader, such as standard input. The name is used in errors; its extension decides
// between formats that the content allows.
func ReadStream(r io.Reader, name string, o Options) (*ratings.Set, *Report, error) {
	j, err := newJob(o)
	if err != nil {
		return nil, j.report, err
	}
	shown := cmp.Or(o.Name, name)
	return j.finish(shown, j.stream(&codec.Input{Name: shown, R: r, Size: -1, Base: path.Base(name)}, 0))
}

// Write writes a set of ratings in the format of the options.
func Write(w io.Writer, s *ratings.Set, o Options) error {
	if c := find(o.Format); c != nil && c.Write != nil {
		return c.Write(w, s, o)
	}
	return fmt.Errorf("format: cannot write %q; there are %s", o.Format, strings.Join(Writable(), ", "))
}

// timed are the formats with times.
var timed = []*codec.Codec{&codec.CSV, &codec.JSONL, &codec.Parquet, &codec.NPZ, &codec.Inter, &codec.LensKit, &codec.LensKitParquet, &codec.Surprise, &codec.Compact}

// NotWritten returns the parts of a set that a format cannot hold: times, titles, and in orders the values and the ids of
// users.
func NotWritten(s *ratings.Set, name string) (lost []string) {
	c := find(name)
	if c == nil {
		return nil
	}
	if s.HasTimes() && !slices.Contains(timed, c) {
		lost = append(lost, "times")
	}
	if s.Items().Named() > 0 && c != &preflib.Codec && c != &codec.Compact {
		lost = append(lost, "titles")
	}
	if s.LevelNames() != nil && !slices.Contains([]*codec.Codec{&codec.TierLists, &codec.TierList, &codec.Compact}, c) {
		lost = append(lost, "the names of tiers")
	}
	if len(s.UnplacedUsers()) > 0 && !slices.Contains([]*codec.Codec{&codec.TierLists, &codec.TierList}, c) {
		lost = append(lost, "unplaced items")
	}
	if c == &preflib.Codec || c == &codec.TierList && s.LevelNames() == nil {
		lost = append(lost, "the values of ratings, only their order")
	}
	if c == &preflib.Codec {
		lost = append(lost, "the ids of users")
	}
	return lost
}

// ForWriting returns the format of a file name by its extension.
func ForWriting(name string) (string, error) {
	extension := strings.ToLower(path.Ext(name))
	for _, p := range []archive.Packing{archive.Gzip, archive.Zstd, archive.Zip} {
		if slices.Contains(p.Extensions(), extension) {
			return "", fmt.Errorf("format: %s: compressed files are read, not written; write %s and pack it", name, p.Without(name))
		}
	}
	for _, c := range codecs {
		if c.Write != nil && slices.Contains(c.Extensions, extension) {
			if c == &preflib.Codec {
				return extension[1:], nil // the orders must be of that type
			}
			return c.Name, nil
		}
	}
	return "", fmt.Errorf("format: %s: no format to write has the extension %q; say which one: %s", name, extension, strings.Join(Writable(), ", "))
}

// job is one reading.
type job struct {
	o       Options
	builder *ratings.Builder
	report  *Report
	limits  *archive.Limits
	taken   bool         // by Options.Take
	set     *ratings.Set // of a format that has the set itself
}

func newJob(o Options) (*job, error) {
	j := &job{o: o, builder: ratings.NewBuilder(), report: &Report{}, limits: archive.NewLimits()}
	if o.Scale != nil {
		j.builder.Between(o.Scale[0], o.Scale[1])
	}
	if o.Format == "" {
		return j, nil
	}
	_, err := readable(o.Format)
	return j, err
}

// finish makes the set.
func (j *job) finish(name string, err error) (*ratings.Set, *Report, error) {
	if err != nil {
		return nil, j.report, err
	}
	if j.taken {
		return nil, j.report, nil
	}
	if j.set != nil && j.set.Len() > 0 {
		return j.set, j.report, nil
	}
	if j.builder.Len() == 0 {
		return nil, j.report, fmt.Errorf("%s: the input %w%s", name, ErrNoRatings, reasons(j.report))
	}
	duplicates := j.o.Duplicates
	if j.report.Format == codec.Picks.Name && duplicates == ratings.Refuse {
		duplicates = ratings.KeepLast // an item that was picked again is no contradiction
	}
	s, counts, err := j.builder.Build(duplicates)
	j.report.Report = counts
	if err != nil {
		return nil, j.report, fmt.Errorf("%s: %w", name, err)
	}
	return s, j.report, nil
}

// reasons lists why records were left out.
func reasons(r *Report) string {
	var all []string
	for reason, n := range r.Dropped {
		all = append(all, fmt.Sprintf("; %d left out: %s", n, reason))
	}
	slices.Sort(all)
	return strings.Join(all, "")
}

// open opens a file. The input can be read anywhere if it lies on a disk.
func open(fsys fs.FS, name, shown string) (*codec.Input, fs.File, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, nil, codec.Renamed(err, shown)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, nil, codec.Renamed(err, shown)
	}
	in := &codec.Input{Name: shown, R: f, Size: -1, Base: path.Base(name)}
	if at, ok := f.(io.ReaderAt); ok && info.Mode().IsRegular() {
		in.At, in.Size = at, info.Size()
		in.Map = func() ([]byte, error) { return mapped(f, info.Size()) }
	}
	return in, f, nil
}

// file reads a file. Depth is the number of archives around it.
func (j *job) file(fsys fs.FS, name, shown string, depth int) error {
	in, f, err := open(fsys, name, shown)
	if err != nil {
		return err
	}
	defer f.Close()
	if in.Folder, err = fs.Sub(fsys, path.Dir(name)); err != nil {
		return codec.Renamed(err, shown)
	}
	return j.stream(in, depth)
}

// stream unpacks and reads an input that is open.
func (j *job) stream(in *codec.Input, depth int) error {
	in.Counts = j.report
	head, err := peek(in)
	if err != nil {
		return err
	}
	switch p := archive.PackingOf(head); {
	case p == archive.Tar:
		return fmt.Errorf("%s: a tar archive; unpack it and name a file", in.Name)
	case p == archive.None:
		if j.o.Take != nil {
			if j.taken, err = j.o.Take(in, head); j.taken || err != nil {
				return err
			}
		}
		c, err := reader(j.o, head, in)
		if err != nil {
			return err
		}
		j.report.Format = c.Name
		if c.Whole != nil && depth == 0 && j.o.Scale == nil {
			return j.whole(c, in)
		}
		return c.Load(in, j.builder, j.o)
	case depth > 0:
		return fmt.Errorf("%s: an archive within an archive; unpack the outer one first", in.Name)
	case p == archive.Zip:
		if err := in.Hold(archive.MaxZipStream, "a zip of more than %d bytes can be read from a file, not from a stream"); err != nil {
			return err
		}
		return j.zip(in, depth+1)
	default:
		content, err := unpack(in, p, j.limits)
		if err != nil {
			return err
		}
		defer content.Close()
		return j.stream(in, depth+1)
	}
}

// whole takes the set of an input as it is.
func (j *job) whole(c *codec.Codec, in *codec.Input) error {
	s, err := c.Whole(in)
	if err != nil {
		return err
	}
	j.set = s
	j.report.Lines = s.Len()
	j.report.Report = ratings.Report{Read: s.Len(), Kept: s.Len(), Timed: s.HasTimes(), Untimed: s.Untimed()}
	return nil
}

// peek looks at the beginning of an input.
func peek(in *codec.Input) ([]byte, error) {
	buffered := bufio.NewReaderSize(in.R, headSize)
	in.R = buffered
	head, err := buffered.Peek(headSize)
	if len(head) == 0 && err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	return head, nil
}

// unpack puts the content of a gzip or zstd file in the place of the file.
func unpack(in *codec.Input, p archive.Packing, limits *archive.Limits) (io.Closer, error) {
	content, err := archive.Unpack(in.R, p, limits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	in.R, in.At, in.Map, in.Base = content, nil, nil, p.Without(in.Base)
	return content, nil
}
