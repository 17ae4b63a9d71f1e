// Package lookup finds the items of a model by what people write: ids, titles in any spelling, and answers that a person
// gave before. It keeps account of what was found, how, and what was not. The command line and the server find items
// here.
package lookup

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"fubini/data/titles"
	"fubini/learn/modelstore"
)

// Finder finds the items of a model. Several goroutines may use it once it has its answers.
type Finder struct {
	saved   *modelstore.Saved
	answers map[string]int // items that a person chose for texts; -1 for none
	once    sync.Once      // ids alone need no index
	index   *titles.Index
	listed  sync.Once
	names   []listedName   // the most rated first
	numeric bool           // all ids are numbers
	imdb    bool           // all ids are numbers of 7 or 8 digits, as those of IMDb are
	other   map[string]int // items by their ids in other catalogues
}

// New returns a finder of the items of a model.
func New(saved *modelstore.Saved) *Finder {
	saved.Find("") // makes the lookup by id, before several goroutines use it
	numeric := !slices.ContainsFunc(saved.ItemIDs, func(id string) bool { return !isNumber(id) })
	imdb := numeric && !slices.ContainsFunc(saved.ItemIDs, func(id string) bool { return len(id) < 7 || len(id) > 8 })
	f := &Finder{saved: saved, answers: map[string]int{}, numeric: numeric, imdb: imdb, other: map[string]int{}}
	for i := range saved.ItemFacts {
		for _, id := range saved.ItemFacts[i].IDs {
			if _, taken := f.other[id]; !taken {
				f.other[id] = i
			}
		}
	}
	return f
}

// Answer makes an item the answer for a text, or none of them (-1).
func (f *Finder) Answer(text string, item int) { f.answers[text] = item }

// Answered returns the answer for a text.
func (f *Finder) Answered(text string) (item int, there bool) {
	item, there = f.answers[text]
	return item, there
}

func (f *Finder) titles() *titles.Index {
	f.once.Do(func() {
		entries := make([]titles.Entry, len(f.saved.ItemIDs))
		for i, name := range f.saved.ItemNames {
			entries[i] = titles.Entry{Name: name, Weight: int(f.saved.Seen[i])}
			if f.saved.ItemFacts != nil {
				entries[i].Year, entries[i].Others = f.saved.ItemFacts[i].Year, f.saved.ItemFacts[i].Titles
			}
		}
		f.index = titles.New(entries)
	})
	return f.index
}

// leastScore is that of a guess that counts as found; one below is among the closest names.
const leastScore = 0.6

// Find returns the item with an id or a title. A number is no title where ids are numbers: an unknown id must not become
// the film "2012".
func (f *Finder) Find(text string) titles.Match {
	if m, final := f.byID(text); final {
		return m
	}
	return counted(f.titles().Find(titles.Query{Title: strings.TrimSpace(text)}))
}

// Sure returns the item with an id, or with a title that is one item and no guess. It answers at once, whatever the text is.
func (f *Finder) Sure(text string) (item int, sure bool) {
	if m, final := f.byID(text); final {
		return m.Item, m.How.Found()
	}
	return f.titles().Sure(titles.Query{Title: text})
}

// byID returns the item of an answer or an id; final is false where a title may still be found.
func (f *Finder) byID(text string) (m titles.Match, final bool) {
	text = strings.TrimSpace(text)
	none := titles.Match{How: titles.None, Item: -1}
	if item, there := f.answers[text]; there {
		if item < 0 {
			return none, true
		}
		return titles.Match{How: titles.Exact, Item: item, Score: 1}, true
	}
	if i, known := f.saved.Find(text); known {
		return titles.Match{How: titles.Exact, Item: i, Score: 1}, true
	}
	if digits, is := strings.CutPrefix(text, "tt"); is && isNumber(digits) {
		if i, known, _ := f.byIMDb(text); known {
			return titles.Match{How: titles.Exact, Item: i, Score: 1}, true
		}
		return none, true
	}
	return none, f.numeric && isNumber(text)
}

// byIMDb returns the item with an id of IMDb, such as tt0133093: by the catalogue, or by the model's own ids, which may be those of
// IMDb. Bare is true where the model's id is the number alone, and may be one of another kind with as many digits.
func (f *Finder) byIMDb(id string) (item int, known, bare bool) {
	if i, known := f.other["imdb:"+id]; known {
		return i, true, false
	}
	if i, known := f.saved.Find(id); known {
		return i, true, false
	}
	if f.imdb {
		item, known = f.saved.Find(strings.TrimPrefix(id, "tt"))
	}
	return item, known, known
}

// counted is a match, or none in the place of a weak guess.
func counted(m titles.Match) titles.Match {
	if m.How == titles.Guess && m.Score < leastScore {
		return titles.Match{How: titles.None, Item: -1}
	}
	return m
}

// Name returns the name of an item as people write it.
func (f *Finder) Name(item int) string { return titles.Plain(f.saved.ItemNames[item]) }

// leastShare is the least share of the trigrams of a text that a title has for it to be named in a message about the text. Misspelt
// parts of titles of ml-latest-small are above ("Shawshenk": The Shawshank Redemption, 0.60; "Dr Strangelov": 0.92), and most films
// that are not among its 9,742 below ("Oppenheimer": Open Hearts, 0.42; "Barbie": Barb Wire, 0.57).
const leastShare = 0.6

// Closest returns the items whose names have most of a text, for messages about a name that was not found; none where no name is
// near.
func (f *Finder) Closest(text string, n int) []int { return f.titles().Having(text, n, leastShare) }

// Containing returns the items whose name or id contains a text, the most rated first.
func (f *Finder) Containing(text string, n int) (items []int) {
	for i := range f.containing(text) {
		if len(items) == n {
			break
		}
		items = append(items, i)
	}
	return items
}

// listedName is an item with its name as searched, and its id.
type listedName struct {
	item     int
	name, id string
}

// containing goes through the items whose name or id contains every word of a text, with the name as searched.
func (f *Finder) containing(text string) iter.Seq2[int, string] {
	f.listed.Do(func() {
		for _, i := range f.saved.MostRated(0) {
			f.names = append(f.names, listedName{i, titles.Fold(titles.Plain(f.saved.ItemNames[i])), titles.Fold(f.saved.ItemIDs[i])})
		}
	})
	words := strings.Fields(titles.Fold(text))
	return func(yield func(int, string) bool) {
		for _, each := range f.names {
			if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(each.name, word) && !strings.Contains(each.id, word) }) && !yield(each.item, each.name) {
				return
			}
		}
	}
}

// Search returns the items that a person may mean by a text, the likeliest first: the one with that very title, those
// whose name begins with it, those in which every word of it begins a word, and those that contain it; each the most rated
// first. Where there are none, typing errors are forgiven: then the items are those with the closest titles, and close is
// true.
func (f *Finder) Search(text string, n int) (items []int, close bool) {
	folded := titles.Fold(text)
	if folded == "" {
		return nil, false
	}
	sure := -1
	if i, is := f.titles().Sure(titles.Query{Title: strings.TrimSpace(text)}); is {
		sure = i
		items = append(items, i)
	}
	words := strings.Fields(folded)
	var ranks [4][]int
	for i, name := range f.containing(text) {
		inner := " " + name
		rank := 3
		switch {
		case i == sure:
			continue
		case name == folded:
			rank = 0
		case strings.HasPrefix(name, folded):
			rank = 1
		case !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(inner, " "+word) }):
			rank = 2
		}
		ranks[rank] = append(ranks[rank], i)
	}
	items = append(items, slices.Concat(ranks[:]...)...)
	if len(items) == 0 {
		items, close = f.Misspelt(text, n), true
	}
	return items[:min(n, len(items))], close && len(items) > 0
}

const mostClose = 24 // titles that are offered in the place of one that is not there

// Misspelt returns the items whose titles are closest to a text, for a search that finds nothing else: a guess first, where it counts
// as one, then those that a message names, then those that are like it as a whole.
func (f *Finder) Misspelt(text string, n int) (items []int) {
	if m := counted(f.titles().Find(titles.Query{Title: strings.TrimSpace(text)})); m.How.Found() {
		items = append(items, m.Item)
	}
	n = min(n, mostClose)
	for _, i := range slices.Concat(f.Closest(text, n), f.titles().Closest(text, n)) {
		if !slices.Contains(items, i) {
			items = append(items, i)
		}
	}
	return items[:min(n, len(items))]
}

func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
