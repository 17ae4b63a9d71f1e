package format

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fubini/data/ratings"
)

// TestForms reads every form of tables and tier lists without ceremony: its format by content, and the ratings.
func TestForms(t *testing.T) {
	for _, c := range []struct{ content, format, want string }{
		{"item,rating\na,5\nb,2.5\n", "csv", "me a 5, me b 2.5"},
		{"Title;My Rating;Year\nHeat;4,5;1995\n", "csv", "me Heat 4.5"},
		{"user,title,rating\nann,Heat,4\n", "csv", "ann Heat 4"},
		{"user,item,tier\nann,a,S\nann,b,D\nbob,a,-\nbob,b,unranked\nbob,c,a+\n", "csv", "ann a 3, ann b 1, bob c 2"},
		{"user\titem\ttier\nann\ta\t1\nann\tb\t3\nbob\ta\t2\n", "tsv", "ann a 3, ann b 1, bob a 2"},
		{"user,item,rank\nann,a,1\nann,b,2\nbob,b,1\n", "csv", "ann a 2, ann b 1, bob b 2"},
		{"user,item,grade\nann,a,A+\nann,b,F\n", "csv", "ann a 2, ann b 1"},
		{`{"item":"a","rating":5}` + "\n" + `{"item":"b","rating":"A"}`, "", "line 2 a grade"},
		{`{"item":"a","rating":5}` + "\n" + `{"user":"ann","item":"b","rating":4}`, "", "line 2 has a user and line 1 has none"},
		{`{"title":"a","rating":5}`, "jsonl", "me a 5"},
		{`{"user":"ann","item":"a","tier":"S"}` + "\n" + `{"user":"ann","item":"b","tier":null}` + "\n" + `{"user":"ann","item":"c","tier":"F"}`, "", "the rating is missing"},
		{`{"user":"ann","item":"a","tier":"S"}` + "\n" + `{"user":"ann","item":"b","tier":""}` + "\n" + `{"user":"ann","item":"c","tier":"F"}`, "jsonl", "ann a 2, ann c 1"},
		{"[[296],[50]]", "tiers", "me 296 2, me 50 1"},
		{`{"A":["b"],"S":["a"],"unranked":["c"]}`, "tiers", "me a 2, me b 1"},
		{`{"good":["b"],"bad":["a"]}`, "tiers", "me a 1, me b 2"},
		{"[[\"a\"],[\"b\"]]\n[[\"b\"]]\n", "tierlists", "line 1 a 2, line 1 b 1, line 2 b 1"},
		{`{"person":"ann","tiers":{"F":["b"],"S":[1]}}`, "tierlists", "ann 1 2, ann b 1"},
		{`{"user":"ann","tiers":[["a"],["b"]]}` + "\n" + `{"user":"bob","item":"a","rating":4}` + "\n" + `{"user":"bob","item":"b","rating":2}`, "tierlists", "ann a 4, ann b 2, bob a 4, bob b 2"},
		{"user,item,tier\nann,a,Loved\n", "", `data:2: tier "Loved" is neither a letter`},
		{"user,item,tier\nann,a,0\n", "", `data:2: tier "0" is neither`},
		{"who,item,rating\nann,a,4\n", "", "the user is missing; the columns are who, item, rating; understood are the names user (user, userid,"},
	} {
		set, report, err := ReadStream(strings.NewReader(c.content), "data", Options{})
		if c.format == "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q: %v, want an error with %q", c.content, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.content, err)
			continue
		}
		var all []string
		for u := range set.Users().Len() {
			row := set.Row(u)
			for k, i := range row.Items {
				all = append(all, fmt.Sprintf("%s %s %g", set.Users().ID(uint32(u)), set.Items().ID(i), row.Values[k]))
			}
		}
		if got := strings.Join(all, ", "); got != c.want || report.Format != c.format {
			t.Errorf("%q: %s as %s, want %s", c.content, got, report.Format, c.want)
		}
	}
}

// A time that is none costs itself alone.
func TestBadTimes(t *testing.T) {
	for _, content := range []string{
		"user,item,rating,date\nann,a,4,2001-02-29\nann,b,3,2001-02-28\nann,c,3,\n",
		`{"user":"ann","item":"a","rating":4,"date":"soon"}` + "\n" + `{"user":"ann","item":"b","rating":3,"date":"2/28/2001"}` + "\n" + `{"user":"ann","item":"c","rating":3}`,
		"1::a::4::x\n1::b::3::983318400\n1::c::3::\n",
	} {
		name := "data"
		o := Options{}
		if strings.Contains(content, "::") {
			o.Format = "movielens"
			content = strings.Replace(content, "1::a::4::x\n1::b::3::983318400\n", "1::b::3::983318400\n1::a::4::x\n", 1)
		}
		set, report, err := ReadStream(strings.NewReader(content), name, o)
		if err != nil {
			t.Errorf("%q: %v", content, err)
			continue
		}
		if row := set.Row(0); !slices.Equal(row.Times, []int64{ratings.NoTime, 983318400, ratings.NoTime}) || report.BadTimes != 1 || report.Untimed != 2 || !strings.Contains(report.BadTime, "in line ") {
			t.Errorf("%q: %v, %+v", content, row.Times, report)
		}
	}
}

// Tier lists come back from every form that holds them: their values, and the names of tiers or that these are everybody's own.
func TestTierListsRoundTrip(t *testing.T) {
	ladders := [][]string{{"", "", "", ""}, {"D", "B-", "A", "S"}, {"0.5", "2", "3.5", "10"}, {"never", "perhaps", "often", "always"}}
	rapid.Check(t, func(t *rapid.T) {
		b := ratings.NewBuilder()
		ladder := rapid.SampledFrom(ladders).Draw(t, "names")
		users := rapid.SliceOfNDistinct(drawnID(false), 1, 4, rapid.ID[string]).Draw(t, "users")
		for _, user := range users {
			names := ladder
			if ladder[0] == "" { // only tiers that are used can be told apart
				names = ladder[:rapid.IntRange(1, 4).Draw(t, "tiers")]
			}
			items := rapid.SliceOfNDistinct(drawnID(false), len(names), 6, rapid.ID[string]).Draw(t, "items")
			for k, item := range items {
				level := k + 1
				if level > len(names) {
					level = rapid.IntRange(1, len(names)).Draw(t, "level")
				}
				if err := b.Place([]byte(user), []byte(item), names, level, ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
		set, _, err := b.Build(ratings.Refuse)
		if err != nil {
			t.Fatal(err)
		}
		through := func(from *ratings.Set, format string) *ratings.Set {
			var text bytes.Buffer
			if err := Write(&text, from, Options{Format: format}); err != nil {
				t.Fatal(err)
			}
			again, report, err := ReadStream(bytes.NewReader(text.Bytes()), "data", Options{})
			if err != nil || report.Format != format {
				t.Fatalf("%v, read as %s:\n%s", err, report.Format, text.Bytes())
			}
			if again.Fingerprint() != from.Fingerprint() {
				t.Fatalf("through %s %q became %q:\n%s", format, listed(from), listed(again), text.Bytes())
			}
			return again
		}
		again := through(set, "tierlists")
		if !slices.Equal(again.LevelNames(), set.LevelNames()) || again.Own() != set.Own() {
			t.Fatalf("names %q and own %v became %q and %v", set.LevelNames(), set.Own(), again.LevelNames(), again.Own())
		}
		// As values they come back from any form, and from one to the other.
		through(through(through(set, "csv"), "tierlists"), "jsonl")
	})
}
