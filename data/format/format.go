package format

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"fubini/data/ratings"
)

// ErrNoRatings is wrapped by the error for an input without ratings.
var ErrNoRatings = errors.New("holds no ratings")

// Read reads a file or a known folder: one from MovieLens (u.data, ratings.dat or
// ratings.csv, with titles from the file of movies beside it) or from Netflix
// (mv_*.txt, there or in training_set, or combined_data_*.txt). Files may be
// packed by gzip, zstd or zip, which is found out from their content, as the
// format is. The report says what was read even when there is an error.
func Read(fsys fs.FS, name string, o Options) (*ratings.Set, *Report, error) {
	shown := cmp.Or(o.Name, name)
	j, err := newJob(o)
	if err != nil {
		return nil, j.report, err
	}
	s, report, err := j.finish(shown, j.path(fsys, name, shown))
	if twice := (*ratings.DuplicateError)(nil); errors.As(err, &twice) {
		// Read once more, up to the second rating, to tell where it stands.
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
		return renamed(err, shown)
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
	return j.folder(folder, above, shown, 0)
}

// ReadStream reads what comes from a reader, standard input say. The name stands
// in errors, and may break ties between formats.
func ReadStream(r io.Reader, name string, o Options) (*ratings.Set, *Report, error) {
	j, err := newJob(o)
	if err != nil {
		return nil, j.report, err
	}
	shown := cmp.Or(o.Name, name)
	return j.finish(shown, j.stream(&input{name: shown, r: r, size: -1, base: path.Base(name)}, 0))
}

// Write writes a set in the format of the options.
func Write(w io.Writer, s *ratings.Set, o Options) error {
	c := find(codecs, o.Format)
	if c == nil || c.write == nil {
		return fmt.Errorf("format: cannot write %q; there are %s", o.Format, strings.Join(writable(codecs), ", "))
	}
	return c.write(w, s, o)
}

// NotWritten says what of a set a format has no place for: times, titles, and for
// orders the values themselves.
func NotWritten(s *ratings.Set, name string) (lost []string) {
	c := find(codecs, name)
	if c == nil {
		return nil
	}
	if s.HasTimes() && !slices.Contains([]string{csvCodec.name, jsonlCodec.name, parquetCodec.name, npzCodec.name}, c.name) {
		lost = append(lost, "times")
	}
	if s.Items().Named() > 0 && c.name != preflibCodec.name {
		lost = append(lost, "titles")
	}
	if c.name == preflibCodec.name || c.name == tiersCodec.name {
		lost = append(lost, "the values of ratings, only their order")
	}
	if c.name == preflibCodec.name {
		lost = append(lost, "the ids of users")
	}
	return lost
}

// ForWriting names the format for a file by its extension.
func ForWriting(name string) (string, error) {
	extension := strings.ToLower(path.Ext(name))
	for _, p := range []packing{gzipped, zstandard, zipped} {
		if slices.Contains(p.extensions(), extension) {
			return "", fmt.Errorf("format: %s: compressed files are read, not written; write %s and pack it", name, p.without(name))
		}
	}
	for _, c := range codecs {
		if c.write != nil && slices.Contains(c.extensions, extension) {
			if c.name == preflibCodec.name {
				return extension[1:], nil // the orders must be of that type
			}
			return c.name, nil
		}
	}
	return "", fmt.Errorf("format: %s: no format to write has the extension %q; say which one: %s", name, extension, strings.Join(writable(codecs), ", "))
}

// job is one reading.
type job struct {
	o       Options
	format  *codec // asked for, or nil
	builder *ratings.Builder
	report  *Report
	limits  *limits
}

func newJob(o Options) (*job, error) {
	j := &job{o: o, builder: ratings.NewBuilder(), report: &Report{}, limits: newLimits()}
	if o.Scale != nil {
		j.builder.Between(o.Scale[0], o.Scale[1])
	}
	if o.Format == "" {
		return j, nil
	}
	if j.format = find(codecs, o.Format); j.format == nil || j.format.read == nil {
		return j, fmt.Errorf("format: cannot read %q; there are %s", o.Format, strings.Join(readable(codecs), ", "))
	}
	return j, nil
}

// finish makes the set.
func (j *job) finish(name string, err error) (*ratings.Set, *Report, error) {
	if err != nil {
		return nil, j.report, err
	}
	if j.builder.Len() == 0 {
		return nil, j.report, fmt.Errorf("%s: the input %w%s", name, ErrNoRatings, j.report.reasons())
	}
	s, counts, err := j.builder.Build(j.o.Duplicates)
	j.report.Report = counts
	if err != nil {
		return nil, j.report, fmt.Errorf("%s: %w", name, err)
	}
	return s, j.report, nil
}

// reasons tells why records were left out.
func (r *Report) reasons() string {
	var all []string
	for reason, n := range r.Dropped {
		all = append(all, fmt.Sprintf("; %d left out: %s", n, reason))
	}
	slices.Sort(all)
	return strings.Join(all, "")
}

// renamed is an error of opening under the name that the user knows.
func renamed(err error, name string) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// file reads a file. Depth is how many archives it lies in.
func (j *job) file(fsys fs.FS, name, shown string, depth int) error {
	f, err := fsys.Open(name)
	if err != nil {
		return renamed(err, shown)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return renamed(err, shown)
	}
	folder, err := fs.Sub(fsys, path.Dir(name))
	if err != nil {
		return renamed(err, shown)
	}
	in := &input{name: shown, r: f, size: info.Size(), folder: folder, base: path.Base(name)}
	if at, ok := f.(io.ReaderAt); ok && info.Mode().IsRegular() && depth == 0 {
		in.at = at
	}
	if !info.Mode().IsRegular() {
		in.size = -1 // a pipe
	}
	if depth > 0 {
		in.size = -1
	}
	return j.stream(in, depth)
}

// stream unpacks and reads an input that is open.
func (j *job) stream(in *input, depth int) error {
	in.counts = j.report
	buffered := bufio.NewReaderSize(in.r, headSize)
	head, err := buffered.Peek(headSize)
	if len(head) == 0 && err != nil && err != io.EOF {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	in.r = buffered
	p := packingOf(head)
	switch {
	case p == tarred:
		return fmt.Errorf("%s: a tar archive; unpack it and name a file", in.name)
	case p == unpacked:
		return j.content(in, head)
	case depth > 0:
		return fmt.Errorf("%s: an archive within an archive; unpack the outer one first", in.name)
	case p == zipped:
		if in.at == nil {
			if err := hold(in); err != nil {
				return err
			}
		}
		return j.zip(in, depth+1)
	}
	content, done, err := unpack(in.r, p, j.limits)
	if err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	defer done()
	in.r, in.at, in.base = content, nil, p.without(in.base)
	return j.stream(in, depth+1)
}

// hold keeps a stream in memory, because a zip has its list of files at the end.
func hold(in *input) error {
	all, err := io.ReadAll(io.LimitReader(in.r, maxZipStream+1))
	if err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	if len(all) > maxZipStream {
		return fmt.Errorf("%s: a zip of more than %d bytes can be read from a file, not from a stream", in.name, maxZipStream)
	}
	in.at, in.size = bytes.NewReader(all), int64(len(all))
	return nil
}

// content reads an input that is not packed any more.
func (j *job) content(in *input, head []byte) error {
	c := j.format
	if c == nil {
		if len(bytes.TrimSpace(bytes.TrimPrefix(head, byteOrderMark))) == 0 && len(head) < headSize {
			return fmt.Errorf("%s: the file is empty and %w", in.name, ErrNoRatings)
		}
		if c = detect(codecs, head, in.base); c == nil {
			return unknown(codecs, head, in.name)
		}
	}
	j.report.Format = c.name
	return c.read(in, j.builder, j.o)
}
