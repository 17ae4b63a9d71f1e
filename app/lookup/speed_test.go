package lookup

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"fubini/data/personal"
	"fubini/data/titles"
	"fubini/learn/modelstore"
)

// made is a catalogue of made-up titles of one to five words, some of which are frequent, and an export of Letterboxd: half of its
// lines have a title of the catalogue as it is, a quarter in another spelling, an eighth with a letter missing, and an eighth are of films
// that it has not.
func made(items, lines int) (saved *modelstore.Saved, export []byte, truth []int) {
	r := rand.New(rand.NewPCG(7, 9))
	syllables := strings.Fields("an ar be ca chi dor el fa gri ho in ja ka lo mi ne or pe qua ra sto the tra un va wi xe yo zu light man dark king love house night star city")
	words := make([]string, 20_000)
	for k := range words {
		for range 1 + r.IntN(3) {
			words[k] += syllables[r.IntN(len(syllables))]
		}
		words[k] = strings.ToUpper(words[k][:1]) + words[k][1:]
	}
	taken := map[string]bool{}
	film := func() (title string, year int) {
		for {
			var parts []string
			for range 1 + r.IntN(5) {
				parts = append(parts, words[int(float64(len(words))*r.Float64()*r.Float64()*r.Float64())])
			}
			title, year = strings.Join(parts, " "), 1920+r.IntN(100)
			if !taken[strings.ToLower(title)] {
				taken[strings.ToLower(title)] = true
				return title, year
			}
		}
	}
	saved = &modelstore.Saved{Low: 0.5, High: 5}
	names, years := make([]string, items), make([]int, items)
	for i := range items {
		names[i], years[i] = film()
		shown := names[i]
		if i%4 == 0 {
			shown += ", The"
			names[i] = "The " + names[i]
		}
		saved.ItemIDs = append(saved.ItemIDs, strconv.Itoa(i+1))
		saved.ItemNames = append(saved.ItemNames, fmt.Sprintf("%s (%d)", shown, years[i]))
		saved.Seen = append(saved.Seen, uint32(1+r.IntN(1000)))
	}
	var text bytes.Buffer
	text.WriteString("Date,Name,Year,Letterboxd URI,Rating\n")
	for line := range lines {
		i := r.IntN(items)
		name, year := names[i], strconv.Itoa(years[i])
		switch kind := line % 8; {
		case kind < 4: // as it is
		case kind == 4:
			name = strings.ToUpper(name)
		case kind == 5:
			name = strings.ReplaceAll(strings.TrimPrefix(name, "The "), "a", "á")
		case kind == 6 && len(name) > 5:
			at := 4 + r.IntN(len(name)-5)
			name = name[:at] + name[at+1:]
		default:
			absent, when := film()
			i, name, year = -1, absent, strconv.Itoa(when)
		}
		truth = append(truth, i)
		fmt.Fprintf(&text, "2020-01-%02d,\"%s\",%s,https://boxd.it/%d,%g\n", 1+line%28, name, year, line, float64(1+line%10)/2)
	}
	return saved, text.Bytes(), truth
}

// imported reads an export and finds its items.
func imported(t testing.TB, saved *modelstore.Saved, export []byte) (*personal.Export, *Answer) {
	finder := New(saved)
	x, err := personal.ReadStream(bytes.NewReader(export), "ratings.csv", personal.Options{Known: finder.Known})
	if err != nil {
		t.Fatal(err)
	}
	return x, finder.Import(x)
}

// An export of 20,000 lines against 100,000 titles: the file read, the index of titles made, every title found or not, with the closest
// names, and the answer written.
func BenchmarkImport(b *testing.B) {
	saved, export, _ := made(100_000, 20_000)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		_, answer := imported(b, saved, export)
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(answer)
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "heap-MB")
	b.ReportMetric(float64(after.Sys)/(1<<20), "sys-MB")
}

// A made export is matched right: what is there is found, or guessed right; nothing is taken for another film for sure.
func TestMadeExport(t *testing.T) {
	saved, export, truth := made(5_000, 1_000)
	finder := New(saved)
	x, answer := imported(t, saved, export)
	counts := answer.Report.Counts
	if sum := counts.Matched + counts.Guessed + counts.Ambiguous + counts.NotMatched + counts.Skipped; sum != answer.Report.Read || x.Read != len(truth) {
		t.Errorf("%d records read, %d in the file, %d accounted for: %+v", answer.Report.Read, len(truth), sum, counts)
	}
	right, there := 0, 0
	for k := range x.People[0].Placed {
		item := &x.People[0].Placed[k].Item
		want, m := truth[item.Line-2], finder.findItem(item)
		if want >= 0 {
			there++
		}
		switch {
		case m.How.Found() && m.Item == want:
			right++
		case m.How < titles.Guess:
			t.Errorf("line %d, %s: found %v for sure, and it is %d", item.Line, item.Text(), m.Item, want)
		}
	}
	if right < there*97/100 {
		t.Errorf("%d of %d are right", right, there)
	}
}
