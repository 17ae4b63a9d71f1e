package personal

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"fubini/data/codec"
	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/data/text"
)

// SetForms returns the names of the forms that [ReadSet] reads beside the formats of package format: exports of accounts, and tiers and
// ratings in plain text. Names one a line are read where the format asks for it, because any text may be a list.
func SetForms() (names []string) {
	for _, f := range forms() {
		if f.Name != "table" && !slices.Contains(names, f.Name) { // formats have tables
			names = append(names, f.Name)
		}
	}
	return names
}

// ReadSet reads ratings of any format, and exports of one of [SetForms] as those of one person. An item of an export is called by its
// title and year, "Alien (1979)", and a second one of that name also by its id; items that were seen and not rated have no place.
func ReadSet(fsys fs.FS, name string, o format.Options) (*ratings.Set, *format.Report, error) {
	return readSet(cmp.Or(o.Name, name), o, func(o format.Options) (*ratings.Set, *format.Report, error) { return format.Read(fsys, name, o) })
}

// ReadSetStream is [ReadSet] for a stream. The name stands in errors.
func ReadSetStream(r io.Reader, name string, o format.Options) (*ratings.Set, *format.Report, error) {
	return readSet(cmp.Or(o.Name, name), o, func(o format.Options) (*ratings.Set, *format.Report, error) { return format.ReadStream(r, name, o) })
}

func readSet(name string, o format.Options, open func(format.Options) (*ratings.Set, *format.Report, error)) (*ratings.Set, *format.Report, error) {
	wanted, own := o.Format, slices.Contains(SetForms(), o.Format) && !slices.Contains(format.Readable(), o.Format)
	if own {
		o.Format = ""
	}
	var x *Export
	list := false
	o.Take = func(in *codec.Input, head []byte) (bool, error) {
		if o.Format != "" || len(o.Columns) > 0 {
			return false, nil
		}
		x, list = &Export{}, isList(head, in.Base)
		return x.takeOf(in, head, Options{}, func(f Form) bool {
			return slices.Contains(SetForms(), f.Name) && (f.Name == wanted || !own && f.Name != "list") && !hasUsers(headerOf(text.FirstLine(head)))
		})
	}
	set, report, err := open(o)
	if err != nil && list && !own {
		err = fmt.Errorf("%w; for names one a line, best first, give the format list", err)
	}
	if err != nil || set != nil {
		return set, report, err
	}
	x.finish()
	report.Format, report.Lines, report.Dropped, report.Titled = x.Form, x.Read, x.Reasons, true
	set, report.Report, err = x.set(name, o)
	return set, report, err
}

// set makes ratings of the export of one person, or places in tiers where it has only an order.
func (x *Export) set(name string, o format.Options) (*ratings.Set, ratings.Report, error) {
	b := ratings.NewBuilder()
	if o.Scale != nil {
		b.Between(o.Scale[0], o.Scale[1])
	}
	var tiers []string // the worst first; some may have no items left
	for k := 1; k <= x.levels(); k++ {
		tiers = append(tiers, x.Names[float32(k)])
	}
	taken := map[string]string{} // keys of items by their ids
	for _, p := range x.People {
		for k := range p.Placed {
			each := &p.Placed[k]
			id := []byte(each.uniqueID(taken))
			var err error
			if x.Rated {
				err = b.Add([]byte(p.ID), id, each.Value, each.When)
			} else {
				err = b.Place([]byte(p.ID), id, tiers, int(each.Value), each.When)
			}
			if err != nil {
				return nil, ratings.Report{}, fmt.Errorf("%s:%d: %w", name, each.Line, err)
			}
		}
		for k := range p.Seen {
			b.Aside([]byte(p.ID), []byte(p.Seen[k].uniqueID(taken)))
		}
	}
	if b.Len() == 0 {
		return nil, ratings.Report{}, fmt.Errorf("%s: read as %s; it %w%s", name, x.Form, format.ErrNoRatings, x.why())
	}
	return b.Build(o.Duplicates)
}

// levels is the number of tiers of an export that has only an order.
func (x *Export) levels() (most int) {
	for v := range x.Names {
		most = max(most, int(v))
	}
	for _, p := range x.People {
		for k := range p.Placed {
			most = max(most, int(p.Placed[k].Value))
		}
	}
	return most
}

// uniqueID is the text of an item, with its id behind if another item has that text.
func (i *Item) uniqueID(taken map[string]string) string {
	id := i.Text()
	if key, there := taken[id]; there && key != i.key() {
		own := strconv.Itoa(i.Line)
		if len(i.IDs) > 0 {
			_, own, _ = strings.Cut(i.IDs[0], ":")
		}
		id += " #" + own
	}
	taken[id] = i.key()
	return id
}
