package paper_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	_ "image/png"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/paper"
	"fubini/paper/cells"
	"fubini/paper/report"
)

// dense has users with enough ratings for every target, by the name that the
// committed report has.
func dense(t testing.TB) cells.Data {
	t.Helper()
	r := rng.Stream(1, "dense")
	b := ratings.NewBuilder()
	for u := range 30 {
		taste := r.NormFloat64()
		for i := range 150 {
			if r.Float64() < 0.9 {
				v := math.Round(3 + math.Sin(float64(i))*taste + r.NormFloat64())
				if err := b.Add(fmt.Append(nil, u), fmt.Appendf(nil, "%03d", i), float32(min(5, max(1, v))), ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return cells.Data{Name: "ml-1m", Set: s, MinTest: 10, Filter: true}
}

// tiny has the shape of the quick size, and next to none of its work.
func tiny() paper.Size {
	s := paper.Quick()
	s.Epochs, s.CurveEpochs, s.Units, s.Hidden = 2, 20, []int{0, 1, 2}, 3
	s.Users, s.FewUsers, s.Draws, s.LongDraws, s.DrawSteps, s.DrawRuns = 3, 2, 4, 3, 4, 2
	s.Annealing = [][2]int{{4, 2}, {4, 3}, {8, 2}, {8, 3}}
	return s
}

func reproduce(t testing.TB, store cells.Store, observe func(cells.Progress), names ...string) ([]*paper.Result, error) {
	t.Helper()
	return reproduceAt(t, tiny(), store, observe, names...)
}

func reproduceAt(t testing.TB, size paper.Size, store cells.Store, observe func(cells.Progress), names ...string) ([]*paper.Result, error) {
	t.Helper()
	var results []*paper.Result
	r := &paper.Reproduction{Data: dense(t), Size: size, Seed: 1}
	plan := &cells.Plan{Runner: &cells.Runner{Store: store, Program: "test"}, Observe: observe}
	err := r.Run(context.Background(), plan, names, func(result *paper.Result) error {
		results = append(results, result)
		return nil
	})
	return results, err
}

// A model that the data are too small for leaves its places empty, with the reason; the
// others are made. It is tried again next time.
func TestCellsThatCannotBeMade(t *testing.T) {
	size := tiny()
	size.Hidden, size.Units = 31, []int{0, 1, 31} // of 30 users
	store := memory{}
	var unmade []string
	r := &paper.Reproduction{Data: dense(t), Size: size, Seed: 1}
	plan := &cells.Plan{Runner: &cells.Runner{Store: store, Program: "test"}, Unmade: func(cell, reason string) { unmade = append(unmade, cell+": "+reason) }}
	results := map[string]*paper.Result{}
	err := r.Run(context.Background(), plan, []string{"table2", "fig3b", "fig4a"}, func(result *paper.Result) error {
		results[result.Target] = result
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(unmade) < 4 || !strings.Contains(strings.Join(unmade, "\n"), "PMF, K = 31: pmf: hidden 31 is more than 30 users and") {
		t.Errorf("not made: %q", unmade)
	}
	for target, want := range map[string]int{"table2": 6, "fig3b": 10, "fig4a": 1} { // values of PMF
		result := results[target]
		checkFiles(t, result)
		missing, made := 0, 0
		for _, line := range result.Tables[0].Rows {
			for _, v := range line.Values {
				switch {
				case v.Unmade && v.Ours == nil && line.Label == "PMF":
					missing++
				case !v.Unmade && v.Ours != nil:
					made++
				}
			}
		}
		var page bytes.Buffer
		if err := result.WriteMarkdown(&page); err != nil {
			t.Fatal(err)
		}
		if missing != want || made < want || !strings.Contains(page.String(), "| not made") || !strings.Contains(page.String(), "Not made: ml-1m, N = ") || !strings.Contains(page.String(), "more than 30 users") {
			t.Errorf("%s: %d values of PMF missing and %d made in\n%s", target, missing, made, &page)
		}
	}
	for name, text := range store {
		if strings.Contains(string(text), "can carry") {
			t.Errorf("%s is kept", name)
		}
	}
}

// checkFiles looks at everything that is delivered of a result.
func checkFiles(t *testing.T, r *paper.Result) {
	for _, c := range r.Cells {
		if c.Cell == "" || c.Program != "test" || len(c.Resolved) == 0 && !strings.Contains(c.Cell, "item-mean") {
			t.Errorf("cell %+v", c)
		}
	}
	if len(r.Cells) == 0 || len(r.Pictures) != 2*len(r.Charts) {
		t.Errorf("%d cells; pictures %v of %d charts", len(r.Cells), r.Pictures, len(r.Charts))
	}
	if len(r.Tables) == 0 || r.WallTime <= 0 || len(r.Seeds) == 0 || len(r.Data) == 0 || r.Data[0].Fingerprint == "" || r.Program != "test" {
		t.Errorf("%+v", r)
	}
	if strings.HasPrefix(r.Target, "fig") != (len(r.Charts) > 0) {
		t.Errorf("%d pictures", len(r.Charts))
	}
	for _, table := range r.Tables {
		for _, line := range table.Rows {
			if len(line.Values) != len(table.Columns) {
				t.Errorf("%s: %d values for %d columns in the line of %s", table.Name, len(line.Values), len(table.Columns), line.Label)
			}
		}
	}
	for _, file := range r.Files() {
		var out bytes.Buffer
		if err := file.Write(&out); err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasSuffix(file.Name, ".png"):
			checkPixels(t, file.Name, &out)
		case strings.HasSuffix(file.Name, ".svg"):
			checkDrawing(t, file.Name, &out)
		case out.Len() < 200:
			t.Errorf("%s has %d bytes", file.Name, out.Len())
		}
	}
}

// checkPixels wants a picture of a printable size that is neither blank nor black.
func checkPixels(t *testing.T, name string, from io.Reader) {
	t.Helper()
	picture, _, err := image.Decode(from)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	size := picture.Bounds()
	if size.Dx() < 1000 || size.Dy() < 600 {
		t.Errorf("%s is %d by %d", name, size.Dx(), size.Dy())
	}
	marked := 0
	for y := range size.Dy() {
		for x := range size.Dx() {
			if r, g, b, _ := picture.At(x, y).RGBA(); r < 0xc000 || g < 0xc000 || b < 0xc000 {
				marked++
			}
		}
	}
	if share := float64(marked) / float64(size.Dx()*size.Dy()); !(share > 0.005 && share < 0.3) {
		t.Errorf("%s: a share of %.4f of the picture is drawn on", name, share)
	}
}

// checkDrawing wants lines and words.
func checkDrawing(t *testing.T, name string, from io.Reader) {
	t.Helper()
	count := map[string]int{}
	for decoder := xml.NewDecoder(from); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if start, ok := token.(xml.StartElement); ok {
			count[start.Name.Local]++
		}
	}
	if count["svg"] != 1 || count["path"] < 10 || count["text"] < 8 {
		t.Errorf("%s has %v", name, count)
	}
}

// brittle is a store that breaks after so many cells.
type brittle struct {
	memory
	left int
	puts map[string]int
}

var errBroken = errors.New("broken off")

func (b *brittle) Put(name string, data []byte) error {
	if b.left == 0 {
		return errBroken
	}
	b.left--
	b.puts[name]++
	return b.memory.Put(name, data)
}

// A run that was broken off goes on where it was: no finished cell is run again, and
// the result is that of an unbroken run.
func TestBrokenRunGoesOn(t *testing.T) {
	skipIfShort(t)
	names := []string{"fig3a", "table3"}
	whole, err := reproduce(t, memory{}, nil, names...)
	if err != nil {
		t.Fatal(err)
	}
	store := &brittle{memory: memory{}, left: 6, puts: map[string]int{}}
	if _, err := reproduce(t, store, nil, names...); !errors.Is(err, errBroken) {
		t.Fatalf("broken off: %v", err)
	}
	store.left = -1
	var seen []cells.Progress
	again, err := reproduce(t, store, func(p cells.Progress) { seen = append(seen, p) }, names...)
	if err != nil {
		t.Fatal(err)
	}
	for name, times := range store.puts {
		if times != 1 {
			t.Errorf("%s was run %d times", name, times)
		}
	}
	if len(seen) != len(store.puts)-6 || seen[0].Done != 6 || seen[0].Total != len(store.puts) || seen[0].Left >= 0 || seen[len(seen)-1].Left < 0 {
		t.Errorf("%d cells run again of %d: first %+v, last %+v", len(seen), len(store.puts), seen[0], seen[len(seen)-1])
	}
	for k := range whole {
		if got, want := markdown(t, again[k]), markdown(t, whole[k]); got != want {
			t.Errorf("%s after a break:\n%s\nwithout:\n%s", whole[k].Target, got, want)
		}
	}
}

// With data of Netflix, Table 3 is theirs; without, it says whose it is.
func TestNetflixHasItsOwnTable(t *testing.T) {
	skipIfShort(t)
	for _, own := range []bool{true, false} {
		r := &paper.Reproduction{Data: dense(t), Size: tiny(), Seed: 1}
		want := "ml-1m"
		if own {
			want = "netflix"
			r.Netflix = r.Data
			r.Netflix.Name = want
		}
		err := r.Run(context.Background(), &cells.Plan{Runner: &cells.Runner{Store: memory{}}}, []string{"table3"}, func(result *paper.Result) error {
			if said := strings.Contains(markdown(t, result), "No Netflix data were given"); result.Data[0].Name != want || said == own {
				t.Errorf("data %s, said to be no Netflix: %t", result.Data[0].Name, said)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The likelihoods of a table are those of its users, however many are asked at a time.
func TestLikelihoodsForAnyNumberOfJobs(t *testing.T) {
	counts := []int{1, 3}
	if testing.Short() {
		counts = counts[1:] // the race detector needs no comparison
	}
	var pages []string
	for _, jobs := range counts {
		r := &paper.Reproduction{Data: dense(t), Size: tiny(), Seed: 1}
		plan := &cells.Plan{Runner: &cells.Runner{Store: memory{}, Jobs: jobs}}
		err := r.Run(context.Background(), plan, []string{"table1"}, func(result *paper.Result) error {
			pages = append(pages, markdown(t, result))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if first, last := pages[0], pages[len(pages)-1]; first != last {
		t.Errorf("one job:\n%s\nthree:\n%s", first, last)
	}
}

func markdown(t *testing.T, r *paper.Result) string {
	t.Helper()
	var out bytes.Buffer
	if err := r.WriteMarkdown(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Data too small for a target are refused before anything is run, with the counts
// and the largest N that works, which then does.
func TestTooSmallDataAreRefused(t *testing.T) {
	skipIfShort(t)
	data := small(t) // 40 users with about 18 ratings
	for _, target := range paper.Targets() {
		r := &paper.Reproduction{Data: data, Size: tiny(), Seed: 1}
		ran := false
		plan := &cells.Plan{Runner: &cells.Runner{Store: memory{}}, Observe: func(cells.Progress) { ran = true }}
		err := r.Run(context.Background(), plan, []string{"fig3a", target}, func(*paper.Result) error { return nil })
		switch {
		case target == "table1":
			if err == nil || !strings.Contains(err.Error(), "10 + 30 ratings") || !strings.Contains(err.Error(), "no N works") || ran {
				t.Errorf("%s: %v", target, err)
			}
		case slices.Contains([]string{"fig3a", "fig3c", "fig4b"}, target): // N = 10 and three to test on
		default:
			if err == nil || !strings.Contains(err.Error(), "the largest N that works is ") || !strings.Contains(err.Error(), "of the 40 users of small") || ran {
				t.Errorf("%s: %v", target, err)
			}
		}
	}
	r := &paper.Reproduction{Data: data, Size: tiny(), Seed: 1}
	largest := 0
	err := r.Run(context.Background(), &cells.Plan{Runner: &cells.Runner{Store: memory{}}}, []string{"fig3b"}, nil)
	if _, scan := fmt.Sscanf(err.Error()[strings.Index(err.Error(), "works is "):], "works is %d", &largest); scan != nil {
		t.Fatal(err, scan)
	}
	r.Size.Largest = largest
	if err := r.Run(context.Background(), &cells.Plan{Runner: &cells.Runner{Store: memory{}}}, []string{"fig3a"}, func(*paper.Result) error { return nil }); err != nil {
		t.Errorf("with N = %d: %v", largest, err)
	}
	if err := r.Run(context.Background(), &cells.Plan{}, []string{"table4"}, nil); err == nil || !strings.Contains(err.Error(), "there is no target") {
		t.Errorf("a table that does not exist: %v", err)
	}
	if _, _, err := report.Write("", nil); err == nil {
		t.Error("a report of nothing")
	}
}

// A cell that another program made with the same settings is taken, and named; one with
// other settings, or without a record of them, is made again.
func TestCellsOfOtherPrograms(t *testing.T) {
	skipIfShort(t)
	run := func(store memory, program string) (made int, page string) {
		r := &paper.Reproduction{Data: dense(t), Size: tiny(), Seed: 1}
		plan := &cells.Plan{Runner: &cells.Runner{Store: store, Program: program}, Observe: func(cells.Progress) { made++ }}
		if err := r.Run(context.Background(), plan, []string{"fig3a"}, func(result *paper.Result) error {
			page = markdown(t, result)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return made, page
	}
	store := memory{}
	if made, page := run(store, "one"); made != 5 || strings.Contains(page, "made by other builds") {
		t.Fatalf("%d cells made\n%s", made, page)
	}
	if made, page := run(store, "two"); made != 0 || !strings.Contains(page, "fubini two. Of 5 cells 5 were made by other builds of the same code: one (5).") {
		t.Errorf("%d cells made again\n%s", made, page)
	}
	replace := func(old, with string) (changed int) {
		for name, text := range store {
			if strings.Contains(string(text), old) {
				store[name] = []byte(strings.Replace(string(text), old, with, 1))
				changed++
			}
		}
		return changed
	}
	if changed := replace(`"rate":"0.01"`, `"rate":"0.02"`); changed != 4 {
		t.Fatalf("%d cells have a rate of 0.01", changed)
	}
	if made, page := run(store, "two"); made != 4 || !strings.Contains(page, "Of 5 cells 1 were made by other builds of the same code: one (1).") {
		t.Errorf("%d cells made again after their settings changed\n%s", made, page)
	}
	if changed := replace(`"resolved":`, `"unknown":`); changed != 5 {
		t.Fatalf("%d cells have settings", changed)
	}
	if made, page := run(store, "three"); made != 5 || strings.Contains(page, "made by other builds") {
		t.Errorf("%d cells made again for want of a record\n%s", made, page)
	}
}
