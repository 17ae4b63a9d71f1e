package text

import (
	"bytes"
	"io"
)

// Fields reads the fields of each line of a text. With Quotes, a quoted field may contain separators, line ends and
// doubled quotes (RFC 4180), and spaces around other fields are removed.
type Fields struct {
	*Lines
	Separator byte // between fields; ':' means two colons
	Quotes    bool
	Started   int      // number of the first line of the record
	Values    [][]byte // fields of the record, views that the next call overwrites
	record    []byte   // a record over several lines
	text      []byte   // fields without their quotes
}

// Next reads the next record that is not blank into Values.
func (t *Fields) Next() error {
	for {
		line, err := t.Lines.Next()
		if err != nil {
			return err
		}
		if len(line) == 0 || line[0] == ' ' && len(bytes.TrimLeft(line, " ")) == 0 {
			continue
		}
		t.Started = t.Number
		return t.Cut(line)
	}
}

// Cut writes the fields of a line to Values.
func (t *Fields) Cut(line []byte) error {
	fields := t.Values[:0] // a local one is quicker to append to
	from := 0
	if t.Separator == ':' {
		for at := 0; ; {
			n := bytes.IndexByte(line[at:], ':')
			if n < 0 || at+n+1 == len(line) {
				break
			}
			if at += n + 1; line[at] == ':' { // of three colons the last belongs to a field
				fields = append(fields, line[from:at-1])
				at++
				from = at
			}
		}
		t.Values = append(fields, line[from:])
		return nil
	}
	for k, c := range line {
		if c == t.Separator {
			fields = append(fields, line[from:k])
			from = k + 1
		} else if c == '"' && t.Quotes {
			return t.cutQuoted(line)
		}
	}
	fields = append(fields, line[from:])
	t.Values = fields
	if t.Quotes {
		for k, f := range fields {
			if len(f) > 0 && (f[0] == ' ' || f[len(f)-1] == ' ') {
				fields[k] = bytes.Trim(f, " ")
			}
		}
	}
	return nil
}

// cutQuoted is cut for a line with a quote somewhere.
func (t *Fields) cutQuoted(line []byte) error {
	t.Values = t.Values[:0]
	t.text = t.text[:0]
	rest := line
	for {
		from := len(t.text)
		rest = bytes.TrimLeft(rest, " ")
		if len(rest) == 0 || rest[0] != '"' {
			n := bytes.IndexByte(rest, t.Separator)
			if n < 0 {
				n = len(rest)
			}
			t.text = append(t.text, bytes.TrimRight(rest[:n], " ")...)
			rest = rest[n:]
		} else {
			var err error
			if rest, err = t.unquote(rest[1:]); err != nil {
				return err
			}
		}
		t.Values = append(t.Values, t.text[from:]) // it keeps its bytes when the text moves to grow
		if len(rest) == 0 {
			return nil
		}
		rest = rest[1:]
	}
}

// unquote appends a field to text, up to its closing quote, and returns what is
// left of the line, from the separator on.
func (t *Fields) unquote(rest []byte) ([]byte, error) {
	from := len(t.text)
	for {
		n := bytes.IndexByte(rest, '"')
		switch {
		case n < 0: // the field goes on in the next line
			t.text = append(t.text, rest...)
			if t.crlf {
				t.text = append(t.text, '\r')
			}
			t.text = append(t.text, '\n')
			if len(t.text) > MaxLine {
				return nil, t.ErrorAt(t.Started, "a quoted field that goes on for more than %d bytes: %s; its closing quote is missing", MaxLine, Quote(t.text[from:]))
			}
			line, err := t.Lines.Next()
			if err == io.EOF {
				return nil, t.ErrorAt(t.Started, "the quoted field %s has no closing quote", Quote(t.text[from:]))
			} else if err != nil {
				return nil, err
			}
			t.record = append(t.record[:0], line...)
			rest = t.record
		case n+1 < len(rest) && rest[n+1] == '"':
			t.text = append(t.text, rest[:n+1]...)
			rest = rest[n+2:]
		default:
			t.text = append(t.text, rest[:n]...)
			rest = bytes.TrimLeft(rest[n+1:], " ")
			if len(rest) > 0 && rest[0] != t.Separator {
				return nil, t.Errorf("text after a closing quote: %s; a quote within a quoted field is written twice", Quote(rest))
			}
			return rest, nil
		}
	}
}

// FirstLine returns the first line that is not blank.
func FirstLine(head []byte) []byte {
	l := &Lines{r: bytes.NewReader(head), buffer: make([]byte, 1<<10)} // it grows; most first lines are short
	for {
		line, err := l.Next()
		if err != nil {
			return nil
		}
		if len(bytes.TrimSpace(line)) > 0 {
			return bytes.Clone(line)
		}
	}
}

// Rating returns the value of a field with a rating, or an error at the line.
func (l *Lines) Rating(text []byte) (float32, error) {
	if value, ok := ParseRating(text); ok {
		return value, nil
	}
	return 0, l.Errorf("rating %s is %s; write it like 4 or 3.5", Quote(text), NoRating(text))
}

// Time returns the seconds since 1970 of a field with a time, or an error at the line.
func (l *Lines) Time(text []byte) (seconds int64, err error) {
	if seconds, ok := ParseTime(text); ok {
		return seconds, nil
	}
	return 0, l.Errorf("time %s is neither seconds since 1970 nor a date; write it like 964982703 or 2000-07-30 or 2000-07-30T18:45:03Z", Quote(text))
}

// Text returns the record with its separators, in quotes, for an error.
func (t *Fields) Text() string {
	return Quote(bytes.Join(t.Values, []byte{t.Separator}))
}

// WrongWidth returns the error for a record with more or fewer fields than the header.
func (t *Fields) WrongWidth(width int) error {
	return t.ErrorAt(t.Started, "%s has %d columns; the header has %d", t.Text(), len(t.Values), width)
}
