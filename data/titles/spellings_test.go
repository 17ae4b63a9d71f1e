package titles_test

import (
	"bufio"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fubini/data/titles"
)

// spelling is a line of spellings.tsv.
type spelling struct {
	text, want string
	among      bool // one of several candidates will do
}

func spellings(t testing.TB) (list []spelling) {
	t.Helper()
	for _, line := range lines(t, "testdata/spellings.tsv") {
		text, want, found := strings.Cut(line, "\t")
		if !found {
			t.Fatalf("spellings.tsv: %q", line)
		}
		want, among := strings.CutPrefix(want, "?")
		list = append(list, spelling{text, want, among})
	}
	return list
}

func lines(t testing.TB, path string) (list []string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for s := bufio.NewScanner(file); s.Scan(); {
		if line := s.Text(); line != "" && line[0] != '#' {
			list = append(list, line)
		}
	}
	return list
}

// movieLens returns the names in ml-latest-small, of the folder FUBINI_DATA.
func movieLens(t testing.TB) (names []string) {
	t.Helper()
	folder := os.Getenv("FUBINI_DATA")
	if folder == "" {
		t.Skip("FUBINI_DATA names no folder with ml-latest-small")
	}
	file, err := os.Open(filepath.Join(folder, "ml-latest-small", "movies.csv"))
	if err != nil {
		t.Skip(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		names = append(names, row[1])
	}
	return names
}

func indexOf(names []string) *titles.Index {
	entries := make([]titles.Entry, len(names))
	for i, name := range names {
		entries[i].Name = name
	}
	return titles.New(entries)
}

// Of the spellings at least 97 of 100 are matched right, and one that is matched wrong is marked as a guess.
func checkSpellings(t *testing.T, names []string) {
	x := indexOf(names)
	right, guessed, all := 0, 0, spellings(t)
	for _, s := range all {
		m := x.Find(titles.Query{Title: s.text})
		got := "-"
		if m.How.Found() {
			got = names[m.Item]
		}
		candidate := slices.ContainsFunc(m.Candidates, func(i int) bool { return names[i] == s.want })
		switch {
		case got == s.want, s.among && candidate:
			right++
			if m.How == titles.Guess {
				guessed++
			}
			continue
		case m.How < titles.Guess:
			t.Errorf("%q is %q by %v; it should be %q", s.text, got, m.How, s.want)
		}
		var candidates []string
		for _, i := range m.Candidates {
			candidates = append(candidates, names[i])
		}
		t.Logf("%q: %v %q %.2f, not %q; candidates %q", s.text, m.How, got, m.Score, s.want, candidates)
	}
	t.Logf("%d of %d right, %d of them guesses", right, len(all), guessed)
	if len(all) < 200 || !(float64(right) >= 0.97*float64(len(all))) {
		t.Errorf("%d of %d right", right, len(all))
	}
}

func TestSpellings(t *testing.T) { checkSpellings(t, lines(t, "testdata/films.txt")) }

func TestSpellingsInMovieLens(t *testing.T) { checkSpellings(t, movieLens(t)) }
