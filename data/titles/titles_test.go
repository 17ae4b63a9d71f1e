package titles_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fubini/data/titles"
)

func TestPlain(t *testing.T) {
	for name, want := range map[string]string{
		"Matrix, The (1999)":                                         "The Matrix (1999)",
		"Hate (Haine, La) (1995)":                                    "Hate (La Haine) (1995)",
		"Avventura, L' (Adventure, The) (1960)":                      "L'Avventura (The Adventure) (1960)",
		"City of the Living Dead (a.k.a. Gates of Hell, The) (1980)": "City of the Living Dead (a.k.a. The Gates of Hell) (1980)",
		"I, Tonya (2017)":                                            "I, Tonya (2017)",
		"Die Hard (1988)":                                            "Die Hard (1988)",
		"Good, the Bad and the Ugly, The":                            "The Good, the Bad and the Ugly",
		"(500) Days of Summer (2009)":                                "(500) Days of Summer (2009)",
		"Goodbye, Mr. (Chips":                                        "Goodbye, Mr. (Chips",
		"":                                                           "",
		", The":                                                      ", The",
	} {
		if got := titles.Plain(name); got != want {
			t.Errorf("Plain(%q) = %q, not %q", name, got, want)
		}
	}
}

func TestHow(t *testing.T) {
	names := []string{"Matrix, The (1999)", "Batman (1989)", "Die Hard (1988)", "Star Wars: Episode IV - A New Hope (1977)", "Star Wars: Episode V - The Empire Strikes Back (1980)",
		"Sabrina (1954)", "Sabrina (1995)", "Toy Story 3 (2010)", "9 (2009)", "Paws (1997)", "Psycho (1960)", "Emma (1996)", "Emma"}
	x := indexOf(names)
	for _, c := range []struct {
		title string
		year  int
		how   titles.How
		item  int
	}{
		{"Matrix, The (1999)", 0, titles.Exact, 0},
		{"The Matrix (1999)", 0, titles.Exact, 0},
		{"the MATRIX", 1999, titles.Folded, 0},
		{"The Matrix", 1998, titles.Folded, 0},
		{"The Matrix", 1997, titles.Guess, 0},
		{"The Matrix", 2021, titles.None, -1},
		{"Matrix", 0, titles.Guess, 0},
		{"Matrix", 1999, titles.Folded, 0},
		{"The Batman", 0, titles.Guess, 1},
		{"The Batman", 2022, titles.None, -1},
		{"Hard", 0, titles.Guess, 2}, // the only title with that word
		{"Star Wars", 0, titles.Guess, 3},
		{"Star Wars", 1977, titles.Alternative, 3},
		{"Star Wars", 1980, titles.Alternative, 4},
		{"Star Wars", 2015, titles.None, -1},
		{"Sabrina", 0, titles.Ambiguous, -1},
		{"Sabrina 1954", 0, titles.Folded, 5},
		{"Sabrina", 1974, titles.None, -1},
		{"Toy Story 4", 0, titles.None, -1},
		{"Toy Story", 0, titles.Guess, 7}, // it may be that; the number is missing
		{"Nine (2009)", 0, titles.Guess, 8},
		{"Jaws", 0, titles.None, -1},
		{"Psyho", 0, titles.None, -1}, // too short without a year
		{"Psyho", 1960, titles.Guess, 10},
		{"Emma (1996)", 0, titles.Exact, 11},
		{"", 0, titles.None, -1},
		{"???", 0, titles.None, -1},
	} {
		m := x.Find(titles.Query{Title: c.title, Year: c.year})
		if m.How != c.how || m.Item != c.item {
			t.Errorf("%q %d: %v %d (%.2f), not %v %d", c.title, c.year, m.How, m.Item, m.Score, c.how, c.item)
		}
		if (m.How == titles.Ambiguous) != (len(m.Candidates) > 1) || m.How == titles.Guess && !(m.Score > 0 && m.Score < 1) || m.How < titles.Guess && m.Score != 1 {
			t.Errorf("%q %d: %+v", c.title, c.year, m)
		}
	}
}

// The weights order the candidates, and other titles of an entry count.
func TestEntries(t *testing.T) {
	x := titles.New([]titles.Entry{{Name: "Dune", Year: 1984, Weight: 3}, {Name: "Dune", Year: 2021, Weight: 9}, {Name: "Seven", Year: 1995, Others: []string{"Sieben"}}})
	if m := x.Find(titles.Query{Title: "dune"}); m.How != titles.Ambiguous || m.Candidates[0] != 1 {
		t.Errorf("dune: %+v", m)
	}
	if m := x.Find(titles.Query{Title: "Dune (1984)"}); m.Item != 0 || m.How != titles.Folded {
		t.Errorf("dune of 1984: %+v", m)
	}
	if m := x.Find(titles.Query{Title: "sieben"}); m.Item != 2 || m.How != titles.Alternative {
		t.Errorf("sieben: %+v", m)
	}
	if got := x.Closest("Dunes of the desert", 5); len(got) != 2 {
		t.Errorf("closest: %v", got)
	}
	if got := x.Having("Dunes of the desert", 5, 0.6); len(got) != 0 {
		t.Errorf("most of the text is in no title, and yet %v", got)
	}
	if got := x.Having("Dunes", 5, 0.6); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("Dunes: %v", got)
	}
}

// Every name finds its own entry, unless another entry has the same title.
func TestNamesFindThemselves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"The", "Die", "Hard", "II", "2", "of", "Wars:", "Star", "-", "Part", "Léon", "(a.k.a. Nikita)", "Matrix,", "A", "V", "Se7en", "&", "…"})
		list := rapid.SliceOfN(rapid.Map(rapid.SliceOfN(word, 1, 5), func(words []string) string { return strings.Join(words, " ") }), 1, 8).Draw(t, "names")
		x := indexOf(list)
		for i, name := range list {
			m := x.Find(titles.Query{Title: name})
			switch {
			case m.How == titles.None, m.How == titles.Guess:
				t.Fatalf("%q is not found: %+v", name, m)
			case m.How == titles.Ambiguous:
			case list[m.Item] != name && titles.Plain(list[m.Item]) != titles.Plain(name):
				t.Fatalf("%q is found as %q (own place %d)", name, list[m.Item], i)
			}
		}
	})
}

func FuzzFind(f *testing.F) {
	names := lines(f, "testdata/films.txt")
	x := indexOf(names)
	for _, s := range spellings(f) {
		f.Add(s.text, 0)
	}
	f.Add("(((", 1999)
	f.Add("\xff, The ()", -5)
	f.Fuzz(func(t *testing.T, title string, year int) {
		m := x.Find(titles.Query{Title: title, Year: year})
		if m.How.Found() != (m.Item >= 0) || m.Item >= len(names) || m.How == titles.Ambiguous && len(m.Candidates) < 2 {
			t.Errorf("%q: %+v", title, m)
		}
		if plain := titles.Plain(title); titles.Plain(plain) == "" && title != "" && strings.TrimSpace(title) != "" {
			t.Errorf("Plain(%q) = %q", title, plain)
		}
		own := titles.New([]titles.Entry{{Name: title}})
		if m := own.Find(titles.Query{Title: title}); m.Item != 0 && strings.TrimSpace(title) != "" {
			t.Errorf("%q does not find itself: %+v", title, m)
		}
		own.Closest(title, 3)
		own.Having(title, 3, 0.6)
	})
}

// Another title may be the name that another catalogue has, with its year and with titles in brackets.
func TestNamesOfOtherCatalogues(t *testing.T) {
	x := titles.New([]titles.Entry{
		{Name: "Sen to Chihiro no kamikakushi (2001)", Others: []string{"Spirited Away (Sen to Chihiro) (2001)"}},
		{Name: "Se7en (1995)", Others: []string{"Seven (a.k.a. Se7en) (1995)"}},
	})
	for text, want := range map[string]int{"Spirited Away": 0, "spirited away (2001)": 0, "Sen to Chihiro": 0, "Seven": 1, "Se7en": 1} {
		if m := x.Find(titles.Query{Title: text}); m.Item != want || m.How > titles.Alternative {
			t.Errorf("%q: %d by %v, want %d for sure", text, m.Item, m.How, want)
		}
	}
	if m := x.Find(titles.Query{Title: "Spirited Away (1980)"}); m.How < titles.Guess {
		t.Errorf("a film of another year: %d by %v", m.Item, m.How)
	}
}
