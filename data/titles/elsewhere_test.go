package titles_test

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fubini/data/titles"
)

// table returns the rows of a CSV file below FUBINI_DATA, without the header.
func table(t *testing.T, path ...string) [][]string {
	t.Helper()
	folder := os.Getenv("FUBINI_DATA")
	if folder == "" {
		t.Skip("FUBINI_DATA names no folder with ml-latest-small, movietweetings and ml-100k")
	}
	file, err := os.Open(filepath.Join(append([]string{folder}, path...)...))
	if err != nil {
		t.Skip(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// unknown are names that the films of MovieTweetings, which have one title each, mostly the original one, go by elsewhere: in another
// language, as a nickname, or by a subtitle. Nothing in that catalogue leads from the one to the other.
var unknown = []string{
	`The Professional (1994)`,
	`Professional, The`,
	`A New Hope`,
	`Star Wars Episode IV`,
	`Harry Potter and the Philosopher's Stone`,
	`Amélie`,
	`Amelie (2001)`,
	`The Boat (1981)`,
	`The Bicycle Thief`,
	`Bicycle Thieves (1948)`,
	`Wings of Desire`,
	`The Lives of Others (2006)`,
	`Pans Labyrinth`,
	`The 400 Blows`,
	`The Seventh Seal (1957)`,
	`Seven Samurai`,
	`7 Samurai (1954)`,
	`The Good, the Bad and the Ugly`,
	`The Good the Bad & the Ugly (1966)`,
	`Spirited Away`,
	`Princess Mononoke (1997)`,
	`My Neighbour Totoro`,
	`Howls Moving Castle`,
	`Godzilla (1954)`,
	`ID4`,
	`MIB (1997)`,
	`Crouching Tiger Hidden Dragon`,
	`City of God`,
	`Oldboy (2003)`,
	`Run Lola Run`,
	`Downfall`,
	`Infernal Affairs`,
	`Three Colours: Blue`,
	`Trzy kolory: Biały`,
	`X-Men 2 (2003)`,
}

// unknownOld are such names of films in MovieLens 100K.
var unknownOld = []string{"Der Himmel über Berlin", "Himmel ueber Berlin", "MIB (1997)", "Trois couleurs: Rouge", "Trzy kolory: Biały",
	"Léon", "Leon", "A New Hope", "Star Wars Episode IV", "Il buono, il brutto, il cattivo"}

// renamed are the plain names in MovieLens 100K of films that have another one in ml-latest-small.
var renamed = map[string]string{
	"Léon: The Professional (a.k.a. The Professional) (Léon) (1994)": "professional, the",
	"Star Wars: Episode IV - A New Hope (1977)":                      "star wars",
	"Star Wars: Episode V - The Empire Strikes Back (1980)":          "empire strikes back, the",
	"Star Wars: Episode VI - Return of the Jedi (1983)":              "return of the jedi",
	"Alien³ (a.k.a. Alien 3) (1992)":                                 "alien 3",
	"Postman, The (Postino, Il) (1994)":                              "postino, il",
	"William Shakespeare's Romeo + Juliet (1996)":                    "william shakespeare's romeo and juliet",
	"Willy Wonka & the Chocolate Factory (1971)":                     "willy wonka and the chocolate factory",
	"Wallace & Gromit: The Wrong Trousers (1993)":                    "wrong trousers, the",
}

// plain is the name of a film in MovieLens in small letters, without alternative titles and the year.
func plain(name string) string {
	title, _, _ := strings.Cut(name, " (")
	return strings.ToLower(title)
}

// The spellings in three catalogues, two of which name films in their own way. Which entry is the film that is meant comes from ids, or from
// the plain name and the year, not from this package. A film that the catalogue does not have must not be found; a title
// that several films have must be asked about, with the right one among them.
func TestSpellingsElsewhere(t *testing.T) {
	movies := table(t, "ml-latest-small", "movies.csv")
	name, imdb := map[string]string{}, map[string]string{} // of a movie; of a name
	for _, row := range movies {
		name[row[0]] = row[1]
	}
	for _, row := range table(t, "ml-latest-small", "links.csv") {
		imdb[name[row[0]]] = row[1]
	}
	t.Run("movietweetings", func(t *testing.T) {
		var entries []titles.Entry
		place := map[string]int{} // of an IMDb id
		for _, line := range lines(t, filepath.Join(os.Getenv("FUBINI_DATA"), "movietweetings", "movies.dat")) {
			row := strings.Split(line, "::")
			place[row[0]] = len(entries)
			entries = append(entries, titles.Entry{Name: row[1]})
		}
		checkElsewhere(t, "MovieTweetings", entries, spellings(t), func(s spelling) film {
			at, there := place[imdb[s.want]]
			return film{at, there, slices.Contains(unknown, s.text)}
		})
		for called, id := range imdb {
			if at, there := place[id]; there {
				entries[at].Others = []string{called}
			}
		}
		checkElsewhere(t, "MovieTweetings, with the names of ml-latest-small as other titles", entries, spellings(t), func(s spelling) film {
			at, there := place[imdb[s.want]]
			return film{at, there, false}
		})
	})
	t.Run("ml-100k", func(t *testing.T) {
		var entries []titles.Entry
		place, named := map[[2]string]int{}, map[[2]string]int{} // by the plain name, and by the whole one
		for k, row := range table(t, "ml-100k", "items.csv") {
			place[[2]string{plain(row[1]), row[2]}], named[[2]string{row[1], row[2]}] = k, k
			year, _ := strconv.Atoi(row[2]) // a few have none
			entries = append(entries, titles.Entry{Name: row[1], Year: year})
		}
		all := spellings(t)
		for _, line := range lines(t, "testdata/spellings-ml-100k.tsv") {
			fields := strings.Split(line, "\t")
			all = append(all, spelling{text: fields[0], want: "=" + fields[1] + " (" + fields[2] + ")"})
		}
		checkElsewhere(t, "MovieLens 100K", entries, all, func(s spelling) film {
			year := ""
			if n := len(s.want); n > 6 && s.want[n-1] == ')' {
				year = s.want[n-5 : n-1]
			}
			if whole, is := strings.CutPrefix(s.want, "="); is {
				at, there := named[[2]string{strings.TrimSuffix(whole, " ("+year+")"), year}]
				return film{at, there, false}
			}
			number, _ := strconv.Atoi(year)
			for _, year := range []int{number, number - 1} { // some are a year older there
				if at, there := place[[2]string{cmp.Or(renamed[s.want], plain(s.want)), strconv.Itoa(year)}]; there {
					return film{at, true, slices.Contains(unknownOld, s.text)}
				}
			}
			return film{at: -1}
		})
	})
	t.Run("ml-latest-small", func(t *testing.T) {
		var entries []titles.Entry
		place := map[string]int{}
		for k, row := range movies {
			place[row[1]] = k
			entries = append(entries, titles.Entry{Name: row[1]})
		}
		checkElsewhere(t, "ml-latest-small", entries, spellings(t), func(s spelling) film {
			at, there := place[s.want]
			return film{at, there, false}
		})
	})
}

// film says where the film of a spelling is in a catalogue.
type film struct {
	at    int
	there bool // the catalogue has it
	aside bool // under a name that nothing in the spelling leads to: set aside by hand
}

// checkElsewhere counts and writes the row of docs/data.md, which must have it.
func checkElsewhere(t *testing.T, called string, entries []titles.Entry, all []spelling, place func(s spelling) film) {
	x := titles.New(entries)
	there, aside, right, guessed, asked, written, silent := 0, 0, 0, 0, 0, 0, 0
	for _, s := range all {
		m, f := x.Find(titles.Query{Title: s.text}), place(s)
		met := func(m titles.Match) bool {
			return m.Item == f.at && m.How.Found() || m.How == titles.Ambiguous && slices.Contains(m.Candidates, f.at)
		}
		if f.there {
			there++
			if met(x.FindAsWritten(titles.Query{Title: s.text})) {
				written++
			}
		}
		if f.there && f.aside {
			aside++
		}
		switch {
		case f.there && met(m):
			if f.aside {
				t.Errorf("%q is set aside, and is found", s.text)
			}
			right++
			if m.How == titles.Guess {
				guessed++
			} else if m.How == titles.Ambiguous {
				asked++
			}
			continue
		case m.How < titles.Guess:
			silent++
			t.Errorf("%q is %q by %v, not %q", s.text, entries[m.Item].Name, m.How, s.want)
		}
		if f.there && !f.aside {
			t.Logf("%q: %v, not %q", s.text, m.How, entries[f.at].Name)
		}
	}
	counted := there - aside
	row := fmt.Sprintf("| %s | %s | %d | %d | %d (%.1f %%) | %d | %d | %d | %d of %d (%.1f %%) | %d |", called, thousands(len(entries)),
		there, aside, right, 100*float64(right)/float64(there), guessed, asked, written, right, counted, 100*float64(right)/float64(counted), silent)
	t.Log(row)
	page, err := os.ReadFile("../../docs/data.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), row+"\n") {
		t.Errorf("docs/data.md has not this row: %s", row)
	}
	if !(float64(right) >= 0.97*float64(counted)) {
		t.Errorf("%d of %d right", right, counted)
	}
}

func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}
