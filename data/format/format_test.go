package format

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fubini/data/archive"
	"fubini/data/codec"
	"fubini/data/ratings"
	"fubini/data/text"

	"github.com/klauspost/compress/zstd"
)

// listed is a set as text: user item value time, in order.
func listed(s *ratings.Set) string {
	var b strings.Builder
	for u := range s.Users().Len() {
		row := s.Row(u)
		for k, item := range row.Items {
			fmt.Fprintf(&b, "%s %s %g", s.Users().ID(uint32(u)), s.Items().ID(item), row.Values[k])
			if row.Times != nil && row.Times[k] != ratings.NoTime {
				fmt.Fprintf(&b, " %d", row.Times[k])
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func gzipOf(t testing.TB, text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstdOf(t testing.TB, text []byte) []byte {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// zipOf packs files, given as name, text, name, text.
func zipOf(t testing.TB, files ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for k := 0; k < len(files); k += 2 {
		f, err := w.Create(files[k])
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, files[k+1])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const three = "1 10 4 100\n1 20 3.5 200\n2 10 1 300\n"

// TestReadsByContent gives each format a name without an extension and one with
// a wrong one.
func TestReadsByContent(t *testing.T) {
	for _, c := range []struct{ title, format, text, want string }{
		{"ratings.dat", "movielens", "1::10::4::100\n1::20::3.5::200\n2::10::1::300\n", three},
		{"ratings.dat without times", "movielens", "1::10::4\n2::10::1\n", "1 10 4\n2 10 1\n"},
		{"u.data", "movielens", "1\t10\t4\t100\n2\t10\t1\t300\n", "1 10 4 100\n2 10 1 300\n"},
		{"ratings.csv", "movielens", "userId,movieId,rating,timestamp\n1,10,4.0,100\n1,20,3.5,200\n2,10,1.0,300\n", three},
		{"windows", "movielens", "\ufeffuserId,movieId,rating,timestamp\r\n1,10,4.0,100\r\n1,20,3.5,200\r\n2,10,1.0,300", three},
		{"csv", "csv", "rating,item_id,User-ID,unixtime\n4,10,1,100\n3.5,20,1,200\n1,10,2,300\n", three},
		{"semicolons", "csv", "user;item;score;time\n1;10;4;100\n1;20;3,5;200\n2;10;1;300\n", three},
		{"spaces", "csv", "user, item, stars\n1, 10, 4\n2, 10, 1\n", "1 10 4\n2 10 1\n"},
		{"dates", "csv", "user,item,value,date\n1,10,4,1970-01-02\n1,20,4,1970-01-02T00:00:01Z\n1,30,4,1970-01-02 00:00:02\n1,40,4,1970-01-02T01:00:00+01:00\n1,50,4,5.5e1\n",
			"1 10 4 86400\n1 20 4 86401\n1 30 4 86402\n1 40 4 86400\n1 50 4 55\n"},
		{"extra columns", "csv", "x,user,item,rating,y\na,1,10,4,b\n", "1 10 4\n"},
		{"some times are missing", "csv", "user,item,rating,time\n1,10,4,100\n1,20,3,\n", "1 10 4 100\n1 20 3\n"},
		{"quotes", "csv", "user,item,rating\n\"a \"\"b\"\", c\",\"x\ny\",4\r\n5\" disk,\" z\",\"3\"\n", "5\" disk  z 3\na \"b\", c x\ny 4\n"},
		{"headerless csv", "csv", "1,10,4,100\n1,20,3.5,200\n2,10,1,300\n", three},
		{"tsv with header", "tsv", "user\titem\trating\ttimestamp\n1\t10\t4\t100\n1\t20\t3.5\t200\n2\t10\t1\t300\n", three},
		{"split", "tsv", "a\tx\t4\nb\tx\t5\n", "a x 4\nb x 5\n"},
		{"blank lines", "tsv", "\na\tx\t4\n\n  \nb\tx\t5\n\n", "a x 4\nb x 5\n"},
		{"inter", "inter", "user_id:token\titem_id:token\trating:float\ttimestamp:float\n1\t10\t4\t1.00E2\n1\t20\t3.5\t200\n2\t10\t1\t300\n", three},
		{"jsonl", "jsonl", `{"user":"1","item":"10","rating":4,"timestamp":100}` + "\n" + `{"user_id": 1, "movieId": 20, "score": 3.5, "time": "1970-01-01T00:03:20Z", "more": {"a": [1]}}` + "\n\n" + `[2,"10",1,300]`, three},
		{"jsonl escapes", "jsonl", `{"user":"a\"\u00e9\n","item":"\ud83d\ude00","rating":"4"}`, "a\"é\n 😀 4\n"},
		{"netflix", "netflix", "10:\n1,4,1970-01-02\n2,1,1970-01-03\n20:\n1,3,1970-01-04\n", "1 10 4 86400\n1 20 3 259200\n2 10 1 172800\n"},
		{"lenskit", "csv", "user_id,item_id,rating,timestamp\n1,10,4.0,100\n1,20,3.5,200\n2,10,1.0,300\n", three},
		{"surprise", "surprise", "1 10 4 881250949\n2 10 1 881250950\n", "1 10 4 881250949\n2 10 1 881250950\n"},
		{"latin-1", "csv", "user,item,rating\nJos\xe9,caf\u00e9,4\n", "José café 4\n"},
	} {
		for _, name := range []string{"noname", "wrong.xyz", "wrong.dat.gz"} {
			for _, packed := range []struct {
				how  string
				text []byte
			}{{"plain", []byte(c.text)}, {"gzip", gzipOf(t, []byte(c.text))}, {"zstd", zstdOf(t, []byte(c.text))}, {"zip", zipOf(t, "some/thing", c.text)}} {
				set, report, err := ReadStream(bytes.NewReader(packed.text), name, Options{})
				if err != nil {
					t.Errorf("%s, %s, %s: %v", c.title, name, packed.how, err)
					continue
				}
				if got := listed(set); got != c.want || report.Format != c.format {
					t.Errorf("%s, %s, %s: read as %s\n%swant %s\n%s", c.title, name, packed.how, report.Format, got, c.format, c.want)
				}
				if report.Lines != set.Len() || report.Kept != set.Len() {
					t.Errorf("%s: report %+v for %d ratings", c.title, report, set.Len())
				}
				if want := map[bool]int{true: 1}[c.title == "latin-1"]; report.Latin1 != want {
					t.Errorf("%s: %d lines from Latin-1, want %d", c.title, report.Latin1, want)
				}
			}
		}
	}
}

// TestBadInput wants an error that names the file, the line and what is wrong.
func TestBadInput(t *testing.T) {
	long := strings.Repeat("x", 10<<20)
	for _, c := range []struct{ title, name, text, where, what string }{
		{"truncated line", "ratings.dat", "1::10::4::100\n1::20::3", "ratings.dat:2: ", "3 columns"},
		{"truncated first line", "ratings.dat", "1::1", "ratings.dat:1: ", "user::item::rating"},
		{"truncated line of u.data", "u.data", "1\t10\t4\t100\n1\t20", "u.data:2: ", "2 columns"},
		{"columns too many", "a.tsv", "a\tx\t4\nb\tx\t4\t5\n", "a.tsv:2: ", "4 columns"},
		{"columns too few", "a.csv", "user,item,rating\n1,2,3\n1,2\n", "a.csv:3: ", "2 columns; the header has 3"},
		{"no number", "a.csv", "user,item,rating\n1,2,good\n", "a.csv:2: ", `"good"`},
		{"NaN", "a.csv", "user,item,rating\n1,2,NaN\n", "a.csv:2: ", `"NaN"`},
		{"infinity", "a.csv", "user,item,rating\n1,2,-Inf\n", "a.csv:2: ", `"-Inf"`},
		{"too large", "a.csv", "user,item,rating\n1,2,1e39\n", "a.csv:2: ", `"1e39"`},
		{"hexadecimal", "a.csv", "user,item,rating\n1,2,0x1p2\n", "a.csv:2: ", `"0x1p2"`},
		{"no value", "a.csv", "user,item,rating\n1,2,\n", "a.csv:2: ", `rating ""`},
		{"no user", "a.csv", "user,item,rating\n,2,3\n", "a.csv:2: ", "without a user"},
		{"no item", "ratings.dat", "1::10::4::100\n1::::4::100\n", "ratings.dat:2: ", "without a user or an item"},
		{"open quote", "a.csv", "user,item,rating\n1,\"2,3\n1,3,4\n", "a.csv:2: ", "no closing quote"},
		{"text after a quote", "a.csv", "user,item,rating\n1,\"2\"x,3\n", "a.csv:2: ", "after a closing quote"},
		{"header without rating", "a.csv", "user,item,colour\n1,2,red\n", "a.csv:1: ", "the rating is missing; the columns are user, item, colour; understood"},
		{"long line", "a.csv", "user,item,rating\n1,2," + long + "\n", "a.csv:2: ", "longer than"},
		{"long first line", "a.csv", long, "a.csv:1: ", "longer than"},
		{"endless quote", "a.csv", "user,item,rating\n1,\"" + strings.Repeat("x\n", 1<<20) + "\",3\n", "a.csv:2: ", "closing quote is missing"},
		{"NUL", "a.csv", "user,item,rating\n1,2\x00,3\n", "a.csv:2: ", "NUL byte in column 4"},
		{"UTF-16", "a.csv", "\xff\xfeu\x00s\x00e\x00r\x00", "a.csv:1: ", "UTF-16"},
		{"UTF-16 without a name", "a", "\xfe\xff\x00u\x00s\x00e\x00r", "a:1: ", "UTF-16"},
		{"binary", "a", "\x7fELF\x00\x00", "a:1: ", "NUL"},
		{"unknown", "a.txt", "hello\n", "a.txt:1: ", `"hello"`},
		{"unknown without a name", "a", "hello\n", "a: ", `"hello"`},
		{"empty", "a.csv", "", "a.csv: ", "no ratings"},
		{"only blank", "a", "\ufeff\r\n\n", "a: ", "no ratings"},
		{"only a header", "a.csv", "user,item,rating\n", "a.csv: ", "no ratings"},
		{"duplicate", "a.csv", "user,item,rating\n1,2,3\n1,2,4\n", "a.csv: ", "rated twice"},
		{"netflix without a movie", "mv_1.txt", "1:\n1,3,2005-09-06\nx:\n", "mv_1.txt:3: ", `"x:"`},
		{"netflix columns", "mv_1.txt", "1:\n1,3\n", "mv_1.txt:2: ", "user,rating,date"},
		{"netflix scale", "mv_1.txt", "1:\n1,6,2005-09-06\n", "mv_1.txt:2: ", "1 to 5"},
		{"netflix date", "mv_1.txt", "1:\n1,5,2005-13-06\n", "mv_1.txt:2: ", `"2005-13-06"`},
		{"inter without rating", "a.inter", "user_id:token\titem_id:token\n1\t2\n", "a.inter:1: ", "the rating is missing; the columns are user_id, item_id; understood are the names rating (rating, score,"},
		{"inter without types", "a.inter", "user_id\titem_id\tlabel\n1\t2\t1\n", "a.inter:1: ", "without a type"},
		{"inter columns", "a.inter", "user_id:token\titem_id:token\trating:float\n1\t2\n", "a.inter:2: ", "2 columns"},
		{"jsonl", "a.jsonl", `{"user":1,"item":2,"rating":3}` + "\n" + `{"user":1,`, "a.jsonl:2: ", "not a rating"},
		{"jsonl without item", "a.jsonl", `{"user":1,"item":2,"rating":3}` + "\n" + `{"user":1,"rating":3}`, "a.jsonl:2: ", "the item is missing; the columns are rating, user"},
		{"jsonl null", "a.jsonl", `{"user":1,"item":null,"rating":3}`, "a.jsonl:1: ", "the item is missing"},
		{"jsonl nested", "a.jsonl", `{"user":1,"item":2,"rating":3}` + "\n" + `{"user":{},"item":2,"rating":3}`, "a.jsonl:2: ", "neither a string nor a number"},
		{"jsonl ambiguous", "a.jsonl", `{"user":1,"item":2,"rating":3}` + "\n" + `{"user_id":1,"userId":2,"item":2,"rating":3}`, "a.jsonl:2: ", "two keys for the user"},
		{"jsonl rating", "a.jsonl", `{"user":1,"item":2,"rating":"x"}`, "a.jsonl:1: ", `"x"`},
		{"truncated gzip", "a.csv.gz", string(gzipOf(t, []byte("user,item,rating\n"+strings.Repeat("1,2,3\n", 5))))[:30], "a.csv.gz:", "truncated"},
		{"broken gzip", "a.csv.gz", "\x1f\x8b\x08nothing", "a.csv.gz: ", ""},
		{"broken zstd", "a.csv.zst", "\x28\xb5\x2f\xfdnothing", "a.csv.zst: ", ""},
		{"broken zip", "a.zip", "PK\x03\x04nothing", "a.zip: ", "zip"},
		{"gzip in gzip", "a.gz", string(gzipOf(t, gzipOf(t, []byte("1::2::3\n")))), "a.gz: ", "within"},
		{"gzip in zip", "a.zip", string(zipOf(t, "a.csv.gz", string(gzipOf(t, []byte("1::2::3\n"))))), "a.zip/a.csv.gz: ", "within"},
		{"zip in zip", "a.zip", string(zipOf(t, "b.zip", string(zipOf(t, "x.csv", "1::2::3\n")))), "a.zip/b.zip: ", "within"},
		{"tar", "a.tar.gz", string(gzipOf(t, append(append(make([]byte, 257), "ustar"...), make([]byte, 300)...))), "a.tar.gz: ", "tar"},
		{"empty zip", "a.zip", string(zipOf(t)), "a.zip: ", "no ratings"},
		{"zip of many", "a.zip", string(zipOf(t, "a.csv", "1,2,3\n", "b.csv", "1,2,3\n")), "a.zip: ", "2 files (a.csv, b.csv)"},
		{"line in a zip", "a.zip", string(zipOf(t, "ml/ratings.csv", "userId,movieId,rating,timestamp\n1,2,x,4\n")), "a.zip/ml/ratings.csv:2: ", `"x"`},
	} {
		_, _, err := ReadStream(strings.NewReader(c.text), c.name, Options{})
		if err == nil {
			t.Errorf("%s: no error", c.title)
		} else if text := err.Error(); !strings.HasPrefix(text, c.where) || !strings.Contains(text, c.what) || len(text) > 600 {
			t.Errorf("%s: %v\nwant %q … %q", c.title, err, c.where, c.what)
		}
	}
}

func TestDuplicatesArePoliciesAndCounted(t *testing.T) {
	const text = "user,item,rating\n1,2,3\n1,2,4\n"
	for policy, want := range map[ratings.Duplicates]string{ratings.KeepFirst: "1 2 3\n", ratings.KeepLast: "1 2 4\n", ratings.KeepMean: "1 2 3.5\n"} {
		set, report, err := ReadStream(strings.NewReader(text), "-", Options{Duplicates: policy})
		if err != nil {
			t.Fatal(err)
		}
		if got := listed(set); got != want || report.Duplicates != 1 || report.Read != 2 || report.Kept != 1 {
			t.Errorf("policy %d: %q, %+v", policy, got, report)
		}
	}
	_, _, err := ReadStream(strings.NewReader(text), "-", Options{})
	if !errors.Is(err, ratings.ErrDuplicate) {
		t.Errorf("%v", err)
	}
}

func TestFormatOptionIsObeyed(t *testing.T) {
	set, report, err := ReadStream(strings.NewReader("1\t10\t4\t100\n"), "u.data", Options{Format: "tsv"})
	if err != nil || report.Format != "tsv" || set.Len() != 1 {
		t.Error(err, report)
	}
	if _, _, err := ReadStream(strings.NewReader("1\t10\t4\n"), "x", Options{Format: "netflix"}); err == nil || !strings.HasPrefix(err.Error(), "x:1: ") {
		t.Error(err)
	}
	if _, _, err := ReadStream(strings.NewReader(""), "x", Options{Format: "nonsense"}); err == nil || !strings.Contains(err.Error(), "movielens") {
		t.Error(err)
	}
	if _, _, err := ReadStream(strings.NewReader(""), "x", Options{Format: "npz"}); err == nil {
		t.Error("npz can be read?")
	}
	if _, _, err := ReadStream(strings.NewReader("x"), "y", Options{Name: "stdin"}); err == nil || !strings.HasPrefix(err.Error(), "stdin: ") {
		t.Error(err)
	}
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

func TestFolders(t *testing.T) {
	const dat = "1::10::4::100\n1::20::3.5::200\n2::10::1::300\n"
	for _, c := range []struct {
		title, path    string
		files          fstest.MapFS
		format, title1 string // title of item 10
	}{
		{"1M, Latin-1", "ml-1m", fstest.MapFS{"ml-1m/ratings.dat": file(dat), "ml-1m/movies.dat": file("10::Am\xe9lie (2001)::Comedy\n99::Nobody's::x\n"), "ml-1m/users.dat": file("x")}, "movielens", "Amélie (2001)"},
		{"UTF-8", "ml", fstest.MapFS{"ml/ratings.dat": file(dat), "ml/movies.dat": file("10::Amélie (2001)::Comedy\n")}, "movielens", "Amélie (2001)"},
		{"mixed", "ml", fstest.MapFS{"ml/ratings.dat": file(dat), "ml/movies.dat": file("10::Amélie (2001)::Comedy\n20::Am\xe9lie::\n")}, "movielens", "Amélie (2001)"},
		{"the file itself", "ml/ratings.dat", fstest.MapFS{"ml/ratings.dat": file(dat), "ml/movies.dat": file("10::Amélie (2001)::Comedy\n")}, "movielens", "Amélie (2001)"},
		{"packed", "ml", fstest.MapFS{"ml/ratings.dat.gz": file(string(gzipOf(t, []byte(dat)))), "ml/movies.dat": file("10::Amélie (2001)::Comedy\n")}, "movielens", "Amélie (2001)"},
		{"100K", "ml-100k", fstest.MapFS{"ml-100k/u.data": file("1\t10\t4\t100\n1\t20\t3.5\t200\n2\t10\t1\t300\n"), "ml-100k/u.item": file("10|Am\xe9lie (2001)|01-Jan-2001||http://x|0|1\n"), "ml-100k/u1.base": file("x")}, "movielens", "Amélie (2001)"},
		{"latest", ".", fstest.MapFS{"ratings.csv": file("userId,movieId,rating,timestamp\n1,10,4.0,100\n1,20,3.5,200\n2,10,1.0,300\n"), "movies.csv": file("movieId,title,genres\n10,\"Amélie, or \"\"A\"\" (2001)\",Comedy\n"), "tags.csv": file("x")}, "movielens", `Amélie, or "A" (2001)`},
		{"zip", "ml.zip", fstest.MapFS{"ml.zip": file(string(zipOf(t, "ml/ratings.csv", "userId,movieId,rating,timestamp\n1,10,4.0,100\n1,20,3.5,200\n2,10,1.0,300\n", "ml/movies.csv", "movieId,title,genres\n10,Amélie (2001),Comedy\n", "ml/README.txt", "x", "ml/tags.csv", "x", "__MACOSX/ml/x", "")))}, "movielens", "Amélie (2001)"},
		{"titles in the table", "a.csv", fstest.MapFS{"a.csv": file("user,item,title,rating,time\n1,10,Amélie,4,100\n1,20,,3.5,200\n2,10,Other,1,300\n")}, "csv", "Amélie"},
	} {
		set, report, err := Read(c.files, c.path, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.title, err)
			continue
		}
		if got := listed(set); got != three || report.Format != c.format {
			t.Errorf("%s: %s\n%s", c.title, report.Format, got)
		}
		if n, _ := set.Items().Find("10"); set.Items().Name(n) != c.title1 {
			t.Errorf("%s: title %q, want %q", c.title, set.Items().Name(n), c.title1)
		}
	}
}

func TestNetflixFolders(t *testing.T) {
	const one, two = "1:\n7,4,1970-01-02\n8,1,1970-01-03\n", "2:\n7,3,1970-01-04\n"
	const titles = "1,2003,Dinosaur Planet\n2,NULL,Isle, of Man\n3,1999,Nobody's\n"
	const want = "7 1 4 86400\n7 2 3 259200\n8 1 1 172800\n"
	for title, c := range map[string]struct {
		path  string
		files fstest.MapFS
	}{
		"combined":     {"nf", fstest.MapFS{"nf/combined_data_1.txt": file(one), "nf/combined_data_2.txt": file(two), "nf/movie_titles.csv": file(titles), "nf/probe.txt": file("1:\n7\n")}},
		"one combined": {"nf/c.txt", fstest.MapFS{"nf/c.txt": file(one + two), "nf/movie_titles.csv": file(titles)}},
		"movies":       {"nf", fstest.MapFS{"nf/training_set/mv_0000001.txt": file(one), "nf/training_set/mv_0000002.txt": file(two), "nf/movie_titles.txt": file(titles)}},
		"within":       {"nf/training_set", fstest.MapFS{"nf/training_set/mv_0000001.txt": file(one), "nf/training_set/mv_0000002.txt": file(two), "nf/movie_titles.txt": file(titles)}},
		"zip":          {"nf.zip", fstest.MapFS{"nf.zip": file(string(zipOf(t, "combined_data_1.txt", one, "combined_data_2.txt", two, "movie_titles.csv", titles, "README", "x")))}},
	} {
		set, report, err := Read(c.files, c.path, Options{})
		if err != nil {
			t.Errorf("%s: %v", title, err)
			continue
		}
		if got := listed(set); got != want || report.Format != "netflix" || report.Lines != 3 {
			t.Errorf("%s: %+v\n%s", title, report, got)
		}
		if a, b := set.Items().Name(0), set.Items().Name(1); a != "Dinosaur Planet (2003)" || b != "Isle, of Man" || set.Items().Len() != 2 {
			t.Errorf("%s: titles %q, %q", title, a, b)
		}
	}
}

func TestBadFolders(t *testing.T) {
	for title, c := range map[string]struct {
		path  string
		files fstest.MapFS
		want  string
	}{
		"unknown":      {"d", fstest.MapFS{"d/x.csv": file("1,2,3")}, "d: a folder, but not one that is known"},
		"absent":       {"d", fstest.MapFS{}, "d: file does not exist"},
		"two":          {"d", fstest.MapFS{"d/u.data": file("x"), "d/ratings.csv": file("y")}, "ratings.csv and u.data; name one"},
		"bad titles":   {"d", fstest.MapFS{"d/ratings.dat": file("1::2::3\n"), "d/movies.dat": file("2::Two\nThree\n")}, "d/movies.dat:2: \"Three\""},
		"bad netflix":  {"d", fstest.MapFS{"d/mv_1.txt": file("1:\n1,2,2000-01-01\n"), "d/mv_2.txt": file("1,2,2000-01-01\n")}, "d/mv_2.txt:1: "},
		"short titles": {"d", fstest.MapFS{"d/mv_1.txt": file("1:\n1,2,2000-01-01\n"), "d/movie_titles.txt": file("1\n")}, "d/movie_titles.txt:1: "},
	} {
		_, _, err := Read(c.files, c.path, Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", title, err, c.want)
		}
	}
}

// zeros is the same line again and again, n bytes in all.
type zeros struct{ n int64 }

func (z *zeros) Read(p []byte) (int, error) {
	if z.n <= 0 {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), z.n)]
	for k := range p {
		z.n--
		p[k] = "\n3,2,1"[z.n%6] // n counts down
	}
	return len(p), nil
}

// TestBombs wants each to be stopped soon after the limit, here a small one.
func TestBombs(t *testing.T) {
	const size, free = 24_000_000, 2 << 20
	usual := archive.NewLimits()
	var gz, zs, zp bytes.Buffer
	w := gzip.NewWriter(&gz)
	io.Copy(w, &zeros{size})
	w.Close()
	e, err := zstd.NewWriter(&zs)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(e, &zeros{size})
	e.Close()
	z := zip.NewWriter(&zp)
	f, err := z.Create("ratings.csv")
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(f, &zeros{size})
	z.Close()
	for name, bomb := range map[string][]byte{"a.gz": gz.Bytes(), "a.zst": zs.Bytes(), "a.zip": zp.Bytes()} {
		for _, c := range []struct {
			limits archive.Limits
			most   int // bytes
			want   string
		}{
			{archive.Limits{Ratio: usual.Ratio, Free: free, Total: usual.Total}, free + int(usual.Ratio)*len(bomb), "bomb"},
			{archive.Limits{Ratio: 1e9, Free: 1e9, Total: 1 << 20}, 1 << 20, "more than 1048576 bytes"},
		} {
			j, err := newJob(Options{})
			if err != nil {
				t.Fatal(err)
			}
			j.limits = &c.limits
			err = j.stream(&codec.Input{Name: name, R: bytes.NewReader(bomb), Size: -1}, 0)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s of %d bytes: %v", name, len(bomb), err)
			}
			if read := j.report.Lines * 6; read > c.most+1<<18 || read >= size {
				t.Errorf("%s of %d bytes: stopped after %d, more than %d", name, len(bomb), read, c.most)
			}
		}
	}
	if _, _, err := ReadStream(bytes.NewReader(gz.Bytes()), "a.gz", Options{Duplicates: ratings.KeepFirst}); err != nil {
		t.Errorf("refused below the limit: %v", err)
	}
}

type slowly struct {
	r     io.Reader
	chunk int
}

func (s *slowly) Read(p []byte) (int, error) { return s.r.Read(p[:min(len(p), s.chunk)]) }

// TestLongLineIsBounded reads a line of a gigabyte.
func TestLongLineIsBounded(t *testing.T) {
	allocated := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := ReadStream(&slowly{&ones{1 << 30}, 1 << 16}, "x", Options{Format: "csv"}); err == nil {
				b.Fatal("no error")
			}
		}
	}).AllocedBytesPerOp()
	if allocated > 8*text.MaxLine {
		t.Errorf("%d bytes for a line without end", allocated)
	}
}

type ones struct{ n int }

func (o *ones) Read(p []byte) (int, error) {
	for k := range p {
		p[k] = '1'
	}
	o.n -= len(p)
	return len(p), nil
}

func TestForWriting(t *testing.T) {
	for name, want := range map[string]string{"a.csv": "csv", "b.TSV": "tsv", "x/c.jsonl": "jsonl", "d.parquet": "parquet", "e.npz": "npz", "f.soc": "soc", "g.json": "tiers"} {
		if got, err := ForWriting(name); got != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"a", "a.dat", "a.csv.gz", ".csv.zip", "a.netflix"} {
		if got, err := ForWriting(name); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestFormatsAreListed(t *testing.T) {
	reads, writes := Readable(), Writable()
	for _, name := range []string{"csv", "inter", "jsonl", "movielens", "netflix", "parquet", "preflib", "qrels", "surprise", "tiers", "tsv"} {
		if !slices.Contains(reads, name) {
			t.Errorf("%s is not read", name)
		}
	}
	for _, name := range []string{"csv", "inter", "jsonl", "lenskit", "lenskit-parquet", "npz", "parquet", "preflib", "qrels", "run", "surprise", "tierlists", "tiers", "tsv"} {
		if !slices.Contains(writes, name) {
			t.Errorf("%s is not written", name)
		}
	}
	if got := detect([]byte("1::2::3::4\n"), "x"); got != &codec.MovieLens {
		t.Error(got.Name)
	}
	if err := Write(io.Discard, nil, Options{Format: "netflix"}); err == nil || !strings.Contains(err.Error(), "csv") {
		t.Error(err)
	}
}

// A rating whose ids look like the end of a tier list is a rating all the same.
func TestRatingThatLooksLikeTiers(t *testing.T) {
	deep := strings.Repeat("[{", 32)
	line := `{"user":"]}","note":{"a":"}]"},"item":"` + deep + `","rating":4}`
	set, report, err := ReadStream(strings.NewReader(line+"\n"), "test.jsonl", Options{})
	if err != nil || report.Format != "jsonl" || set.Users().ID(0) != "]}" || set.Items().ID(0) != deep {
		t.Errorf("%s: %+v, %v", line, report, err)
	}
}
