package lookup

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"time"

	"fubini/core/parallel"
	"fubini/data/personal"
	"fubini/data/ratings"
	"fubini/data/titles"
	"fubini/model"
)

// Match is an item of a model for one of an export.
type Match struct {
	titles.Match
	ByID bool // by an id of the model, or of another catalogue that the model's catalogue has
}

// how is the way of a match in words.
func (m *Match) how() string {
	if m.ByID {
		return "id"
	}
	return m.How.String()
}

// Known reports whether a text is an id or a title for sure.
func (f *Finder) Known(text string) bool { return f.Find(text).How < titles.Guess }

// findItem finds an item of an export: by an answer, by ids, by its title, or by one of its other titles.
func (f *Finder) findItem(item *personal.Item) Match {
	if _, answered := f.answers[item.Text()]; answered {
		m, _ := f.byID(item.Text())
		return Match{Match: m}
	}
	if i, known := f.elsewhere(item); known {
		return Match{titles.Match{How: titles.Exact, Item: i, Score: 1}, true}
	}
	if item.ID != "" {
		m, final := f.byID(item.ID)
		if m.How.Found() {
			return Match{m, true}
		}
		if item.Title == "" {
			if !final {
				m = f.Find(item.ID)
			}
			return Match{Match: m}
		}
	}
	best := counted(f.titles().Find(titles.Query{Title: item.Title, Year: item.Year}))
	for _, other := range item.Others {
		if best.How < titles.Guess {
			break
		}
		if m := counted(f.titles().Find(titles.Query{Title: other, Year: item.Year})); m.How < best.How || m.How == titles.Guess && best.How == titles.Guess && m.Score > best.Score {
			best = m
		}
	}
	return Match{Match: best}
}

// FindItems finds several items, on all cores.
func (f *Finder) FindItems(items []*personal.Item) []Match {
	matches := make([]Match, len(items))
	parallel.Do(len(items), runtime.GOMAXPROCS(0), func(_, k int) { matches[k] = f.findItem(items[k]) })
	return matches
}

// elsewhere finds an item by its ids in other catalogues. The ids of a model may be those of IMDb, without their letters: then
// the names must have a word in common, because other numbers have as many digits.
func (f *Finder) elsewhere(item *personal.Item) (i int, known bool) {
	for _, id := range item.IDs {
		if imdb, is := strings.CutPrefix(id, "imdb:"); is {
			if i, known, bare := f.byIMDb(imdb); known && (!bare || f.shares(i, item)) {
				return i, true
			}
			continue
		}
		if i, known := f.other[id]; known {
			return i, true
		}
	}
	return 0, false
}

// shares reports whether a title of an item and the name of one of the model have a word in common.
func (f *Finder) shares(i int, item *personal.Item) bool {
	words := strings.Fields(titles.Fold(f.saved.ItemNames[i]))
	for _, title := range append([]string{item.Title}, item.Others...) {
		for word := range strings.FieldsSeq(titles.Fold(title)) {
			if word != "the" && slices.Contains(words, word) {
				return true
			}
		}
	}
	return false
}

// Named is a text that names an item in a file.
type Named struct {
	Text  string
	Line  int       // 0 where it is not known
	Value float32   // rating or tier, as the file has it
	Seen  bool      // it was only seen
	When  time.Time // of the rating; zero where it is not known
}

// Guess is a text that is close to the title of an item.
type Guess struct {
	Named
	Item  int
	Score float64
}

// Question is a text that several items fit.
type Question struct {
	Named
	Items []int // the most rated first
}

// Report counts and lists texts by how they were matched to items.
type Report struct {
	Read    int
	Matched map[string]int // texts that are an item for sure, by how
	Guessed []Guess
	Open    []Question // several items fit
	Missing []Named    // no item fits
	Twice   []Named    // the item of another text
	Ratings []float32  // the different ratings of the items found, as the file has them, best first: those of tier 1, 2, ...; nil for tiers
	Outside bool       // ratings of an unknown scale are outside that of the model: only their order counts
}

// Found is the number of texts that are an item, for sure or as a guess, and of no text before.
func (r *Report) Found() int {
	n := len(r.Guessed)
	for _, k := range r.Matched {
		n += k
	}
	return n - len(r.Twice)
}

func (r *Report) matched(how string, n int) {
	if r.Matched == nil {
		r.Matched = map[string]int{}
	}
	r.Matched[how] += n
}

// Add notes what became of a text.
func (r *Report) Add(text Named, m Match) {
	r.Read++
	switch m.How {
	case titles.Guess:
		r.Guessed = append(r.Guessed, Guess{text, m.Item, m.Score})
	case titles.Ambiguous:
		r.Open = append(r.Open, Question{text, m.Candidates})
	case titles.None:
		r.Missing = append(r.Missing, text)
	default:
		r.matched(m.how(), 1)
	}
}

// placed is an item of the model with the text that named it.
type placed struct {
	item int
	how  titles.How
	text Named
}

// person finds the items of a person: those placed, in the order of the file, and those seen. Of two names of one item the
// surer one counts, and of two as sure the first.
func (f *Finder) person(x *personal.Export, person *personal.Person) (all []placed, seen []int, report Report) {
	items := make([]*personal.Item, 0, len(person.Placed)+len(person.Seen))
	for k := range person.Placed {
		items = append(items, &person.Placed[k].Item)
	}
	for k := range person.Seen {
		items = append(items, &person.Seen[k])
	}
	matches := f.FindItems(items)
	at := map[int]int{} // places of items in all
	for k, m := range matches {
		text := Named{Text: items[k].Text(), Line: items[k].Line, Seen: k >= len(person.Placed)}
		if !text.Seen {
			text.Value = person.Placed[k].Value
			if when := person.Placed[k].When; when != ratings.NoTime {
				text.When = time.Unix(when, 0).UTC()
			}
		}
		report.Add(text, m)
		before, there := at[m.Item]
		switch {
		case !m.How.Found():
		case text.Seen:
			seen = append(seen, m.Item)
		case !there:
			at[m.Item] = len(all)
			all = append(all, placed{m.Item, m.How, text})
		case m.How < all[before].how:
			report.Twice = append(report.Twice, all[before].text)
			all[before] = placed{m.Item, m.How, text}
		default:
			report.Twice = append(report.Twice, text)
		}
	}
	slices.Sort(seen)
	seen = slices.Compact(seen)
	seen = slices.DeleteFunc(seen, func(i int) bool { _, rated := at[i]; return rated })
	return all, seen, report
}

// Person returns a person of an export as a new person, with the items of the model that the export names, and the items
// that the person has seen and not rated. Ratings on another scale than the model's are moved to it.
func (f *Finder) Person(x *personal.Export, person *personal.Person) (p model.Person, seen []int, report Report) {
	p.Index, p.TiersOnly = -1, !x.Rated
	all, seen, report := f.person(x, person)
	// By the ids of items, as a whole data set is sorted, so that sums come out the same.
	slices.SortFunc(all, func(a, b placed) int { return strings.Compare(f.saved.ItemIDs[a.item], f.saved.ItemIDs[b.item]) })
	for _, each := range all {
		p.Known.Items, p.Known.Values = append(p.Known.Items, uint32(each.item)), append(p.Known.Values, f.rescaled(x, each.text.Value))
	}
	if slices.ContainsFunc(all, func(each placed) bool { return !each.text.When.IsZero() }) {
		for _, each := range all {
			when := int64(ratings.NoTime)
			if !each.text.When.IsZero() {
				when = each.text.When.Unix()
			}
			p.Known.Times = append(p.Known.Times, when)
		}
	}
	if x.Rated {
		for _, each := range all {
			report.Ratings = append(report.Ratings, each.text.Value)
		}
		slices.SortFunc(report.Ratings, func(a, b float32) int { return cmp.Compare(b, a) })
		report.Ratings = slices.Compact(report.Ratings)
	}
	if report.Outside = x.Rated && f.outside(x, p.Known.Values); report.Outside {
		p.TiersOnly = true
	}
	return p, seen, report
}

// outside reports whether ratings whose scale is not known cannot be of the model's.
func (f *Finder) outside(x *personal.Export, values []float32) bool {
	return x.Scale == [2]float64{} && f.saved.High > f.saved.Low && slices.ContainsFunc(values, func(v float32) bool {
		return float64(v) < f.saved.Low || float64(v) > f.saved.High
	})
}

// rescaled is a rating on the scale of the model. One on a part of that scale with the same top, as ratings from 1 to 10 are
// where some in the training data were 0, stays as it is.
func (f *Finder) rescaled(x *personal.Export, value float32) float32 {
	low, high := x.Scale[0], x.Scale[1]
	if !x.Rated || !(high > low) || !(f.saved.High > f.saved.Low) || low >= f.saved.Low && high == f.saved.High {
		return value
	}
	return float32(f.saved.Low + (float64(value)-low)/(high-low)*(f.saved.High-f.saved.Low))
}
