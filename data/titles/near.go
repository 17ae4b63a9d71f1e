package titles

import (
	"cmp"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"

	"fubini/core/parallel"
)

// near finds keys that share most of their letters or words with another. Its keys are the titles of all entries, those
// in brackets too, without articles; the shortest come first, so that the keys of some lengths stand together.
type near struct {
	keys    []nearKey
	years   []int16  // of the keys, 0 where it is not known, and the numbers of their words: apart, because most keys are
	counts  []uint8  // ruled out by them
	grams   postings // keys by their trigrams
	words   postings // keys by their words
	number  map[string]uint32
	weights []float64 // of the words: large where few titles have the word
	scratch sync.Pool // *counter
}

type nearKey struct {
	text  string // without spaces
	item  int32
	grams uint16 // number of different trigrams
	mask  uint32 // letters
	words []uint32
}

// postings are lists of keys, ascending.
type postings struct {
	start []uint32
	keys  []uint32
}

func (p *postings) of(n uint32) []uint32 { return p.keys[p.start[n]:p.start[n+1]] }

// list makes postings from the numbers of each key.
func list(keys, numbers int, of func(key int) []uint32) postings {
	p := postings{start: make([]uint32, numbers+1)}
	for k := range keys {
		for _, n := range of(k) {
			p.start[n+1]++
		}
	}
	for n := range numbers {
		p.start[n+1] += p.start[n]
	}
	p.keys = make([]uint32, p.start[numbers])
	at := slices.Clone(p.start[:numbers])
	for k := range keys {
		for _, n := range of(k) {
			p.keys[at[n]] = uint32(k)
			at[n]++
		}
	}
	return p
}

// gramBits is the size of the table of trigrams: 38 characters are common, of which a trigram has 16 bits; others share
// places, which costs a look at a key and no more.
const gramBits = 16

// gramsOf appends the different trigrams of a key, with its ends marked.
func gramsOf(key string, to []uint32) []uint32 {
	from := len(to)
	a, b := byte('^'), byte('^')
	for k := 0; k <= len(key); k++ {
		c := byte('$')
		if k < len(key) {
			c = key[k]
		}
		hash := (uint32(a)<<16 | uint32(b)<<8 | uint32(c)) * 2654435761 >> (32 - gramBits)
		if !slices.Contains(to[from:], hash) {
			to = append(to, hash)
		}
		a, b = b, c
	}
	return to
}

func maskOf(key string) (mask uint32) {
	for k := range len(key) {
		mask |= 1 << (key[k] & 31)
	}
	return mask
}

// bareWords are the words of a title without its article, numbers unified.
func bareWords(t title) string {
	folded := fold(t.text)
	if article, rest, more := strings.Cut(folded, " "); more && (t.proved || slices.Contains(english, article)) {
		folded = rest
	}
	return withoutParts(unified(folded))
}

// small are words that say little.
var small = []string{"the", "a", "an", "of", "and", "in", "to", "on", "for", "part", "episode", "vol", "chapter", "no", "book", "film", "movie"}

// buildNear makes the tables.
func (x *Index) buildNear() *near {
	n := &near{number: map[string]uint32{}}
	var byLength [maxKey + 1][]nearKey // the shortest first, and of one length in the order of the entries
	inBlocks(len(x.entries), func(i int) (texts []string) {
		p := x.parsed(i)
		for _, t := range append([]title{p.main, p.full}, p.others...) {
			texts = append(texts, bareWords(t))
		}
		return texts
	}, func(i int, texts []string) {
		for _, words := range texts {
			key := nearKey{text: squash(words), item: int32(i)}
			if key.text == "" || len(key.text) > maxKey {
				continue
			}
			key.mask, key.words = maskOf(key.text), n.numbers(words, true)
			byLength[len(key.text)] = append(byLength[len(key.text)], key)
		}
	})
	n.keys = slices.Concat(byLength[:]...)
	n.years, n.counts = make([]int16, len(n.keys)), make([]uint8, len(n.keys))
	grams := make([][]uint32, len(n.keys))
	parallel.Do(len(n.keys), runtime.GOMAXPROCS(0), func(_, k int) {
		key := &n.keys[k]
		n.years[k], n.counts[k] = x.years[key.item], uint8(min(len(key.words), 255))
		grams[k] = gramsOf(key.text, make([]uint32, 0, len(key.text)+1))
		key.grams = uint16(len(grams[k]))
	})
	n.grams = list(len(n.keys), 1<<gramBits, func(k int) []uint32 { return grams[k] })
	n.words = list(len(n.keys), len(n.number), func(k int) []uint32 { return n.keys[k].words })
	n.weights = make([]float64, len(n.number))
	for word := range n.weights {
		n.weights[word] = math.Log(1 + float64(len(n.keys))/float64(1+len(n.words.of(uint32(word)))))
	}
	n.scratch.New = func() any { return &counter{count: make([]uint8, len(n.keys))} }
	return n
}

// maxKey is the longest title that is compared letter by letter, in bytes.
const maxKey = 250

// numbers are the numbers of the different words that tell something, ascending. A word that is not known is left out, or
// gets a new number.
func (n *near) numbers(words string, create bool) (list []uint32) {
	for word := range strings.SplitSeq(words, " ") {
		if slices.Contains(small, word) {
			continue
		}
		number, known := n.number[word]
		if !known {
			if !create {
				continue
			}
			number = uint32(len(n.number))
			n.number[strings.Clone(word)] = number
		}
		if !slices.Contains(list, number) {
			list = append(list, number)
		}
	}
	slices.Sort(list)
	return list
}

// counter counts how many lists a key is in.
type counter struct {
	count []uint8
	seen  []uint32
}

func (c *counter) add(keys []uint32) {
	for _, k := range keys {
		if c.count[k] == 0 {
			c.seen = append(c.seen, k)
		}
		if c.count[k] < 255 {
			c.count[k]++
		}
	}
}

func (c *counter) clear() {
	for _, k := range c.seen {
		c.count[k] = 0
	}
	c.seen = c.seen[:0]
}

// fits reports whether a key is of about the same year, where both years are known.
func (n *near) fits(key uint32, year int) bool {
	other := int(n.years[key])
	return year == 0 || other == 0 || other-nearYears <= year && year <= other+nearYears
}

// within calls found with the keys of about the same year that are at most so many edits from a text. A key that is d
// edits away has all but 3d of the trigrams of the text (4d with swapped letters), so it is in one of any 4d+1 of their lists: the
// shortest ones are looked at.
func (n *near) within(text string, most, year int, found func(key *nearKey, distance int)) {
	c := n.scratch.Get().(*counter)
	defer n.scratch.Put(c)
	defer c.clear()
	from := sort.Search(len(n.keys), func(k int) bool { return len(n.keys[k].text) >= len(text)-most })
	to := sort.Search(len(n.keys), func(k int) bool { return len(n.keys[k].text) > len(text)+most })
	var lists [][]uint32
	for _, gram := range gramsOf(text, nil) {
		keys := n.grams.of(gram)
		low, _ := slices.BinarySearch(keys, uint32(from))
		high, _ := slices.BinarySearch(keys, uint32(to))
		lists = append(lists, keys[low:high])
	}
	slices.SortFunc(lists, func(a, b []uint32) int { return cmp.Compare(len(a), len(b)) })
	// Of more lists than needed a key is in more than one, which leaves fewer keys to compare.
	const more = 3
	need := 1
	if looked := 4*most + 1 + more; looked < len(lists) {
		lists, need = lists[:looked], 1+more
	} else {
		need = max(1, len(lists)-4*most)
	}
	for _, keys := range lists {
		c.add(keys)
	}
	mask, numbers := maskOf(text), digitsOf(text)
	var rows [3][maxKey + 2]uint8
	for _, k := range c.seen {
		if int(c.count[k]) < need || !n.fits(k, year) {
			continue
		}
		key := &n.keys[k]
		if bits.OnesCount32(mask&^key.mask) > most || bits.OnesCount32(key.mask&^mask) > most {
			continue
		}
		if d := distance(text, key.text, most, &rows); d <= most && digitsOf(key.text) == numbers {
			found(key, d)
		}
	}
}

// digitsOf returns the digits of a key. Titles with other numbers are other titles.
func digitsOf(key string) string {
	if !strings.ContainsAny(key, "0123456789") {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, key)
}

// distance is the number of letters to insert, delete, replace or swap with their neighbour to make one text of another,
// or more than most if it is more.
func distance(a, b string, most int, rows *[3][maxKey + 2]uint8) int {
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = uint8(j)
	}
	over := uint8(most + 1)
	for i := 1; i <= len(a); i++ {
		low, high := max(1, i-most), min(len(b), i+most)
		if row[low-1] = over; low == 1 {
			row[0] = uint8(min(i, most+1))
		}
		least := row[low-1]
		for j := low; j <= high; j++ {
			cost := last[j-1]
			if a[i-1] != b[j-1] {
				cost++
			}
			up := over
			if j < i+most { // within the band of the row above
				up = last[j] + 1
			}
			value := min(cost, up, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				value = min(value, before[j-2]+1)
			}
			row[j] = min(value, over)
			least = min(least, row[j])
		}
		if least > uint8(most) {
			return most + 1
		}
		before, last, row = last, row, before
	}
	if len(b) > len(a)+most || len(a) > len(b)+most {
		return most + 1
	}
	return int(last[len(b)])
}
