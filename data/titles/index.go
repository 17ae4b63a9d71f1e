package titles

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"fubini/core/parallel"
)

// Entry is an item of a catalogue.
type Entry struct {
	Name   string   // "Matrix, The (1999)"; titles in brackets are other titles
	Year   int      // 0 where there is none, or where the name has it
	Others []string // more titles; each may have a year and titles in brackets, as the name may
	Weight int      // how well known it is: the order among equals where a person is asked
}

// Query is a title to look for, with its year if that is known. The year may also stand in the title.
type Query struct {
	Title string
	Year  int
}

// How is the way in which an item was found.
type How int

// The ways, from the surest to none.
const (
	Exact       How = iota // the name, byte by byte
	Folded                 // the title, up to case, accents, punctuation, place of the article and way of writing numbers
	Alternative            // another title of the item
	Guess                  // a title that is close, or says less than the name
	Ambiguous              // several items fit equally well
	None                   // no item fits
)

// String returns the name of the way.
func (h How) String() string {
	return [...]string{"exact", "folded", "alternative", "guess", "ambiguous", "none"}[h]
}

// Found reports whether one item was found.
func (h How) Found() bool { return h <= Guess }

// Match is the answer to a query.
type Match struct {
	How        How
	Item       int     // place of the entry; -1 where none was found
	Score      float64 // 1, or for a guess how close the titles are, below 1
	Candidates []int   // of Ambiguous, the best known first
}

// Index finds entries by their titles. Several goroutines may use it.
type Index struct {
	entries []Entry
	years   []int16
	exact   map[string]int32 // first posting of a name
	first   map[string]int32 // first posting of a key
	list    []posting

	nearOnce sync.Once // most lookups do without
	near     *near
}

// posting is one form of an entry, and the next posting of the same key; -1 ends the list.
type posting struct {
	item  int32
	next  int32
	exact uint32
	kind  kind
	head  bool
	words uint8
}

// New returns an index of the entries, which must not change afterwards.
func New(entries []Entry) *Index {
	x := &Index{entries: entries, years: make([]int16, len(entries)), exact: make(map[string]int32, len(entries)), first: make(map[string]int32, 3*len(entries))}
	x.list = make([]posting, 0, 4*len(entries))
	type shape struct {
		plain string
		forms []form
	}
	inBlocks(len(entries), func(i int) shape {
		p := x.parsed(i)
		x.years[i] = int16(p.year)
		return shape{Plain(entries[i].Name), p.forms()}
	}, func(i int, s shape) {
		put(x, x.exact, entries[i].Name, posting{item: int32(i)})
		if s.plain != entries[i].Name {
			put(x, x.exact, s.plain, posting{item: int32(i)})
		}
		for _, f := range s.forms {
			put(x, x.first, f.key, posting{item: int32(i), kind: f.kind, head: f.head, words: f.words, exact: f.exact})
		}
	})
	return x
}

// inBlocks makes something of every number below n, on all cores, and calls use with each in order. A block of results at a time
// is in memory.
func inBlocks[T any](n int, produce func(k int) T, use func(k int, made T)) {
	const size = 4096
	block := make([]T, min(n, size))
	for from := 0; from < n; from += size {
		part := block[:min(size, n-from)]
		parallel.Do(len(part), runtime.GOMAXPROCS(0), func(_, k int) { part[k] = produce(from + k) })
		for k, made := range part {
			use(from+k, made)
		}
	}
}

func put(x *Index, first map[string]int32, key string, p posting) {
	p.next = -1
	if next, there := first[key]; there {
		p.next = next
	}
	first[key] = int32(len(x.list))
	x.list = append(x.list, p)
}

// parsed is the name of an entry taken apart, with its year and other titles.
func (x *Index) parsed(i int) parsed {
	e := &x.entries[i]
	p := parse(e.Name)
	if e.Year > 0 && e.Year < 1<<15 {
		p.year = e.Year
	}
	for _, text := range e.Others {
		if more := parse(text); more.year != 0 || len(more.others) > 0 { // a name of another catalogue, with a year or titles in brackets
			p.others = append(append(p.others, more.main), more.others...)
		} else {
			p.others = append(p.others, turned(text))
		}
	}
	return p
}

// readings are the ways to read a query: as it is, and with a number at its end as the year.
func (q Query) readings() []parsed {
	p := parse(q.Title)
	if q.Year != 0 {
		p.year = q.Year
	}
	list := []parsed{p}
	if end := p.main.text; p.year != 0 || end == "" || end[len(end)-1] < '0' || end[len(end)-1] > '9' {
		return list // most have a year, or no digit at their end
	}
	if found := endsInYear.FindStringSubmatch(p.main.text); found != nil {
		other := parse(found[1])
		other.year = yearIn(found[2])
		list = append(list, other)
	}
	return list
}

// Find looks a title up.
func (x *Index) Find(q Query) Match {
	q.Title = strings.TrimSpace(q.Title)
	if q.Title == "" {
		return Match{How: None, Item: -1}
	}
	if m := x.find(q); m.How != None {
		return m
	}
	return x.resort(q)
}

// find looks a title up as it is written.
func (x *Index) find(q Query) Match {
	if item, is := x.same(q); is {
		return Match{How: Exact, Item: item, Score: 1}
	}
	readings := q.readings()
	best := x.byFormsOf(readings)
	if best.How != None {
		return best
	}
	for _, each := range readings {
		if m := x.close(&each); better(m, best) {
			best = m
		}
	}
	return best
}

// Sure looks a title up as [Index.Find] does, and leaves out guesses by letters and words, which take longer.
func (x *Index) Sure(q Query) (item int, sure bool) {
	q.Title = strings.TrimSpace(q.Title)
	if q.Title == "" {
		return -1, false
	}
	if item, is := x.same(q); is {
		return item, true
	}
	m := x.byFormsOf(q.readings())
	return m.Item, m.How < Guess
}

// same is the only entry with the title as it is written, unless its year is another.
func (x *Index) same(q Query) (item int, is bool) {
	items := x.items(x.exact, q.Title)
	if len(items) != 1 || q.Year != 0 && x.years[items[0]] != 0 && int(x.years[items[0]]) != q.Year {
		return -1, false
	}
	return items[0], true
}

// byFormsOf is the best match by a form of the readings of a title; the first that is sure.
func (x *Index) byFormsOf(readings []parsed) Match {
	best := Match{How: None, Item: -1}
	for _, each := range readings {
		if m := x.byForms(&each); m.How < Guess {
			return m
		} else if better(m, best) {
			best = m
		}
	}
	return best
}

func better(m, than Match) bool {
	return cmp.Or(cmp.Compare(m.How, than.How), cmp.Compare(than.Score, m.Score)) < 0
}

// items are the entries of a key, each once.
func (x *Index) items(first map[string]int32, key string) (items []int) {
	at, there := first[key]
	for ; there && at >= 0; at = x.list[at].next {
		if item := int(x.list[at].item); !slices.Contains(items, item) {
			items = append(items, item)
		}
	}
	return items
}

// byFame sorts entries: the best known first, then the older ones.
func (x *Index) byFame(items []int) []int {
	slices.SortFunc(items, func(a, b int) int {
		return cmp.Or(cmp.Compare(x.entries[b].Weight, x.entries[a].Weight), cmp.Compare(x.years[a], x.years[b]), cmp.Compare(a, b))
	})
	return items
}
