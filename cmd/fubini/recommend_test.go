package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fubini/app/exit"
	"fubini/app/measure"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/core/rng"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model/latent"
)

// fed runs the program with something on its standard input.
func fed(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), args, strings.NewReader(stdin), &stdout, &stderr); code != 0 {
		t.Fatalf("fubini %s: exit code %d: %s", strings.Join(args, " "), code, stderr.String())
	}
	return stdout.String()
}

// peopleFile writes ratings of some people for 1 to 12 of 30 items. The items are choices: those of the person's own taste, half of the catalogue, come first five
// times out of six, so that interest finds them better than popularity does.
func peopleFile(t *testing.T, people int) string {
	t.Helper()
	r := rng.Stream(1, "crowd file")
	var text strings.Builder
	text.WriteString("user,item,rating\n")
	for u := range people {
		items := make([]int, 30)
		rng.Permutation(r, items)
		slices.SortStableFunc(items, func(a, b int) int { return (a+u)%2 - (b+u)%2 })
		own, others := items[:15], items[15:]
		for range 1 + r.IntN(12) {
			from := &own
			if r.IntN(6) == 0 {
				from = &others
			}
			fmt.Fprintf(&text, "u%d,i%d,%d\n", (u*7919)%people, (*from)[0], 1+r.IntN(5))
			*from = (*from)[1:]
		}
	}
	path := filepath.Join(t.TempDir(), "people.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// In a batch everybody gets what they get alone, to the last digit, whatever the
// number of goroutines and of parts, of every kind of model and by every aim that it has.
func TestBatchAgainstOneByOne(t *testing.T) {
	const people = 200 // more than the blocks in flight hold
	data := peopleFile(t, people)
	text, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	alone := map[string]string{} // the data of each
	var order []string
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		user, _, _ := strings.Cut(line, ",")
		if alone[user] == "" {
			order = append(order, user)
		}
		alone[user] += line + "\n"
	}
	models := []string{"latent-osm", "osm", "pmf"}
	if testing.Short() {
		models = models[:1]
	}
	for _, name := range models {
		model := filepath.Join(t.TempDir(), "model")
		fubini(t, "train", data, "--model", name, "--epochs", "3", "-o", model, "--quiet")
		by := map[string]string{"": "balanced", "taste": "taste", "interest": "interest", "balanced": "balanced"} // the aim asked for, and the one used
		if name == "pmf" {
			by = map[string]string{"": "taste"} // which has no interest
		}
		orders := map[string]string{}
		for _, aim := range slices.Sorted(maps.Keys(by)) {
			some := order[:len(order)/4]
			if aim != "" {
				some = order[:len(order)/10]
			}
			orders[aim] = batchAgainstOneByOne(t, data, alone, some, model, aim, by[aim])
			if n := strings.Count(orders[aim], "\n"); n < 3*people {
				t.Errorf("%s, aim %q: %d rows for %d people", name, aim, n, people)
			}
		}
		if name == "pmf" {
			continue
		}
		if orders[""] != orders["balanced"] {
			t.Errorf("%s: without an aim the batch is not that of balanced", name)
		}
		if orders["taste"] == orders["balanced"] || orders["interest"] == orders["balanced"] || orders["taste"] == orders["interest"] {
			t.Errorf("%s: two aims give the same: the test cannot tell them apart", name)
		}
	}
}

// batchAgainstOneByOne compares a batch by an aim on three goroutines with one on one, with its parts, and with commands for each of some
// people. It returns the batch.
func batchAgainstOneByOne(t *testing.T, data string, alone map[string]string, some []string, model, aim, used string) (all string) {
	t.Helper()
	rules := []string{"--format", "jsonl", "--quiet", "--novelty", "0.1", "-n", "4"}
	if aim != "" {
		rules = append(rules, "--aim", aim)
	}
	all = fubini(t, append([]string{"recommend", model, "--users", data, "-j", "3"}, rules...)...)
	if one := fubini(t, append([]string{"recommend", model, "--users", data, "-j", "1"}, rules...)...); one != all {
		t.Errorf("aim %q: one goroutine gives other bytes than three", aim)
	}
	folder := filepath.Join(t.TempDir(), "parts")
	fubini(t, append([]string{"recommend", model, "--users", data, "--shards", "7", "-o", folder}, rules...)...)
	var parts []byte
	for part := range 7 {
		piece, err := os.ReadFile(filepath.Join(folder, fmt.Sprintf("part-%05d.jsonl", part)))
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, piece...)
	}
	if string(parts) != all {
		t.Errorf("aim %q: the parts together are not the whole", aim)
	}
	if manifest, err := os.ReadFile(filepath.Join(folder, "manifest.json")); err != nil || !strings.Contains(string(manifest), fmt.Sprintf(`"aim": %q`, used)) {
		t.Errorf("aim %q: the batch is not ordered by %s: %s, %v", aim, used, manifest, err)
	}
	rows := map[string]string{} // of each, as in the batch
	for line := range strings.Lines(all) {
		user, _, _ := strings.Cut(strings.TrimPrefix(line, `{"user":"`), `"`)
		rows[user] += line
	}
	for _, user := range some { // each is a command of its own
		want := fed(t, "user,item,rating\n"+alone[user], append([]string{"recommend", model, "--tiers", "-"}, rules...)...)
		want = strings.ReplaceAll(want, `,"tier":null,"tier_probs":null,"gap_probs":null,"expected_rank":null,"rank_interval":null`, "") // of baselines
		if want = strings.ReplaceAll(want, `{"rank"`, fmt.Sprintf(`{"user":%q,"rank"`, user)); rows[user] != want {
			t.Errorf("aim %q: %s has in the batch\n%s\nand alone\n%s", aim, user, rows[user], want)
		}
	}
	return all
}

// Who gives ratings says more than who gives tiers: the order is the same, and the
// odds of a calibrated model are others. A model that is not reads both alike.
func TestOddsOfRatingsAndOfTiers(t *testing.T) {
	skipIfShort(t)
	r := rng.Stream(1, "likeable")
	text := "user,item,rating\n"
	for u := range 300 {
		for i := range 20 {
			text += fmt.Sprintf("u%d,i%d,%d\n", u, i, min(5, max(1, int(3.5+float64(i-10)/6+r.NormFloat64()))))
		}
	}
	data := filepath.Join(t.TempDir(), "likeable.csv")
	if err := os.WriteFile(data, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, share := range []string{"0.1", "0"} {
		model := filepath.Join(t.TempDir(), "model")
		fubini(t, "train", data, "--epochs", "3", "--calibrate", share, "-o", model, "--quiet")
		odds := func(stdin string) (order string, odds []string) {
			out := fed(t, stdin, "recommend", model, "--aim", "taste", "--tiers", "-", "--format", "jsonl", "--quiet")
			for line := range strings.Lines(out) {
				rank, rest, _ := strings.Cut(line, `,"tier"`)
				order += rank
				odds = append(odds, rest)
			}
			return order, odds
		}
		byRatings, rated := odds("user,item,rating\nx,i1,5\nx,i2,4\nx,i3,4\nx,i4,1\n")
		byTiers, bare := odds(`[["i1"],["i2","i3"],["i4"]]`)
		if byRatings != byTiers {
			t.Errorf("ratings give another order than tiers:\n%s\n%s", byRatings, byTiers)
		}
		if same := slices.Equal(rated, bare); same != (share == "0") {
			t.Errorf("calibrated by %s: odds of ratings and of tiers are the same: %v", share, same)
		}
	}
}

// Somebody may have placed ten thousand items, as tiers or in a batch.
func TestTenThousandPlacedItems(t *testing.T) {
	skipIfShort(t)
	const placed, tiers = 10_000, 8
	c := latent.NewCatalogue(placed+2, 3, latent.Gaussian, latent.Options{Size: 2, Centred: true})
	r := rng.Stream(1, "ten thousand")
	saved := &modelstore.Saved{Name: "latent-osm", Model: &registry.Latent{Catalogue: c}}
	list := make([][]string, tiers)
	for i := range c.U {
		saved.ItemIDs = append(saved.ItemIDs, fmt.Sprint("item ", i))
		if c.U[i] = r.NormFloat64(); i < placed {
			list[i%tiers] = append(list[i%tiers], saved.ItemIDs[i])
		}
	}
	for i := range c.W {
		c.W[i] = 0.1 * r.NormFloat64()
	}
	saved.ItemNames, saved.Seen = saved.ItemIDs, make([]uint32, len(c.U))
	file, err := saved.File()
	if err != nil {
		t.Fatal(err)
	}
	var model bytes.Buffer
	if _, err := file.WriteTo(&model); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "model")
	if err := os.WriteFile(path, model.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	rules := []string{"--min-support", "0", "--quiet", "--format", "jsonl"}
	one := fed(t, string(text), append([]string{"recommend", path, "--tiers", "-"}, rules...)...)
	many := fed(t, `{"user":"ann","tiers":`+string(text)+"}\n", append([]string{"recommend", path, "--users", "-"}, rules...)...)
	if strings.Count(one, "\n") != 2 || strings.ReplaceAll(many, `"user":"ann",`, "") != one {
		t.Errorf("as tiers %s, in a batch %s", one, many)
	}
}

// A batch that waits for its input can be interrupted, and leaves nothing behind.
func TestInterruptedBatch(t *testing.T) {
	folder := t.TempDir()
	model, out := filepath.Join(folder, "model"), filepath.Join(folder, "answers")
	fubini(t, "train", peopleFile(t, 20), "--epochs", "1", "-o", model, "--quiet")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	reader, writer := io.Pipe() // never closed
	go func() {
		for u := range 500 {
			fmt.Fprintf(writer, "{\"user\":%d,\"tiers\":[[\"i1\"],[\"i2\"]]}\n", u)
		}
		cancel()
	}()
	var stdout, stderr bytes.Buffer
	if code := run(ctx, []string{"recommend", model, "--users", "-", "-o", out}, reader, &stdout, &stderr); code != exit.Interrupted {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != 1 {
		t.Errorf("left behind: %v, %v", files, err)
	}
}

// A batch on one core, from a table to lines of JSON.
func BenchmarkBatch(b *testing.B) {
	file, err := measure.Model(1).File()
	if err != nil {
		b.Fatal(err)
	}
	model := filepath.Join(b.TempDir(), "m.safetensors")
	if err := input.WriteModel(cli.Destination{Path: model}, file); err != nil {
		b.Fatal(err)
	}
	for _, more := range [][]string{{"--no-odds"}, {}} {
		b.Run(fmt.Sprintf("%v", more), func(b *testing.B) {
			args := append([]string{"recommend", model, "--users", "-", "--min-support", "0", "--format", "jsonl", "--quiet", "-j", "1"}, more...)
			if code := run(b.Context(), args, measure.Ratings(b.N), io.Discard, io.Discard); code != 0 {
				b.Fatalf("exit code %d", code)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "people/s")
		})
	}
}
