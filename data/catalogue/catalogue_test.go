package catalogue

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

func TestForms(t *testing.T) {
	matrix := Item{Name: "Matrix, The (1999)", Groups: []string{"Action", "Sci-Fi"}}
	full := Item{Name: "The Matrix", Year: 1999, Groups: []string{"Action", "Sci-Fi"}, Picture: "covers/1.png", Link: "https://example.org/1", IDs: []string{"imdb:tt0133093", "tmdb:603"}, Titles: []string{"Matrix"}}
	linked := matrix
	linked.IDs = []string{"imdb:tt0133093", "tmdb:603"}
	dotted := matrix
	dotted.Link = "http://us.imdb.com/x"
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  Item
	}{
		"movies.dat":  {fstest.MapFS{"movies.dat": {Data: []byte("1::Matrix, The (1999)::Action|Sci-Fi\n2::X::Drama\n")}}, matrix},
		"u.item":      {fstest.MapFS{"u.item": {Data: []byte("1|Matrix, The (1999)|01-Jan-1999||http://us.imdb.com/x|0|1|0|0|0|0|0|0|0|0|0|0|0|0|0|1|0|0|0\n")}}, dotted},
		"movies.csv":  {fstest.MapFS{"movies.csv": {Data: []byte("movieId,title,genres\n1,\"Matrix, The (1999)\",Action|Sci-Fi\n")}, "links.csv": {Data: []byte("movieId,imdbId,tmdbId\n1,0133093,603\n")}}, linked},
		"items.csv":   {fstest.MapFS{"items.csv": {Data: []byte("Item;Name;Year;Groups;Picture;Link;IMDb ID;TMDB;Titles\n1;The Matrix;1999;Action|Sci-Fi;covers/1.png;https://example.org/1;tt0133093;603;Matrix\n")}}, full},
		"items.jsonl": {fstest.MapFS{"items.jsonl": {Data: []byte(`{"id":1,"title":"The Matrix","year":1999,"genres":["Action","Sci-Fi"],"picture":"covers/1.png","link":"https://example.org/1","imdb_id":"133093","tmdb":603,"titles":["Matrix"],"other":{"x":1}}` + "\n")}}, full},
	} {
		got := New()
		found, err := got.Beside(c.files)
		if err != nil || len(found) != len(c.files) || got.Items["1"] == nil || !reflect.DeepEqual(*got.Items["1"], c.want) {
			t.Errorf("%s: %v %v %+v", name, err, found, got.Items["1"])
		}
	}
}

func TestRefusals(t *testing.T) {
	for content, want := range map[string]string{
		"":                    "x:",
		"colour,size\n1,2\n":  `"colour, size"`,
		"item,colour\n1,2\n":  "x:1:",
		"item,title\n1,a,b\n": "x:2:",
		"item,title\n,a\n":    "x:2:",
		"{\"title\":\"a\"}\n": "x:1:",
		"{\"id\":1\n":         "x:1:",
	} {
		if err := New().ReadStream(strings.NewReader(content), "x", "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q in it", content, err, want)
		}
	}
	c := New()
	if err := c.ReadStream(strings.NewReader("item,link,picture\n1,javascript:alert(1),../secret\n2,https://x.org,/etc/passwd\n3,data:x,a/b.png\n"), "x", "x"); err != nil || c.Refused != 5-1 {
		t.Errorf("%v, %d refused", err, c.Refused)
	}
}

func TestElsewhereIDs(t *testing.T) {
	for _, c := range [][3]string{{"imdb", "114709", "imdb:tt0114709"}, {"imdb", "tt0114709", "imdb:tt0114709"}, {"imdb", "tt10872600", "imdb:tt10872600"}, {"isbn", "0439023483", "isbn:9780439023481"},
		{"isbn", "978-0-439-02348-1", "isbn:9780439023481"}, {"isbn", "080442957X", "isbn:9780804429573"}, {"mal", "20", "mal:20"}, {"tmdb", "0", ""}, {"imdb", "", ""}} {
		if got := ElsewhereID(c[0], c[1]); got != c[2] {
			t.Errorf("ElsewhereID(%s, %s) = %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

// A later catalogue says more of an item, and what it does not say stays.
func TestOver(t *testing.T) {
	before := Item{Name: "x", Year: 1999, Groups: []string{"a"}, Picture: "p", IDs: []string{"imdb:tt1"}, Titles: []string{"y"}}
	got := Item{Name: "z", Groups: []string{"b"}, Link: "l", IDs: []string{"tmdb:2", "imdb:tt1"}}.Over(before)
	if want := (Item{Name: "z", Year: 1999, Groups: []string{"b"}, Picture: "p", Link: "l", IDs: []string{"tmdb:2", "imdb:tt1"}, Titles: []string{"y"}}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestShown(t *testing.T) {
	for want, item := range map[string]Item{"Toy Story (1995)": {Name: "Toy Story", Year: 1995}, "Heat (1995)": {Name: "Heat (1995)", Year: 1995}, "x": {Name: "x"}, "": {Year: 3}} {
		if got := item.Shown(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The catalogues of the public sets.
func TestOutside(t *testing.T) {
	data := os.Getenv("FUBINI_DATA")
	if data == "" {
		t.Skip("outside data: set FUBINI_DATA")
	}
	for folder, want := range map[string]struct {
		items int
		id    string
		text  string
	}{
		"ml-latest-small": {9742, "2571", "{Matrix, The (1999) 0 [Action Sci-Fi Thriller]   [imdb:tt0133093 tmdb:603] []}"},
		"ml-100k":         {1682, "1", "{Toy Story 1995 [Animation Children's Comedy]   [] []}"},
		"movietweetings":  {0, "0133093", ""},
	} {
		c := New()
		if _, err := c.Beside(os.DirFS(filepath.Join(data, folder))); err != nil {
			t.Errorf("%s: %v", folder, err)
			continue
		}
		if want.items > 0 && len(c.Items) != want.items {
			t.Errorf("%s: %d items, want %d", folder, len(c.Items), want.items)
		}
		if item := c.Items[want.id]; want.text != "" && (item == nil || fmt.Sprint(*item) != want.text) {
			t.Errorf("%s: %+v", folder, item)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"1::a (1999)::b|c\n", "1|a|b|c|http://x|0|1\n", "movieId,title,genres\n1,a,b\n", "{\"id\":1,\"genres\":[\"a\"]}\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := New()
		if err := c.ReadStream(strings.NewReader(string(data)), "x", "x"); err != nil {
			return
		}
		if len(c.Items) > c.Records {
			t.Errorf("%d items of %d records", len(c.Items), c.Records)
		}
		for id, item := range c.Items {
			if id == "" || strings.HasPrefix(item.Link, "javascript") {
				t.Errorf("%q %+v", id, item)
			}
		}
	})
}
