package catalogue

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"fubini/data/text"
)

// Files are the names of catalogues beside ratings, in the order in which they are read.
var Files = []string{"movies.csv", "movies.dat", "u.item", "items.csv", "items.jsonl", "links.csv"}

// mostRecords bounds a catalogue.
const mostRecords = 5_000_000

// Beside reads the files of a folder that are catalogues by their names, and returns which ones they were.
func (c *Catalogue) Beside(folder fs.FS) (found []string, err error) {
	for _, name := range Files {
		if info, err := fs.Stat(folder, name); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := c.Read(folder, name, name); err != nil {
			return found, err
		}
		found = append(found, name)
	}
	return found, nil
}

// Read adds the items of a file. Errors call it by the second name.
func (c *Catalogue) Read(folder fs.FS, name, shown string) error {
	f, err := folder.Open(name)
	if err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return fmt.Errorf("%s: %w", shown, err)
	}
	defer f.Close()
	return c.ReadStream(f, shown, path.Base(name))
}

// ReadStream adds the items of a stream.
func (c *Catalogue) ReadStream(r io.Reader, shown, base string) error {
	from := bufio.NewReaderSize(r, 64<<10)
	head, err := from.Peek(32 << 10)
	if err != nil && err != io.EOF && len(head) == 0 {
		return fmt.Errorf("%s: %w", shown, err)
	}
	first := text.FirstLine(head)
	t := &text.Fields{Lines: text.NewLines(shown, from), Quotes: true, Separator: ','}
	switch {
	case len(bytes.TrimSpace(first)) == 0:
		return fmt.Errorf("%s: the file is empty; %s", shown, expected)
	case bytes.HasPrefix(bytes.TrimSpace(first), []byte("{")):
		return c.lines(t.Lines)
	case bytes.Contains(first, []byte("::")):
		t.Separator, t.Quotes = ':', false
		return c.rows(t, []string{"item", "name", "genres"}, false)
	case bytes.Count(first, []byte("|")) >= 5 && !bytes.Contains(first, []byte(",")) || base == "u.item":
		t.Separator, t.Quotes = '|', false
		return c.rows(t, slices.Concat([]string{"item", "name", "", "", "link"}, genres), true)
	}
	for _, s := range []byte(",;\t") {
		if bytes.Count(first, []byte{s}) > bytes.Count(first, []byte{t.Separator}) {
			t.Separator = s
		}
	}
	if err := t.Next(); err != nil {
		return err
	}
	var columns, seen []string
	for _, name := range t.Values {
		seen = append(seen, string(name))
		columns = append(columns, folded(string(name)))
	}
	known := slices.DeleteFunc(slices.Clone(columns), func(name string) bool { return roles[name] == "" || roles[name] == "item" })
	if !slices.ContainsFunc(columns, func(name string) bool { return roles[name] == "item" }) || len(known) == 0 {
		return t.Errorf("the header has %s; %s", text.Quote(strings.Join(seen, ", ")), expected)
	}
	return c.rows(t, columns, false)
}

const expected = "a catalogue has a column item (or movieId, id) and any of title, year, genres, picture, link, imdb, tmdb, isbn, mal, bgg; or the same as keys of JSON lines; or it is movies.dat or u.item of MovieLens"

// folded is the name of a column in lower case without spaces, underscores and hyphens.
func folded(name string) string {
	return strings.NewReplacer(" ", "", "_", "", "-", "").Replace(strings.ToLower(strings.TrimSpace(name)))
}

// genres are the columns of u.item behind the fifth.
var genres = strings.Split("unknown,Action,Adventure,Animation,Children's,Comedy,Crime,Documentary,Drama,Fantasy,Film-Noir,Horror,Musical,Mystery,Romance,Sci-Fi,Thriller,War,Western", ",")

// rows reads a table with these columns. Marks are columns of genres with 1 for those of the item.
func (c *Catalogue) rows(t *text.Fields, columns []string, marks bool) error {
	at := slices.IndexFunc(columns, func(name string) bool { return roles[name] == "item" })
	for {
		if err := t.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if c.Records++; c.Records > mostRecords {
			return t.Errorf("more than %d items", mostRecords)
		}
		if len(t.Values) > len(columns) && !marks || at >= len(t.Values) || len(t.Values[at]) == 0 {
			return t.ErrorAt(t.Started, "%s has no item, or more columns than the header: %d instead of %d", t.Text(), len(t.Values), len(columns))
		}
		item := c.item(string(t.Values[at]))
		for k, value := range t.Values[:min(len(t.Values), len(columns))] {
			switch {
			case k == at:
			case marks && k >= 5:
				if string(value) == "1" && k > 5 {
					item.Groups = added(item.Groups, columns[k])
				}
			default:
				c.set(item, columns[k], string(value))
			}
		}
	}
}

// lines reads JSON lines.
func (c *Catalogue) lines(l *text.Lines) error {
	for {
		line, err := l.NextFilled()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if c.Records++; c.Records > mostRecords {
			return l.Errorf("more than %d items", mostRecords)
		}
		var fields map[string]any
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&fields); err != nil {
			return l.Errorf("%s is no JSON object: %w", text.Quote(line), err)
		}
		keys := make([]string, 0, len(fields))
		id := ""
		for key, value := range fields {
			if keys = append(keys, key); roles[folded(key)] == "item" {
				id = asText(value)
			}
		}
		if id == "" {
			return l.Errorf("%s has no item; %s", text.Quote(line), expected)
		}
		slices.Sort(keys) // the same order every time
		item := c.item(id)
		for _, key := range keys {
			if role := roles[folded(key)]; role != "item" {
				c.set(item, folded(key), asText(fields[key]))
			}
		}
	}
}

// asText is a value of JSON: a text, a number, or several with | between.
func asText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	case []any:
		var all []string
		for _, each := range v[:min(len(v), most)] {
			all = append(all, asText(each))
		}
		return strings.Join(all, "|")
	}
	return ""
}
