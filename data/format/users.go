package format

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"

	"fubini/data/archive"
	"fubini/data/codec"
	"fubini/data/ratings"
	"fubini/data/text"
)

// ErrWhole is the error, wrapped, for an input that only [Read] reads: a folder, a zip archive, or a format that does not
// have the ratings of a user together.
var ErrWhole = errors.New("can only be read whole")

// ErrUserTwice is the error, wrapped, for a user whose ratings are not together.
var ErrUserTwice = errors.New("comes a second time")

// User has the ratings of one user, in the order of the data.
type User struct {
	ID     string
	Items  [][]byte // ids; views that reading into the same User overwrites
	Values []float32
	Times  []int64 // ratings.NoTime where not known
	Lines  []int   // where each rating stands: lines, or rows of a Parquet file
	First  int     // where the user begins

	text []byte // the ids
}

// UserReader reads ratings user by user. Its memory does not grow with the number of users where their ids ascend, as text
// or as numbers; otherwise it keeps ten to twenty bytes for each user, to recognise one that comes twice.
//
// It reads csv, tsv, movielens, jsonl and parquet with the ratings of each user together, and tier lists, one a line. The value
// of a place in a tier list is the number of its tier there, 1 for the worst.
type UserReader struct {
	name   string
	report Report
	from   codec.Source
	ahead  codec.Record // the first of the next user
	more   bool
	seen   seen
	again  func() (*UserReader, error) // opens the data once more; nil for a stream
	close  []io.Closer

	scattered bool // users may come several times
	bad       func(b *BadLine)
}

// OpenUsers opens a file for reading user by user.
func OpenUsers(fsys fs.FS, name string, o Options) (*UserReader, error) {
	shown := cmp.Or(o.Name, name)
	if info, err := fs.Stat(fsys, name); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: a folder %w", shown, ErrWhole)
	}
	in, f, err := open(fsys, name, shown)
	if err != nil {
		return nil, err
	}
	u, err := newUserReader(in, o)
	if err != nil {
		f.Close()
		return nil, err
	}
	u.close = append(u.close, f)
	u.again = func() (*UserReader, error) { return OpenUsers(fsys, name, o) }
	return u, nil
}

// NewUserReader returns a UserReader of a stream, such as standard input.
func NewUserReader(r io.Reader, name string, o Options) (*UserReader, error) {
	return newUserReader(&codec.Input{Name: cmp.Or(o.Name, name), R: r, Size: -1, Base: path.Base(name)}, o)
}

func newUserReader(in *codec.Input, o Options) (*UserReader, error) {
	u := &UserReader{name: in.Name, scattered: o.Scattered, bad: o.Bad}
	in.Counts, in.Bare = &u.report, true
	if err := u.open(in, o); err != nil {
		u.Close()
		return nil, err
	}
	return u, nil
}

// open unpacks the input, makes out its format and reads the first record.
func (u *UserReader) open(in *codec.Input, o Options) error {
	head, err := peek(in)
	if err != nil {
		return err
	}
	switch p := archive.PackingOf(head); p {
	case archive.None:
	case archive.Gzip, archive.Zstd:
		content, err := unpack(in, p, archive.NewLimits())
		if err != nil {
			return err
		}
		u.close = append(u.close, content)
		if head, err = peek(in); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%s: an archive %w", in.Name, ErrWhole)
	}
	c, err := reader(o, head, in)
	if err != nil {
		return err
	}
	u.report.Format = c.Name
	if !c.ByUser || c == &codec.Parquet && in.At == nil {
		return fmt.Errorf("%s: %s %w", in.Name, c.Name, ErrWhole)
	}
	u.from, err = c.Open(in, o)
	if err == io.EOF {
		return fmt.Errorf("%s: the file is empty and %w", in.Name, ErrNoRatings)
	} else if err != nil {
		return err
	}
	if c, can := u.from.(io.Closer); can {
		u.close = append(u.close, c)
	}
	return u.advance()
}

// advance reads the next record ahead.
func (u *UserReader) advance() error {
	err := u.from.Next(&u.ahead)
	for err != nil && u.bad != nil { // no memory for a record that is good
		bad := (*BadLine)(nil)
		if !errors.As(err, &bad) {
			break
		}
		u.bad(bad)
		err = u.from.Next(&u.ahead)
	}
	if u.more = err == nil; u.more {
		u.report.Lines++
		if u.ahead.Tiers != nil {
			u.report.Placed++
		}
		if u.ahead.Unplaced {
			u.report.Unplaced++
		}
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// Next reads the next user, or returns io.EOF. After any other error it cannot be called again.
func (u *UserReader) Next(user *User) error {
	if !u.more {
		return io.EOF
	}
	user.ID, user.First = string(u.ahead.User), u.ahead.Line
	user.Items, user.Values, user.Times, user.Lines, user.text = user.Items[:0], user.Values[:0], user.Times[:0], user.Lines[:0], user.text[:0]
	if !u.scattered {
		if fresh, err := u.seen.enter(u.ahead.User, u.again); err != nil {
			return fmt.Errorf("%s:%d: user %s: %w", u.name, user.First, text.Quote(user.ID), err)
		} else if !fresh {
			return fmt.Errorf("%s:%d: user %s %w, after others; sort the data by user, or read them whole", u.name, user.First, text.Quote(user.ID), ErrUserTwice)
		}
	}
	for {
		if len(u.ahead.Item) > 0 && !u.ahead.Unplaced {
			from := len(user.text)
			user.text = append(user.text, u.ahead.Item...)
			user.Items = append(user.Items, user.text[from:]) // it keeps its bytes when the text moves to grow
			user.Values = append(user.Values, u.ahead.Value)
			when := u.ahead.When
			if u.ahead.Open { // the rest of the column would settle which of two days it is
				when = ratings.NoTime
			}
			user.Times = append(user.Times, when)
			user.Lines = append(user.Lines, u.ahead.Line)
			u.report.Kept++
		}
		if err := u.advance(); err != nil {
			u.more = false
			return err
		}
		if !u.more || u.ahead.Begins || string(u.ahead.User) != user.ID {
			return nil
		}
	}
}

// Report returns the numbers of records read and left out so far.
func (u *UserReader) Report() *Report { return &u.report }

// Close closes the file.
func (u *UserReader) Close() {
	for _, c := range slices.Backward(u.close) {
		c.Close() // nothing was written
	}
	u.close = nil
}
