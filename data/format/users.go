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
)

// ErrWhole is wrapped by the error for an input that cannot be read user by user:
// a folder, a zip, a format in which users do not stand together. [Read] reads it
// whole.
var ErrWhole = errors.New("can only be read whole")

// ErrUserTwice is wrapped by the error for a user whose ratings do not stand
// together.
var ErrUserTwice = errors.New("comes a second time")

// User is what one user said, in the order of the data.
type User struct {
	ID     string
	Items  [][]byte // ids; views that reading into the same User overwrites
	Values []float32
	Lines  []int // where each rating stands: lines, or rows of a Parquet file
	First  int   // where the user begins

	text []byte // the ids
	ends []int
}

// UserReader reads users one by one, in memory that does not grow with their number
// where their ids ascend, as text or as numbers. Otherwise ten to twenty bytes a user are
// kept, to know one that comes twice.
//
// It reads what [Read] reads of csv, tsv, movielens, jsonl and parquet, provided
// that the ratings of a user stand together; and tier lists, one a line:
//
//	{"user":"ann","tiers":[["a","b"],["c"]]}
type UserReader struct {
	name   string
	report Report
	from   source
	ahead  record // the first of the next user
	more   bool
	seen   guests
	again  func() (*UserReader, error) // opens the data once more; nil for a stream
	close  []func()

	scattered bool // users may come several times
	bad       func(b *BadLine)
}

// record is a rating, or of a user without any the user alone.
type record struct {
	user, item []byte // views, good until the next
	value      float32
	line       int
	whole      bool // a user begins here, even if it has the name of the last one
}

// source gives one rating after another, then io.EOF.
type source interface {
	next(r *record) error
	latin1Lines() int
}

// OpenUsers opens a file to be read user by user.
func OpenUsers(fsys fs.FS, name string, o Options) (*UserReader, error) {
	shown := cmp.Or(o.Name, name)
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, renamed(err, shown)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s: a folder %w", shown, ErrWhole)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, renamed(err, shown)
	}
	in := &input{name: shown, r: f, size: -1, base: path.Base(name)}
	if at, ok := f.(io.ReaderAt); ok && info.Mode().IsRegular() {
		in.at, in.size = at, info.Size()
	}
	u, err := newUserReader(in, o)
	if err != nil {
		f.Close()
		return nil, err
	}
	u.close = append(u.close, func() { f.Close() })
	u.again = func() (*UserReader, error) { return OpenUsers(fsys, name, o) }
	return u, nil
}

// NewUserReader reads users from a reader, standard input say.
func NewUserReader(r io.Reader, name string, o Options) (*UserReader, error) {
	return newUserReader(&input{name: cmp.Or(o.Name, name), r: r, size: -1, base: path.Base(name)}, o)
}

func newUserReader(in *input, o Options) (*UserReader, error) {
	u := &UserReader{name: in.name, scattered: o.Scattered, bad: o.Bad}
	in.counts = &u.report
	if err := u.open(in, o); err != nil {
		u.Close()
		return nil, err
	}
	return u, nil
}

// open unpacks the input, makes out its format and reads the first record.
func (u *UserReader) open(in *input, o Options) error {
	head, err := peek(in)
	if err != nil {
		return err
	}
	switch p := packingOf(head); p {
	case unpacked:
	case gzipped, zstandard:
		content, done, err := unpack(in.r, p, newLimits())
		if err != nil {
			return fmt.Errorf("%s: %w", in.name, err)
		}
		u.close = append(u.close, done)
		in.r, in.at, in.base = content, nil, p.without(in.base)
		if head, err = peek(in); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%s: an archive %w", in.name, ErrWhole)
	}
	if len(bytes.TrimSpace(bytes.TrimPrefix(head, byteOrderMark))) == 0 && len(head) < headSize {
		return fmt.Errorf("%s: the file is empty and %w", in.name, ErrNoRatings)
	}
	if u.from, err = u.source(in, head, o); err != nil {
		return err
	}
	return u.advance()
}

// peek looks at the beginning of an input.
func peek(in *input) ([]byte, error) {
	buffered := bufio.NewReaderSize(in.r, headSize)
	in.r = buffered
	head, err := buffered.Peek(headSize)
	if len(head) == 0 && err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	return head, nil
}

// source chooses how to read by the format asked for, or by the content.
func (u *UserReader) source(in *input, head []byte, o Options) (source, error) {
	if o.Format == "" && detectTiersLines(head) {
		u.report.Format = "tiers, one a line"
		return u.lines(&tiersLines{lines: newLines(in.name, in.r)}), nil
	}
	c := detect(codecs, head, in.base)
	if o.Format != "" {
		if c = find(codecs, o.Format); c == nil || c.read == nil {
			return nil, fmt.Errorf("format: cannot read %q; there are %v", o.Format, readable(codecs))
		}
	}
	if c == nil {
		return nil, unknown(codecs, head, in.name)
	}
	u.report.Format = c.name
	switch {
	case c.name == csvCodec.name:
		return u.table(in, ",;\t")
	case c.name == tsvCodec.name:
		return u.table(in, "\t")
	case c.name == movielensCodec.name:
		return u.table(in, "")
	case c.name == jsonlCodec.name:
		return u.lines(&jsonRatings{lines: newLines(in.name, in.r)}), nil
	case c.name == parquetCodec.name && in.at != nil:
		return openParquetRatings(in)
	}
	return nil, fmt.Errorf("%s: %s %w", in.name, c.name, ErrWhole)
}

// advance reads the next record ahead.
func (u *UserReader) advance() error {
	err := u.from.next(&u.ahead)
	for bad := (*BadLine)(nil); u.bad != nil && errors.As(err, &bad); err = u.from.next(&u.ahead) {
		u.bad(bad)
	}
	if u.more = err == nil; u.more {
		u.report.Lines++
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// Next reads the next user, or returns io.EOF. After another error there is no
// going on.
func (u *UserReader) Next(user *User) error {
	if !u.more {
		u.report.Latin1 = u.from.latin1Lines()
		return io.EOF
	}
	user.ID, user.First = string(u.ahead.user), u.ahead.line
	user.Values, user.Lines = user.Values[:0], user.Lines[:0]
	user.text, user.ends = user.text[:0], user.ends[:0]
	if !u.scattered {
		if fresh, err := u.seen.enter(u.ahead.user, u.again); err != nil {
			return fmt.Errorf("%s:%d: user %s: %w", u.name, user.First, quote(user.ID), err)
		} else if !fresh {
			return fmt.Errorf("%s:%d: user %s %w, after others; sort the data by user, or read them whole", u.name, user.First, quote(user.ID), ErrUserTwice)
		}
	}
	for {
		if len(u.ahead.item) > 0 {
			user.text = append(user.text, u.ahead.item...)
			user.ends = append(user.ends, len(user.text))
			user.Values = append(user.Values, u.ahead.value)
			user.Lines = append(user.Lines, u.ahead.line)
			u.report.Kept++
		}
		if err := u.advance(); err != nil {
			u.more = false
			return err
		}
		if !u.more || u.ahead.whole || string(u.ahead.user) != user.ID {
			break
		}
	}
	user.Items = user.Items[:0]
	from := 0
	for _, end := range user.ends { // only now: the text may have moved while it grew
		user.Items = append(user.Items, user.text[from:end:end])
		from = end
	}
	return nil
}

// Report counts what was read so far.
func (u *UserReader) Report() *Report { return &u.report }

// Close gives back what the reader holds.
func (u *UserReader) Close() {
	for _, done := range slices.Backward(u.close) {
		done()
	}
	u.close = nil
}
