package votes

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fubini/data/format"
)

// fruit is a PrefLib file with weights, ties, an order of nobody and one of a single alternative.
const fruit = `# FILE NAME: fruit.toi
# DATA TYPE: toi
# NUMBER ALTERNATIVES: 4
# NUMBER VOTERS: 11
# NUMBER UNIQUE ORDERS: 4
# ALTERNATIVE NAME 1: apple
# ALTERNATIVE NAME 2: pear
# ALTERNATIVE NAME 3: fig
# ALTERNATIVE NAME 4: 
9: 1,2,3
1: {3,2},1
0: 1,4
1: 4
`

// listed writes a set a vote a line: line, tiers with the place of each item behind it, weight, rater, covariates.
func listed(s *Set) string {
	var b strings.Builder
	for v := range s.Len() {
		items, tiers := s.At(v)
		fmt.Fprintf(&b, "%d:", s.Line[v])
		for tier := range slices.Max(tiers) + 1 {
			separator := " "
			if tier > 0 {
				separator = " > "
			}
			for k, item := range items {
				if tiers[k] == tier {
					fmt.Fprintf(&b, "%s%s.%d", separator, s.Name(int(item)), k)
					separator = "="
				}
			}
		}
		fmt.Fprintf(&b, " x%g", s.Weight[v])
		if s.Rater != nil {
			fmt.Fprintf(&b, " by %s", s.Raters[s.Rater[v]])
		}
		if len(s.VoteColumns) > 0 {
			fmt.Fprintf(&b, " %g", s.voteRow(v))
		}
		if len(s.PlaceColumns) > 0 {
			fmt.Fprintf(&b, " %g", s.placeRows(v))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// placeRows are the covariates of all places of a vote, voteRow those of the vote.
func (s *Set) placeRows(v int) []float64 {
	width := len(s.PlaceColumns)
	return s.Place[int(s.Start[v])*width : int(s.Start[v+1])*width]
}

func (s *Set) voteRow(v int) []float64 {
	width := len(s.VoteColumns)
	return s.Vote[v*width : (v+1)*width]
}

func TestForms(t *testing.T) {
	for _, c := range []struct {
		name, content string
		o             Options
		form, want    string
	}{
		{"preflib", fruit, Options{}, "preflib", "10: apple.0 > pear.1 > fig.2 x9\n11: pear.0=fig.1 > apple.2 x1\n"},
		{"categories", "# DATA TYPE: cat\n# NUMBER ALTERNATIVES: 3\n# NUMBER VOTERS: 5\n# NUMBER UNIQUE PREFERENCES: 2\n# NUMBER CATEGORIES: 3\n" +
			"# ALTERNATIVE NAME 1: a\n# ALTERNATIVE NAME 2: b\n# ALTERNATIVE NAME 3: c\n3: {2},{},{1,3}\n2: {},{},{}\n", Options{}, "preflib", "9: b.0 > a.1=c.2 x3\n"},

		{"pairs", "model_a,model_b,winner\nx,y,x\nx,y,model_b\ny,x,tie\nx,z,Tie (bothbad)\nx,z,B\nx,z,left\n", Options{}, "pairs",
			"2: x.0 > y.1 x1\n3: y.1 > x.0 x1\n4: y.0=x.1 x1\n5: x.0=z.1 x1\n6: z.1 > x.0 x1\n7: x.0 > z.1 x1\n"},
		{"pairs with everything", "judge;left;right;outcome;Count;length_a;length_b;hard\nann;x;y;left;2;3,5;4;1\n\nbob;x;y;draw;0,5;1;2;0\n",
			Options{Rater: "auto", Place: []string{"length"}, Votes: []string{"hard"}}, "pairs",
			"2: x.0 > y.1 x2 by ann [1] [3.5 4]\n4: x.0=y.1 x0.5 by bob [0] [1 2]\n"},
		{"tabs, quotes, own columns", "item 1\titem 2\tresult\tn\twho\nx\t\"y\tz\"\t2\t3\t7\n", Options{Weight: "N", Rater: "_Who"}, "pairs", "2: y\tz.1 > x.0 x3 by 7\n"},
		{"both bad left out", "a,b,winner,votes\nx,y,tie (bothbad),7\nx,y,bothbad,2\nx,y,tie,3\n", Options{DropBothBad: true}, "pairs", "4: x.0=y.1 x3\n"},
		{"words for ties", "a,b,winner\nx,y,No difference\nx,y,same\nx,y,no preference\n", Options{}, "pairs", "2: x.0=y.1 x1\n3: x.0=y.1 x1\n4: x.0=y.1 x1\n"},
		{"numbers for names", "a,b,winner\n2,1,1\n3,1,3\n1,2,2\n", Options{}, "pairs", "2: 1.1 > 2.0 x1\n3: 3.0 > 1.1 x1\n4: 2.1 > 1.0 x1\n"},
		{"numbers for names and for sides", "a,b,winner\n2,1,1\n3,4,2\n1,2,2\n", Options{}, "pairs", "2: 2.0 > 1.1 x1\n3: 4.1 > 3.0 x1\n4: 2.1 > 1.0 x1\n"},
		{"winner and loser", "winner,loser,draw,weight,winner_age,loser_age\nx,y,0,1,3,4\nx,y,TRUE,2,5,6\nx,y,,3,7,8\n", Options{Place: []string{"age"}}, "pairs",
			"2: x.0 > y.1 x1 [3 4]\n3: x.0=y.1 x2 [5 6]\n4: x.0 > y.1 x3 [7 8]\n"},
		{"objects", `{"model_a":"x","model_b":"y\u0021","winner":"model_a","turns":[{"a":1}],"easy":true}` + "\n\n" + `{"winner":"tie","easy":false,"model_b":2,"model_a":"x","note":-1.5}`,
			Options{Votes: []string{"easy"}}, "pairs", "1: x.0 > y!.1 x1 [1]\n3: x.0=2.1 x1 [0]\n"},
		{"wins at home", "HomeTeam,AwayTeam,FTR\nx,y,H\nx,y,A\nx,y,D\n", Options{}, "pairs", "2: x.0 > y.1 x1\n3: y.1 > x.0 x1\n4: x.0=y.1 x1\n"},

		{"results", "date,home_team,away_team,home_score,away_score,neutral\n1,x,y,10,9,TRUE\n2,x,y,1,1,FALSE\n3,x,y,NA,NA,TRUE\n4,y,x,0,3,FALSE\n5,y,z,,,\n",
			Options{Votes: []string{"neutral"}}, "results", "2: x.0 > y.1 x1 [1]\n3: x.0=y.1 x1 [0]\n5: x.1 > y.0 x1 [0]\n"},
		{"results of football", "Div,HomeTeam,AwayTeam,FTHG,FTAG,FTR\nE0,x,y,2,0,H\n", Options{}, "results", "2: x.0 > y.1 x1\n"},

		{"tiers", `{"tiers":[["a","b"],["c"]]}` + "\n" + `{"tiers":[[],[3],[],["a"]],"unranked":["b","z"]}` + "\n" + `[["b"],["c","a"]]` + "\n" + `{"tiers":[["a"]]}`, Options{}, "tiers",
			"1: a.0=b.1 > c.2 x1\n2: 3.0 > a.1 x1\n3: b.0 > c.1=a.2 x1\n"},
		{"tiers with everything", `{"user":"ann","weight":2,"tiers":[{"name":"S","items":["a","b"]},{"items":["c"]}],"age":{"a":1,"b":2,"c":3},"late":true}` + "\n" +
			`{"age":{"c":-3,"a":1e1},"late":0.5,"tiers":[["c"],["a"]],"user":7,"weight":1.5}`, Options{Rater: "user", Place: []string{"age"}, Votes: []string{"late"}}, "tiers",
			"1: a.0=b.1 > c.2 x2 by ann [1] [1 2 3]\n2: c.0 > a.1 x1.5 by 7 [0.5] [-3 10]\n"},
		{"one list over lines", "{\n \"tiers\": [\n  {\"name\": \"S\", \"items\": [\"a\", \"b\"]},\n  {\"name\": \"A\", \"items\": []},\n  [\"c\"]\n ]\n}\n", Options{}, "tiers", "1: a.0=b.1 > c.2 x1\n"},
		{"tiers by name", `{"tiers":{"B":["c"],"S":["a",2],"A":[]}}`, Options{}, "tiers", "1: a.0=2.1 > c.2 x1\n"},
		{"drawn tiers", `{"tiers":[[0,2],[1]]}`, Options{}, "tiers", "1: 0.0=2.1 > 1.2 x1\n"},

		{"ratings", "user,item,rating\nu,a,4\nv,b,1\nu,b,5\nu,c,4\n", Options{}, "ratings", "0: b.1 > a.0=c.2 x1\n"},
		{"ratings without a header", "u\ta\t4\nu\tb\t5\nv\ta\t1\nv\tb\t1\n", Options{Rater: "auto"}, "ratings", "0: b.1 > a.0 x1 by u\n0: a.0=b.1 x1 by v\n"},
		{"ratings in JSON", `{"user":"u","item":"a","rating":4}` + "\n" + `{"user":"u","item":"b","rating":-4.5}`, Options{Rater: "user"}, "ratings", "0: a.0 > b.1 x1 by u\n"},

		{"ranks", "apple,pear,fig\n1,2,3\n2,1,2\n1,,\n3.0,NA,1\n0,1,3\n1,1,3\n", Options{Zeros: "unranked"}, "ranks",
			"2: apple.0 > pear.1 > fig.2 x1\n3: pear.1 > apple.0=fig.2 x1\n5: fig.1 > apple.0 x1\n6: pear.0 > fig.1 x1\n7: apple.0=pear.1 > fig.2 x1\n"},
		{"ranks with everything", "id,voter,x,y,z,votes,size_x,size_y,size_3\n1,ann,1,2,2,7,10,20,30\n2,bob,,2,1,3,11,21,31\n", Options{Rater: "auto", Place: []string{"size"}}, "ranks",
			"2: x.0 > y.1=z.2 x7 by ann [10 20 30]\n3: z.1 > y.0 x3 by bob [21 31]\n"},
		{"ranks from 0", "x,y,z\n0,1,2\n1,0,\n0,0,1\n", Options{Zeros: "best"}, "ranks", "2: x.0 > y.1 > z.2 x1\n3: y.1 > x.0 x1\n4: x.0=y.1 > z.2 x1\n"},
		{"ranks in a form", "Timestamp,Rank these [tea],Rank these [a [b]]\n2026/11/01,2,1\n", Options{}, "ranks", "2: a [b].1 > tea.0 x1\n"},
		{"ranks in two forms", "Hot [tea],Cold [tea]\n2,1\n", Options{}, "ranks", "2: Cold [tea].1 > Hot [tea].0 x1\n"},
		{"ranks of nothing in brackets", "Q [tea],Q []\n2,1\n", Options{}, "ranks", "2: Q [].1 > Q [tea].0 x1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := ReadStream(strings.NewReader(c.content), "file", c.o)
			if err != nil {
				t.Fatal(err)
			}
			check(t, s)
			if got := listed(s); got != c.want || s.Counts.Form != c.form {
				t.Errorf("%s:\n%swant %s:\n%s", s.Counts.Form, got, c.form, c.want)
			}
			packed, err := Read(fstest.MapFS{"f.gz": {Data: gzipped(t, c.content)}}, "f.gz", c.o)
			if err != nil || listed(packed) != c.want {
				t.Errorf("packed: %v", err)
			}
		})
	}
}

func gzipped(t *testing.T, content string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(content)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// check holds a set against what its comment promises.
func check(t *testing.T, s *Set) {
	t.Helper()
	n := s.Len()
	if n == 0 || len(s.Start) != n+1 || s.Start[0] != 0 || int(s.Start[n]) != len(s.Item) || len(s.Tier) != len(s.Item) || len(s.Line) != n ||
		s.Rater != nil && len(s.Rater) != n || len(s.Place) != len(s.Item)*len(s.PlaceColumns) || len(s.Vote) != n*len(s.VoteColumns) {
		t.Fatalf("columns of %d votes do not fit: %+v", n, s)
	}
	dropped := 0
	for _, tally := range s.Counts.Dropped {
		dropped += tally.Records
	}
	if s.Counts.Kept+dropped != s.Counts.Records {
		t.Fatalf("%d kept and %d dropped of %d", s.Counts.Kept, dropped, s.Counts.Records)
	}
	for _, list := range [][]string{s.Items, s.Raters} {
		seen := map[string]bool{}
		for _, id := range list {
			if id == "" || seen[id] {
				t.Fatalf("id %q is empty or stands twice", id)
			}
			seen[id] = true
		}
	}
	for v := range n {
		items, tiers := s.At(v)
		if len(items) < 2 {
			t.Fatalf("vote %d has %d items", v, len(items))
		}
		if sorted := slices.Sorted(slices.Values(items)); len(slices.Compact(sorted)) < len(items) || sorted[0] < 0 || int(slices.Max(items)) >= len(s.Items) {
			t.Fatalf("vote %d of items %v", v, items)
		}
		for tier := range slices.Max(tiers) + 1 {
			if slices.Min(tiers) < 0 || !slices.Contains(tiers, tier) {
				t.Fatalf("vote %d in tiers %v", v, tiers)
			}
		}
		if !(s.Weight[v] > 0) || math.IsInf(s.Weight[v], 0) || s.Rater != nil && int(s.Rater[v]) >= len(s.Raters) {
			t.Fatalf("vote %d has weight %g", v, s.Weight[v])
		}
	}
	for _, x := range slices.Concat(s.Place, s.Vote) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("covariate %g", x)
		}
	}
}

func TestCounts(t *testing.T) {
	for _, c := range []struct {
		content string
		o       Options
		want    string
	}{
		{fruit, Options{}, "4 read, 2 kept, weight 10, ties 1; a weight of zero 1 0; fewer than two items 1 1"},
		{"a,b,winner,votes,other\nx,y,bothbad,7,\nx,y,tie,3,\nx,y,a,0,\n", Options{DropBothBad: true},
			"3 read, 1 kept, weight 3, ties 3; a tie of two bad ones 1 7; a weight of zero 1 0; weights votes; ignored other"},
		{"home,away,home_score,away_score\nx,y,1,2\nx,y,,\n", Options{}, "2 read, 1 kept, weight 1, ties 0; no scores 1 1"},
		{"x,y,z,user\n1,1,3,7\n1,5,,7\n1,2,3,8\n2,,,8\n1,1,2,9\n", Options{}, "5 read, 4 kept, weight 4, ties 2; fewer than two items 1 1; gaps 2, competition 1; ignored user"},
		{"x,y,z\n1,2,0\n1,0,0\n1,2,2\n", Options{Zeros: "unranked"}, "3 read, 2 kept, weight 2, ties 1; fewer than two items 1 1; zeros 3"},
		{"x,y,z\n0,1,2\n0,1,1\n", Options{Zeros: "best"}, "2 read, 2 kept, weight 2, ties 1"},
		{"model_a,model_b,winner\nx,y,x\n", Options{Rater: "any"}, "1 read, 1 kept, weight 1, ties 0"},
		{"model_a,model_b,winner,judge\nx,y,x,7\n", Options{Rater: "any"}, "1 read, 1 kept, weight 1, ties 0; raters judge"},
		{`{"tiers":[["a"],["b"]],"unranked":["c","d"],"user":1}` + "\n" + `{"tiers":[],"user":1}`, Options{Rater: "auto"},
			"2 read, 1 kept, weight 1, ties 0; fewer than two items 1 1; raters user; unranked 2"},
		{"a,b,winner\nx,\xe9t\xe9,a\n", Options{}, "1 read, 1 kept, weight 1, ties 0; Latin-1 1"},
	} {
		s, err := ReadStream(strings.NewReader(c.content), "file", c.o)
		if err != nil {
			t.Error(err)
			continue
		}
		check(t, s)
		n := s.Counts
		got := fmt.Sprintf("%d read, %d kept, weight %g, ties %g", n.Records, n.Kept, n.Weight, n.Ties)
		for _, reason := range []string{BothBad, ZeroWeight, OneItem, NotPlayed} {
			if d, some := n.Dropped[reason]; some {
				got += fmt.Sprintf("; %s %d %g", reason, d.Records, d.Weight)
			}
		}
		for _, part := range []struct {
			some bool
			text string
		}{
			{n.Gaps > 0, fmt.Sprintf("; gaps %d, competition %d", n.Gaps, n.Competition)}, {n.WeightColumn != "", "; weights " + n.WeightColumn},
			{n.RaterColumn != "", "; raters " + n.RaterColumn}, {n.Unranked > 0, fmt.Sprintf("; unranked %d", n.Unranked)},
			{n.Zeros > 0, fmt.Sprintf("; zeros %d", n.Zeros)}, {n.Latin1 > 0, fmt.Sprintf("; Latin-1 %d", n.Latin1)},
			{len(n.Ignored) > 0, "; ignored " + strings.Join(n.Ignored, ", ")},
		} {
			if part.some {
				got += part.text
			}
		}
		if got != c.want {
			t.Errorf("%q:\n%s, want\n%s", c.content, got, c.want)
		}
	}
}

// Bad input is refused with the line, the reason and the remedy.
func TestRefuses(t *testing.T) {
	const pairs = "model_a,model_b,winner,weight,judge,len_a,len_b,hard\n"
	everything := Options{Rater: "judge", Place: []string{"len"}, Votes: []string{"hard"}}
	for name, c := range map[string]struct {
		content string
		o       Options
		words   []string
	}{
		"against itself":            {"a,b,winner\nx,y,x\nz,z,z\n", Options{}, []string{"file:3:", `"z" stands twice`, "different items"}},
		"winner not in the pair":    {"a,b,winner\nx,y,z\n", Options{}, []string{"file:2:", `"z"`, `"x"`, "model_a"}},
		"no winner":                 {"a,b,winner\nx,y,\n", Options{}, []string{"file:2:", `winner ""`}},
		"a word or a name":          {"a,b,winner\n2,1,1\n", Options{}, []string{"file:2:", "winner", "model_a"}},
		"words and names":           {"a,b,winner\n3,4,2\n3,4,3\n2,1,1\n", Options{}, []string{"file:4:", "winner"}},
		"an item called tie":        {"a,b,winner\ntie,x,tie\n", Options{}, []string{"file:2:", "rename"}},
		"weight below zero":         {pairs + "x,y,tie,-1,j,1,2,3\n", Options{}, []string{"file:2:", `"-1"`, "below zero", "write 0"}},
		"weight NaN":                {pairs + "x,y,tie,NaN,j,1,2,3\n", Options{}, []string{"file:2:", `"NaN"`, "finite"}},
		"weight infinite":           {pairs + "x,y,tie,1e999,j,1,2,3\n", Options{}, []string{"file:2:", `"1e999"`, "finite"}},
		"weight too large":          {pairs + "x,y,tie,1e300,j,1,2,3\n", Options{}, []string{"file:2:", `"1e300"`, "divide"}},
		"weight missing":            {pairs + "x,y,tie,,j,1,2,3\n", Options{}, []string{"file:2:", "without a weight", "write 1"}},
		"no name":                   {pairs + ",y,tie,1,j,1,2,3\n", Options{}, []string{"file:2:", "without a name"}},
		"no rater":                  {pairs + "x,y,tie,1,,1,2,3\n", everything, []string{"file:2:", "without a rater"}},
		"no covariate of a place":   {pairs + "x,y,tie,1,j,1,,3\n", everything, []string{"file:2:", `"len_b" is missing`, "fill it in"}},
		"no covariate of a vote":    {pairs + "x,y,tie,1,j,1,2,NA\n", everything, []string{"file:2:", `"hard" is missing`}},
		"covariate no number":       {pairs + "x,y,tie,1,j,1,2,much\n", everything, []string{"file:2:", `"hard" is "much"`, "number"}},
		"covariate infinite":        {pairs + "x,y,tie,1,j,1,Inf,3\n", everything, []string{"file:2:", `"Inf"`, "finite"}},
		"no such weight":            {pairs + "x,y,tie,1,j,1,2,3\n", Options{Weight: "n"}, []string{"file:1:", "no column n;", "model_a, model_b, winner, weight, judge"}},
		"no such rater":             {pairs + "x,y,tie,1,j,1,2,3\n", Options{Rater: "who"}, []string{"file:1:", "no column who;", "judge"}},
		"no rater at all":           {"a,b,winner\nx,y,x\n", Options{Rater: "auto"}, []string{"file:1:", "rater", "a, b, winner"}},
		"no such covariate":         {pairs + "x,y,tie,1,j,1,2,3\n", Options{Votes: []string{"easy"}}, []string{"file:1:", "no column easy;", "hard"}},
		"no such place covariate":   {pairs + "x,y,tie,1,j,1,2,3\n", Options{Place: []string{"hard"}}, []string{"file:1:", "hard_a or hard_b", "len_a"}},
		"columns missing":           {"a,b,winner\nx,y\n", Options{}, []string{"file:2:", "2 columns", "header has 3"}},
		"column twice":              {"a,b,winner,winner\nx,y,x,x\n", Options{}, []string{"file:1:", `"winner" stands twice`}},
		"draw unclear":              {"winner,loser,draw\nx,y,perhaps\n", Options{}, []string{"file:2:", `draw "perhaps"`}},
		"score missing":             {"home,away,home_score,away_score\nx,y,1,\n", Options{}, []string{"file:2:", `score ""`, "not played"}},
		"score no number":           {"home,away,home_score,away_score\nx,y,1,two\n", Options{}, []string{"file:2:", `score "two"`}},
		"only unplayed":             {"home,away,home_score,away_score\nx,y,,\n", Options{}, []string{"file:", "no votes", "1 left out: no scores"}},
		"item twice in tiers":       {`{"tiers":[["a"],["b","a"]]}`, Options{}, []string{"file:1:", `"a" stands twice`}},
		"item without a name":       {`{"tiers":[["a"],[""]]}`, Options{}, []string{"file:1:", "without a name"}},
		"item that is a list":       {`{"tiers":[["a"],[["b"]]]}`, Options{}, []string{"file:1:", "without a name"}},
		"no tiers":                  {`{"tiers":[["a"],["b"]]}` + "\n" + `{"tears":[]}`, Options{}, []string{"file:2:", "not one tier list", `write it like`}},
		"two values in a line":      {`{"tiers":[["a"],["b"]]}` + "\n" + `{"tiers":[["a"],["b"]]} {}`, Options{}, []string{"file:2:", "not one tier list"}},
		"broken tiers":              {`{"tiers":[["a"],["b"]]}` + "\n" + `{"tiers":[["a",]]}`, Options{}, []string{"file:2:", "not one tier list"}},
		"tiers twice":               {`{"tiers":[["a"],["b"]],"tiers":[["c"]]}`, Options{}, []string{"file:1:", "stands twice"}},
		"weight from the second on": {`{"tiers":[["a"],["b"]]}` + "\n" + `{"tiers":[["a"],["b"]],"weight":2}`, Options{}, []string{"file:2:", `"weight"`, "first line"}},
		"weight in the first only":  {`{"weight":2,"tiers":[["a"],["b"]]}` + "\n" + `{"tiers":[["a"],["b"]]}`, Options{}, []string{"file:2:", "without a weight"}},
		"covariate of no item":      {`{"x":{"a":1},"tiers":[["a"],["b"]]}`, Options{Place: []string{"x"}}, []string{"file:1:", `"x" of item "b" is missing`}},
		"draw from the second on":   {`{"winner":"x","loser":"y"}` + "\n" + `{"winner":"x","loser":"y","draw":true}`, Options{}, []string{"file:2:", `"draw"`, "every line"}},
		"no object":                 {`{"winner":"x","loser":"y"}` + "\n" + `["x","y"]`, Options{}, []string{"file:2:", "not one JSON object", "write it like"}},
		"key without quotes":        {`{"winner":"x","loser":"y"}` + "\n" + `{winner:"x"}`, Options{}, []string{"file:2:", "not one JSON object"}},
		"key without a value":       {`{"winner":"x","loser":"y"}` + "\n" + `{"winner" "x"}`, Options{}, []string{"file:2:", "not one JSON object"}},
		"number that is none":       {`{"winner":"x","loser":"y"}` + "\n" + `{"winner":01}`, Options{}, []string{"file:2:", "not one JSON object"}},
		"object cut short":          {`{"winner":"x","loser":"y"}` + "\n" + `{"winner":"x"`, Options{}, []string{"file:2:", "not one JSON object"}},
		"no weight in a result":     {"home,away,home_score,away_score,weight\nx,y,1,2,\n", Options{}, []string{"file:2:", "without a weight"}},
		"no weight in ranks":        {"x,y,weight\n1,2,-3\n", Options{}, []string{"file:2:", "below zero"}},
		"no covariate in ranks":     {"x,y,size_x\n1,2,3\n", Options{Place: []string{"size"}}, []string{"file:1:", "size_y or size_2"}},
		"no covariate in tiers":     {`{"tiers":[["a"],["b"]],"late":1}`, Options{Votes: []string{"soon"}}, []string{"file:1:", "no column soon;", "tiers, late"}},
		"no rater in tiers":         {`{"tiers":[["a"],["b"]],"user":null}`, Options{Rater: "user"}, []string{"file:1:", "without a rater"}},
		"side against itself":       {"home,away,home_score,away_score\nx,x,1,2\n", Options{}, []string{"file:2:", "stands twice"}},
		"key twice":                 {`{"winner":"x","loser":"y","winner":"y"}`, Options{}, []string{"file:1:", "stands twice"}},
		"a list of objects":         {`[{"model_a":"x","model_b":"y","winner":"tie"}]`, Options{}, []string{"file:", "one object a line", "jq"}},
		"rank 0":                    {"x,y,z\n1,2,3\n0,1,2\n", Options{}, []string{"file:3:", `rank 0, in column "x"`, "say which"}},
		"ratings with a weight":     {"user,item,rating,weight\nu,a,1,2\nu,b,2,2\n", Options{}, []string{"file: ", `column "weight"`, "take it out"}},
		"ratings with a count":      {`{"user":"u","item":"a","rating":4,"count":2}` + "\n", Options{}, []string{"file: ", `column "count"`}},
		"rank no number":            {"x,y,z\n1,2,3\n1,2,b\n", Options{}, []string{"file:3:", `rank "b" in column "z"`, "whole number from 1"}},
		"rank in halves":            {"x,y,z\n1,2,3\n1,2.5,2.5\n", Options{}, []string{"file:3:", `rank "2.5" in column "y"`, "same rank"}},
		"rank below zero":           {"x,y,z\n1,2,3\n-1,2,3\n", Options{}, []string{"file:3:", `"-1"`}},
		"no ranks":                  {"x,y,z\nfoo,2,b\n", Options{}, []string{"file:2:", `"foo" in column "x"`, "model_a", "winner=Who"}},
		"item without a column":     {"x,,z\n1,2,3\n", Options{}, []string{"file:1:", "column 2 has no name"}},
		"one item":                  {"x,weight\n1,2\n", Options{}, []string{"file:1:", "at least two"}},
		"ratings twice":             {"user,item,rating\nu,a,1\nu,b,2\nu,a,3\n", Options{}, []string{"file:", "rated twice"}},
		"ratings with weights":      {"user,item,rating\nu,a,1\nu,b,2\n", Options{Weight: "rating"}, []string{"file:", `no column "rating"`}},
		"raters in preflib":         {fruit, Options{Rater: "auto"}, []string{"file:", `no column "auto"`, "preflib"}},
		"preflib twice":             {strings.Replace(fruit, "{3,2},1", "{3,2},3", 1), Options{}, []string{"file:11:", "alternative 3 twice"}},
		"nothing":                   {"", Options{}, []string{"file:", "the file is empty", "model_a"}},
		"nothing but blanks":        {"\n \n", Options{}, []string{"file:", "the file is empty", "tiers"}},
		"only a header":             {"a,b,winner\n", Options{}, []string{"file:", "only a header", "one vote a line"}},
		"one weight of zero":        {"a,b,winner,weight\nx,y,x,0\n", Options{}, []string{"file:", "no votes among 1 record; 1 left out", "weight above zero"}},
		"prose":                     {"What is this?\nNobody knows.\n", Options{}, []string{"file:", "What is this?", "model_a", "tiers"}},
		"prose in JSON":             {`{"what":"is this"}`, Options{}, []string{"file:", "model_a", "tiers"}},
		"UTF-16":                    {"\xff\xfea\x00,\x00", Options{}, []string{"file:1:", "UTF-16"}},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, c.content, c.o, c.words)
		})
	}
	defer func(before int) { maxEntries = before }(maxEntries)
	maxEntries = 3
	if _, err := ReadStream(strings.NewReader("a,b,winner\nx,y,x\nx,y,x\n"), "file", Options{}); err == nil || !strings.Contains(err.Error(), "file:3: more than 3 places") {
		t.Errorf("beyond the limit: %v", err)
	}
}

// byItem sums the weights of the votes that place the same items in the same tiers, in whatever order they are written.
func byItem(s *Set) map[string]float64 {
	weights := map[string]float64{}
	for v := range s.Len() {
		items, tiers := s.At(v)
		var places []string
		for k, item := range items {
			places = append(places, fmt.Sprint(s.Items[item], ":", tiers[k]))
		}
		slices.Sort(places)
		weights[fmt.Sprint(places)] += s.Weight[v]
	}
	return weights
}

// Orders with their counts are the votes of all voters, one by one, as ratings have them.
func TestPrefLibIsNotExpanded(t *testing.T) {
	files := fstest.MapFS{"fruit.toi": {Data: []byte(fruit)}}
	if root := os.Getenv("FUBINI_DATA"); root != "" {
		found, err := filepath.Glob(filepath.Join(root, "preflib", "*.[st]o[ci]"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files[filepath.Base(path)] = &fstest.MapFile{Data: data}
		}
	}
	for name := range files {
		weighted, err := Read(files, name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		table, _, err := format.Read(files, name, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		expanded := newBuilder(Options{})
		if err := expanded.addRatings(name, table); err != nil {
			t.Fatal(err)
		}
		check(t, weighted)
		if float64(expanded.Len()) != weighted.Counts.Weight || !maps.Equal(byItem(weighted), byItem(&expanded.Set)) {
			t.Errorf("%s: %d votes, and %g by their weights", name, expanded.Len(), weighted.Counts.Weight)
		}
	}
}

// Votes in a zip, and ratings in a known folder, are read as package format reads them.
func TestReadOpens(t *testing.T) {
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	w, err := z.Create("votes.csv")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("winner,loser\nx,y\n")); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{"votes.zip": {Data: packed.Bytes()}, "ml/ratings.csv": {Data: []byte("userId,movieId,rating,timestamp\n1,10,5,1\n1,20,3,2\n")},
		"ml/movies.csv": {Data: []byte("movieId,title,genres\n10,Alien,x\n20,Brazil,y\n")}, "bad.csv": {Data: []byte("winner,loser\nx,x\n")}}
	for name, want := range map[string]string{"votes.zip": "2: x.0 > y.1 x1\n", "ml": "0: Alien.0 > Brazil.1 x1\n"} {
		s, err := Read(files, name, Options{})
		if err != nil || listed(s) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]string{"none.csv": "shown: file does not exist", "bad.csv": "shown:2: item"} {
		if _, err := Read(files, name, Options{Name: "shown"}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The public votes on language models, as both files of them have it.
func TestArena(t *testing.T) {
	root := os.Getenv("FUBINI_DATA")
	if root == "" {
		t.Skip("needs FUBINI_DATA")
	}
	folder := filepath.Join(root, "arena")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("FUBINI_DATA has no arena")
	}
	for _, name := range []string{"arena.csv", "arena.toi"} {
		s, err := Read(os.DirFS(folder), name, Options{DropBothBad: true})
		if err != nil {
			t.Fatal(err)
		}
		check(t, s)
		if len(s.Items) != 129 || s.Counts.Weight != 1374996 || s.Counts.Ties != 281121 || s.Len() != 10212 {
			t.Errorf("%s: %d items, %d rows, %g votes, %g ties", name, len(s.Items), s.Len(), s.Counts.Weight, s.Counts.Ties)
		}
	}
}

func BenchmarkArena(b *testing.B) {
	folder := filepath.Join(os.Getenv("FUBINI_DATA"), "arena")
	if _, err := os.Stat(filepath.Join(folder, "arena.csv")); err != nil {
		b.Skip("FUBINI_DATA has no arena")
	}
	for b.Loop() {
		if _, err := Read(os.DirFS(folder), "arena.csv", Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		fruit, "a,b,winner\nx,y,x\n2,1,1\n3,1,3\n", "judge;left;right;outcome;count;l_a;l_b;h\nann;x;y;left;2;3,5;4;1\n", "winner,loser,draw\nx,y,1\n",
		"home,away,home_score,away_score\nx,y,1,2\nx,y,,\n", `{"model_a":"x","model_b":"y\n","winner":"tie","h":true,"l_1":1,"l_2":2,"user":[]}`,
		`{"user":"u","count":2,"tiers":[["a",1],{"items":["c"]}],"unranked":["d"],"h":1,"l":{"a":1,"1":2,"c":3}}`, "[[\"a\"],[\"b\"]]\n", "{\n\"tiers\":[[\"a\"],[\"b\"]]}",
		"user,item,rating\nu,a,4\nu,b,5\n", "u\ta\t4\nu\tb\t5\n", "voter,x,y,z,weight\nu,1,2,2,1\nu,3,,1,0.5\n", "x\ty\n1\t5\n", "\"x\n\",y\n1,2\n", "x,y,winner\n\xff,\x00,1",
	} {
		f.Add([]byte(seed), uint8(0))
		f.Add([]byte(seed), uint8(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, options uint8) {
		var o Options
		if options&1 != 0 {
			o.Rater, o.DropBothBad = "auto", true
		}
		if options&2 != 0 {
			o.Votes, o.Place = []string{"h"}, []string{"l"}
		}
		s, err := ReadStream(bytes.NewReader(data), "name", o)
		if err != nil {
			if s != nil || !strings.HasPrefix(err.Error(), "name") {
				t.Fatalf("%v", err)
			}
			return
		}
		check(t, s)
	})
}

// refused reads what must be refused, with an error that has some words, and returns the error.
func refused(t *testing.T, content string, o Options, words []string) error {
	t.Helper()
	s, err := ReadStream(strings.NewReader(content), "file", o)
	if err == nil {
		t.Fatalf("read as %s", listed(s))
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not in the error: %v", word, err)
		}
	}
	return err
}
