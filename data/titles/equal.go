package titles

import (
	"math"
	"slices"
)

// nearYears is the largest difference of two years of one film: it is shown at a festival, and comes out a year later.
// farYears is the largest one that is still worth a guess.
const (
	nearYears = 1
	farYears  = 3
)

// hit is an entry with a form of the query.
type hit struct {
	item  int
	key   string // of the form
	cost  float64
	sure  bool
	head  bool    // the query is the beginning of its title
	how   How     // if it is sure
	score float64 // if it is not
}

// byForms finds the entries that have a form of the query.
func (x *Index) byForms(p *parsed) Match {
	var hits []hit
	for _, f := range p.forms() {
		at, there := x.first[f.key]
		for ; there && at >= 0; at = x.list[at].next {
			h, fits := x.judge(p, f, x.list[at])
			if !fits {
				continue
			}
			// An item that has two parts of the query is more likely than one that has one of them.
			twice := slices.IndexFunc(hits, func(g hit) bool { return f.kind == piece && g.item == h.item && g.key != f.key })
			if twice >= 0 {
				h.cost--
			}
			h.key = f.key
			hits = append(hits, h)
		}
	}
	if len(hits) == 0 {
		return Match{How: None, Item: -1}
	}
	least := math.Inf(1)
	for _, h := range hits {
		least = min(least, h.cost)
	}
	var items []int
	var first hit
	heads := true
	for _, h := range hits {
		if h.cost == least {
			if len(items) == 0 || h.sure {
				first = h
			}
			heads = heads && h.head
			if !slices.Contains(items, h.item) {
				items = append(items, h.item)
			}
		}
	}
	switch {
	case len(items) > 1 && heads && p.year == 0:
		// The beginning of several titles: the first film of a series often has its name alone.
		if oldest, alone := x.oldest(items); alone {
			return Match{How: Guess, Item: oldest, Score: 0.6}
		}
		fallthrough
	case len(items) > 1:
		return Match{How: Ambiguous, Item: -1, Candidates: x.byFame(items)}
	case first.sure:
		return Match{How: first.how, Item: first.item, Score: 1}
	}
	return Match{How: Guess, Item: first.item, Score: first.score}
}

// oldest returns the entry of the earliest year, and whether it is the only one of that year.
func (x *Index) oldest(items []int) (oldest int, alone bool) {
	oldest = items[0]
	for _, i := range items {
		if x.years[i] == 0 {
			return 0, false
		}
		if x.years[i] < x.years[oldest] {
			oldest = i
		}
	}
	return oldest, !slices.ContainsFunc(items, func(i int) bool { return i != oldest && x.years[i] == x.years[oldest] })
}

// judge says how well an entry fits that has a form of the query.
func (x *Index) judge(p *parsed, f form, entry posting) (h hit, fits bool) {
	h = hit{item: int(entry.item), cost: float64(f.cost + costs[entry.kind]), how: Folded, score: 0.9, head: entry.kind == piece && entry.head}
	gap, dated := x.gap(p.year, h.item)
	weakest := max(f.kind, entry.kind)
	same := f.exact == entry.exact // without numbers and spaces unified
	if !same {
		h.cost += 0.5
	}
	switch {
	case dated && gap > farYears:
		return h, false
	case dated && gap > nearYears:
		h.cost += 8
		h.score = 0.6
		return h, weakest <= numbered
	case dated && gap > 0:
		h.cost += 1.25
	case !dated:
		h.cost += 0.25
		if entry.kind == other && f.kind == whole && same { // without a year it is a title like another
			h.cost -= float64(costs[other])
		}
	}
	if letters := len(f.key); letters < 3 && weakest >= bare && !(dated && gap == 0) {
		return h, false
	}
	switch {
	case weakest == whole || weakest == numbered:
		// One word in other letters may be another title: "Nine" and "9" are of one year.
		h.sure = same || entry.words > 1 && f.words > 1 || dated && gap == 0 && !digits(f.key)
	case weakest == other:
		h.how = Alternative
		h.sure = same || dated
	case weakest == bare: // "Batman" is not "The Batman", unless it is of the same year
		h.sure = dated && (same || entry.words > 1 || f.words > 1)
	case weakest == leet:
		h.how, h.sure = Alternative, dated && gap == 0
	case weakest == piece:
		if f.kind >= piece && entry.kind >= piece { // both say more than they share
			h.score, h.cost = 0.5, h.cost+2
			return h, dated && gap == 0 && f.words > 1
		}
		h.how = Alternative
		h.sure = dated && gap == 0 && f.kind < piece && entry.words > 1 && len(f.key) >= 8
		if h.score = 0.7; dated {
			h.score = 0.8
		}
	case weakest == loose:
		return h, dated
	}
	return h, true
}

// gap is the difference between a year and that of an entry; dated is false where one of them is not known.
func (x *Index) gap(year, item int) (gap int, dated bool) {
	other := int(x.years[item])
	if year == 0 || other == 0 {
		return 0, false
	}
	return max(year-other, other-year), true
}

// digits reports whether a key is a number alone.
func digits(key string) bool { return isNumber(key) }
