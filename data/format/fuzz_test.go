package format

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"fubini/data/archive"
	"fubini/data/codec"
	"fubini/data/ratings"
)

// checkReads reads any bytes: there is an error that names the file, or a set,
// which then survives being written and read again.
func checkReads(t *testing.T, format string, data []byte) {
	o := Options{Format: format, Duplicates: ratings.KeepLast}
	set, report, err := ReadStream(bytes.NewReader(data), "name", o)
	sameByLines(t, data, o, set, report, err)
	if err != nil {
		if set != nil || !strings.HasPrefix(err.Error(), "name") {
			t.Fatalf("%v", err)
		}
		return
	}
	if set.Len() == 0 || report.Kept != set.Len() || report.Read < report.Kept {
		t.Fatalf("%d ratings, %+v", set.Len(), report)
	}
	for _, through := range []string{"csv", "jsonl", "inter", "surprise"} {
		var text bytes.Buffer
		if err := Write(&text, set, Options{Format: through}); err != nil {
			if text.Len() > 0 {
				t.Fatalf("%v after %d bytes", err, text.Len())
			}
			continue // ids that a table cannot hold
		}
		again, _, err := ReadStream(&text, "again", Options{Format: through})
		if err != nil {
			t.Fatal(err)
		}
		if listed(again) != listed(set) {
			t.Fatalf("through %s %q became %q", through, listed(set), listed(again))
		}
	}
}

// sameByLines reads data line by line, which bounds on ratings bring about, and holds against that what was read without: the set, all
// counts, and the error.
func sameByLines(t testing.TB, data []byte, o Options, set *ratings.Set, report *Report, err error) {
	t.Helper()
	if report.Format == codec.Compact.Name {
		return // it is not read at all
	}
	o.Scale = []float64{-math.MaxFloat64, math.MaxFloat64}
	byLines, wanted, wantErr := ReadStream(bytes.NewReader(data), "name", o)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || !reflect.DeepEqual(report, wanted) {
		t.Fatalf("%v, %+v, and by lines %v, %+v", err, report, wantErr, wanted)
	}
	if err != nil {
		return
	}
	var got, want bytes.Buffer
	if err := set.WriteCompact(&got); err != nil {
		return // ids that are not UTF-8
	}
	if err := byLines.WriteCompact(&want); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Fatalf("the set is not that of the lines: %v", err)
	}
}

func fuzzReader(f *testing.F, format string, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkReads(t, format, data) })
}

func FuzzMovieLens(f *testing.F) {
	fuzzReader(f, "movielens",
		"1::10::4::100\n1::20::3.5::200\n", "1::10::4\n", "1\t10\t4\t881250949\n2\t10\t4\t881250949\n",
		"userId,movieId,rating,timestamp\n1,\"10\",4.0,100\n", "\ufeff1::1::1::1\r\n", "1:::1::1::1", "1::1::1::1\n1::1", "::::::")
}

func FuzzTable(f *testing.F) {
	fuzzReader(f, "csv",
		"user,item,rating\n1,2,3\n", "user;item;score;time\n1;2;3,5;2000-01-01\n", "a\tb\t4\nc\td\t5\t6\n", "user,item,rating\n\"a\"\"\nb\",2,3\n",
		"user,item,title,rating\n1,2,\"x, y\",3\n", "1, 2, 3, 4\n", "user,item,rating\n\"", "\"a\nb\",c,4\n", "user,item,rating\nJos\xe9,\x00,1e-45\n", "1,2,3,2000-01-01T00:00:00+01:00\n")
}

func FuzzTierLists(f *testing.F) {
	fuzzReader(f, "tierlists",
		"{\"user\":\"ann\",\"tiers\":[[\"a\",\"b\"],[\"c\"]]}\n{\"user\":3,\"tiers\":{\"S\":[1],\"B-\":[\"c\"]},\"unranked\":[\"d\"]}\n", "[[\"a\"],[],[2]]\n[[2]]\n",
		"{\"user\":\"ann\",\"tiers\":[{\"name\":\"4.5\",\"items\":[\"a\"]},{\"name\":\"2\",\"items\":[\"b\"]}],\"time\":\"2000-01-01\"}\n{\"user\":\"bob\",\"item\":\"a\",\"rating\":3}\n",
		"{\"item\":\"a\",\"tier\":\"S\"}\n{\"item\":\"b\",\"tier\":2}\n{\"item\":\"c\",\"tier\":null}", "{\"user\":null,\"tiers\":[]}", "{\"tiers\":3}")
}

func FuzzGrades(f *testing.F) {
	fuzzReader(f, "csv", "user,item,tier\nann,a,S\nann,b,b-\nbob,a,\n", "item,rating\na,A+\nb,F\n", "title,year,rank\na,1999,1\nb,,2\n", "user,item,tier\nann,a,1\nann,b,2.0\n", "item,grade\na,A\nb,4\n", "user,item,tier,date\nann,a,tier 3,3/4/2021\n")
}

// FuzzColumns reads tables whose columns are named.
func FuzzColumns(f *testing.F) {
	f.Add([]byte("Fan,Board Game,Stars\nann,Go,4\n"), "Fan", "Board Game", "Stars")
	f.Add([]byte("{\"who\":1,\"what\":2,\"points\":3}\n"), "who", "what", "points")
	f.Add([]byte("a;b\n1;2,5\n"), "", "a", "b")
	f.Fuzz(func(t *testing.T, data []byte, user, item, rating string) {
		set, report, err := ReadStream(bytes.NewReader(data), "name", Options{Duplicates: ratings.KeepMean, Columns: map[string]string{"user": user, "item": item, "rating": rating}})
		if err == nil && set.Len() != report.Kept || err != nil && !strings.HasPrefix(err.Error(), "name") {
			t.Fatalf("%v, %+v", err, report)
		}
	})
}

func FuzzNetflix(f *testing.F) {
	fuzzReader(f, "netflix", "1:\n1488844,3,2005-09-06\n822109,5,2005-05-13\n2:\n1,1,2000-02-29\n", "1:\n", "1,3,2005-09-06\n", "1:\n1,3\n", ":\n", "1: \n1,5,99\n")
}

func FuzzJSONL(f *testing.F) {
	fuzzReader(f, "jsonl",
		`{"user":"1","item":"10","rating":4,"timestamp":100}`, `{"user_id": 1, "movieId": 20, "score": 3.5, "time": "1970-01-01", "more": {"a": [1]}}`, `[2,"10",1,300]`,
		`{"user":"a\"\u00e9\n","item":"\ud83d","rating":"4","title":"x"}`, `{"user":-0,"item":1e9,"rating":01}`, `{"user":null}`, `{"user":"1","user":"2","item":3,"rating":4}`, `{`, `[[[`)
}

func FuzzInter(f *testing.F) {
	fuzzReader(f, "inter", "user_id:token\titem_id:token\trating:float\ttimestamp:float\n1\t10\t4\t1.00E2\n", "user_id:token\titem_id:token\n", "user:token\titem:token\trating:float\n\"\t\"\t1\n")
}

func FuzzSurprise(f *testing.F) {
	fuzzReader(f, "surprise", "196 242 3 881250949\n", "a b 3\n", "a\tb\t3\t\n", "a  3 4\n", "\" \" 1\n")
}

// FuzzDetect reads as whatever it looks like.
func FuzzDetect(f *testing.F) {
	fuzzReader(f, "", "1::10::4::100\n", "1\t10\t4\t100\n", "user,item,rating\n1,2,3\n", "1:\n1,3,2005-09-06\n", `{"user":1,"item":2,"rating":3}`,
		"user_id:token\titem_id:token\trating:float\n1\t2\t3\n", `{"tiers":[["a"],["b","c"]]}`, "1 0 2 3\n", "1 Q0 2 1 0.5 x\n", "# DATA TYPE: soc\n", "PAR1", "\xff\xfe1\x00")
}

// FuzzCompressed reads archives, with limits so small that bombs are quick.
func FuzzCompressed(f *testing.F) {
	text := "userId,movieId,rating,timestamp\n1,10,4.0,100\n"
	f.Add(gzipOf(f, []byte(text)))
	f.Add(zstdOf(f, []byte(text)))
	f.Add(zipOf(f, "ratings.csv", text))
	f.Add(zipOf(f, "ml/ratings.csv", text, "ml/movies.csv", "movieId,title,genres\n10,\"A\",B\n"))
	f.Add(zipOf(f, "combined_data_1.txt", "1:\n1,3,2005-09-06\n", "movie_titles.csv", "1,2000,A\n"))
	f.Add(gzipOf(f, zipOf(f, "a", text)))
	f.Add(gzipOf(f, bytes.Repeat([]byte("1,2,3\n"), 10000)))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, at := range []bool{false, true} {
			j, err := newJob(Options{Duplicates: ratings.KeepFirst})
			if err != nil {
				t.Fatal(err)
			}
			j.limits = &archive.Limits{Ratio: 100, Free: 1 << 16, Total: 1 << 20}
			if at {
				err = j.file(fstest.MapFS{"name": {Data: data}}, "name", "name", 0)
			} else {
				err = j.stream(&codec.Input{Name: "name", R: bytes.NewReader(data), Size: -1}, 0)
			}
			set, report, err := j.finish("name", err)
			if err == nil && set.Len() != report.Kept || err != nil && !strings.HasPrefix(err.Error(), "name") {
				t.Fatalf("%v, %+v", err, report)
			}
		}
	})
}
