// Package lookup finds the items of a model by what people write: ids, titles in any spelling, and answers that a person
// gave before. It keeps account of what was found, how, and what was not. The command line and the server find items
// here.
package lookup

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"fubini/data/ratings"
	"fubini/data/titles"
	"fubini/learn/modelstore"
	"fubini/model"
)

// Finder finds the items of a model. Several goroutines may use it once it has its answers.
type Finder struct {
	saved   *modelstore.Saved
	answers map[string]int // items that a person chose for texts; -1 for none
	once    sync.Once      // ids alone need no index
	index   *titles.Index
	numeric bool // all ids are numbers
}

// New returns a finder of the items of a model.
func New(saved *modelstore.Saved) *Finder {
	saved.Find("") // makes the lookup by id, before several goroutines use it
	numeric := !slices.ContainsFunc(saved.ItemIDs, func(id string) bool { return !isNumber(id) })
	return &Finder{saved: saved, answers: map[string]int{}, numeric: numeric}
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
	return none, f.numeric && isNumber(text)
}

// counted is a match, or none in the place of a weak guess.
func counted(m titles.Match) titles.Match {
	if m.How == titles.Guess && m.Score < leastScore {
		return titles.Match{How: titles.None, Item: -1}
	}
	return m
}

// FindAll finds the items of several texts, on all cores.
func (f *Finder) FindAll(texts []string) []titles.Match {
	matches := make([]titles.Match, len(texts))
	var places []int
	var queries []titles.Query
	for k, text := range texts {
		if m, final := f.byID(text); final {
			matches[k] = m
			continue
		}
		places, queries = append(places, k), append(queries, titles.Query{Title: strings.TrimSpace(text)})
	}
	if len(queries) > 0 {
		for n, m := range f.titles().FindAll(queries) {
			matches[places[n]] = counted(m)
		}
	}
	return matches
}

// Name returns the name of an item as people write it.
func (f *Finder) Name(item int) string { return titles.Plain(f.saved.ItemNames[item]) }

// Closest returns the items whose names are closest to a text.
func (f *Finder) Closest(text string, n int) []int { return f.titles().Closest(text, n) }

// Containing returns the items whose name or id contains a text, the most rated first.
func (f *Finder) Containing(text string, n int) (items []int) {
	words := strings.Fields(titles.Fold(text))
	for _, i := range f.saved.MostRated(0) {
		if len(items) == n {
			break
		}
		name := titles.Fold(f.saved.ItemNames[i]) + " " + titles.Fold(f.saved.ItemIDs[i])
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(name, word) }) {
			items = append(items, i)
		}
	}
	return items
}

func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// Report says what became of texts that name items.
type Report struct {
	Read    int
	Matched map[string]int // texts that are an item for sure, by how
	Guessed []Guess
	Open    []Question // several items fit
	Missing []string   // no item fits
	Twice   []string   // the item of another text
}

// Guess is a text that is close to the title of an item.
type Guess struct {
	Text  string
	Item  int
	Score float64
}

// Question is a text that several items fit.
type Question struct {
	Text  string
	Items []int // the most rated first
}

// Found is the number of texts that are an item, for sure or as a guess, and of no text before.
func (r *Report) Found() int {
	n := len(r.Guessed)
	for _, k := range r.Matched {
		n += k
	}
	return n - len(r.Twice)
}

// Add notes what became of a text.
func (r *Report) Add(text string, m titles.Match) {
	r.Read++
	switch m.How {
	case titles.Guess:
		r.Guessed = append(r.Guessed, Guess{text, m.Item, m.Score})
	case titles.Ambiguous:
		r.Open = append(r.Open, Question{text, m.Candidates})
	case titles.None:
		r.Missing = append(r.Missing, text)
	default:
		if r.Matched == nil {
			r.Matched = map[string]int{}
		}
		r.Matched[m.How.String()]++
	}
}

// Person returns a user of a set as a new person, with the items of the model that the set's ids or titles name. Of
// two names of one item the surer one counts, and of two as sure the first.
func (f *Finder) Person(set *ratings.Set, user int) (p model.Person, report Report) {
	p.Index = -1
	row := set.Row(user)
	type placed struct {
		item  int
		how   titles.How
		value float32
		text  string
	}
	var all []placed
	texts := make([]string, len(row.Items))
	for k, item := range row.Items {
		texts[k] = set.Items().ID(item)
	}
	for k, m := range f.FindAll(texts) {
		text := texts[k]
		report.Add(text, m)
		if m.How.Found() {
			all = append(all, placed{m.Item, m.How, row.Values[k], text})
		}
	}
	// By the ids of items, as a whole data set is sorted, so that sums come out the same.
	slices.SortStableFunc(all, func(a, b placed) int {
		return cmp.Or(strings.Compare(f.saved.ItemIDs[a.item], f.saved.ItemIDs[b.item]), cmp.Compare(a.how, b.how))
	})
	for k, each := range all {
		if k > 0 && each.item == all[k-1].item {
			report.Twice = append(report.Twice, each.text)
			continue
		}
		p.Known.Items, p.Known.Values = append(p.Known.Items, uint32(each.item)), append(p.Known.Values, each.value)
	}
	return p, report
}
