package titles_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"fubini/core/parallel"
	"fubini/data/titles"
)

// world draws a catalogue of titles of one to five words, and a list of titles to look for: a quarter each as they are,
// without the year, with a letter missing, and of other words.
func world(items, queries int) (names, wanted []string) {
	r := rand.New(rand.NewPCG(7, 8))
	syllables := strings.Fields("an ar be ca chi dor el fa gri ho in ja ka lo mi ne or pe qua ra sto the tra un va wi xe yo zu light man dark king love house night star city")
	vocabulary := make([]string, 20_000)
	for k := range vocabulary {
		for range 1 + r.IntN(3) {
			vocabulary[k] += syllables[r.IntN(len(syllables))]
		}
	}
	title := func() string {
		var words []string
		for range 1 + r.IntN(5) {
			words = append(words, vocabulary[int(float64(len(vocabulary))*r.Float64()*r.Float64()*r.Float64())])
		}
		return strings.Join(words, " ")
	}
	for range items {
		names = append(names, fmt.Sprintf("%s (%d)", title(), 1920+r.IntN(100)))
	}
	for k := range queries {
		name := names[r.IntN(items)]
		switch k % 4 {
		case 1:
			name = name[:len(name)-7]
		case 2:
			at := 1 + r.IntN(len(name)-8)
			name = name[:at] + name[at+1:]
		case 3:
			name = title()
		}
		wanted = append(wanted, name)
	}
	return names, wanted
}

// An export of 20,000 lines is matched against 100,000 titles, index included.
func BenchmarkIndex(b *testing.B) {
	names, _ := world(20_000, 0)
	for b.Loop() {
		indexOf(names)
	}
}

func BenchmarkFind(b *testing.B) {
	names, wanted := world(100_000, 20_000)
	x := indexOf(names)
	x.Closest("anything", 1)
	k := 0
	for b.Loop() {
		x.Find(titles.Query{Title: wanted[k%len(wanted)]})
		k++
	}
}

// Many lookups at once give what one at a time gives, and most of the made-up spellings are found.
func TestFindMany(t *testing.T) {
	if testing.Short() {
		t.Skip("100,000 titles")
	}
	names, wanted := world(100_000, 20_000)
	start := time.Now()
	x := indexOf(names)
	built := time.Since(start)
	queries := make([]titles.Query, len(wanted))
	for k, text := range wanted {
		queries[k].Title = text
	}
	matches := make([]titles.Match, len(queries))
	parallel.Do(len(queries), runtime.GOMAXPROCS(0), func(_, k int) { matches[k] = x.Find(queries[k]) })
	took := time.Since(start)
	counts := map[titles.How]int{}
	for k, m := range matches {
		counts[m.How]++
		if k%100 == 0 && m.Item != x.Find(queries[k]).Item {
			t.Errorf("%q: %v, and alone another", wanted[k], m)
		}
	}
	t.Logf("index in %v, all in %v: %v", built, took, counts)
	if found := counts[titles.Exact] + counts[titles.Folded] + counts[titles.Guess] + counts[titles.Ambiguous]; found < len(wanted)*7/10 {
		t.Errorf("%d of %d found", found, len(wanted))
	}
}
