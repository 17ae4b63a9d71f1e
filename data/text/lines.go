package text

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxLine is the largest length of a line, and of a record of several lines, in bytes. A rating takes some thirty
// bytes, an order of thousands of items some hundred thousand.
const MaxLine = 1 << 20

// Lines reads a text line by line. A line is a view of a buffer that the next call overwrites. A byte-order mark at the
// beginning and the ends of lines, with or without a carriage return, are removed. Bytes that are not UTF-8 are read as
// Latin-1.
type Lines struct {
	Name   string // of the input, for errors
	Number int    // of the line last returned, from 1
	Latin1 *int   // counts the lines that were not UTF-8, if not nil

	scanner *bufio.Scanner
	from    watched
	scanned int    // bytes of the line at hand in which there is no end
	crlf    bool   // the line last returned ended in a carriage return too
	text    []byte // a line from Latin-1
}

// NewLines returns the lines of a reader. Errors begin with the name.
func NewLines(name string, r io.Reader) *Lines {
	l := &Lines{Name: name, from: watched{Reader: r}}
	l.scanner = bufio.NewScanner(&l.from)
	l.scanner.Buffer(make([]byte, 1<<16), MaxLine+2)
	l.scanner.Split(l.split)
	return l
}

// watched is a reader that keeps how it failed.
type watched struct {
	io.Reader
	err error
}

func (w *watched) Read(p []byte) (n int, err error) {
	if n, err = w.Reader.Read(p); err != io.EOF {
		w.err = err
	}
	return n, err
}

// split finds the end of a line. What stands before the place where the reader failed is no line.
func (l *Lines) split(data []byte, atEnd bool) (advance int, line []byte, err error) {
	from := l.scanned
	l.scanned = 0
	if n := bytes.IndexByte(data[from:], '\n'); n >= 0 {
		return from + n + 1, data[:from+n], nil
	}
	switch {
	case len(data) > MaxLine:
		return 0, nil, tooLong(data)
	case !atEnd || len(data) == 0:
		l.scanned = len(data)
		return 0, nil, nil
	case l.from.err != nil:
		return 0, nil, l.from.err
	}
	return len(data), data, nil // the last line has no end
}

func tooLong(line []byte) error {
	return fmt.Errorf("the line is longer than %d bytes and starts with %s; ratings stand one a line", MaxLine, Quote(line))
}

// Next returns the next line, or io.EOF.
func (l *Lines) Next() ([]byte, error) {
	more := l.scanner.Scan()
	err := l.scanner.Err()
	if !more && err == nil {
		return nil, io.EOF
	}
	l.Number++
	if more {
		return l.finish(l.scanner.Bytes())
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("the file ends too early (%w); it is truncated: fetch or pack it again", err)
	}
	return nil, fmt.Errorf("%s:%d: %w", l.Name, l.Number, err)
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

// finish takes marks off a line and makes UTF-8 of it.
func (l *Lines) finish(line []byte) ([]byte, error) {
	if l.Number == 1 {
		if bytes.HasPrefix(line, []byte("\xff\xfe")) || bytes.HasPrefix(line, []byte("\xfe\xff")) {
			return nil, l.Errorf("the file is in UTF-16; save it as UTF-8")
		}
		line = bytes.TrimPrefix(line, ByteOrderMark)
	}
	if l.crlf = len(line) > 0 && line[len(line)-1] == '\r'; l.crlf {
		line = line[:len(line)-1]
	}
	if len(line) > MaxLine {
		return nil, l.Errorf("%w", tooLong(line))
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
