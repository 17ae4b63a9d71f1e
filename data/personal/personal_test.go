package personal

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"fubini/data/codec"
	"fubini/data/format"
	"fubini/data/ratings"
)

var update = flag.Bool("update", false, "write the golden files of this package anew")

// shown writes an export for a person to check.
func shown(x *Export) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d read, rated %v, scale %v\n", x.Form, x.Read, x.Rated, x.Scale)
	for _, p := range x.People {
		fmt.Fprintf(&b, "person %s\n", p.ID)
		for _, r := range p.Placed {
			at := "-"
			if r.When != ratings.NoTime {
				at = time.Unix(r.When, 0).UTC().Format(time.DateTime)
			}
			fmt.Fprintf(&b, "  %g %s %s id=%q others=%q ids=%v line %d\n", r.Value, at, r.Text(), r.ID, r.Others, r.IDs, r.Line)
		}
		for _, item := range p.Seen {
			fmt.Fprintf(&b, "  seen %s ids=%v line %d\n", item.Text(), item.IDs, item.Line)
		}
	}
	for _, s := range x.Skipped {
		fmt.Fprintf(&b, "skipped %d %q: %s\n", s.Line, s.Text, s.Why)
	}
	values := []float32{}
	for v := range x.Names {
		values = append(values, v)
	}
	slices.Sort(values)
	for _, v := range values {
		fmt.Fprintf(&b, "tier %g is %s\n", v, x.Names[v])
	}
	return b.String()
}

// samples are the files of testdata, with the form that each is of.
var samples = map[string]string{
	"letterboxd-ratings.csv": "letterboxd", "letterboxd-list.csv": "letterboxd", "letterboxd": "letterboxd", "letterboxd/diary.csv": "letterboxd", "letterboxd/watched.csv": "letterboxd",
	"imdb.csv": "imdb", "goodreads.csv": "goodreads", "storygraph.csv": "storygraph", "myanimelist.xml": "myanimelist", "anilist.json": "anilist",
	"bgg.csv": "bgg", "bgg.xml": "bgg", "trakt": "trakt", "trakt/ratings-movies.json": "trakt", "movielens.csv": "movielens", "page.csv": "table",
	"tiermaker.txt": "tiers", "headings.txt": "tiers", "rated.txt": "rated", "stars.txt": "rated", "list.txt": "list",
	"ratings.csv": "csv", "tiers.json": "tiers",
}

func TestSamples(t *testing.T) {
	for name, form := range samples {
		t.Run(name, func(t *testing.T) {
			x, err := Read(os.DirFS("testdata"), name, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if x.Form != form {
				t.Errorf("read as %s, want %s", x.Form, form)
			}
			golden := filepath.Join("testdata", "golden", strings.ReplaceAll(name, "/", "-")+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(shown(x)), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got := shown(x); got != string(want) {
				t.Errorf("%s differs (go test -update writes it anew):\n%s", golden, got)
			}
		})
	}
}

// A file packed, or with other line ends, or a mark before it, is the same file.
func TestPackedAndMarked(t *testing.T) {
	for _, name := range []string{"letterboxd-ratings.csv", "imdb.csv", "goodreads.csv", "myanimelist.xml", "anilist.json", "tiermaker.txt", "list.txt"} {
		plain, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := ReadStream(bytes.NewReader(plain), name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		marked := append([]byte("\ufeff"), plain...)
		for kind, data := range map[string][]byte{"gzip": gzipped(t, "", plain, 1), "zip": zipOf(t, "export/"+name, string(plain)), "mark": marked} {
			got, err := ReadStream(bytes.NewReader(data), name, Options{})
			if err != nil {
				t.Errorf("%s in %s: %v", name, kind, err)
			} else if shown(got) != shown(want) {
				t.Errorf("%s in %s differs:\n%s", name, kind, shown(got))
			}
		}
	}
}

// gzipped packs a beginning and some repetitions of a piece.
func gzipped(t testing.TB, beginning string, piece []byte, times int) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(beginning))
	for range times {
		w.Write(piece)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// zipOf packs files, given as name, text, name, text.
func zipOf(t testing.TB, files ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for k := 0; k < len(files); k += 2 {
		w, err := z.Create(files[k])
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(files[k+1]))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The zip of Letterboxd, with ratings or with films that were watched alone.
func TestZips(t *testing.T) {
	zipOf := func(names ...string) []byte {
		var files []string
		for _, name := range names {
			data, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, filepath.Base(name), string(data))
		}
		return zipOf(t, files...)
	}
	x, err := ReadStream(bytes.NewReader(zipOf("letterboxd/ratings.csv", "letterboxd/watched.csv", "letterboxd/diary.csv")), "me.zip", Options{})
	if err != nil || len(x.People[0].Placed) != 5 || len(x.People[0].Seen) != 2 {
		t.Errorf("a zip of Letterboxd: %v, %+v", err, x)
	}
	x, err = ReadStream(bytes.NewReader(zipOf("letterboxd/watched.csv", "letterboxd/diary.csv")), "me.zip", Options{})
	if err != nil || len(x.People[0].Placed) != 0 || len(x.People[0].Seen) != 2 {
		t.Errorf("a zip without ratings: %v, %+v", err, x)
	}
	x, err = ReadStream(bytes.NewReader(zipOf("trakt/ratings-movies.json", "trakt/watched-movies.json")), "trakt.zip", Options{})
	if err != nil || x.Form != "trakt" || len(x.People[0].Placed) != 2 || len(x.People[0].Seen) != 1 {
		t.Errorf("a zip of Trakt: %v, %+v", err, x)
	}
}

// All scales of AniList, named and not.
func TestAniListScales(t *testing.T) {
	entry := func(score string) string {
		return `{"score":` + score + `,"status":"COMPLETED","media":{"id":` + strings.ReplaceAll(score, ".", "") + `,"title":{"romaji":"t` + score + `"}}}`
	}
	for _, c := range []struct {
		format string
		scores []string
		top    float64
	}{
		{"POINT_3", []string{"1", "3"}, 3}, {"POINT_5", []string{"1", "3"}, 5}, {"POINT_10", []string{"1", "3"}, 10}, {"POINT_10_DECIMAL", []string{"1.5", "3"}, 10}, {"POINT_100", []string{"9", "3"}, 100},
		{"", []string{"1", "3"}, 3}, {"", []string{"1", "4"}, 5}, {"", []string{"4", "1.5"}, 10}, {"", []string{"4", "8"}, 10}, {"", []string{"60", "8"}, 100},
	} {
		entries := []string{}
		for _, s := range c.scores {
			entries = append(entries, entry(s))
		}
		body := `{"data":{"MediaListCollection":{"user":{"mediaListOptions":{"scoreFormat":"` + c.format + `"}},"lists":[{"entries":[` + strings.Join(entries, ",") + `]}]}}}`
		x, err := ReadStream(strings.NewReader(body), "a.json", Options{})
		if err != nil || x.Scale[1] != c.top || len(x.People[0].Placed) != 2 {
			t.Errorf("%+v: %v, %+v", c, err, x)
		}
	}
}

// What AniList answers is read with and without the object around it; records have numbers, not lines.
func TestAniListWithoutData(t *testing.T) {
	whole, err := os.ReadFile("testdata/anilist.json")
	if err != nil {
		t.Fatal(err)
	}
	want, err := ReadStream(bytes.NewReader(whole), "a.json", Options{})
	if err != nil {
		t.Fatal(err)
	}
	inner := bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(whole), []byte(`{"data":`)), []byte("}"))
	got, err := ReadStream(bytes.NewReader(inner), "a.json", Options{})
	if err != nil || shown(got) != shown(want) || !got.Records {
		t.Errorf("%v\n%+v", err, got)
	}
}

// Pasted text: names in one line, where commas are parts of titles that are known, and ratings below a heading.
func TestPastedText(t *testing.T) {
	known := func(title string) bool {
		return title == "The Good, the Bad and the Ugly" || title == "Alien" || title == "Steins;Gate"
	}
	for pasted, want := range map[string]string{
		"Alien, The Good, the Bad and the Ugly, Heat": "list, 3 read: 3 Alien; 2 The Good, the Bad and the Ugly; 1 Heat; ",
		"The Good, the Bad and the Ugly\n":            "list, 1 read: 1 The Good, the Bad and the Ugly; ",
		"Steins;Gate":                                 "list, 1 read: 1 Steins;Gate; ",
		"my ratings:\nAlien 9/10\nHeat 5/10\nJaws":    "rated, 4 read: 9 Alien; 5 Heat; seen Jaws; skipped my ratings:; ",
	} {
		x, err := ReadStream(strings.NewReader(pasted), "the text", Options{Known: known})
		if err != nil {
			t.Errorf("%q: %v", pasted, err)
			continue
		}
		accounted(t, x)
		got := fmt.Sprintf("%s, %d read: ", x.Form, x.Read)
		for _, p := range x.People[0].Placed {
			got += fmt.Sprintf("%g %s; ", p.Value, p.Text())
		}
		for _, s := range x.People[0].Seen {
			got += "seen " + s.Text() + "; "
		}
		for _, s := range x.Skipped {
			got += "skipped " + s.Text + "; "
		}
		if got != want {
			t.Errorf("%q: %s, want %s", pasted, got, want)
		}
	}
}

// Columns whose names are not understood are named by the person.
func TestNamedColumns(t *testing.T) {
	const text = "Board Game;Stars\nAzul;9\nCatan;3\n"
	if _, err := ReadStream(strings.NewReader(text), "x.csv", Options{}); !errors.Is(err, codec.ErrColumns) {
		t.Errorf("without names: %v", err)
	}
	x, err := ReadStream(strings.NewReader(text), "x.csv", Options{Columns: map[string]string{"item": "Board Game", "rating": "Stars"}})
	if err != nil || len(x.People) != 1 || len(x.People[0].Placed) != 2 || !x.Rated {
		t.Fatalf("%v, %+v", err, x)
	}
	if p := x.People[0].Placed[0]; p.Text() != "Azul" || p.Value != 9 {
		t.Errorf("%+v", p)
	}
	if _, err := ReadStream(strings.NewReader(text), "x.csv", Options{Columns: map[string]string{"item": "Game", "rating": "Stars"}}); err == nil || !strings.Contains(err.Error(), `there is no column "Game"`) {
		t.Errorf("a name that is not there: %v", err)
	}
}

// Names one a line are data where the format asks for them; without, the message names that format.
func TestListsAsData(t *testing.T) {
	files := fstest.MapFS{"list.txt": {Data: []byte("Alien\nHeat\nJaws\n")}}
	if _, _, err := ReadSet(files, "list.txt", format.Options{}); err == nil || !strings.Contains(err.Error(), "give the format list") {
		t.Errorf("without a format: %v", err)
	}
	set, report, err := ReadSet(files, "list.txt", format.Options{Format: "list"})
	if err != nil || set.Len() != 3 || report.Format != "list" {
		t.Fatalf("%v, %+v", err, report)
	}
}

func TestRefusals(t *testing.T) {
	for text, wants := range map[string][]string{
		"Colour,Size\nred,3\nblue,4\n":          {"x.csv:1:", "Colour, Size", "imdb (Const, Your Rating, Title)", "goodreads"},
		"Const,Your Rating,Title\n":             {"no rating in 0 records"},
		"Const,Your Rating,Title\ntt1,,Alien\n": {"no rating in 1 record", "1 skipped: wanted, not rated"},
		"<?xml version=\"1.0\"?><message>Your request for this collection has been accepted</message>": {"x.csv: a message of BoardGameGeek", "fetch the same address again"},
		"Letterboxd list export v7\nDate,Name,Tags,URL,Description\n2020-01-03,Top,,,\n":               {"x.csv: a list of Letterboxd without the columns Position"},
		"<myanimelist><anime><my_score>":                          {"x.csv:1:", "unexpected EOF"},
		"[{\"rated_at\":\"x\",\"movie\":{\"ids\":{}},\"rating\":": {"record 1", "JSON"},
	} {
		_, err := ReadStream(strings.NewReader(text), "x.csv", Options{})
		for _, want := range wants {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: error %v, want %q in it", text, err, want)
			}
		}
	}
}

// Rows that cannot be read cost themselves alone, and are named with their lines.
func TestBadRows(t *testing.T) {
	const header = "Const,Your Rating,Title,Year\n"
	for row, why := range map[string]string{
		"tt1,11,Alien,1979":        "outside the scale, 1 to 10",
		"tt1,nine,Alien,1979":      `"nine" is no number`,
		"tt1,9,Alien":              "3 columns where the header has 4",
		"tt1,9,\"Alien\" x,1979":   "closing quote",
		"tt1,NaN,Alien,1979":       "no number",
		",9,,":                     "no name",
		"tt2,5,Heat,1995":          "rated twice",
		"tt1,9,Alien,1979,1979,19": "6 columns",
	} {
		x, err := ReadStream(strings.NewReader(header+row+"\ntt2,8,Heat,1995\n"), "x.csv", Options{})
		if err != nil {
			t.Errorf("%s: %v", row, err)
			continue
		}
		if len(x.People[0].Placed) != 1 || x.People[0].Placed[0].Value != 8 || len(x.Skipped) != 1 || x.Skipped[0].Line != 2 || !strings.Contains(x.Skipped[0].Why, why) {
			t.Errorf("%s: %s", row, shown(x))
		}
	}
}

// Files that would grow without end, or take all memory, are refused in little time and memory.
func TestHostile(t *testing.T) {
	laughs := `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha">` + strings.Repeat(`<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">`, 10) + `]><myanimelist><anime><series_title>&b;</series_title><my_score>5</my_score></anime></myanimelist>`
	deep := "<myanimelist>" + strings.Repeat("<a>", 100_000)
	bomb := string(gzipped(t, "Const,Your Rating,Title\n", bytes.Repeat([]byte("tt1,9,Alien\n"), 100_000), 3)) // more records than are read
	long := "Const,Your Rating,Title\ntt1,9," + strings.Repeat("x", 2000) + "\ntt2,9,Heat\n"
	many := "Const,Your Rating,Title\n" + strings.Repeat("tt1,9,Alien\n", mostRecords+1)
	nested := `{"data":{"MediaListCollection":` + strings.Repeat("[", 100_000)
	for name, c := range map[string]struct{ text, want string }{
		"laughs": {laughs, "entities"}, "deep": {deep, "elements within elements"}, "bomb": {bomb, "records"}, "many": {many, "more than 200000 records"}, "nested": {nested, "JSON"},
	} {
		if _, err := ReadStream(strings.NewReader(c.text), "x", Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", name, err, c.want)
		}
	}
	x, err := ReadStream(strings.NewReader(long), "x.csv", Options{})
	if err != nil || x.Reasons[longName] != 1 || len(x.Skipped[0].Text) > 200 {
		t.Errorf("a long name: %v, %v", err, x)
	}
}

// Cells that a spreadsheet would calculate keep their text, and written out they are calm.
func TestFormulas(t *testing.T) {
	for _, cell := range []string{"=1+1", "+1", "-1", "@x", "plain", "", "'quoted", `=HYPERLINK("x")`} {
		if got := Uncalm(Calm(cell)); got != cell {
			t.Errorf("Uncalm(Calm(%q)) = %q", cell, got)
		}
		if calm := Calm(cell); calm != "" && strings.ContainsAny(calm[:1], "=+-@") {
			t.Errorf("Calm(%q) = %q", cell, calm)
		}
	}
}

func TestSplit(t *testing.T) {
	known := func(title string) bool { return title == "The Good, the Bad and the Ugly" }
	for text, want := range map[string][]string{
		"a, b":                                   {"a", "b"},
		"Matrix, The, Heat":                      {"Matrix, The", "Heat"},
		"The Good, the Bad and the Ugly, Heat":   {"The Good, the Bad and the Ugly", "Heat"},
		`"x, y", z`:                              {"x, y", "z"},
		"Good, the Bad; Heat":                    {"Good, the Bad", "Heat"},
		"":                                       nil,
		"Cercle Rouge, Le (1970), Avventura, L'": {"Cercle Rouge, Le (1970)", "Avventura, L'"},
	} {
		var got []string
		for _, name := range split(text, known) {
			got = append(got, named(1, name).ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("split(%q) = %q, want %q", text, got, want)
		}
	}
}

// Of tiers in letters the better one comes first.
func TestLetterTiers(t *testing.T) {
	order := []string{"SSS", "SS", "S+", "S", "S-", "A++", "A+", "A", "A-", "B", "F"}
	for k := 1; k < len(order); k++ {
		a, okA := letterTier(order[k-1])
		b, okB := letterTier(order[k])
		if !okA || !okB || !(a < b) {
			t.Errorf("%s is at %g, %s at %g", order[k-1], a, order[k], b)
		}
	}
	for _, name := range []string{"", "AB", "Great", "+", "1", "a\x88", "ɐ+"} { // the last two grow in upper case
		if _, ok := letterTier(name); ok {
			t.Errorf("%q is no letter", name)
		}
	}
}

// Everything that is read is placed, seen or skipped. The samples of all forms are seeds.
func FuzzRead(f *testing.F) {
	for name := range samples {
		if data, err := os.ReadFile(filepath.Join("testdata", name)); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkRead(t, "", data) })
}

// checkRead reads any bytes behind the beginning of a form, and what was read as a set.
func checkRead(t *testing.T, beginning string, data []byte) {
	data = append([]byte(beginning), data...)
	x, err := ReadStream(bytes.NewReader(data), "x", Options{Most: 1 << 20})
	if err != nil {
		if !strings.HasPrefix(err.Error(), "x") {
			t.Errorf("the error %q does not name the file", err)
		}
		return
	}
	accounted(t, x)
	_ = shown(x)
	if set, _, err := ReadSetStream(bytes.NewReader(data), "x", format.Options{Duplicates: ratings.KeepLast}); err == nil && set.Len() == 0 {
		t.Error("a set without ratings")
	}
}

// The forms one by one: what is fuzzed stands behind the header or the beginning by which a form is known.
func fuzzForm(f *testing.F, beginning string, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkRead(t, beginning, data) })
}

func FuzzLetterboxd(f *testing.F) {
	fuzzForm(f, "Date,Name,Year,Letterboxd URI,Rating\n", "2020-01-01,Alien,1979,https://boxd.it/1,4.5\n2020-01-01,\"A, B\",,https://boxd.it/2,\n", "3/4/2021,Alien,1979,u,5\n30/7/2000,Alien,1979,u,1\n")
}

func FuzzLetterboxdList(f *testing.F) {
	fuzzForm(f, "Letterboxd list export v7\n", "Date,Name,Tags,URL,Description\n2020-01-03,Top,,u,\n\nPosition,Name,Year,URL,Description\n1,Heat,1995,https://boxd.it/1,\n2,\"A, B\",,https://boxd.it/2,\n1,Heat,1995,https://boxd.it/1,\n")
}

func FuzzIMDb(f *testing.F) {
	fuzzForm(f, "Const,Your Rating,Date Rated,Title,Original Title,Title Type,Year\n", "tt1,9,2020-01-01,Alien,Alien,Movie,1979\n", "tt1,11,,,,TV Episode,\ntt1,9,,\"A\nB\",,,x\n")
}

func FuzzGoodreads(f *testing.F) {
	fuzzForm(f, "Book Id,Title,ISBN,ISBN13,My Rating,Exclusive Shelf,Date Read\n", "1,\"The Hunger Games (The Hunger Games, #1)\",\"=\"\"0439023483\"\"\",\"=\"\"9780439023481\"\"\",5,read,2020/01/02\n", "2,X,,,0,to-read,\n")
}

func FuzzStoryGraph(f *testing.F) {
	fuzzForm(f, "Title,ISBN/UID,Read Status,Star Rating,Last Date Read\n", "Dune,9780441013593,read,4.25,2020/01/02\n", "X,uid,to-read,,\n")
}

func FuzzBGG(f *testing.F) {
	fuzzForm(f, "objectname,objectid,rating,numplays,own\n", "Go,188,9,100,1\nChess,171,0,0,0\nX,1,N/A,,\n")
}

func FuzzMovieLensOrg(f *testing.F) {
	fuzzForm(f, "movie_id,imdb_id,tmdb_id,rating,average_rating,title\n", "1,0114709,862,4.5,3.9,Toy Story (1995)\n2,,,-1,,X\n")
}

func FuzzMyAnimeList(f *testing.F) {
	fuzzForm(f, "<?xml version=\"1.0\"?>\n<myanimelist>", "<anime><series_animedb_id>20</series_animedb_id><series_title><![CDATA[Naruto]]></series_title><my_score>7</my_score><my_status>Completed</my_status></anime></myanimelist>",
		"<manga><manga_title>x</manga_title><my_score>0</my_score></manga></myanimelist>", "<!DOCTYPE x [<!ENTITY a \"b\">]>", "<anime>&a;</anime></myanimelist>")
}

func FuzzBGGXML(f *testing.F) {
	fuzzForm(f, "<items>", "<item objectid=\"822\"><name>Carcassonne</name><stats><rating value=\"8\"/></stats><status own=\"1\" lastmodified=\"2020-01-01 00:00:00\"/></item></items>", "<item objectid=\"1\"><name>X</name><stats><rating value=\"N/A\"/></stats></item></items>")
}

func FuzzAniList(f *testing.F) {
	fuzzForm(f, `{"data":{"MediaListCollection":`, `{"user":{"mediaListOptions":{"scoreFormat":"POINT_5"}},"lists":[{"entries":[{"score":4,"status":"COMPLETED","completedAt":{"year":2020},"media":{"id":1,"idMal":2,"title":{"romaji":"x"}}}]}]}}}`, `{"lists":[{"entries":[{"score":1e300,"media":{"id":1}}]}]}}}`)
}

func FuzzTrakt(f *testing.F) {
	fuzzForm(f, `[{"rated_at":"2020-01-01T00:00:00.000Z","rating":9,"type":"movie","movie":{"title":"Alien","year":1979,"ids":{"trakt":1,"imdb":"tt0078748","tmdb":348}}}`, `]`, `,{"rating":3,"season":{},"show":{"title":"x","ids":{}}}]`, `,{"plays":2,"last_watched_at":"x","movie":{"title":"y"}}]`)
}

func FuzzTiersText(f *testing.F) {
	fuzzForm(f, "S: Alien, Heat\n", "A: Matrix, The; x\nB -\nC tier\n1. y\n", "God tier: \"a, b\", c\n", "A:\n\n, ,\n")
}

func FuzzRatedText(f *testing.F) {
	fuzzForm(f, "Alien 9/10\n", "Heat ★★★½\nX 4 stars\nY - 87/100\nnothing\n", "Z (11/10)\nW 3,5/5\n")
}

func FuzzListText(f *testing.F) {
	fuzzForm(f, "1. Alien\n", "2. Heat\nmore\n- x\n", "#3 y\n")
}

func FuzzOwnTable(f *testing.F) {
	fuzzForm(f, "title,year,tier\n", "Alien,1979,S\nHeat,1995,A+\nX,,\n", "a,1,1\nb,2,2\na,1,3\n", "a,,Loved\nb,,Hated\n")
}

// A folder is read like its zip; a folder that is none of ours is refused.
func TestFolders(t *testing.T) {
	if _, err := Read(fstest.MapFS{"d/notes.md": {Data: []byte("x")}}, "d", Options{}); err == nil || !strings.Contains(err.Error(), "not one that is known") {
		t.Errorf("an unknown folder: %v", err)
	}
}
