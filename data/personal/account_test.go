package personal

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fubini/data/format"
	"fubini/data/ratings"

	"pgregory.net/rapid"
)

// accounted checks that every record is placed, seen or skipped, and that values of placed items are numbers.
func accounted(t rapid.TB, x *Export) {
	t.Helper()
	placed, seen, skipped := 0, 0, 0
	for _, p := range x.People {
		placed += len(p.Placed)
		seen += len(p.Seen)
		for _, r := range p.Placed {
			if r.Text() == "" || r.Value != r.Value {
				t.Fatalf("%+v has no name or no value", r)
			}
		}
	}
	for _, n := range x.Reasons {
		skipped += n
	}
	if placed+seen+skipped != x.Read {
		t.Fatalf("%s: %d records read; %d placed, %d seen, %d skipped %v", x.Form, x.Read, placed, seen, skipped, x.Reasons)
	}
}

// All samples are accounted for, record by record.
func TestSamplesAreAccountedFor(t *testing.T) {
	for name := range samples {
		x, err := Read(os.DirFS("testdata"), name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		accounted(t, x)
	}
}

// drawnRow draws a row of a table: mostly a good one.
func drawnRow(t *rapid.T, columns []string) []string {
	row := make([]string, len(columns))
	for k, name := range columns {
		switch {
		case strings.Contains(strings.ToLower(name), "rating"):
			row[k] = rapid.SampledFrom([]string{"1", "2", "3", "4", "5", "0.5", "4.5", "", "0", "N/A", "NaN", "-1", "1e309", "99999999999999999999", "nine", "3,5"}).Draw(t, name)
		case strings.Contains(name, "Date"):
			row[k] = rapid.SampledFrom([]string{"2020-01-02", "3/4/2021", "30/7/2000", "", "yesterday", "2020/01/02"}).Draw(t, name)
		case strings.Contains(name, "Status") || strings.Contains(name, "Shelf"):
			row[k] = rapid.SampledFrom([]string{"read", "to-read", ""}).Draw(t, name)
		case name == "Year":
			row[k] = rapid.SampledFrom([]string{"1999", "", "x", "-99999"}).Draw(t, name)
		default:
			row[k] = rapid.SampledFrom([]string{"Alien", "Heat", "tt1", "tt2", "", "=1+1", "Crazy, Stupid", "\"quoted\"", "a\nb", "é", strings.Repeat("x", 1001)}).Draw(t, name)
		}
	}
	if rapid.IntRange(0, 9).Draw(t, "short") == 0 {
		row = row[1:]
	}
	return row
}

// Tables of any account, with good and bad rows: nothing is lost, and what is read is within the scale.
func TestTablesAreAccountedFor(t *testing.T) {
	headers := map[string]string{
		"letterboxd": "Date,Name,Year,Letterboxd URI,Rating", "imdb": "Const,Your Rating,Date Rated,Title,Original Title,Title Type,Year",
		"goodreads": "Book Id,Title,My Rating,Exclusive Shelf,Date Read", "storygraph": "Title,ISBN/UID,Read Status,Star Rating", "bgg": "objectname,objectid,rating,own",
		"movielens": "movie_id,imdb_id,tmdb_id,rating,title", "table": "title,rating,date",
	}
	for form, header := range headers {
		t.Run(form, rapid.MakeCheck(func(t *rapid.T) {
			var text strings.Builder
			text.WriteString(header + "\n")
			columns := strings.Split(header, ",")
			for range rapid.IntRange(1, 12).Draw(t, "rows") {
				for k, cell := range drawnRow(t, columns) {
					if k > 0 {
						text.WriteByte(',')
					}
					if strings.ContainsAny(cell, ",\"\n") {
						cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
					}
					text.WriteString(cell)
				}
				text.WriteByte('\n')
			}
			x, err := ReadStream(strings.NewReader(text.String()), "x.csv", Options{})
			if err != nil {
				if !strings.Contains(err.Error(), "; no rating in ") {
					t.Fatalf("%v\n%s", err, text.String())
				}
				return
			}
			if x.Form != form {
				t.Fatalf("read as %s", x.Form)
			}
			accounted(t, x)
			for _, r := range x.People[0].Placed {
				if v := float64(r.Value); form != "table" && (v < x.Scale[0] || v > x.Scale[1]) {
					t.Fatalf("%+v is outside %v", r, x.Scale)
				}
			}
		}))
	}
}

// Tiers in text: all items of a tier have one value, and each tier a larger one than those below it.
func TestTierTextKeepsTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"S", "A", "B", "C", "D", "God tier", "Tier 9", "7"}), 2, 5, rapid.ID[string]).Draw(t, "tiers")
		items := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{3,6}( [a-z]{3,6})?`).Filter(func(name string) bool {
			return !article.MatchString(name) // "Matrix, the" is one title
		}), len(names), 20, rapid.ID[string]).Draw(t, "items")
		var text strings.Builder
		tier := map[string]int{}
		for k, name := range names {
			own := items[k*len(items)/len(names) : (k+1)*len(items)/len(names)]
			for _, item := range own {
				tier[item] = k
			}
			text.WriteString(name + ": " + strings.Join(own, ", ") + "\n")
		}
		x, err := ReadStream(strings.NewReader(text.String()), "x.txt", Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, text.String())
		}
		accounted(t, x)
		placed := x.People[0].Placed
		if x.Form != "tiers" || len(placed) != len(items) {
			t.Fatalf("%s of %d items\n%s", x.Form, len(placed), text.String())
		}
		for _, a := range placed {
			for _, b := range placed {
				if (a.Value > b.Value) != (tier[a.ID] < tier[b.ID]) || (a.Value == b.Value) != (tier[a.ID] == tier[b.ID]) {
					t.Fatalf("%s has %g and %s has %g\n%s", a.ID, a.Value, b.ID, b.Value, text.String())
				}
			}
		}
	})
}

// spelled writes the places, values and unplaced items of a set.
func spelled(s *ratings.Set) string {
	var b strings.Builder
	for u := range s.Users().Len() {
		row := s.Row(u)
		for k, item := range row.Items {
			fmt.Fprintf(&b, "%s %s %g\n", s.Users().ID(uint32(u)), s.Items().ID(item), row.Values[k])
		}
	}
	for _, user := range s.UnplacedUsers() {
		fmt.Fprintf(&b, "%s: %q\n", user, s.Unplaced(user))
	}
	return b.String()
}

// What is read of any sample stays the same, written and read as tier lists.
func TestSetsAreIdempotent(t *testing.T) {
	for name, form := range samples {
		if form == "table" || form == "list" {
			continue // ReadSet leaves these
		}
		set, report, err := ReadSet(os.DirFS("testdata"), name, format.Options{})
		if err != nil {
			if !strings.Contains(err.Error(), format.ErrNoRatings.Error()) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if report.Format != form {
			t.Errorf("%s: read as %s", name, report.Format)
		}
		for range 2 {
			var out bytes.Buffer
			if err := format.Write(&out, set, format.Options{Format: "tierlists"}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			again, _, err := ReadSetStream(&out, "again.jsonl", format.Options{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if spelled(again) != spelled(set) || !slices.Equal(again.LevelNames(), set.LevelNames()) {
				t.Fatalf("%s: %s %v became %s %v", name, spelled(set), set.LevelNames(), spelled(again), again.LevelNames())
			}
			set = again
		}
	}
}

// A second film of a name is called by its id too, and films without a rating are known as such.
func TestReadSet(t *testing.T) {
	const export = "Date,Name,Year,Letterboxd URI,Rating\n2020-01-01,Alien,1979,https://boxd.it/1,4.5\n2020-01-01,\"A, B\",,https://boxd.it/2,\n2020-01-02,Alien,1979,https://boxd.it/3/,0.5\n"
	for _, given := range []string{"", "letterboxd"} {
		set, report, err := ReadSetStream(strings.NewReader(export), "ratings.csv", format.Options{Format: given})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := spelled(set), "me Alien (1979) 4.5\nme Alien (1979) #3 0.5\nme: [\"A, B\"]\n"; got != want || report.Format != "letterboxd" || report.Lines != 3 || report.Unplaced != 1 {
			t.Errorf("%q, want %q; %+v", got, want, report)
		}
	}
	for text, o := range map[string]format.Options{
		"user,objectname,objectid,rating\nann,Go,188,9\n": {Columns: map[string]string{"user": "user", "item": "objectname", "rating": "rating"}}, // a table of many
		"user,title,rating\nann,Go,9\n":                   {},
	} {
		if set, report, err := ReadSetStream(strings.NewReader(text), "x.csv", o); err != nil || report.Format != "csv" || spelled(set) != "ann Go 9\n" {
			t.Errorf("%q: %v, %+v", text, err, report)
		}
	}
	if _, _, err := ReadSetStream(strings.NewReader("Const,Your Rating,Title\ntt1,,Alien\n"), "x.csv", format.Options{}); err == nil || !strings.Contains(err.Error(), "x.csv: read as imdb; it holds no ratings; 1 skipped: wanted, not rated") {
		t.Errorf("an export without ratings: %v", err)
	}
	if _, _, err := ReadSetStream(strings.NewReader("Const,Your Rating,Title\ntt1,9,Alien\n"), "x.csv", format.Options{Scale: []float64{1, 5}}); err == nil || !strings.Contains(err.Error(), "x.csv:2: ") {
		t.Errorf("an export outside the scale: %v", err)
	}
}

// Dates with slashes are read by the whole column; a title that looks like one is none.
func TestDates(t *testing.T) {
	const header = "Book Id,Title,My Rating,Date Read,Exclusive Shelf\n"
	for rows, want := range map[string]int64{
		"1,11/22/63,5,3/4/2021,read\n2,B,5,30/7/2000,read\n": 1617408000, // 3 April
		"1,11/22/63,5,3/4/2021,read\n2,B,5,7/30/2000,read\n": 1614816000, // 4 March
		"1,11/22/63,5,3/4/2021,read\n":                       1614816000,
		"1,11/22/63,5,2021/04/03,read\n":                     1617408000,
	} {
		x, err := ReadStream(strings.NewReader(header+rows), "x.csv", Options{})
		if err != nil || x.People[0].Placed[0].When != want {
			t.Errorf("%q: %v, %+v", rows, err, x)
		}
	}
}

// Files of strangers: whatever stands in them, reading ends with an error or with everything accounted for.
func TestHostileBytes(t *testing.T) {
	long := strings.Repeat("9", 400)
	for name := range samples {
		plain, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			continue // a folder
		}
		text := string(plain)
		for kind, hostile := range map[string]string{
			"CRLF": strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n"), "CR": strings.ReplaceAll(text, "\n", "\r"), "BOM": "\ufeff" + text, "two BOMs": "\ufeff\ufeff" + text,
			"NUL": strings.Replace(text, "a", "\x00", 3), "invalid UTF-8": strings.Replace(text, "e", "\xff\xfe", 3), "UTF-16": "\xff\xfe" + strings.Join(strings.Split(text, ""), "\x00"),
			"gigantic numbers": strings.NewReplacer("5", long, "4", "1e400").Replace(text), "formulas": strings.NewReplacer(",", ",=cmd|' /C calc'!A0,", ":", ":=1+1 ").Replace(text),
			"cut short": text[:len(text)*2/3], "doubled": text + text, "nested quotes": strings.ReplaceAll(text, "\"", "\"\"\""), "deep": strings.Replace(text, "{", strings.Repeat("{\"a\":", 2000), 1),
		} {
			x, err := ReadStream(strings.NewReader(hostile), name, Options{Most: 8 << 20})
			if err != nil {
				if !strings.Contains(err.Error(), filepath.Base(name)) {
					t.Errorf("%s, %s: the error %q does not name the file", name, kind, err)
				}
				continue
			}
			accounted(t, x)
			if kind == "CRLF" || kind == "BOM" {
				want, err := ReadStream(strings.NewReader(text), name, Options{})
				if err != nil || shown(x) != shown(want) {
					t.Errorf("%s with %s is another:\n%s", name, kind, shown(x))
				}
			}
		}
	}
}

// Bombs: a file that grows without end once it is unpacked is refused before it fills the memory.
func TestBombs(t *testing.T) {
	bomb := gzipped(t, "Const,Your Rating,Title\ntt1,9,Alien\n", bytes.Repeat([]byte("\n"), 1<<20), 70)
	for name, o := range map[string]Options{"by the ratio or the limit of one person": {}, "by the limit of a request": {Most: 4 << 20}} {
		if x, err := ReadStream(bytes.NewReader(bomb), "bomb.csv.gz", o); err == nil || !strings.Contains(err.Error(), "bomb.csv") {
			t.Errorf("%s: %v, %v", name, err, x)
		}
	}
	zipped := zipOf(t, "ratings.csv", "Date,Name,Year,Letterboxd URI,Rating\n2020-01-01,Alien,1979,u,4\n"+strings.Repeat("\n", 70<<20))
	if x, err := ReadStream(bytes.NewReader(zipped), "bomb.zip", Options{}); err == nil || !strings.Contains(err.Error(), "bomb.zip") {
		t.Errorf("a zip: %v, %v", err, x)
	}
	if x, err := ReadStream(bytes.NewReader(zipOf(t, "in.zip", string(zipped))), "two.zip", Options{}); err == nil || !strings.Contains(err.Error(), "two.zip") {
		t.Errorf("a zip in a zip: %v, %v", err, x)
	}
}
