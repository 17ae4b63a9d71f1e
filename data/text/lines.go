package text

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"fubini/data/marks"
	"fubini/data/ratings"
)

const (
	// MaxLine is the longest line, and the longest record over several lines,
	// that is read. Lines of ratings have some thirty bytes, orders of thousands
	// of items some hundred thousand.
	MaxLine = 1 << 20
	// lineBuffer is where reading starts; it grows up to MaxLine when it must.
	lineBuffer = 1 << 17
)

// Lines reads a text line by line. A line is a view of a buffer that the next call overwrites. A byte-order mark at the
// beginning and the ends of lines, with or without a carriage return, are removed. Bytes that are not UTF-8 are read as
// Latin-1.
type Lines struct {
	Name   string // of the input, for errors
	Number int    // of the line last returned, from 1
	Latin1 *int   // counts the lines that were not UTF-8, if not nil

	r        io.Reader
	crlf     bool // the line last returned ended in a carriage return too
	buffer   []byte
	from, to int  // what is read and not yet returned
	scanned  int  // from here on nobody has looked for the end of the line
	odd      bool // there are bytes beyond ASCII, or NUL
	end      error
	text     []byte // a line from Latin-1
}

// NewLines returns the lines of a reader. Errors begin with the name.
func NewLines(name string, r io.Reader) *Lines {
	return &Lines{Name: name, r: r, buffer: newBuffer(lineBuffer)}
}

// newBuffer returns a buffer with room behind its end for those who read its last lines eight bytes at a time.
func newBuffer(size int) []byte { return make([]byte, size, size+ratings.PlainSlack) }

// Next returns the next line, or io.EOF.
func (l *Lines) Next() ([]byte, error) {
	for {
		if n := bytes.IndexByte(l.buffer[l.scanned:l.to], '\n'); n >= 0 {
			line := l.buffer[l.from : l.scanned+n]
			l.from = l.scanned + n + 1
			l.scanned = l.from
			return l.finish(line)
		}
		l.scanned = l.to
		switch {
		case l.end == nil:
			if err := l.fill(); err != nil {
				return nil, err
			}
		case l.end != io.EOF:
			l.Number++
			return nil, l.broken(l.end)
		case l.from == l.to:
			return nil, io.EOF
		default: // the last line has no end
			line := l.buffer[l.from:l.to]
			l.from = l.to
			return l.finish(line)
		}
	}
}

// NextFilled returns the next line that is not blank, without spaces around it.
func (l *Lines) NextFilled() ([]byte, error) {
	for {
		line, err := l.Next()
		if err != nil {
			return nil, err
		}
		if line = bytes.Trim(line, " \t\r"); len(line) > 0 {
			return line, nil
		}
	}
}

// fill reads more behind what is left.
func (l *Lines) fill() error {
	if l.to-l.from > MaxLine {
		l.Number++
		return l.broken(fmt.Errorf("the line is longer than %d bytes and starts with %s; ratings stand one a line", MaxLine, Quote(l.buffer[l.from:l.to])))
	}
	if l.from > 0 {
		copy(l.buffer, l.buffer[l.from:l.to])
		l.scanned -= l.from
		l.to -= l.from
		l.from = 0
	}
	if l.to == len(l.buffer) {
		grown := newBuffer(min(2*len(l.buffer), MaxLine+2))
		copy(grown, l.buffer[:l.to])
		l.buffer = grown
	}
	l.odd = l.odd && !marks.Plain(l.buffer[:l.to])
	for range 100 { // readers may return nothing for a while, but not for ever
		n, err := l.r.Read(l.buffer[l.to:])
		l.odd = l.odd || !marks.Plain(l.buffer[l.to:l.to+n])
		l.to += n
		l.end = err
		if n > 0 || err != nil {
			return nil
		}
	}
	l.end = io.ErrNoProgress
	return nil
}

func (l *Lines) finish(line []byte) ([]byte, error) {
	l.Number++
	if l.Number == 1 && l.odd {
		if bytes.HasPrefix(line, []byte("\xff\xfe")) || bytes.HasPrefix(line, []byte("\xfe\xff")) {
			return nil, l.Errorf("the file is in UTF-16; save it as UTF-8")
		}
		line = bytes.TrimPrefix(line, ByteOrderMark)
	}
	if l.crlf = len(line) > 0 && line[len(line)-1] == '\r'; l.crlf {
		line = line[:len(line)-1]
	}
	if len(line) > MaxLine {
		return nil, l.Errorf("the line is longer than %d bytes and starts with %s; ratings stand one a line", MaxLine, Quote(line))
	}
	if !l.odd {
		return line, nil
	}
	if n := bytes.IndexByte(line, 0); n >= 0 {
		return nil, l.Errorf("a NUL byte in column %d of %s; the file is not text, or is in UTF-16: save it as UTF-8", n+1, Quote(line))
	}
	if utf8.Valid(line) {
		return line, nil
	}
	if l.Latin1 != nil {
		*l.Latin1++
	}
	l.text = l.text[:0]
	for len(line) > 0 { // some lines are half one, half the other
		r, size := utf8.DecodeRune(line)
		if r == utf8.RuneError && size == 1 {
			r = rune(line[0]) // Latin-1 is the beginning of Unicode
		}
		l.text = utf8.AppendRune(l.text, r)
		line = line[size:]
	}
	return l.text, nil
}

// ByteOrderMark is the mark at the beginning of some UTF-8 files.
var ByteOrderMark = []byte("\ufeff")

// Errorf returns an error with the name of the input and the number of the line last returned.
func (l *Lines) Errorf(format string, args ...any) error {
	return l.ErrorAt(l.Number, format, args...)
}

// ErrorAt returns an error with the name of the input and the number of a line.
func (l *Lines) ErrorAt(line int, format string, args ...any) error {
	return &BadLine{l.Name, line, fmt.Errorf("%s:%d: %w", l.Name, line, fmt.Errorf(format, args...))}
}

// BadLine is the error for one line of a text, or one row of a Parquet file, that is not valid. The lines after it can
// still be read.
type BadLine struct {
	Name string // of the input
	Line int
	Err  error // begins with both
}

// Error returns the message, with name and line.
func (b *BadLine) Error() string { return b.Err.Error() }

// Unwrap returns the error within.
func (b *BadLine) Unwrap() error { return b.Err }

// broken is an error of the reader below, behind which there is nothing to be had.
func (l *Lines) broken(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("the file ends too early (%w); it is truncated: fetch or pack it again", err)
	}
	return fmt.Errorf("%s:%d: %w", l.Name, l.Number, err)
}

// Quote returns the first 60 bytes of a text, in quotes.
func Quote[T string | []byte](text T) string {
	const most = 60
	s := string(text[:min(len(text), most)])
	if len(text) <= most {
		return strconv.Quote(s)
	}
	for len(s) > most-utf8.UTFMax && !utf8.ValidString(s) {
		s = s[:len(s)-1]
	}
	return strings.TrimSuffix(strconv.Quote(s), `"`) + `…"`
}
