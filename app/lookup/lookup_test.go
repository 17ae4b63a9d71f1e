package lookup

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"fubini/data/personal"
	"fubini/data/titles"
	"fubini/learn/modelstore"
)

func films() *modelstore.Saved {
	return &modelstore.Saved{
		ItemIDs:   []string{"1", "2", "3", "4", "5"},
		ItemNames: []string{"Matrix, The (1999)", "Sabrina (1954)", "Sabrina (1995)", "2012 (2009)", "Alien (1979)"},
		Seen:      []uint32{9, 1, 5, 2, 7},
	}
}

func TestFind(t *testing.T) {
	f := New(films())
	f.Answer("my film", 4)
	f.Answer("no film", -1)
	for text, want := range map[string]struct {
		how  titles.How
		item int
	}{
		"2": {titles.Exact, 1}, "the matrix": {titles.Folded, 0}, "Sabrina": {titles.Ambiguous, -1}, "my film": {titles.Exact, 4}, "no film": {titles.None, -1},
		"2012":        {titles.None, -1}, // an id that is not known, not a title
		"2012 (2009)": {titles.Exact, 3}, "The Matirx (1999)": {titles.Guess, 0}, "Zardoz": {titles.None, -1},
	} {
		if m := f.Find(text); m.How != want.how || m.Item != want.item {
			t.Errorf("%s: %v %d", text, m.How, m.Item)
		}
		if all := f.FindItems([]*personal.Item{{ID: text}, {ID: "4"}}); all[0].How != want.how || all[0].Item != want.item || all[1].Item != 3 {
			t.Errorf("%s among others: %+v", text, all)
		}
	}
	if got := f.Containing("sabrina", 9); !slices.Equal(got, []int{2, 1}) { // the most rated first
		t.Errorf("sabrina is in %v", got)
	}
	if f.Name(0) != "The Matrix (1999)" {
		t.Error(f.Name(0))
	}
}

// Ratings of an unknown scale that the model's cannot hold count by their order alone; a known scale is moved to the model's.
func TestRatingsOutsideTheScale(t *testing.T) {
	saved := films()
	saved.Low, saved.High = 1, 5
	f := New(saved)
	for _, c := range []struct {
		text    string
		outside bool
		values  []float32
	}{
		{"title,rating\nthe matrix,5\nAlien,1\n", false, []float32{5, 1}},
		{"title,rating\nthe matrix,95\nAlien,10\n", true, []float32{95, 10}},
		{"Const,Your Rating,Title\ntt1,10,the matrix\ntt2,1,Alien\n", false, []float32{5, 1}},
	} {
		x, err := personal.ReadStream(strings.NewReader(c.text), "x.csv", personal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, _, report := f.Person(x, &x.People[0])
		if report.Outside != c.outside || p.TiersOnly != c.outside || !slices.Equal(p.Known.Values, c.values) {
			t.Errorf("%q: %v, %v", c.text, report.Outside, p)
		}
	}
}

// The very title stands first, whatever else has the words; a beginning before a word inside; and where nothing has the text,
// the closest titles come, and say that they are guesses.
func TestSearch(t *testing.T) {
	f := New(&modelstore.Saved{
		ItemIDs:   []string{"m1", "m2", "m3", "m4", "m5", "m6", "m7"},
		ItemNames: []string{"Alien (1979)", "Aliens (1986)", "Cowboys & Aliens (2011)", "Godfather, The (1972)", "Crème brûlée", "Inalienable (2008)", "Alien Nation (1988)"},
		Seen:      []uint32{5, 9, 99, 7, 3, 50, 1},
	})
	for text, want := range map[string]struct {
		items []int
		close bool
	}{
		"alien": {[]int{0, 1, 6, 2, 5}, false}, "The Godf": {[]int{3}, false}, "creme bru": {[]int{4}, false}, "cow ali": {[]int{2}, false}, "m4": {[]int{3}, false},
		"godfahter": {[]int{3}, true}, "creme brulle": {[]int{4}, true}, "": {nil, false}, "zzzz": {nil, false},
	} {
		if items, close := f.Search(text, 9); close != want.close || !slices.Equal(items, want.items) && !(close && len(items) > 0 && items[0] == want.items[0]) {
			t.Errorf("%q: %v %v, want %v %v", text, items, close, want.items, want.close)
		}
	}
	if items, _ := f.Search("alien", 2); len(items) != 2 {
		t.Errorf("of two: %v", items)
	}
}

// Of a person's list every text is accounted for: matched, guessed, open, missing, or the item of another one.
func TestPersonAccountsForEveryText(t *testing.T) {
	f := New(films())
	x, err := personal.ReadStream(strings.NewReader("user,item,rating\nme,the matrix,5\nme,1,3\nme,Sabrina,2\nme,Alein (1979),4\nme,Zardoz,1\n"), "x.csv", personal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, _, report := f.Person(x, &x.People[0])
	if !slices.Equal(p.Known.Items, []uint32{0, 4}) || !slices.Equal(p.Known.Values, []float32{3, 4}) {
		t.Errorf("%v %v", p.Known.Items, p.Known.Values)
	}
	if report.Read != 5 || report.Found() != 2 || len(report.Guessed) != 1 || len(report.Open) != 1 || !slices.Equal(report.Missing, []Named{{Text: "Zardoz", Value: 1}}) || !slices.Equal(report.Twice, []Named{{Text: "the matrix", Value: 5}}) {
		t.Errorf("%+v", report)
	}
}

// Ratings on a part of the model's scale with the same top are not stretched: levels between its own would open.
func TestRatingsOnPartOfTheScale(t *testing.T) {
	saved := films()
	saved.Low, saved.High = 0, 10 // somebody rated 0, and IMDb's ratings go from 1 to 10
	x, err := personal.ReadStream(strings.NewReader("Const,Your Rating,Title\ntt1,9,the matrix\ntt2,1,Alien\n"), "x.csv", personal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p, _, _ := New(saved).Person(x, &x.People[0]); !slices.Equal(p.Known.Values, []float32{9, 1}) {
		t.Errorf("ratings %v, want 9 and 1 as they were", p.Known.Values)
	}
}

// A part of a title with a typing error is found, or its film is the first that a message and a search name. A message about a film
// that is not there names none.
func TestMisspeltParts(t *testing.T) {
	names := []string{"Terminator 2: Judgment Day (1991)", "Star Wars: Episode IV - A New Hope (1977)", "Lord of the Rings: The Return of the King, The (2003)",
		"Eternal Sunshine of the Spotless Mind (2004)", "Shawshank Redemption, The (1994)", "Dr. Strangelove or: How I Learned to Stop Worrying and Love the Bomb (1964)",
		"Aliens (1986)", "Pulp Fiction (1994)", "Crouching Tiger, Hidden Dragon (Wo hu cang long) (2000)", "Star Wars: Episode V - The Empire Strikes Back (1980)",
		// near to those, or to films that are not there
		"Way of the Dragon, The (a.k.a. Return of the Dragon) (Meng long guo jiang) (1972)", "Return of the Secaucus 7 (1980)", "Doctor Strange (2016)", "Shenandoah (1965)", "Assassins (1995)",
		"Open Hearts (Elsker dig for evigt) (2002)", "Bagdad Cafe (Out of Rosenheim) (1987)", "Barb Wire (1996)", "Everything Must Go (2010)", "Midnight Clear, A (1992)", "Very Bad Things (1998)",
		"Taking Lives (2004)", "Halloween 5: The Revenge of Michael Myers (1989)", "Heartburn (1986)", "Beauty and the Beast (1991)", "Who Framed Roger Rabbit? (1988)"}
	saved := &modelstore.Saved{ItemNames: names}
	for i := range names {
		saved.ItemIDs, saved.Seen = append(saved.ItemIDs, strconv.Itoa(i)), append(saved.Seen, uint32(100-i))
	}
	f := New(saved)
	for text, want := range map[string]int{"Terminater": 0, "Star Warz": 1, "Return of the Kng": 2, "Eternal Sunshyne": 3, "Spotless Mnd": 3, "Shawshenk": 4, "Dr Strangelov": 5,
		"Aleins": 6, "Pulp Ficton": 7, "Crouching Tigr": 8, "Empire Strikes Bak": 9} {
		if m := f.Find(text); m.Item != want && (m.How != titles.None || !slices.Equal(f.Closest(text, 1), []int{want})) {
			t.Errorf("%s: %v %d, the closest are %v", text, m.How, m.Item, f.Closest(text, 3))
		}
		if got := f.Misspelt(text, 1); !slices.Equal(got, []int{want}) {
			t.Errorf("%s: a search finds %v", text, got)
		}
	}
	for _, text := range []string{"Oppenheimer", "Barbie", "Everything Everywhere All at Once", "Midsommar", "Poor Things", "Past Lives", "Challengers", "Saltburn", "Belfast", "Jojo Rabbit"} {
		if got := f.Closest(text, 3); f.Find(text).How != titles.None || len(got) != 0 {
			t.Errorf("%s: %v is named", text, got)
		}
	}
}
