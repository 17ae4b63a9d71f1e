package preflib

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fubini/data/codec"
	"fubini/data/codec/codectest"
	"fubini/data/ratings"
	"fubini/data/text"
)

// A small file of our own, with a new header and with an old one.
const (
	fruitToi = `# FILE NAME: fruit.toi
# TITLE: Fruit
# DESCRIPTION: 
# DATA TYPE: toi
# NUMBER ALTERNATIVES: 4
# NUMBER VOTERS: 12
# NUMBER UNIQUE ORDERS: 4
# ALTERNATIVE NAME 1: apple
# ALTERNATIVE NAME 2: pear, the green one
# ALTERNATIVE NAME 3: fig: dried
# ALTERNATIVE NAME 4: 
9: 1,2,3,4
1: {3,2},1
1: 4
1: 1, {2,3,4}
`
	fruitOld = `4
1,apple
2,pear, the green one
3,fig: dried
4,
12,12,4
9,1,2,3,4
1,{3,2},1
1,4
1,1,{2,3,4}
`
	fruitCat = `# DATA TYPE: cat
# NUMBER ALTERNATIVES: 3
# NUMBER VOTERS: 6
# NUMBER UNIQUE PREFERENCES: 4
# NUMBER CATEGORIES: 3
# CATEGORY NAME 1: Yes
# CATEGORY NAME 2: Perhaps
# CATEGORY NAME 3: No
# ALTERNATIVE NAME 1: apple
# ALTERNATIVE NAME 2: pear
# ALTERNATIVE NAME 3: fig
3: 1,{},{2,3}
1: {}, {}, {1,2,3}
1: {1,2,3},{},{}
1: {},{},{}
`
)

// fruitRows is what the voters say.
func fruitRows(incomplete string) string {
	var content strings.Builder
	for v := 1; v <= 9; v++ {
		fmt.Fprintf(&content, "%02d 1=4 2=3 3=2 4=1\n", v)
	}
	if incomplete == "top" {
		content.WriteString("10 1=2 2=3 3=3 4=1\n11 1=1 2=1 3=1 4=2\n")
	} else {
		content.WriteString("10 1=1 2=2 3=2\n11 4=1\n")
	}
	content.WriteString("12 1=2 2=1 3=1 4=1\n")
	return content.String()
}

func TestPrefLibReads(t *testing.T) {
	latin := strings.Replace(fruitOld, "apple", "p\xe2t\xe9", 1)
	for name, content := range map[string]string{
		"new":              fruitToi,
		"old":              fruitOld,
		"carriage returns": strings.ReplaceAll(fruitToi, "\n", "\r\n"),
		"byte-order mark":  "\ufeff" + fruitToi,
		"old, BOM":         "\ufeff" + fruitOld,
		"blank lines":      strings.ReplaceAll(fruitToi, "\n9:", "\n\n9:") + "\n \n",
		"no last newline":  strings.TrimSpace(fruitToi),
		"Latin-1":          latin,
		"comment":          "# only a remark\n" + fruitToi,
		"without a type":   strings.Replace(fruitToi, "# DATA TYPE: toi\n", "", 1),
	} {
		for _, incomplete := range []string{"", "subset", "top"} {
			s, counts, err := codectest.ReadBytes(&Codec, []byte(content), codec.Options{Incomplete: incomplete})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if got, want := codectest.Spell(s), fruitRows(incomplete); got != want {
				t.Errorf("%s, %q:\n%swant\n%s", name, incomplete, got, want)
			}
			if counts.Lines != 12 || len(counts.Dropped) != 0 {
				t.Errorf("%s: %d voters, dropped %v", name, counts.Lines, counts.Dropped)
			}
			if got := distinctOrders(s); got != 4 {
				t.Errorf("%s: %d distinct orders", name, got)
			}
			apple, _ := s.Items().Find("1")
			if got := s.Items().Name(apple); got != "apple" && got != "pâté" {
				t.Errorf("%s: alternative 1 is called %q", name, got)
			}
			four, _ := s.Items().Find("4")
			if got := s.Items().Name(four); got != "4" {
				t.Errorf("%s: alternative 4, which has an empty name, is called %q", name, got)
			}
		}
		if name != "comment" && !Codec.Detect([]byte(content)) {
			t.Errorf("%s: not detected", name)
		}
	}
}

func TestPrefLibCategories(t *testing.T) {
	for _, content := range []string{fruitCat, strings.Replace(fruitCat, "# DATA TYPE: cat\n", "", 1)} {
		s, counts, err := codectest.ReadBytes(&Codec, []byte(content), codec.Options{Incomplete: "top"})
		if err != nil {
			t.Fatal(err)
		}
		const yes = "1=3 2=1 3=1\n"
		want := "1 " + yes + "2 " + yes + "3 " + yes + "4 1=1 2=1 3=1\n5 1=3 2=3 3=3\n"
		if got := codectest.Spell(s); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
		if counts.Lines != 6 || counts.Dropped["voter without an item in any category"] != 1 {
			t.Errorf("%d voters, dropped %v", counts.Lines, counts.Dropped)
		}
		if got := distinctOrders(s); got != 3 {
			t.Errorf("%d distinct preferences", got)
		}
	}
}

// Every voter of an order without items is counted and has a number: those behind them keep theirs.
func TestPrefLibVotersWithoutItems(t *testing.T) {
	content := strings.NewReplacer("VOTERS: 6", "VOTERS: 7", "1: {1,2,3},{},{}\n1: {},{},{}\n", "2: {},{},{}\n1: {1,2,3},{},{}\n").Replace(fruitCat)
	s, counts, err := codectest.ReadBytes(&Codec, []byte(content), codec.Options{Incomplete: "top"})
	if err != nil {
		t.Fatal(err)
	}
	const yes = "1=3 2=1 3=1\n"
	if got, want := codectest.Spell(s), "1 "+yes+"2 "+yes+"3 "+yes+"4 1=1 2=1 3=1\n7 1=3 2=3 3=3\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if counts.Lines != 7 || counts.Dropped["voter without an item in any category"] != 2 {
		t.Errorf("%d voters, dropped %v", counts.Lines, counts.Dropped)
	}
}

func TestPrefLibCountsUnplacedAlternatives(t *testing.T) {
	content := strings.NewReplacer("1: 1, {2,3,4}\n", "", "1: 4\n", "", "9: 1,2,3,4", "11: 1,2,3", "ORDERS: 4", "ORDERS: 2").Replace(fruitToi)
	s, counts, err := codectest.ReadBytes(&Codec, []byte(content), codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Items().Len() != 3 || counts.Dropped["alternative that nobody placed"] != 1 {
		t.Errorf("%d items, dropped %v", s.Items().Len(), counts.Dropped)
	}
}

func TestPrefLibRefuses(t *testing.T) {
	edit := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(fruitToi) }
	old := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(fruitOld) }
	cat := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(fruitCat) }
	for name, c := range map[string]struct {
		content string
		words   []string
	}{
		"empty":                       {"", []string{"empty"}},
		"not PrefLib":                 {"user,item\n", []string{":1:", "user,item"}},
		"header only":                 {fruitToi[:strings.Index(fruitToi, "9:")], []string{"without an order"}},
		"no number of voters":         {edit("# NUMBER VOTERS: 12\n", ""), []string{"NUMBER VOTERS"}},
		"number of voters twice":      {edit("# NUMBER VOTERS: 12\n", "# NUMBER VOTERS: 12\n# NUMBER VOTERS: 12\n"), []string{":7:", "twice"}},
		"no number":                   {edit("VOTERS: 12", "VOTERS: twelve"), []string{":6:", "twelve"}},
		"negative number":             {edit("VOTERS: 12", "VOTERS: -12"), []string{":6:", "-12"}},
		"huge number":                 {edit("VOTERS: 12", "VOTERS: 99999999999999999999"), []string{":6:"}},
		"too many alternatives":       {edit("ALTERNATIVES: 4", "ALTERNATIVES: 5"), []string{"5 alternatives", "names 4"}},
		"too few alternatives":        {edit("ALTERNATIVES: 4", "ALTERNATIVES: 3"), []string{"3 alternatives", "names 4"}},
		"no alternatives":             {"# NUMBER ALTERNATIVES: 0\n# NUMBER VOTERS: 0\n# NUMBER UNIQUE ORDERS: 0\n", []string{"0 alternatives"}},
		"name twice":                  {edit("NAME 2", "NAME 1"), []string{":9:", "twice"}},
		"name out of range":           {edit("NAME 2", "NAME 7"), []string{"does not name number 2"}},
		"name without a number":       {edit("NAME 2", "NAME two"), []string{":9:", "two"}},
		"too few voters":              {edit("VOTERS: 12", "VOTERS: 11"), []string{":15:", "11 voters", "12"}},
		"too many voters":             {edit("VOTERS: 12", "VOTERS: 13"), []string{"13 voters", "12"}},
		"unique orders":               {edit("ORDERS: 4", "ORDERS: 5"), []string{"5 unique orders", "there are 4"}},
		"the same order twice":        {edit("1: 4\n", "1: 1,2,3,4\n"), []string{"4 unique orders", "there are 3"}},
		"truncated":                   {fruitToi[:len(fruitToi)-len("1: 1, {2,3,4}\n")], []string{":14:", "12 voters", "11"}},
		"unknown type":                {edit("TYPE: toi", "TYPE: wmd"), []string{":4:", "wmd"}},
		"ties in soi":                 {edit("TYPE: toi", "TYPE: soi"), []string{":13:", "soi"}},
		"incomplete toc":              {edit("TYPE: toi", "TYPE: toc"), []string{":13:", "toc"}},
		"header after orders":         {fruitToi + "# TITLE: again\n", []string{":16:", "TITLE"}},
		"no colon":                    {edit("9: ", "9 "), []string{":12:", "9 1,2,3,4"}},
		"no count":                    {edit("9: ", ": "), []string{":12:"}},
		"count of none":               {edit("9: ", "0: "), []string{":15:", "12 voters; there are 3"}},
		"unknown alternative":         {edit("1,2,3,4", "1,2,3,5"), []string{":12:", "alternative 5"}},
		"alternative 0":               {edit("1,2,3,4", "0,1,2,3"), []string{":12:", "alternative 0"}},
		"alternative twice":           {edit("1,2,3,4", "1,2,3,1"), []string{":12:", "alternative 1 twice"}},
		"alternative twice in a tier": {edit("{3,2}", "{3,3}"), []string{":13:", "alternative 3 twice"}},
		"a name for a number":         {edit("1,2,3,4", "1,2,fig,4"), []string{":12:", "'f'"}},
		"opening brace":               {edit("{3,2},1", "{3,2,1"), []string{":13:", "unbalanced"}},
		"closing brace":               {edit("{3,2},1", "3,2},1"), []string{":13:", "unbalanced"}},
		"nested braces":               {edit("{3,2},1", "{{3,2},1}"), []string{":13:", "unbalanced"}},
		"empty tier":                  {edit("{3,2},1", "{},1"), []string{":13:", "empty tier"}},
		"empty order":                 {edit("1: 4\n", "1:\n"), []string{":14:", "no alternative"}},
		"trailing comma":              {edit("{3,2},1", "{3,2},1,"), []string{":13:", "comma"}},
		"comma in a tier":             {edit("{3,2},1", "{3,},1"), []string{":13:", "comma"}},
		"two commas":                  {edit("1,2,3,4", "1,,3,4"), []string{":12:", "comma"}},
		"no comma":                    {edit("1,2,3,4", "1 2,3,4"), []string{":12:", "comma"}},
		"no comma before a brace":     {edit("1, {2", "1{2"), []string{":15:", "comma"}},
		"long line":                   {edit("9: 1", "9: "+strings.Repeat("1,", text.MaxLine)+"1"), []string{":12:", "longer"}},
		"NUL":                         {edit("apple", "app\x00e"), []string{":8:", "NUL"}},
		"old, alternatives":           {old("4\n1,apple", "5\n1,apple"), []string{":6:"}},
		"old, too few alternatives":   {old("4\n1,apple", "3\n1,apple"), []string{":5:"}},
		"old, voters":                 {old("12,12,4", "13,12,4"), []string{"13 voters"}},
		"old, sum":                    {old("12,12,4", "12,13,4"), []string{"sum to 13"}},
		"old, unique orders":          {old("12,12,4", "12,12,3"), []string{"3 unique orders"}},
		"old, counts":                 {old("12,12,4", "12,4"), []string{":6:", "12,4"}},
		"old, ends in names":          {"4\n1,apple\n", []string{"ends before"}},
		"old, ends before counts":     {"1\n1,apple\n", []string{"ends before"}},
		"old, no orders":              {"1\n1,apple\n0,0,0\n", []string{"without an order"}},
		"categories":                  {cat("CATEGORIES: 3", "CATEGORIES: 2"), []string{"2 categories", "names 3"}},
		"categories of a line":        {cat("3: 1,{},{2,3}", "3: 1,{2,3}"), []string{":12:", "2 categories"}},
		"no number of categories":     {cat("# NUMBER CATEGORIES: 3\n", ""), []string{"NUMBER CATEGORIES"}},
		"category twice":              {cat("{1,2,3},{},{}", "{1,2,3},{1},{}"), []string{":14:", "alternative 1 twice"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := codectest.ReadBytes(&Codec, []byte(c.content), codec.Options{})
			codectest.CheckRefused(t, err, c.words...)
		})
	}
	if _, _, err := codectest.ReadBytes(&Codec, []byte(fruitToi), codec.Options{Incomplete: "bottom"}); err == nil || !strings.Contains(err.Error(), "bottom") {
		t.Errorf("incomplete orders read as bottom: %v", err)
	}
}

// A line of 20 bytes may not fill the memory.
func TestPrefLibLimits(t *testing.T) {
	content := func(voters int) []byte {
		n := strconv.Itoa(voters)
		return []byte("2\n1,a\n2,b\n" + n + "," + n + ",1\n" + n + ",1,2\n")
	}
	_, _, err := codectest.ReadBytes(&Codec, content(999999999), codec.Options{})
	codectest.CheckRefused(t, err, ":5:", "999999999 voters")
	defer func(before int) { maxVoterPlacement = before }(maxVoterPlacement)
	maxVoterPlacement = 100
	if _, _, err := codectest.ReadBytes(&Codec, content(50), codec.Options{}); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	_, _, err = codectest.ReadBytes(&Codec, content(51), codec.Options{})
	codectest.CheckRefused(t, err, ":5:", "100 ratings")
}

func TestPrefLibWrites(t *testing.T) {
	for _, c := range []struct {
		name string
		rows [][3]any
		want string
	}{
		{"strict, complete, numbered", [][3]any{{"u", "1", 3.5}, {"u", "2", 1.}, {"v", "1", 1.}, {"v", "2", 5.}, {"w", "1", 0.}, {"w", "2", .5}},
			"# DATA TYPE: soc\n# MODIFICATION TYPE: original\n# NUMBER ALTERNATIVES: 2\n# NUMBER VOTERS: 3\n# NUMBER UNIQUE ORDERS: 2\n" +
				"# ALTERNATIVE NAME 1: 1\n# ALTERNATIVE NAME 2: 2\n2: 2,1\n1: 1,2\n"},
		{"ties, incomplete, named", [][3]any{{"u", "pear", 3.}, {"u", "fig", 3.}, {"u", "apple", 4.}, {"v", "pear", 1.}},
			"# DATA TYPE: toi\n# MODIFICATION TYPE: original\n# NUMBER ALTERNATIVES: 3\n# NUMBER VOTERS: 2\n# NUMBER UNIQUE ORDERS: 2\n" +
				"# ALTERNATIVE NAME 1: apple\n# ALTERNATIVE NAME 2: fig\n# ALTERNATIVE NAME 3: pear\n1: 1,{2,3}\n1: 3\n"},
	} {
		if got := string(codectest.WriteTwice(t, &Codec, codectest.SetOf(t, c.rows...), codec.Options{})); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
	one := codectest.SetOf(t, [3]any{"u", "a\nb", 1.})
	if err := Codec.Write(&bytes.Buffer{}, one, codec.Options{}); err == nil || !strings.Contains(err.Error(), "one line") {
		t.Errorf("a name of two lines: %v", err)
	}
	if err := Codec.Write(&bytes.Buffer{}, codectest.SetOf(t), codec.Options{}); err == nil {
		t.Errorf("an empty set was written")
	}
	tie := codectest.SetOf(t, [3]any{"u", "a", 1.}, [3]any{"u", "b", 1.})
	if err := Codec.Write(&bytes.Buffer{}, tie, codec.Options{Format: "soc"}); err == nil || !strings.Contains(err.Error(), "toc") {
		t.Errorf("ties as soc: %v", err)
	}
}

// The orders come back, each as often; the ids of users, and values beyond the
// order they make, do not.
func TestPrefLibRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.OneOf(codectest.PlainID, rapid.StringMatching(`[1-9]`))
		s := codectest.DrawSet(t, ids, codectest.AnyLevel, 8, false)
		again := codectest.RoundTrip(t, &Codec, s, codec.Options{})
		if got, want := ordersOf(again), ordersOf(s); !slices.Equal(got, want) {
			t.Fatalf("orders %q were %q", got, want)
		}
		if got := kindOf(again); got != kindOf(s) {
			t.Fatalf("type %s was %s", got, kindOf(s))
		}
		once, twice := codectest.WriteTwice(t, &Codec, s, codec.Options{}), codectest.WriteTwice(t, &Codec, again, codec.Options{})
		if !bytes.Equal(once, twice) {
			t.Fatalf("written again:\n%s\nwas\n%s", twice, once)
		}
	})
}

// Orders that no voter gave are read and counted: PrefLib has such files.
func TestOrdersOfNobody(t *testing.T) {
	content, err := os.ReadFile("testdata/nobody.soc")
	if err != nil {
		t.Fatal(err)
	}
	set, report, err := codectest.ReadBytes(&Codec, content, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if set.Users().Len() != 5 || set.Len() != 15 || report.Lines != 5 || report.Dropped["order of no voter"] != 2 || len(report.Dropped) != 1 {
		t.Errorf("%d voters, %d ratings, %+v", set.Users().Len(), set.Len(), report)
	}
	// A header may leave them out of its count; any other number is wrong.
	for orders, fine := range map[string]bool{"4": true, "3": false, "2": true, "1": false, "5": false} {
		changed := bytes.Replace(content, []byte("ORDERS: 4"), []byte("ORDERS: "+orders), 1)
		if _, _, err := codectest.ReadBytes(&Codec, changed, codec.Options{}); (err == nil) != fine {
			t.Errorf("%s unique orders: %v", orders, err)
		}
	}
	// An alternative that stands in such an order alone was placed by nobody.
	alone := "# DATA TYPE: toi\n# NUMBER ALTERNATIVES: 2\n# NUMBER VOTERS: 1\n# NUMBER UNIQUE ORDERS: 2\n# ALTERNATIVE NAME 1: apple\n# ALTERNATIVE NAME 2: pear\n1: 1\n0: 2,1\n"
	_, report, err = codectest.ReadBytes(&Codec, []byte(alone), codec.Options{})
	if err != nil || report.Dropped["alternative that nobody placed"] != 1 || report.Dropped["order of no voter"] != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}

// Orders may be written as any type that allows for more than they have, and read back.
func TestStricterOrdersAreWritten(t *testing.T) {
	orders := map[string][][3]any{
		"soc": {{"ann", "x", 3.}, {"ann", "y", 2.}, {"bob", "x", 1.}, {"bob", "y", 2.}},
		"soi": {{"ann", "x", 3.}, {"ann", "y", 2.}, {"bob", "x", 1.}},
		"toc": {{"ann", "x", 3.}, {"ann", "y", 3.}, {"bob", "x", 1.}, {"bob", "y", 2.}},
		"toi": {{"ann", "x", 3.}, {"ann", "y", 3.}, {"bob", "x", 1.}},
	}
	allowed := map[string]string{"soc": "soc soi toc toi", "soi": "soi toi", "toc": "toc toi", "toi": "toi"}
	for kind, rows := range orders {
		set := codectest.SetOf(t, rows...)
		if kindOf(set) != kind {
			t.Fatalf("%s: %s", kind, kindOf(set))
		}
		for _, wanted := range []string{"soc", "soi", "toc", "toi", "cat"} {
			var out bytes.Buffer
			err := Codec.Write(&out, set, codec.Options{Format: wanted})
			if fine := slices.Contains(strings.Fields(allowed[kind]), wanted); (err == nil) != fine {
				t.Errorf("%s as %s: %v", kind, wanted, err)
			}
			if err != nil {
				continue
			}
			if !strings.HasPrefix(out.String(), "# DATA TYPE: "+wanted+"\n") {
				t.Errorf("%s as %s: %s", kind, wanted, &out)
			}
			again, _, err := codectest.ReadBytes(&Codec, out.Bytes(), codec.Options{})
			if err != nil || !slices.Equal(ordersOf(again), ordersOf(set)) {
				t.Errorf("%s as %s comes back otherwise: %v", kind, wanted, err)
			}
		}
	}
}

// ordersOf spells every user's order by names, sorted. With ids 1 to n the
// names are the ids; otherwise the ids become names.
func ordersOf(s *ratings.Set) []string {
	var orders []string
	for u := range s.Users().Len() {
		var content strings.Builder
		for _, tier := range codec.TiersOf(s, u).Tiers {
			var names []string
			for _, id := range tier.Items {
				n, _ := s.Items().Find(id)
				names = append(names, s.Items().Name(n))
			}
			slices.Sort(names)
			fmt.Fprintf(&content, "%q", names)
		}
		orders = append(orders, content.String())
	}
	slices.Sort(orders)
	return orders
}

// TestPrefLibFiles reads real files and compares with PrefLib's own tools.
func TestPrefLibFiles(t *testing.T) {
	data := os.Getenv("FUBINI_DATA")
	if data == "" {
		t.Skip("FUBINI_DATA is not set: no PrefLib files to read")
	}
	folder := filepath.Join(data, "preflib")
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("no PrefLib files: %v", err)
	}
	var golden struct {
		Command string
		Files   []struct {
			File, SHA256, Type                             string
			Voters, Alternatives, Used, Orders, Placements int
		}
	}
	content, err := os.ReadFile("testdata/preflib.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &golden); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, want := range golden.Files {
		known[want.File] = true
		t.Run(want.File, func(t *testing.T) {
			content, err := os.ReadFile(filepath.Join(folder, want.File))
			if err != nil {
				t.Fatal(err)
			}
			if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != want.SHA256 {
				t.Fatalf("the file is not the one that %q read", golden.Command)
			}
			if !Codec.Detect(content[:min(len(content), 4096)]) {
				t.Error("not detected")
			}
			s, counts, err := codectest.ReadBytes(&Codec, content, codec.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if s.Users().Len() != want.Voters || counts.Lines != want.Voters {
				t.Errorf("%d voters, %d of them users; want %d", counts.Lines, s.Users().Len(), want.Voters)
			}
			if got := s.Items().Len() + counts.Dropped["alternative that nobody placed"]; got != want.Alternatives || s.Items().Len() != want.Used {
				t.Errorf("%d alternatives, %d of them placed; want %d and %d", got, s.Items().Len(), want.Alternatives, want.Used)
			}
			if got := distinctOrders(s); got != want.Orders {
				t.Errorf("%d distinct orders; want %d", got, want.Orders)
			}
			if s.Len() != want.Placements {
				t.Errorf("%d ratings; want %d", s.Len(), want.Placements)
			}
			top, _, err := codectest.ReadBytes(&Codec, content, codec.Options{Incomplete: "top"})
			if err != nil {
				t.Fatal(err)
			}
			if want.Type != "cat" && top.Len() != want.Voters*want.Alternatives {
				t.Errorf("%d ratings with the others below; want %d", top.Len(), want.Voters*want.Alternatives)
			}
			if want.Type == "cat" {
				return
			}
			if got := kindOf(s); got != want.Type {
				t.Errorf("type %s", got)
			}
			codectest.CheckSame(t, codectest.RoundTrip(t, &Codec, s, codec.Options{}), s)
		})
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if slices.Contains(types, filepath.Ext(entry.Name())) && !known[entry.Name()] {
			t.Errorf("%s has no golden counts: run peers/preflib.py", entry.Name())
		}
	}
}

func FuzzPrefLib(f *testing.F) {
	for _, content := range []string{fruitToi, fruitOld, fruitCat, "1\n1,a\n1,1,1\n1,1\n"} {
		f.Add([]byte(content), false)
	}
	voters, placements := maxVoters, maxVoterPlacement
	f.Cleanup(func() { maxVoters, maxVoterPlacement = voters, placements })
	maxVoters, maxVoterPlacement = 1<<12, 1<<14 // counts are cheap to write and dear to expand
	f.Fuzz(func(t *testing.T, content []byte, top bool) {
		Codec.Detect(content)
		s, _, err := codectest.ReadBytes(&Codec, content, codec.Options{Incomplete: map[bool]string{true: "top"}[top]})
		if err != nil || s.Len() == 0 {
			return
		}
		var out bytes.Buffer
		if err := Codec.Write(&out, s, codec.Options{}); err != nil {
			t.Skip(err) // a carriage return inside a name
		}
		again, _, err := codectest.ReadBytes(&Codec, out.Bytes(), codec.Options{})
		if err != nil {
			t.Fatalf("wrote what cannot be read: %v\n%s", err, out.Bytes())
		}
		if again.Users().Len() != s.Users().Len() || again.Len() != s.Len() {
			t.Fatalf("%d users and %d ratings were %d and %d", again.Users().Len(), again.Len(), s.Users().Len(), s.Len())
		}
	})
}

// distinctOrders counts the different rows of a set: the same items with the
// same values. For a set read from PrefLib that is the number of unique orders,
// or of unique preferences, without those that no voter gave.
func distinctOrders(s *ratings.Set) int {
	distinct := map[[16]byte]bool{}
	var key []byte
	for u := range s.Users().Len() {
		row := s.Row(u)
		key = key[:0]
		for k, item := range row.Items {
			key = fmt.Appendf(key, "%d:%d ", item, math.Float32bits(row.Values[k]+0)) // the two zeros are one value
		}
		sum := sha256.Sum256(key)
		distinct[[16]byte(sum[:16])] = true
	}
	return len(distinct)
}
