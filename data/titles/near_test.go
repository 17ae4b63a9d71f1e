package titles

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// plainDistance is the distance of optimal string alignment, with the whole table.
func plainDistance(a, b string) int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
		table[i][0] = i
	}
	for j := range len(b) + 1 {
		table[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			table[i][j] = min(table[i-1][j]+1, table[i][j-1]+1, table[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				table[i][j] = min(table[i][j], table[i-2][j-2]+1)
			}
		}
	}
	return table[len(a)][len(b)]
}

func drawnText(r *rand.Rand, letters, most int) string {
	text := make([]byte, 1+r.IntN(most))
	for k := range text {
		text[k] = 'a' + byte(r.IntN(letters))
	}
	return string(text)
}

func TestDistanceIsThatOfTheWholeTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var rows [3][maxKey + 2]uint8
	within := 0
	for range 20_000 {
		a, b, most := drawnText(r, 3, 9), drawnText(r, 3, 9), 1+r.IntN(3)
		got, want := distance(a, b, most, &rows), plainDistance(a, b)
		if min(got, most+1) != min(want, most+1) {
			t.Fatalf("distance(%q, %q) up to %d is %d, not %d", a, b, most, got, want)
		}
		if want <= most {
			within++
		}
	}
	if within < 1000 {
		t.Errorf("only %d pairs were within the limit", within)
	}
}

// The lists of trigrams lose no key that is close enough.
func TestWithinFindsAllThatAreClose(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	entries := make([]Entry, 600)
	for i := range entries {
		entries[i].Name = drawnText(r, 4, 18)
	}
	x := New(entries)
	n := x.buildNear()
	found := 0
	for range 300 {
		text := drawnText(r, 4, 18)
		if own := []byte(entries[r.IntN(len(entries))].Name); len(own) > 5 { // one of them, with some letters changed
			for range 1 + r.IntN(3) {
				own[r.IntN(len(own))] = 'a'
			}
			text = string(own)
		}
		for most := 1; most <= 3; most++ {
			if len(gramsOf(text, nil)) <= 4*most { // so short a text may share nothing with one that is as close; edits asks for less
				continue
			}
			var got, want []string
			n.within(text, most, 0, func(key *nearKey, d int) {
				if d != plainDistance(text, key.text) {
					t.Fatalf("%q and %q: %d", text, key.text, d)
				}
				got = append(got, key.text)
			})
			for k := range n.keys {
				if plainDistance(text, n.keys[k].text) <= most {
					want = append(want, n.keys[k].text)
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("within %d of %q: %q, not %q", most, text, got, want)
			}
			found += len(want)
		}
	}
	if found < 300 {
		t.Errorf("only %d were close", found)
	}
}
