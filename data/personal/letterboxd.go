package personal

import (
	"bytes"
	"fmt"
	"strings"

	"fubini/data/codec"
	"fubini/data/ratings"
	"fubini/data/text"
)

// isLetterboxdList recognises a list of Letterboxd, which is exported with facts about itself before its table.
func isLetterboxdList(head []byte, _ string) bool {
	return bytes.HasPrefix(text.FirstLine(head), []byte("Letterboxd list export"))
}

// readLetterboxdList reads such a list, the best first: each film is a tier of its own.
func readLetterboxdList(x *Export, in *codec.Input, _ Options) error {
	t := &table{Fields: &text.Fields{Lines: in.Lines(), Quotes: true}, x: x, at: map[string]int{}}
	for {
		line, err := t.Lines.NextFilled()
		if err != nil {
			return fmt.Errorf("%s: a list of Letterboxd without the columns Position, Name, Year", in.Name)
		}
		if !has(headerOf(line), "Position", "Name", "Year") {
			continue
		}
		if err := t.head(bytes.Clone(line)); err != nil {
			return err
		}
		break
	}
	var all []Item
	if err := x.eachRow(in.Name, t, func(t *table) {
		item := t.item(t.get("name"), t.get("year"))
		item.addFilm(t.get("url"))
		all = append(all, item)
	}); err != nil {
		return err
	}
	for k, item := range all {
		x.rate(item, float32(len(all)-k), ratings.NoTime)
	}
	return nil
}

// addFilm adds the id of a film by its address, https://boxd.it/abc.
func (i *Item) addFilm(address string) {
	_, film, _ := strings.Cut(address, "://")
	i.addID("letterboxd", strings.TrimPrefix(strings.TrimRight(film, "/"), "boxd.it/"))
}
