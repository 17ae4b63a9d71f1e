package personal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fubini/data/ratings"
)

// Limits of one file. The longest exports known have some 20,000 records.
const (
	mostBytes   = 64 << 20 // unpacked
	mostRecords = 200_000
	longestName = 1000 // bytes of a title or id
	mostShown   = 1000 // skipped records that are listed; the others are counted
)

// Export is what a file says of people and items. Every record that was read is a placed item, one that was seen, or skipped.
type Export struct {
	Form   string             // the form, or the format of package format
	Rated  bool               // values are ratings; otherwise they only order the items
	Scale  [2]float64         // ends of the rating scale; zeros where it is not known
	Names  map[float32]string // names of tiers by their values
	People []Person

	Read    int            // records
	Skipped []Skipped      // records left out, the first of them
	Reasons map[string]int // number of records left out, by reason
	Latin1  int            // lines that were not UTF-8 and were read as Latin-1
	Dates   string         // how dates like 3/4/2021 were read, where that is not evident
	Files   []string       // names of the files in the folder or archive, where several were read
	Records bool           // lines are numbers of records, as in JSON

	at map[string]place // the items so far, to find one that comes twice
}

// Person is one person's items.
type Person struct {
	ID     string
	Placed []Placed
	Seen   []Item // seen, read or played, without a rating
}

// Placed is an item with the value that a person gave it; higher is better.
type Placed struct {
	Item
	Value float32
	When  int64 // seconds since 1970, or ratings.NoTime
}

// Item is an item as a file names it.
type Item struct {
	ID     string   // an id or a title in a file that does not say which
	Title  string   // a title
	Year   int      // 0 where it is not known
	Others []string // more titles
	IDs    []string // ids in other catalogues: imdb:tt0133093, tmdb:603, isbn:9780439023480, mal:20, bgg:822
	Line   int      // where it stands: a line, or the number of a record in JSON; 0 where it is not known
}

// Text returns the item as people write it: "The Matrix (1999)".
func (i *Item) Text() string {
	if i.Title == "" {
		return i.ID
	}
	if year := strconv.Itoa(i.Year); i.Year != 0 && !strings.Contains(i.Title, year) {
		return i.Title + " (" + year + ")"
	}
	return i.Title
}

// key is that of the same item in another record.
func (i *Item) key() string {
	if len(i.IDs) > 0 {
		return i.IDs[0]
	}
	return i.ID + "\x00\x00" + i.Text()
}

// Skipped is a record that was left out.
type Skipped struct {
	Line int    // or the number of a record in JSON; 0 where it is not known
	Text string // the name of its item, or its beginning
	Why  string
}

// Reasons why a record is left out.
const (
	noName    = "no name"
	longName  = "a name of more than 1000 bytes"
	wanted    = "wanted, not rated"
	twice     = "rated twice; the later rating counts"
	again     = "rated or seen in another record"
	noEpisode = "a season or an episode, not a title of its own"
)

// skip leaves a record out.
func (x *Export) skip(line int, text, why string) {
	if x.Reasons == nil {
		x.Reasons = map[string]int{}
	}
	const kinds = 50 // reasons with numbers of a hostile file in them must not fill the memory
	if _, known := x.Reasons[why]; !known && len(x.Reasons) >= kinds {
		why = "cannot be read"
	}
	x.Reasons[why]++
	if len(x.Skipped) < mostShown {
		x.Skipped = append(x.Skipped, Skipped{line, shortened(text), why})
	}
}

func shortened(text string) string {
	const most = 120
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// count notes a record that was read.
func (x *Export) count(name string) error {
	if x.Read++; x.Read > mostRecords {
		return fmt.Errorf("%s: more than %d records; no list of one person is that long", name, mostRecords)
	}
	return nil
}

// place is where an item stands in the list of the only person.
type place struct {
	placed bool
	at     int
}

// me returns the only person of a form with one.
func (x *Export) me() *Person {
	if len(x.People) == 0 {
		x.People = []Person{{ID: "me"}}
		x.at = map[string]place{}
	}
	return &x.People[0]
}

// good checks the names of an item.
func (x *Export) good(item *Item) bool {
	item.Title = strings.TrimSpace(item.Title)
	switch {
	case item.Title == "" && item.ID == "":
		x.skip(item.Line, "", noName)
		return false
	case len(item.Title) > longestName || len(item.ID) > longestName:
		x.skip(item.Line, item.Title, longName)
		return false
	}
	return true
}

// rate adds a rating. Of two ratings of one item the later one counts, and of two without times the second.
func (x *Export) rate(item Item, value float32, when int64) {
	me := x.me()
	if !x.good(&item) {
		return
	}
	key := item.key()
	new := Placed{item, value, when}
	if before, there := x.at[key]; there && before.placed {
		old := &me.Placed[before.at]
		if when != ratings.NoTime && when < old.When {
			x.skip(item.Line, item.Text(), twice)
			return
		}
		x.skip(old.Line, old.Text(), twice)
		*old = new
		return
	} else if there { // it was seen: its place there stays, and does not count
		x.skip(me.Seen[before.at].Line, item.Text(), again)
		me.Seen[before.at].Line = -1
	}
	x.at[key] = place{true, len(me.Placed)}
	x.at["\x00"+item.Text()] = x.at[key]
	me.Placed = append(me.Placed, new)
}

// see adds an item without a rating.
func (x *Export) see(item Item) {
	me := x.me()
	if !x.good(&item) {
		return
	}
	key := item.key()
	_, there := x.at[key]
	if _, rated := x.at["\x00"+item.Text()]; there || rated {
		x.skip(item.Line, item.Text(), again)
		return
	}
	x.at[key] = place{false, len(me.Seen)}
	me.Seen = append(me.Seen, item)
}

// finish drops what only reading needed.
func (x *Export) finish() {
	for p := range x.People {
		x.People[p].Seen = slices.DeleteFunc(x.People[p].Seen, func(item Item) bool { return item.Line < 0 })
	}
	x.at = nil
}

// rateIn adds a rating that must be within the scale.
func (x *Export) rateIn(item Item, value float32, when int64) {
	if low, high := x.Scale[0], x.Scale[1]; !(float64(value) >= low && float64(value) <= high) {
		x.skip(item.Line, item.Text(), fmt.Sprintf("the rating %g is outside the scale, %g to %g", value, low, high))
		return
	}
	x.rate(item, value, when)
}

// unplaced is the reason why an item without a place counts as left out: it says nothing of what the person has seen.
const unplaced = "unplaced"
