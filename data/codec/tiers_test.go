package codec_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"fubini/data/codec"
	"fubini/data/codec/codectest"
	"fubini/data/text"
)

func TestParseTiers(t *testing.T) {
	full := &codec.Tiers{Tiers: []codec.Tier{{"S", []string{"a", "b"}}, {"A", []string{}}, {"", []string{"ç"}}}, Unranked: []string{"x"}}
	plain := &codec.Tiers{Tiers: []codec.Tier{{Items: []string{"a", "b"}}, {Items: []string{}}, {Items: []string{"ç"}}}}
	for content, want := range map[string]*codec.Tiers{
		`{"tiers":[{"name":"S","items":["a","b"]},{"name":"A","items":[]},{"items":["\u00e7"]}],"unranked":["x"]}`: full,
		`{"title":{"of":[["the"],{"page":1}]},"unranked":["x"],"tiers":[{"items":["a","b"],"colour":"#f00","name":"S"},
			{"name":"A","items":[]},["ç"]]}`: full,
		"\ufeff" + `[["a","b"],[],["ç"]]` + "\r\n": plain,
		`{"tiers":[["a","b"],[],["ç"]]}`:           plain,
		`[]`:                                       {Tiers: []codec.Tier{}},
		`{"tiers":[],"unranked":[]}`:               {Tiers: []codec.Tier{}, Unranked: []string{}},
	} {
		got, err := codec.ParseTiers(strings.NewReader(content), "test.json")
		if err != nil {
			t.Errorf("%s: %v", content, err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", content, got, want)
		}
		if !codec.TierList.Detect([]byte(content)) {
			t.Errorf("%s is not detected", content)
		}
	}
}

// Brackets in strings are no brackets: they neither nest nor end anything, in what is
// read, in what is passed over, and where the format is told by the content.
func TestBracketsInStrings(t *testing.T) {
	deep := strings.Repeat("[{", 32)
	for content, want := range map[string]*codec.Tiers{
		`{"note":"` + deep + `","more":{"a":["]}","\"]}\\"]},"tiers":[["a","` + deep + `"],["]"]]}`: {Tiers: []codec.Tier{{Items: []string{"a", deep}}, {Items: []string{"]"}}}},
		`{"{":"[","}":"]","tiers":[{"name":"]}","items":["{","["]}],"unranked":["]"]}`:              {Tiers: []codec.Tier{{"]}", []string{"{", "["}}}, Unranked: []string{"]"}},
		`[["[","{"],["]","}"]]`: {Tiers: []codec.Tier{{Items: []string{"[", "{"}}, {Items: []string{"]", "}"}}}},
	} {
		got, err := codec.ParseTiers(strings.NewReader(content), "test.json")
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", content, got, err)
		}
		if !codec.TierList.Detect([]byte(content)) {
			t.Errorf("%s is not detected", content)
		}
	}
	line := `{"user":"]}","note":{"a":"}]"},"item":"` + deep + `","rating":4}`
	if codec.TierList.Detect([]byte(line)) {
		t.Errorf("%s is taken for tiers", line)
	}
}

func TestParseTiersRefuses(t *testing.T) {
	for content, words := range map[string][]string{
		"":                                       {"empty"},
		" \n":                                    {"empty"},
		"a,b":                                    {":1:", "no JSON"},
		`"a"`:                                    {":1:", "object or list", `"a"`},
		`["a"]`:                                  {":1:5", "a tier is", `"a"`},
		"[[\"a\"],\n [\"b\", 7]]":                {":2:", "quotes", "7"},
		`[["a",null]]`:                           {"null"},
		`[["a",true]]`:                           {"true"},
		`[["a",["b"]]]`:                          {"JSON list"},
		`[["a",{"b":1}]]`:                        {"JSON object"},
		`[[""]]`:                                 {"empty id"},
		`[["a"],["b","a"]]`:                      {"twice", "tier 1", "tier 2"},
		`[["a","a"]]`:                            {"twice"},
		`{"tiers":[["a"]],"unranked":["a"]}`:     {"twice", "unranked"},
		`{"tiers":[["a"]],"unranked":["b","b"]}`: {"twice", "unranked"},
		`{"tiers":[["a"]],"tiers":[["b"]]}`:      {"twice", "tiers"},
		`{"teirs":[["a"]]}`:                      {`no "tiers"`},
		`{"tiers":{"S":["a"]}}`:                  {"JSON object", "JSON list"},
		`{"tiers":[{"name":"S"}]}`:               {"tier 1", "items"},
		`{"tiers":[{"name":"S","items":"a"}]}`:   {"items", `"a"`},
		`{"tiers":[{"name":1,"items":["a"]}]}`:   {"name", "1"},
		`{"tiers":[["a"]],"unranked":{}}`:        {"unranked"},
		`{"tiers":[["a"]]`:                       {"cut short"},
		`[["a"]`:                                 {"cut short"},
		`[["a`:                                   {"cut short"},
		`[["a"]] [["b"]]`:                        {"follows"},
		`[["a"]]]`:                               {"follows"},
		`[["a"],]`:                               {":1:"},
		`[["a" "b"]]`:                            {":1:"},
		"[[\"a\xff\"]]":                          {":1:5", "UTF-8"},
		`{"x":` + strings.Repeat("[", 100) + `}`: {":1:", "no JSON"},
		strings.Repeat("[", 100000):              {"quotes"},
		`{"tiers":[],"x":` + strings.Repeat(`{"a":`, 50):         {"cut short"},
		`{"x":` + strings.Repeat("[", 20_000):                    {"no JSON", "depth"},
		`[["` + strings.Repeat("a", codec.MaxTiersBytes) + `"]]`: {"more than"},
	} {
		t.Run(fmt.Sprintf("%.40s", content), func(t *testing.T) {
			_, err := codec.ParseTiers(strings.NewReader(content), "test.json")
			codectest.CheckRefused(t, err, words...)
		})
	}
	if _, err := codec.ParseTiers(iotest.ErrReader(errors.New("unplugged")), "test.json"); err == nil || !strings.Contains(err.Error(), "unplugged") {
		t.Errorf("a broken reader: %v", err)
	}
}

func TestTiersDetect(t *testing.T) {
	for _, content := range []string{`{"user":1,"item":2,"rating":3}`, `["user","item"]`, `{"tiers":3}`, `7`, ``, `user,item`, `{"a":{"tiers":[]}}`} {
		if codec.TierList.Detect([]byte(content)) {
			t.Errorf("%s is taken for tiers", content)
		}
	}
	if cut := `{"title":"mine","tiers":[{"name":"S","it`; !codec.TierList.Detect([]byte(cut)) {
		t.Errorf("%s is not detected", cut)
	}
}

func TestReadTiers(t *testing.T) {
	content := []byte(`{"tiers":[["b"],[],["a","c"],[]],"unranked":["x","y","z"]}`)
	s, counts, err := codectest.ReadBytes(&codec.TierList, content, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := codectest.Spell(s), "me a=1 b=2 c=1\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if counts.Lines != 8 || counts.Dropped["empty tier"] != 2 || counts.Dropped["unranked item"] != 3 {
		t.Errorf("%d records, dropped %v", counts.Lines, counts.Dropped)
	}
}

func TestWriteTiers(t *testing.T) {
	s := codectest.SetOf(t, [3]any{"u", "a", 1.5}, [3]any{"u", "b", 5.}, [3]any{"u", "<c>", 1.5})
	want := `{"tiers":[{"name":"S","items":["b"]},{"name":"A","items":["<c>","a"]}]}`
	var got bytes.Buffer
	if err := json.Compact(&got, codectest.WriteTwice(t, &codec.TierList, s, codec.Options{})); err != nil {
		t.Fatal(err)
	}
	if got.String() != want {
		t.Errorf("got %s, want %s", &got, want)
	}
	var rows [][3]any
	for k := range 8 {
		rows = append(rows, [3]any{"u", string(rune('a' + k)), float64(k)})
	}
	if tiers := codec.TiersOf(codectest.SetOf(t, rows[:7]...), 0).Tiers; tiers[6].Name != "F" {
		t.Errorf("the last of seven tiers is %q", tiers[6].Name)
	}
	if tiers := codec.TiersOf(codectest.SetOf(t, rows...), 0).Tiers; tiers[0].Name != "1" || tiers[7].Name != "8" || tiers[0].Items[0] != "h" {
		t.Errorf("eight tiers are %v", tiers)
	}
	two := codectest.SetOf(t, [3]any{"u", "a", 1.}, [3]any{"v", "a", 1.}, [3]any{"w", "a", 1.})
	if err := codec.TierList.Write(&bytes.Buffer{}, two, codec.Options{}); err == nil || !strings.Contains(err.Error(), "3") {
		t.Errorf("three users: %v", err)
	}
	if err := codec.TierList.Write(&bytes.Buffer{}, codectest.SetOf(t), codec.Options{}); err == nil {
		t.Error("a tier list of nobody was written")
	}
	if err := codec.TierList.Write(&bytes.Buffer{}, codectest.SetOf(t, [3]any{"u", "\xff", 1.}), codec.Options{}); err == nil {
		t.Error("an id that is not UTF-8 was written")
	}
}

// Values that are levels come back as they were; the others as their order.
func TestTiersRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := codectest.DrawSet(t, codectest.AnyID, codectest.AnyValue, 1, false)
		o := codec.Options{}
		once := codectest.RoundTrip(t, &codec.TierList, s, o)
		if !reflect.DeepEqual(codec.TiersOf(once, 0), codec.TiersOf(s, 0)) {
			t.Fatalf("%v was %v", codec.TiersOf(once, 0), codec.TiersOf(s, 0))
		}
		codectest.CheckSame(t, codectest.RoundTrip(t, &codec.TierList, once, o), once)
	})
}

func FuzzTiers(f *testing.F) {
	for _, content := range []string{
		`{"tiers":[{"name":"S","items":["a","b"]},{"name":"A","items":[]}],"unranked":["x"]}`,
		`[["a","b"],["c"]]`, `{"x":[{"y":null}],"tiers":[["\ud800"]]}`,
	} {
		f.Add([]byte(content))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		codec.TierList.Detect(content)
		tiers, err := codec.ParseTiers(bytes.NewReader(content), "fuzz")
		if err != nil {
			return
		}
		if !json.Valid(bytes.TrimPrefix(content, text.ByteOrderMark)) {
			t.Fatalf("read what is no JSON")
		}
		out, err := json.Marshal(tiers)
		if err != nil {
			t.Fatal(err)
		}
		again, err := codec.ParseTiers(bytes.NewReader(out), "again")
		if err != nil {
			t.Fatalf("wrote what cannot be read: %v", err)
		}
		if len(tiers.Unranked) == 0 {
			tiers.Unranked = nil
		}
		if !reflect.DeepEqual(again, tiers) {
			t.Fatalf("%v was %v", again, tiers)
		}
	})
}
