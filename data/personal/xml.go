package personal

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"fubini/data/codec"
	"fubini/data/text"
)

// isXML recognises an XML file by its root.
func isXML(root string) func(head []byte, _ string) bool {
	return func(head []byte, _ string) bool {
		head = bytes.TrimSpace(head)
		if !bytes.HasPrefix(head, []byte("<")) {
			return false
		}
		d := xml.NewDecoder(bytes.NewReader(head))
		d.Strict = false
		for range 20 { // comments and instructions before the root
			token, err := d.RawToken()
			if err != nil {
				return false
			}
			if start, is := token.(xml.StartElement); is {
				return start.Name.Local == root
			}
		}
		return false
	}
}

// mostDepth is the number of elements within elements: the forms here have four.
const mostDepth = 20

// records calls each for every element of some names below the root, with the texts of its children and, as
// child/@name, their attributes. Entities that a file declares are refused: they may grow without end.
func (x *Export) records(in *codec.Input, names []string, each func(line int, fields map[string]string)) error {
	d := xml.NewDecoder(in.R)
	fail := func(err error) error {
		line, _ := d.InputPos()
		if broken := (*xml.SyntaxError)(nil); errors.As(err, &broken) {
			err = errors.New(broken.Msg)
		}
		return fmt.Errorf("%s:%d: %w", in.Name, line, err)
	}
	var path []string
	var fields map[string]string
	started := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return fail(err)
		}
		switch t := token.(type) {
		case xml.Directive:
			if bytes.Contains(t, []byte("ENTITY")) {
				return fail(errors.New("the file declares entities; exports have none"))
			}
		case xml.StartElement:
			if path = append(path, t.Name.Local); len(path) > mostDepth {
				return fail(fmt.Errorf("more than %d elements within elements", mostDepth))
			}
			if len(path) == 2 && slices.Contains(names, t.Name.Local) {
				started, _ = d.InputPos()
				fields = map[string]string{}
			}
			if fields != nil {
				name := strings.Join(path[2:], "/")
				for _, a := range t.Attr {
					put(fields, name+"/@"+a.Name.Local, a.Value)
				}
			}
		case xml.CharData:
			if fields != nil && len(path) > 2 {
				put(fields, strings.Join(path[2:], "/"), fields[strings.Join(path[2:], "/")]+string(t))
			}
		case xml.EndElement:
			if len(path) == 2 && fields != nil {
				if err := x.count(in.Name); err != nil {
					return err
				}
				each(started, fields)
				fields = nil
			}
			path = path[:len(path)-1]
		}
	}
}

// put keeps a field, within limits.
func put(fields map[string]string, name, value string) {
	const most = 200 // an item of BoardGameGeek has some 40
	if _, there := fields[name]; (there || len(fields) < most) && len(value) <= 64<<10 {
		fields[name] = value
	}
}

// status says whether an item without a rating was seen: completed, dropped, watching, on hold and so on are, planned ones
// are not.
func seenBy(status string) bool {
	status = strings.ToLower(status)
	return !strings.HasPrefix(status, "plan") && status != "6" && status != ""
}

// unrated adds an item without a rating.
func (x *Export) unrated(item Item, seen bool) {
	if seen {
		x.see(item)
		return
	}
	x.skip(item.Line, item.Text(), wanted)
}

// readMyAnimeList reads an anime or manga list.
func readMyAnimeList(x *Export, in *codec.Input, _ Options) error {
	x.Rated, x.Scale = true, [2]float64{1, 10}
	return x.records(in, []string{"anime", "manga"}, func(line int, f map[string]string) {
		item := Item{Title: strings.TrimSpace(f["series_title"]), Line: line}
		item.addID("mal", f["series_animedb_id"])
		if title, manga := f["manga_title"]; manga {
			item.Title = strings.TrimSpace(title)
			item.addID("malmanga", f["manga_mangadb_id"])
		}
		x.scored(item, f["my_score"], seenBy(strings.TrimSpace(f["my_status"])), when(strings.TrimSpace(f["my_finish_date"])))
	})
}

// scored adds an item with a rating, of which 0, N/A and nothing are none.
func (x *Export) scored(item Item, score string, seen bool, at int64) {
	score = strings.TrimSpace(score)
	if score == "" || score == "0" || score == "N/A" {
		x.unrated(item, seen)
		return
	}
	value, ok := text.ParseRating([]byte(score))
	if !ok {
		x.skip(item.Line, item.Text(), fmt.Sprintf("the rating %s is no number", text.Quote(score)))
		return
	}
	x.rateIn(item, value, at)
}

// readGeekMessage refuses what BoardGameGeek answers while it makes a collection.
func readGeekMessage(_ *Export, in *codec.Input, _ Options) error {
	return fmt.Errorf("%s: a message of BoardGameGeek in the place of a collection, which takes a while to be made; fetch the same address again", in.Name)
}

// readGeekXML reads a collection as the API of BoardGameGeek gives it, with stats.
func readGeekXML(x *Export, in *codec.Input, _ Options) error {
	x.Rated, x.Scale = true, [2]float64{1, 10}
	return x.records(in, []string{"item"}, func(line int, f map[string]string) {
		year, _ := strconv.Atoi(strings.TrimSpace(f["yearpublished"]))
		item := Item{Title: strings.TrimSpace(f["name"]), Year: year, Line: line}
		item.addID("bgg", f["/@objectid"])
		item.addOther(strings.TrimSpace(f["originalname"]))
		seen := f["status/@own"] == "1" || f["status/@prevowned"] == "1" || f["numplays"] != "" && f["numplays"] != "0"
		x.scored(item, f["stats/rating/@value"], seen, when(f["status/@lastmodified"]))
	})
}
