package format

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"fubini/data/ratings"
)

var csvCodec = codec{
	name:       "csv",
	extensions: []string{".csv"},
	detect:     func(head []byte) bool { return detectTable(head, ",;") },
	read:       func(in *input, b *ratings.Builder, o Options) error { return readTable(in, b, ",;\t") },
	write: func(w io.Writer, s *ratings.Set, o Options) error {
		return writeTable(w, s, ',', "user,item,rating\n", "user,item,rating,timestamp\n")
	},
}

var tsvCodec = codec{
	name:       "tsv",
	extensions: []string{".tsv", ".tab"},
	detect:     func(head []byte) bool { return detectTable(head, "\t") },
	read:       func(in *input, b *ratings.Builder, o Options) error { return readTable(in, b, "\t") },
	write: func(w io.Writer, s *ratings.Set, o Options) error {
		return writeTable(w, s, '\t', "", "")
	},
}

// A table cuts lines into fields. With quotes, a field that begins with a quote
// goes up to the next single one, over lines if need be, as RFC 4180 has it, and
// spaces around other fields are taken off.
type table struct {
	*lines
	separator byte // ':' stands for two of them
	quotes    bool
	started   int      // line on which the record began
	fields    [][]byte // of the record, views that the next call overwrites
	record    []byte   // a record over several lines
	text      []byte   // fields without their quotes
}

// next cuts the next line that is not blank.
func (t *table) next() error {
	for {
		line, err := t.lines.next()
		if err != nil {
			return err
		}
		if len(line) == 0 || line[0] == ' ' && len(bytes.TrimLeft(line, " ")) == 0 {
			continue
		}
		t.started = t.number
		return t.cut(line)
	}
}

// cut fills fields.
func (t *table) cut(line []byte) error {
	fields := t.fields[:0] // a local one is quicker to append to
	from := 0
	if t.separator == ':' {
		for k := 1; k < len(line); k++ {
			if line[k] == ':' && line[k-1] == ':' && k > from { // of three colons the last belongs to a field
				fields = append(fields, line[from:k-1])
				from = k + 1
			}
		}
		t.fields = append(fields, line[from:])
		return nil
	}
	for k, c := range line {
		if c == t.separator {
			fields = append(fields, line[from:k])
			from = k + 1
		} else if c == '"' && t.quotes {
			return t.cutQuoted(line)
		}
	}
	fields = append(fields, line[from:])
	t.fields = fields
	if t.quotes {
		for k, f := range fields {
			if len(f) > 0 && (f[0] == ' ' || f[len(f)-1] == ' ') {
				fields[k] = bytes.Trim(f, " ")
			}
		}
	}
	return nil
}

// cutQuoted is cut for a line with a quote somewhere.
func (t *table) cutQuoted(line []byte) error {
	t.fields = t.fields[:0]
	t.text = t.text[:0]
	var ends []int // of the fields in text: it may move while it grows
	rest := line
	for {
		rest = bytes.TrimLeft(rest, " ")
		if len(rest) == 0 || rest[0] != '"' {
			n := bytes.IndexByte(rest, t.separator)
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
		ends = append(ends, len(t.text))
		if len(rest) == 0 {
			break
		}
		rest = rest[1:]
	}
	from := 0
	for _, end := range ends {
		t.fields = append(t.fields, t.text[from:end:end])
		from = end
	}
	return nil
}

// unquote appends a field to text, up to its closing quote, and returns what is
// left of the line, from the separator on.
func (t *table) unquote(rest []byte) ([]byte, error) {
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
			if len(t.text) > maxLine {
				return nil, t.errorAt(t.started, "a quoted field that goes on for more than %d bytes: %s; its closing quote is missing", maxLine, quote(t.text[from:]))
			}
			line, err := t.lines.next()
			if err == io.EOF {
				return nil, t.errorAt(t.started, "the quoted field %s has no closing quote", quote(t.text[from:]))
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
			if len(rest) > 0 && rest[0] != t.separator {
				return nil, t.errorf("text after a closing quote: %s; a quote within a quoted field is written twice", quote(rest))
			}
			return rest, nil
		}
	}
}

// columns says which field of a record is what; -1 is one that is not there.
type columns struct {
	user, item, rating, when, title int

	width  int
	header bool // the first line only names the columns
}

// headerless is user, item and rating, and perhaps a time.
func headerless(width int) columns {
	c := columns{user: 0, item: 1, rating: 2, when: -1, title: -1, width: width}
	if width == 4 {
		c.when = 3
	}
	return c
}

// aliases of the columns, in lower case without spaces, underscores and hyphens;
// where a header has several, the first one here is taken.
var aliases = [...][]string{
	{"user", "userid", "uid", "userindex", "username", "customer", "customerid", "reviewer", "reviewerid", "member", "memberid", "person", "voter", "rater"},
	{"item", "itemid", "iid", "movie", "movieid", "mid", "film", "filmid", "product", "productid", "asin", "parentasin", "book", "bookid", "isbn", "song", "songid", "track", "trackid", "artist", "artistid", "anime", "animeid", "business", "businessid", "game", "gameid", "recipe", "recipeid", "joke", "jokeid"},
	{"rating", "score", "value", "stars", "star", "level", "ratingvalue", "userrating", "myrating", "bookrating", "overall", "grade"},
	{"timestamp", "time", "date", "unixtime", "unixreviewtime", "datetime", "ts", "when", "ratedat", "createdat", "ratingdate"},
	{"title", "name", "itemname", "itemtitle", "movietitle", "moviename", "booktitle", "productname", "producttitle"},
}

// roles of a column: an index of aliases.
const (
	userRole = iota
	itemRole
	ratingRole
	timeRole
	titleRole
	noRole = -1
)

// roleOf says what a name of a column or a key stands for, and how good a name
// it is, 0 the best.
func roleOf(name string) (role, rank int) {
	name = strings.Map(func(r rune) rune {
		if r == ' ' || r == '_' || r == '-' {
			return -1
		}
		return r
	}, strings.ToLower(name))
	for role, names := range aliases {
		if rank := slices.Index(names, name); rank >= 0 {
			return role, rank
		}
	}
	return noRole, 0
}

// named finds the columns by their names.
func named(names [][]byte) (c columns, complete bool) {
	at := [len(aliases)]int{-1, -1, -1, -1, -1}
	best := [len(aliases)]int{}
	var twice [len(aliases)]bool // the best name of a role stands twice
	for k, name := range names {
		role, rank := roleOf(string(bytes.TrimSpace(name)))
		switch {
		case role == noRole:
		case at[role] < 0 || rank < best[role]:
			at[role], best[role], twice[role] = k, rank, false
		case rank == best[role]:
			twice[role] = true
		}
	}
	if slices.Contains(twice[:], true) {
		return c, false // which one is meant cannot be told
	}
	c = columns{user: at[userRole], item: at[itemRole], rating: at[ratingRole], when: at[timeRole], title: at[titleRole], width: len(names), header: true}
	return c, c.user >= 0 && c.item >= 0 && c.rating >= 0
}

// arrange makes out the separator and the columns from the first line, trying
// separators in turn.
func (t *table) arrange(first []byte, separators string) (c columns, ok bool) {
	for _, s := range []byte(separators) {
		t.separator = s
		if t.cut(first) != nil || len(t.fields) < 3 {
			continue
		}
		if c, ok = named(t.fields); ok {
			return c, true
		}
		if len(t.fields) > 4 {
			continue
		}
		if _, ok := parseRating(t.fields[2]); !ok {
			continue
		}
		if len(t.fields) == 4 && len(t.fields[3]) > 0 {
			if _, ok := parseTime(t.fields[3]); !ok {
				continue
			}
		}
		return headerless(len(t.fields)), true
	}
	return c, false
}

// firstLine is the first line of a head that is not blank.
func firstLine(head []byte) []byte {
	l := newLines("", bytes.NewReader(head))
	defer l.close()
	for {
		line, err := l.next()
		if err != nil {
			return nil
		}
		if len(bytes.TrimSpace(line)) > 0 {
			return bytes.Clone(line)
		}
	}
}

func detectTable(head []byte, separators string) bool {
	first := firstLine(head)
	if len(first) == 0 {
		return false
	}
	t := &table{lines: newLines("", bytes.NewReader(nil)), quotes: true}
	defer t.close()
	_, ok := t.arrange(first, separators)
	return ok
}

// readTable reads a table with a header, or user, item, rating and perhaps time
// without one.
func readTable(in *input, b *ratings.Builder, separators string) error {
	t := &table{lines: newLines(in.name, in.r), quotes: true}
	defer t.close()
	t.separator = '\n' // in no line: the first one is kept whole
	t.quotes = false
	if err := t.next(); err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	t.quotes = true
	first := bytes.Clone(t.fields[0])
	c, ok := t.arrange(first, separators)
	if !ok {
		return t.errorf("the first line %s is no header with user, item and rating, nor a user, an item, a number and perhaps a time, separated by %s", quote(first), spell(separators))
	}
	if c.header {
		return t.ratings(in, b, c)
	}
	return t.ratingsFrom(in, b, c) // the fields are cut
}

// spell names separators.
func spell(separators string) string {
	names := map[byte]string{',': "commas", ';': "semicolons", '\t': "tabs"}
	var words []string
	for _, s := range []byte(separators) {
		words = append(words, names[s])
	}
	return strings.Join(words, " or ")
}

// ratings adds all records to come.
func (t *table) ratings(in *input, b *ratings.Builder, c columns) error {
	if err := t.next(); err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	return t.ratingsFrom(in, b, c)
}

// ratingsFrom adds the record at hand and all to come.
func (t *table) ratingsFrom(in *input, b *ratings.Builder, c columns) error {
	titled := map[string]bool{}
	defer func() { in.counts.Latin1 += t.latin1 }()
	for {
		if len(t.fields) != c.width {
			return t.wrongWidth(c)
		}
		in.counts.Lines++
		user, item := t.fields[c.user], t.fields[c.item]
		value, ok := parseRating(t.fields[c.rating])
		if !ok {
			if value, ok = t.europeanRating(t.fields[c.rating]); !ok {
				return t.badRating(t.fields[c.rating])
			}
		}
		if len(user) == 0 || len(item) == 0 {
			return t.errorAt(t.started, "a rating without a user or an item: %s; both must be named", quote(bytes.Join(t.fields, []byte{t.separator})))
		}
		when := int64(ratings.NoTime)
		if c.when >= 0 && len(t.fields[c.when]) > 0 {
			if when, ok = parseTime(t.fields[c.when]); !ok {
				return t.badTime(t.fields[c.when])
			}
		}
		if err := b.Add(user, item, value, when); err != nil {
			return t.errorAt(t.started, "%w", err)
		}
		if c.title >= 0 && len(t.fields[c.title]) > 0 && !titled[string(item)] {
			titled[string(item)] = true
			b.Title(string(item), string(t.fields[c.title]))
		}
		if err := t.next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// europeanRating reads a decimal comma where semicolons separate the fields.
func (t *table) europeanRating(b []byte) (float32, bool) {
	if t.separator != ';' || bytes.Count(b, []byte(",")) != 1 {
		return 0, false
	}
	return parseRating(bytes.Replace(b, []byte(","), []byte("."), 1))
}

func (l *lines) badRating(text []byte) error {
	return l.errorf("rating %s is not a finite number; write it like 4 or 3.5", quote(text))
}

func (l *lines) badTime(text []byte) error {
	return l.errorf("time %s is neither seconds since 1970 nor a date; write it like 964982703 or 2000-07-30 or 2000-07-30T18:45:03Z", quote(text))
}

func (t *table) wrongWidth(c columns) error {
	separator := string(t.separator)
	if t.separator == ':' {
		separator = "::"
	}
	have := quote(bytes.Join(t.fields, []byte(separator)))
	if c.header {
		return t.errorAt(t.started, "%s has %d columns; the header has %d", have, len(t.fields), c.width)
	}
	want := strings.Join([]string{"user", "item", "rating", "time"}[:c.width], separator)
	return t.errorAt(t.started, "%s has %d columns; lines here are %s", have, len(t.fields), fmt.Sprintf("%q", want))
}
