package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// tiny is a module with two packages: one test kills a changed Largest; only a slow one, of the other package, looks at
// Bounded.
var tiny = map[string]string{
	"go.mod": "module tiny\n\ngo 1.26.0\n",
	"pick/pick.go": `package pick

// Limit is the most that Bounded lets pass.
const Limit = 10

func Largest(values []int) int {
	best := values[0]
	for _, v := range values {
		if v > best {
			best = v
		}
	}
	return best
}

func Bounded(v int) int {
	if v > Limit {
		return Limit
	}
	return v
}

type counter[T any] struct{ n int }

func (c *counter[T]) add() { c.n++; c.n += 0; c.n += 0 }

func (c counter[T]) value() int { return c.n }
`,
	"pick/pick_test.go": `package pick

import "testing"

func TestLargest(t *testing.T) {
	t.Run("middle", func(t *testing.T) {
		if got := Largest([]int{1, 3, 2}); got != 3 {
			t.Fatal(got)
		}
	})
}
`,
	"shop/shop.go": `package shop

import "tiny/pick"

func Bounded(v int) int { return pick.Bounded(v) }
`,
	"shop/shop_test.go": `package shop

import "testing"

func TestBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	if Bounded(11) != 10 {
		t.Fatal("not bounded")
	}
}
`,
}

// lay writes a tree, with some files changed; empty ones are left out.
func lay(t *testing.T, changed map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for _, files := range []map[string]string{tiny, changed} {
		for name, text := range files {
			path := filepath.Join(root, filepath.FromSlash(name))
			if text == "" {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

// plant runs faults on a tree, in the order of the list.
func plant(t *testing.T, root string, past *results, rows ...Fault) (*report, string) {
	t.Helper()
	s, err := readSource(root)
	if err != nil {
		t.Fatal(err)
	}
	var tasks []*task
	for _, row := range rows {
		tasks = append(tasks, newTask(s, "tiny", row))
	}
	if past == nil {
		past = nothing(t)
	}
	var out bytes.Buffer
	b := &bench{limit: time.Minute, past: past, out: &out}
	if err := b.run(context.Background(), tasks, 2); err != nil {
		t.Fatal(err)
	}
	return newReport(tasks, b), out.String()
}

// nothing is the results of no earlier run.
func nothing(t *testing.T) *results {
	t.Helper()
	past, err := openResults("", false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { past.Close() })
	return past
}

var (
	smallest  = Fault{Name: "smallest", Func: "Largest", Find: "v > best", Put: "v < best", Why: "the smallest"}
	unbounded = Fault{Name: "unbounded", Func: "Bounded", Package: "pick", Find: "return Limit", Put: "return v", Why: "no bound"}
)

func TestOutcomes(t *testing.T) {
	elsewhere := unbounded
	elsewhere.Name, elsewhere.Tests = "elsewhere", "shop"
	excused := unbounded
	excused.Name, excused.Survives = "explained", "nobody looks"
	rows := []Fault{
		smallest,
		unbounded,
		elsewhere,
		excused,
		{Name: "limit", Func: "Limit", Find: "10", Put: "11", Why: "a constant", Tests: "shop"},
		{Name: "generic", Func: "(*counter).add", Find: "c.n++", Put: "", Why: "a method of a generic type"},
		{Name: "nonsense", Func: "Largest", Find: "return best", Put: "return nonsense", Why: "does not compile"},
		{Name: "gone", Func: "Median", Find: "a", Put: "b", Why: "no such function"},
	}
	want := []result{
		{Outcome: killed, By: "TestLargest/middle"},
		{Outcome: survived},
		{Outcome: killed, By: "shop: TestBounded"},
		{Outcome: survived},
		{Outcome: killed, By: "shop: TestBounded"},
		{Outcome: survived},
		{Outcome: broken, By: "undefined: nonsense"},
		{Outcome: broken, By: "gone: no Median in the repository"},
	}
	root := lay(t, nil)
	r, out := plant(t, root, nil, rows...)
	for i, one := range r.Tasks {
		if one.Outcome != want[i].Outcome || !strings.Contains(one.By, want[i].By) {
			t.Errorf("%s: %s by %q, want %s by %q", one.Fault.Name, one.Outcome, one.By, want[i].Outcome, want[i].By)
		}
		if !strings.Contains(out, one.Fault.Name) {
			t.Errorf("progress does not name %s:\n%s", one.Fault.Name, out)
		}
	}
	if got, want := r.Total, (counts{killed: 3, survived: 2, explained: 1, broken: 2}); !maps.Equal(got, want) {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	if r.good() {
		t.Error("good, with survivors and broken rows")
	}
	var page strings.Builder
	r.Commit = "0123abc"
	if err := r.write(&page); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	for _, part := range []string{"0123abc", "| tiny | 8 | 3 | 1 | 4 | 37.5 % |", "| unbounded, `Bounded` | pick | no bound | no reason yet |", "below the floor",
		"| explained, `Bounded` | pick | no bound | nobody looks |", "mend or delete the row: gone: no Median", "| pick | 7 | 3 |", "| smallest | pick | TestLargest/middle |"} {
		if !strings.Contains(text, part) {
			t.Errorf("the page does not say %q:\n%s", part, text)
		}
	}
}

// 95 of 100 are enough, with reasons for the others; one less, or one without a reason, is not.
func TestFloor(t *testing.T) {
	for _, c := range []struct {
		counts
		good bool
	}{
		{counts{killed: 95, explained: 5}, true},
		{counts{killed: 94, explained: 6}, false},
		{counts{killed: 99, survived: 1}, false},
		{counts{killed: 99, broken: 1}, false},
		{counts{}, false},
	} {
		if got := (&report{Total: c.counts}).good(); got != c.good {
			t.Errorf("%+v: good is %v", c.counts, got)
		}
		var page strings.Builder
		if err := (&report{Total: c.counts}).write(&page); err != nil || strings.Contains(page.String(), "no value") { // of those that no fault had
			t.Errorf("%+v: %v, page:\n%s", c.counts, err, &page)
		}
	}
}

// A fault finds its function wherever that moves; one that fits several places, or none, is refused by name.
func TestPlace(t *testing.T) {
	moved := lay(t, map[string]string{
		"pick/pick.go":      "",
		"pick/pick_test.go": "",
		"shop/shop.go":      "",
		"shop/shop_test.go": "",
		"all/other/new.go":  tiny["pick/pick.go"],
	})
	s, err := readSource(moved)
	if err != nil {
		t.Fatal(err)
	}
	at, err := s.place(smallest)
	if err != nil {
		t.Fatal(err)
	}
	if got := at.file.text[at.start:at.end]; got != smallest.Find || at.file.folder.path != "all/other" {
		t.Errorf("%q in %s", got, at.file.folder.path)
	}

	if s, err = readSource(lay(t, nil)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		Fault
		complaint string
	}{
		{Fault{Name: "a", Func: "Bounded", Find: "v"}, "a: Bounded stands in pick and shop"},
		{Fault{Name: "b", Func: "Bounded", Package: "bag", Find: "v"}, "b: no Bounded in a package named bag"},
		{Fault{Name: "c", Func: "(*counter).add", Find: "c.n += 0"}, "stands more than once"},
		{Fault{Name: "d", Func: "Largest", Find: "values[1]"}, "does not hold"},
		{Fault{Name: "e", Func: "Largest", Find: "Limit"}, "does not hold"}, // it does, elsewhere in the file
		{Fault{Name: "f", Func: "(*counter).value", Find: "c.n"}, "no (*counter).value"},
	} {
		if _, err := s.place(c.Fault); err == nil || !strings.Contains(err.Error(), c.complaint) {
			t.Errorf("%s: %v, want %q", c.Name, err, c.complaint)
		}
	}
	if _, err := s.testsOf(Fault{Name: "g", Tests: "shop, bag"}); err == nil || !strings.Contains(err.Error(), "bag") {
		t.Errorf("tests of a package that is not there: %v", err)
	}
}

// Tests that do not end are killed, by their own limit; what a fault does to the tree ends with it.
func TestHangCountsAsKilled(t *testing.T) {
	root := lay(t, nil)
	s, err := readSource(root)
	if err != nil {
		t.Fatal(err)
	}
	at, err := s.place(Fault{Name: "hang", Func: "Largest", Find: "return best", Put: "x"})
	if err != nil {
		t.Fatal(err)
	}
	one := &task{Fault: Fault{Put: "for { best++ }"}, place: at, tests: []*folder{at.file.folder}}
	b := &bench{limit: 2 * time.Second, past: nothing(t), out: io.Discard}
	if err := b.run(context.Background(), []*task{one}, 1); err != nil {
		t.Fatal(err)
	}
	if one.Outcome != killed || one.By != "time limit TestLargest" {
		t.Errorf("%+v", one.result)
	}
	text, err := os.ReadFile(filepath.Join(root, "pick/pick.go"))
	if err != nil || string(text) != tiny["pick/pick.go"] {
		t.Errorf("the tree has changed: %v\n%s", err, text)
	}
}

// A package whose tests fail anyway says nothing about faults.
func TestFailingBaseline(t *testing.T) {
	root := lay(t, map[string]string{"pick/pick.go": strings.Replace(tiny["pick/pick.go"], "v > best", "v < best", 1)})
	s, err := readSource(root)
	if err != nil {
		t.Fatal(err)
	}
	one := newTask(s, "tiny", unbounded)
	b := &bench{limit: time.Minute, past: nothing(t), out: io.Discard}
	if err := b.run(context.Background(), []*task{one}, 1); err == nil || !strings.Contains(err.Error(), "pick fails without any fault") {
		t.Errorf("%v", err)
	}
}

// A run that was broken off goes on: results are taken over as long as the row is the same.
func TestResume(t *testing.T) {
	root := lay(t, nil)
	file := filepath.Join(root, "results.jsonl")
	open := func(retry bool) *results {
		past, err := openResults(file, retry)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { past.Close() })
		return past
	}
	plant(t, root, open(false), smallest, unbounded)
	first, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := bytes.Count(first, []byte("\n")); got != 2 {
		t.Errorf("%d lines:\n%s", got, first)
	}
	r, out := plant(t, root, open(false), smallest, unbounded)
	if !maps.Equal(r.Total, counts{killed: 1, survived: 1}) || !strings.Contains(out, "2 of 2") {
		t.Errorf("%+v\n%s", r.Total, out)
	}
	if again, _ := os.ReadFile(file); !bytes.Equal(again, first) {
		t.Errorf("measured again:\n%s", again)
	}
	if past := open(true); len(past.faults) != 1 {
		t.Errorf("survivors are not tried again: %v", past.faults)
	}
	other := smallest
	other.Put = "v >= best"
	if r, _ := plant(t, root, open(false), other); !maps.Equal(r.Total, counts{survived: 1}) {
		t.Errorf("a changed row was taken over: %+v", r.Total)
	}
}

func TestDraw(t *testing.T) {
	root := lay(t, nil)
	s, err := readSource(root)
	if err != nil {
		t.Fatal(err)
	}
	pick := func(seed uint64) []Fault {
		rows, err := draw(context.Background(), s, seed, 4, nil, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	rows := pick(1)
	if s.compiles(context.Background(), Fault{Func: "Largest", Find: "return best", Put: "return nonsense"}) {
		t.Error("nonsense compiles")
	}
	if len(rows) < 3 {
		t.Errorf("%d faults", len(rows))
	}
	for _, row := range rows {
		if _, err := s.place(row); err != nil {
			t.Error(err)
		}
		if !s.compiles(context.Background(), row) {
			t.Errorf("%s does not compile", row.Name)
		}
	}
	if !slices.Equal(rows, pick(1)) {
		t.Error("the same seed draws other faults")
	}
	if slices.Equal(rows, pick(2)) {
		t.Error("another seed draws the same faults")
	}
	file := filepath.Join(root, "list.json")
	if err := writeList(file, rows); err != nil {
		t.Fatal(err)
	}
	if again, err := readList(file); err != nil || !slices.Equal(again, rows) {
		t.Errorf("%v %v", again, err)
	}
	before := slices.Clone(rows)
	before[0].Survives = "a reason"
	before[1].Find = "gone"
	again, err := draw(context.Background(), s, 1, 4, before, io.Discard)
	if err != nil || len(again) != len(rows) || !slices.Contains(again, before[0]) || slices.Contains(again, before[1]) || !slices.Contains(again, before[2]) {
		t.Errorf("%v\n%+v\n%+v", err, before, again)
	}
}

// Every operator changes what it says, and text for people is left alone.
func TestChanges(t *testing.T) {
	root := lay(t, map[string]string{"shop/shop.go": `package shop

import "fmt"

func f(a, b int, ok bool) (int, error) {
	defer g(a, b)
	for i := range 3 {
		if i > a && ok {
			continue
		} else {
			b += 2
		}
	}
	if a == 7 {
		return 0, fmt.Errorf("at most %d", 99+1)
	}
	s := make([]int, 0, 55)
	panic(66)
	return max(a, b, len(s)), nil
}

func g(a, b int) { a++ }

func Bounded(v int) int { return v }
`, "shop/shop_test.go": ""})
	s, err := readSource(root)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, f := range s.folders {
		if f.name != "shop" {
			continue
		}
		for _, at := range sites(s, f) {
			got[at.operator+": "+at.file.text[at.start:at.end]+" > "+strings.TrimSpace(at.put)] = true
		}
	}
	for _, want := range []string{
		"defer: defer g(a, b) > ", "arguments: a, b > b, a", "constant: 3 > 4", "constant: 3 > 2", "loop:  > continue", "loop:  > break",
		"boundary: > > >=", "boolean: && > ||", "negation: i > a && ok > !(i > a && ok)", "branch: continue > break", "arithmetic: += > -=",
		"statement: b += 2 > ", "equality: == > !=", "extremum: max > min", "statement: a++ > ",
	} {
		if !got[want] {
			t.Errorf("missing %q", want)
		}
	}
	for text := range got {
		for _, no := range []string{"99", "55", "66 >"} {
			if strings.Contains(text, no) && !strings.HasPrefix(text, "guard") {
				t.Errorf("for people, or room only: %q", text)
			}
		}
	}
}

// The lists of the repository can be planted: every row has its place and a name of its own.
func TestLists(t *testing.T) {
	s, err := readSource("../..")
	if err != nil {
		t.Fatal(err)
	}
	lists, err := filepath.Glob("*.json")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := readPlan(s, lists)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range plan {
		if one.err != nil {
			t.Errorf("%s: %v", one.List, one.err)
		}
	}
	if _, err := readPlan(s, append(lists, lists...)); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("names that are there twice: %v", err)
	}
}

func TestReadListRefuses(t *testing.T) {
	for text, complaint := range map[string]string{
		`[{"name":"a","func":"F","find":"x","put":"x","why":"w"}]`:         "the same",
		`[{"name":"a","func":"F","find":"x","put":"y"}]`:                   "why are needed",
		`[{"name":"a","func":"F","find":"x","put":"y","why":"w","fnd":1}]`: "unknown field",
	} {
		file := filepath.Join(t.TempDir(), "list.json")
		if !json.Valid([]byte(text)) {
			t.Fatal(text)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readList(file); err == nil || !strings.Contains(err.Error(), complaint) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
