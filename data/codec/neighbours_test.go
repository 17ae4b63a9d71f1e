package codec_test

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fubini/data/codec"
	"fubini/data/codec/codectest"
	"fubini/data/ratings"
)

// some has ratings of which some have no times.
func some(t *testing.T) *ratings.Set {
	b := ratings.NewBuilder()
	for _, r := range []struct {
		user, item string
		value      float32
		when       int64
	}{{"1", "10", 4, 100}, {"1", "Crazy, Stupid", 3.5, ratings.NoTime}, {"2", "10", 1, 300}} {
		if err := b.Add([]byte(r.user), []byte(r.item), r.value, r.when); err != nil {
			t.Fatal(err)
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The files are, byte by byte, what the documents of the neighbours describe.
func TestNeighboursGolden(t *testing.T) {
	for _, c := range []struct {
		codec *codec.Codec
		timed bool
		want  string
	}{
		{&codec.Inter, true, "user_id:token\titem_id:token\trating:float\ttimestamp:float\n1\t10\t4\t100\n1\tCrazy, Stupid\t3.5\t\n2\t10\t1\t300\n"},
		{&codec.Inter, false, "user_id:token\titem_id:token\trating:float\n1\t10\t4\n1\tCrazy, Stupid\t3.5\n2\t10\t1\n"},
		{&codec.LensKit, true, "user_id,item_id,rating,timestamp\n1,10,4,100\n1,\"Crazy, Stupid\",3.5,\n2,10,1,300\n"},
		{&codec.LensKit, false, "user_id,item_id,rating\n1,10,4\n1,\"Crazy, Stupid\",3.5\n2,10,1\n"},
		{&codec.Surprise, true, "1\t10\t4\t100\n1\tCrazy, Stupid\t3.5\t\n2\t10\t1\t300\n"},
		{&codec.Surprise, false, "1\t10\t4\n1\tCrazy, Stupid\t3.5\n2\t10\t1\n"},
		{&codec.TSV, true, "1\t10\t4\n1\tCrazy, Stupid\t3.5\n2\t10\t1\n"}, // a split has no times
	} {
		s := some(t)
		if !c.timed {
			s = s.WithoutTimes()
		}
		if got := string(codectest.WriteTwice(t, c.codec, s, codec.Options{})); got != c.want {
			t.Errorf("%s: %q, want %q", c.codec.Name, got, c.want)
		}
	}
}

// What is written for a neighbour is read again with all ids, values and times, by the codec that knows its files.
func TestNeighboursRoundTrip(t *testing.T) {
	for _, c := range []struct{ writes, reads *codec.Codec }{{&codec.Inter, &codec.Inter}, {&codec.LensKit, &codec.CSV}, {&codec.LensKitParquet, &codec.Parquet}, {&codec.Surprise, &codec.Surprise}} {
		t.Run(c.writes.Name, rapid.MakeCheck(func(t *rapid.T) {
			ids := rapid.SampledFrom([]*rapid.Generator[string]{codectest.PlainID, codectest.AnyID}).Draw(t, "ids")
			s := codectest.DrawSet(t, ids, codectest.AnyValue, 6, rapid.Bool().Draw(t, "timed"))
			var out bytes.Buffer
			if err := c.writes.Write(&out, s, codec.Options{}); err != nil {
				if ids == codectest.PlainID && !strings.Contains(err.Error(), "pandas") || out.Len() > 0 || !strings.Contains(err.Error(), "user ") && !strings.Contains(err.Error(), "item ") {
					t.Fatalf("%v after %d bytes", err, out.Len())
				}
				return
			}
			again, _, err := codectest.ReadBytes(c.reads, out.Bytes(), codec.Options{})
			if err != nil {
				t.Fatalf("%v\n%.300s", err, out.String())
			}
			codectest.CheckSame(t, again, s)
		}))
	}
}

// Ids that pandas takes for missing values are refused for the libraries that read by it, and kept for the others.
func TestMissingForPandas(t *testing.T) {
	b := ratings.NewBuilder()
	if err := b.Add([]byte("ann"), []byte("NA"), 3, ratings.NoTime); err != nil {
		t.Fatal(err)
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*codec.Codec{&codec.Inter, &codec.LensKit} {
		var out bytes.Buffer
		err := c.Write(&out, s, codec.Options{})
		if err == nil || !strings.Contains(err.Error(), `item "NA" would be lost`) || !strings.Contains(err.Error(), "; write ") || out.Len() > 0 {
			t.Errorf("%s: %v after %d bytes", c.Name, err, out.Len())
		}
	}
	for _, c := range []*codec.Codec{&codec.LensKitParquet, &codec.Surprise, &codec.CSV} {
		if err := c.Write(&bytes.Buffer{}, s, codec.Options{}); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}

// Files of Surprise with spaces are known by their four columns with a time, and by name with three.
func TestSurprise(t *testing.T) {
	for text, want := range map[string]bool{
		"196 242 3 881250949\n": true, "a b 3.5 881250949\n": true,
		"196 242 3\n": false, "1 0 42 3\n": false, "Alien is great 881250949\n": false, "196\t242\t3\t881250949\n": false, "196  242 3 881250949\n": false,
	} {
		if got := codec.Surprise.Detect([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	s, _, err := codectest.ReadBytes(&codec.Surprise, []byte("a x 3\nb y 4.5\n"), codec.Options{})
	if err != nil || codectest.Spell(s) != "a x=3\nb y=4.5\n" {
		t.Errorf("%v", err)
	}
	for text, words := range map[string][]string{"a b\n": {":1:", "user, item, rating"}, "a b 3 4\nc d 3\n": {":2:", "3 columns"}, "a b x\n": {":1:"}} {
		_, _, err := codectest.ReadBytes(&codec.Surprise, []byte(text), codec.Options{})
		codectest.CheckRefused(t, err, words...)
	}
}

// Items without a place come back from tier lists, those too of people who have placed nothing.
func TestUnplacedRoundTrip(t *testing.T) {
	const lists = `{"user":"ann","tiers":[{"name":"S","items":["a"]},{"name":"A","items":["b"]}],"unranked":["c","d"]}` + "\n" +
		`{"user":"bob","tiers":[],"unranked":["a"]}` + "\n" + `{"user":"cid","tiers":[{"name":"S","items":["c"]},{"name":"A","items":[]}]}` + "\n"
	s, counts, err := codectest.ReadBytes(&codec.TierLists, []byte(lists), codec.Options{})
	if err != nil || counts.Unplaced != 3 || len(counts.Dropped) != 0 {
		t.Fatalf("%v, %+v", err, counts)
	}
	if got := string(codectest.WriteTwice(t, &codec.TierLists, s, codec.Options{})); got != lists {
		t.Errorf("%s became %s", lists, got)
	}
	if err := codec.TierList.Write(&bytes.Buffer{}, s, codec.Options{}); err == nil || !strings.Contains(err.Error(), "there are 3") {
		t.Errorf("three people in one list: %v", err)
	}
	one, _, err := codectest.ReadBytes(&codec.TierList, []byte(`{"tiers":[["a"],["b"]],"unranked":["z"]}`), codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(codectest.WriteTwice(t, &codec.TierList, one, codec.Options{})); !strings.Contains(got, "\"unranked\": [\n  \"z\"\n ]") {
		t.Error(got)
	}
	table, counts, err := codectest.ReadBytes(&codec.CSV, []byte("user,item,tier\nann,a,S\nann,b,\nann,b,A\nann,c,-\nann,c,\nbob,a,\n"), codec.Options{})
	if err != nil || counts.Unplaced != 2 || counts.Lines != 6 {
		t.Fatalf("%v, %+v", err, counts)
	}
	want := `{"user":"ann","tiers":[{"name":"S","items":["a"]},{"name":"A","items":["b"]}],"unranked":["c"]}` + "\n" + `{"user":"bob","tiers":[],"unranked":["a"]}` + "\n"
	if got := string(codectest.WriteTwice(t, &codec.TierLists, table, codec.Options{})); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if err := codec.TierLists.Write(&bytes.Buffer{}, unplacedIn(t, "\xff"), codec.Options{}); err == nil || !strings.Contains(err.Error(), "UTF-8") {
		t.Errorf("an unplaced item that is not UTF-8: %v", err)
	}
}

// unplacedIn is a set with an item without a place.
func unplacedIn(t *testing.T, id string) *ratings.Set {
	b := ratings.NewBuilder()
	if err := b.Add([]byte("u"), []byte("a"), 1, ratings.NoTime); err != nil {
		t.Fatal(err)
	}
	b.Aside([]byte("u"), []byte(id))
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// One date above 12 settles the column, for the dates before it too.
func TestSlashedColumn(t *testing.T) {
	read := func(c *codec.Codec, text string) (times []int64) {
		s, _, err := codectest.ReadBytes(c, []byte(text), codec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s.Row(0).Times
	}
	const march, april, july = 1614816000, 1617408000, 964915200 // 4 March, 3 April, 30 July
	for _, c := range []struct {
		codec *codec.Codec
		text  string
		want  [2]int64
	}{
		{&codec.CSV, "user,item,rating,date\nu,a,1,3/4/2021\nu,b,1,30/7/2000\n", [2]int64{april, july}},
		{&codec.CSV, "user,item,rating,date\nu,a,1,3/4/2021\nu,b,1,7/30/2000\n", [2]int64{march, july}},
		{&codec.CSV, "user,item,rating,date\nu,a,1,3/4/2021\nu,b,1,2000-07-30\n", [2]int64{march, july}},
		{&codec.CSV, "user,item,rating,date\nu,b,1,30/7/2000\nu,a,1,3/4/2021\n", [2]int64{april, july}},
		{&codec.JSONL, `{"user":"u","item":"a","rating":1,"date":"3/4/2021"}` + "\n" + `{"user":"u","item":"b","rating":1,"date":"30/7/2000"}` + "\n", [2]int64{april, july}},
		{&codec.TierLists, `{"user":"u","tiers":[["a"]],"date":"3/4/2021"}` + "\n" + `{"user":"u","tiers":[["b"]],"date":"30/7/2000"}` + "\n", [2]int64{april, july}},
	} {
		if got := read(c.codec, c.text); len(got) != 2 || got[0] != c.want[0] || got[1] != c.want[1] {
			t.Errorf("%s: %v, want %v", c.text, got, c.want)
		}
	}
}
