package tierlist

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"fubini/data/text"
)

// checkRefused wants an error that names the file and contains the words.
func checkRefused(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("read without an error; want one with %q", words)
	}
	for _, w := range append(words, "test.") {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error %q does not mention %q", err, w)
		}
	}
}

func TestParse(t *testing.T) {
	full := &List{Tiers: []Tier{{"S", []string{"a", "b"}}, {"A", []string{}}, {"", []string{"ç"}}}, Unranked: []string{"x"}}
	plain := &List{Tiers: []Tier{{Items: []string{"a", "b"}}, {Items: []string{}}, {Items: []string{"ç"}}}}
	for content, want := range map[string]*List{
		`{"tiers":[{"name":"S","items":["a","b"]},{"name":"A","items":[]},{"items":["\u00e7"]}],"unranked":["x"]}`: full,
		`{"title":{"of":[["the"],{"page":1}]},"unranked":["x"],"tiers":[{"items":["a","b"],"colour":"#f00","name":"S"},
			{"name":"A","items":[]},["ç"]]}`: full,
		"\ufeff" + `[["a","b"],[],["ç"]]` + "\r\n": plain,
		`{"tiers":[["a","b"],[],["ç"]]}`:           plain,
		`[]`:                                       {Tiers: []Tier{}},
		`[[296],[50,1e3]]`:                         {Tiers: []Tier{{Items: []string{"296"}}, {Items: []string{"50", "1e3"}}}},
		`{"B":["a"],"S":[],"unranked":["x"],"A+":["ç",7]}`: {Tiers: []Tier{{"S", []string{}}, {"A+", []string{"ç", "7"}}, {"B", []string{"a"}}}, Unranked: []string{"x"}},
		`{"tiers":{"yes":["a"],"no":["b"]},"more":1}`:      {Tiers: []Tier{{"yes", []string{"a"}}, {"no", []string{"b"}}}},
		`{"tiers":[],"unranked":[]}`:                       {Tiers: []Tier{}, Unranked: []string{}},
	} {
		got, err := Parse(strings.NewReader(content), "test.json")
		if err != nil {
			t.Errorf("%s: %v", content, err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", content, got, want)
		}
		if !Detect([]byte(content)) {
			t.Errorf("%s is not detected", content)
		}
	}
}

// Brackets in strings are no brackets: they neither nest nor end anything, in what is
// read, in what is passed over, and where the format is told by the content.
func TestBracketsInStrings(t *testing.T) {
	deep := strings.Repeat("[{", 32)
	for content, want := range map[string]*List{
		`{"note":"` + deep + `","more":{"a":["]}","\"]}\\"]},"tiers":[["a","` + deep + `"],["]"]]}`: {Tiers: []Tier{{Items: []string{"a", deep}}, {Items: []string{"]"}}}},
		`{"{":"[","}":"]","tiers":[{"name":"]}","items":["{","["]}],"unranked":["]"]}`:              {Tiers: []Tier{{"]}", []string{"{", "["}}}, Unranked: []string{"]"}},
		`[["[","{"],["]","}"]]`: {Tiers: []Tier{{Items: []string{"[", "{"}}, {Items: []string{"]", "}"}}}},
	} {
		got, err := Parse(strings.NewReader(content), "test.json")
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", content, got, err)
		}
		if !Detect([]byte(content)) {
			t.Errorf("%s is not detected", content)
		}
	}
	line := `{"user":"]}","note":{"a":"}]"},"item":"` + deep + `","rating":4}`
	if Detect([]byte(line)) {
		t.Errorf("%s is taken for tiers", line)
	}
}

func TestParseRefuses(t *testing.T) {
	for content, words := range map[string][]string{
		"":                                       {"empty"},
		" \n":                                    {"empty"},
		"a,b":                                    {":1:", "no JSON"},
		`"a"`:                                    {":1:", "object or list", `"a"`},
		`["a"]`:                                  {":1:5", "a tier is", `"a"`},
		"[[\"a\"],\n [\"b\", false]]":            {":2:", "a text or a number", "false"},
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
		`{"tiers":{"S":"a"}}`:                    {"the text", "JSON list"},
		`{"tiers":3}`:                            {"the number 3", "JSON list"},
		`{"S":["a"],"A":["b","a"]}`:              {"twice", `tier "S"`, `tier "A"`},
		`{"S":["a"],"S":["b"]}`:                  {"twice", `"S"`},
		`{"S":["a"],"A":"b"}`:                    {`no "tiers"`},
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
		strings.Repeat("[", 100000):              {"a text or a number"},
		`{"tiers":[],"x":` + strings.Repeat(`{"a":`, 50): {"cut short"},
		`{"x":` + strings.Repeat("[", 20_000):            {"no JSON", "depth"},
		`[["` + strings.Repeat("a", maxBytes) + `"]]`:    {"more than"},
	} {
		t.Run(fmt.Sprintf("%.40s", content), func(t *testing.T) {
			_, err := Parse(strings.NewReader(content), "test.json")
			checkRefused(t, err, words...)
		})
	}
	if _, err := Parse(iotest.ErrReader(errors.New("unplugged")), "test.json"); err == nil || !strings.Contains(err.Error(), "unplugged") {
		t.Errorf("a broken reader: %v", err)
	}
}

func TestDetect(t *testing.T) {
	for _, content := range []string{`{"user":1,"item":2,"rating":3}`, `["user","item"]`, `{"tiers":3}`, `7`, ``, `user,item`, `{"a":{"tiers":[]}}`, `{"genres":["x"],"user":1,"item":2,"rating":3}`, `{"a":[["b"]]}`, `{}`, `{"a":`} {
		if Detect([]byte(content)) {
			t.Errorf("%s is taken for tiers", content)
		}
	}
	if cut := `{"S":["a","b"],"A":["c`; !Detect([]byte(cut)) {
		t.Errorf("%s is not detected", cut)
	}
	if cut := `{"title":"mine","tiers":[{"name":"S","it`; !Detect([]byte(cut)) {
		t.Errorf("%s is not detected", cut)
	}
}

func FuzzParse(f *testing.F) {
	for _, content := range []string{
		`{"tiers":[{"name":"S","items":["a","b"]},{"name":"A","items":[]}],"unranked":["x"]}`,
		`[["a","b"],["c"]]`, `[[1],[2.50]]`, `{"B":["a"],"S":["b"],"unranked":[1]}`, `{"tiers":{"S":["a"]}}`, `{"x":[{"y":null}],"tiers":[["\ud800"]]}`,
	} {
		f.Add([]byte(content))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		Detect(content)
		tiers, err := Parse(bytes.NewReader(content), "fuzz")
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
		again, err := Parse(bytes.NewReader(out), "again")
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
