package codec

import (
	"fmt"
	"io"

	"fubini/data/ratings"
)

// Compact is the format of sets as they lie in memory ([ratings.FromCompact]): a file of it is mapped, not read. docs/data.md#compact
// has the form.
var Compact = Codec{
	Name:       "compact",
	Extensions: []string{".compact"},
	Detect:     ratings.IsCompact,
	Whole:      wholeCompact,
	Open:       openCompact,
	ByUser:     true,
	Write:      func(w io.Writer, s *ratings.Set, _ Options) error { return s.WriteCompact(w) },
}

// wholeCompact returns the set of an input, without copying it where the file can be mapped.
func wholeCompact(in *Input) (*ratings.Set, error) {
	b, err := in.bytes()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	s, err := ratings.FromCompact(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	return s, nil
}

// bytes returns the whole input: mapped, or read into memory.
func (in *Input) bytes() ([]byte, error) {
	if in.Map != nil {
		if b, err := in.Map(); err == nil {
			return b, nil
		}
	}
	return io.ReadAll(in.R)
}

// compactRows reads a set rating by rating.
type compactRows struct {
	in       *Input
	set      *ratings.Set
	user, at int // the next
	line     int
}

func openCompact(in *Input, _ Options) (Source, error) {
	s, err := wholeCompact(in)
	if err != nil {
		return nil, err
	}
	if s.Own() {
		return nil, fmt.Errorf("%s: tiers of each user's own in the compact form are read whole, from a file that is not packed", in.Name)
	}
	return &compactRows{in: in, set: s}, nil
}

// Next implements [Source].
func (c *compactRows) Next(r *Record) error {
	for c.user < c.set.Users().Len() && c.at == c.set.Row(c.user).Len() {
		c.user, c.at = c.user+1, 0
	}
	if c.user == c.set.Users().Len() {
		return io.EOF
	}
	row := c.set.Row(c.user)
	item := row.Items[c.at]
	c.line++
	*r = Record{User: append(r.User[:0], c.set.Users().ID(uint32(c.user))...), Item: append(r.Item[:0], c.set.Items().ID(item)...), Value: row.Values[c.at],
		Tiers: c.set.LevelNames(), When: ratings.NoTime, Title: r.Title[:0], Line: c.line}
	if name := c.set.Items().Name(item); !c.in.Bare && name != string(r.Item) {
		r.Title = append(r.Title, name...)
	}
	if row.Times != nil {
		r.When = row.Times[c.at]
	}
	c.at++
	return nil
}

// ErrorAt implements [Source].
func (c *compactRows) ErrorAt(line int, format string, args ...any) error {
	return fmt.Errorf("%s: rating %d: %w", c.in.Name, line, fmt.Errorf(format, args...))
}
