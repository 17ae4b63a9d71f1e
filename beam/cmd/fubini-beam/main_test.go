package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fubini/app/exit"
	"fubini/app/recommend"
	"fubini/beam/job"
	"fubini/core/rng"
	"fubini/data/format"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
)

func TestMain(m *testing.M) {
	job.InWorker()
	os.Exit(m.Run())
}

// must is the value of a call that should not fail.
func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// beamed runs the program and returns its exit code and what it wrote.
func beamed(t testing.TB, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	defer newRoot(&program{}) // Beam's options belong to the process: back to their defaults
	var out, err bytes.Buffer
	code = run(context.Background(), args, &out, &err)
	return code, out.String(), err.String()
}

// works runs the program, which must succeed.
func works(t testing.TB, args ...string) (stdout string) {
	t.Helper()
	code, stdout, stderr := beamed(t, args...)
	if code != 0 {
		t.Fatalf("%v: exit code %d: %s", args, code, stderr)
	}
	return stdout
}

// An output that cannot be written, or is read, is refused before the data are looked
// for.
func TestOutputsAreCheckedFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("same.csv", []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("same.csv", "link.csv"); err != nil {
		t.Fatal(err)
	}
	for output, why := range map[string]string{"nosuch/x": "no such file or directory", ".": "is a folder", "link.csv": "would be written over"} {
		for _, args := range [][]string{{"train", "same.csv"}, {"evaluate", "same.csv", "--given", "5", "--models", "item-mean"}} {
			code, _, stderr := beamed(t, append(args, "--output", output)...)
			if code != exit.WrongUsage || !strings.Contains(stderr, "--output: "+output) || !strings.Contains(stderr, why) {
				t.Errorf("%v to %s: exit code %d, %s", args, output, code, stderr)
			}
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// ratingRows is a synthetic world of two tastes: rows of user, item and rating.
func ratingRows(users, items int) (rows []string) {
	r := rng.Stream(1, "beam crowd")
	for u := range users {
		for i := range items {
			if r.Float64() > 0.5 {
				continue
			}
			v := 3 + 1.2*r.NormFloat64()
			if u%2 == i%2 {
				v++
			}
			rows = append(rows, fmt.Sprintf("u%d,i%02d,%g", u, i, math.Round(min(5, max(1, v)))))
		}
	}
	return rows
}

// choiceRows is a world of two tastes in which lists are choices: rows of user, item and rating, mostly of items of the user's own
// taste, which they rate higher.
func choiceRows(users, items int) (rows []string) {
	r := rng.Stream(1, "beam choices")
	for u := range users {
		for i := range items {
			chance, v := 0.1, 2.5+r.NormFloat64()
			if u%2 == i%2 {
				chance, v = 0.7, v+1
			}
			if r.Float64() < chance {
				rows = append(rows, fmt.Sprintf("u%d,i%02d,%g", u, i, math.Round(min(5, max(1, v)))))
			}
		}
	}
	return rows
}

// table writes rows into a file of a folder.
func table(t testing.TB, folder, name string, rows []string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte("user,item,rating\n"+strings.Join(rows, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// smallModel trains a small one on a table, with taste alone.
func smallModel(t testing.TB, data string) string {
	t.Helper()
	return trainedModel(t, data, false)
}

// trainedModel trains a small one on a table, with interest beside taste if that is asked for.
func trainedModel(t testing.TB, data string, interest bool) string {
	t.Helper()
	set := readTable(t, data)
	recipes := must[[]model.Recipe](t)(registry.Configure([]string{"latent-osm"}, []registry.Assignment{{Name: "epochs", Value: "5"}, {Name: "hidden", Value: "3"}}))
	saved := must[*modelstore.Saved](t)(modelstore.Train(t.Context(), set, modelstore.Request{Model: "latent-osm", Recipe: recipes[0], Calibrate: 0.2, Interest: interest}))
	var text bytes.Buffer
	must[int64](t)(must[*modelfile.File](t)(saved.File()).WriteTo(&text))
	path := filepath.Join(filepath.Dir(data), "model")
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func readTable(t testing.TB, path string) *ratings.Set {
	t.Helper()
	set, _, err := format.Read(os.DirFS(filepath.Dir(path)), filepath.Base(path), format.Options{})
	return must[*ratings.Set](t)(set, err)
}

func readSaved(t testing.TB, path string) *modelstore.Saved {
	t.Helper()
	text := must[[]byte](t)(os.ReadFile(path))
	return must[*modelstore.Saved](t)(modelstore.Open(must[*modelfile.File](t)(modelfile.Read(bytes.NewReader(text), int64(len(text))))))
}

// alone are the rows that one process gives under an aim, as the command recommend --users makes them.
func alone(t testing.TB, path, data string, aim modelstore.Aim) string {
	t.Helper()
	saved := readSaved(t, path)
	r := must[*recommend.Recommender](t)(recommend.New(saved, recommend.Rules{Support: 5, Count: 10, Odds: true, Aim: aim}))
	b := &recommend.Batch{Recommender: r, Form: recommend.JSONLForm(r), Rated: true}
	people := must[*format.UserReader](t)(format.OpenUsers(os.DirFS(filepath.Dir(data)), filepath.Base(data), format.Options{}))
	defer people.Close()
	var out bytes.Buffer
	sink := b.Form.Open(&out)
	if err := b.Run(t.Context(), 1, people.Next, sink.Put); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// parts are the contents of an output's parts by name.
func parts(t testing.TB, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, path := range must[[]string](t)(filepath.Glob(filepath.Join(folder, "part-*"))) {
		found[filepath.Base(path)] = string(must[[]byte](t)(os.ReadFile(path)))
	}
	return found
}

// sorted are the lines of some texts, in order.
func sorted(texts ...string) []string {
	var lines []string
	for _, text := range texts {
		lines = slices.AppendSeq(lines, strings.Lines(text))
	}
	slices.Sort(lines)
	return lines
}

// success reads the mark of a complete output.
func success(t testing.TB, folder string) (mark struct{ People, Rows, Placed, Unknown, Guessed, Strangers, Bad int }, there bool) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "_SUCCESS"))
	if err != nil {
		return mark, false
	}
	if err := json.Unmarshal(text, &mark); err != nil {
		t.Fatal(err)
	}
	return mark, true
}

// Wrong usage is told apart from failure, and neither leaves anything behind.
func TestWhatCannotBeDone(t *testing.T) {
	folder := t.TempDir()
	data := table(t, folder, "people.csv", ratingRows(30, 12))
	trained := smallModel(t, data)
	other := table(t, folder, "other.csv", []string{"ann,x,5", "ann,y,3", "bob,x,1"})
	broken := filepath.Join(folder, "broken.csv.gz")
	if err := os.WriteFile(broken, []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03K\xcb"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(folder, "out")
	for name, c := range map[string]struct {
		code int
		says string
		args []string
	}{
		"no input":           {exit.WrongUsage, "--input is missing", []string{"score", trained, "-o", out}},
		"no model":           {exit.Failed, "no such file", []string{"score", filepath.Join(folder, "none"), "-o", out, "--input", data}},
		"no file":            {exit.Failed, "no file matches", []string{"score", trained, "-o", out, "--input", filepath.Join(folder, "x*")}},
		"not a model":        {exit.Failed, data, []string{"score", data, "-o", out, "--input", data}},
		"damaged input":      {exit.Failed, "broken.csv.gz", []string{"score", trained, "-o", out, "--input", broken}},
		"other data":         {exit.Failed, "knows none", []string{"score", trained, "-o", out, "--input", other}},
		"no cluster":         {exit.Failed, "no job service answers", []string{"score", trained, "-o", out, "--input", data, "--endpoint", "127.0.0.1:1"}},
		"runner and nothing": {exit.WrongUsage, "needs --endpoint", []string{"score", trained, "-o", out, "--input", data, "--runner", "portable"}},
		"what comes next":    {exit.WrongUsage, "--aim next follows from times", []string{"score", trained, "-o", out, "--input", data, "--aim", "next"}},
		"a baseline":         {exit.Failed, "latent-osm", []string{"train", data, "-o", out, "--model", "pmf"}},
		"a bad line":         {exit.Failed, "bad.csv:3", []string{"train", table(t, folder, "bad.csv", []string{"ann,a,5", "ann,b,x"}), "-o", out}},
		"rated twice":        {exit.Failed, "twice", []string{"train", table(t, folder, "twice.csv", []string{"ann,a,5", "ann,a,4", "ann,b,1"}), "-o", out}},
		"one rating each":    {exit.Failed, "nobody has two ratings", []string{"train", table(t, folder, "single.csv", []string{"ann,a,5", "bob,b,4", "eve,a,1"}), "-o", out, "--shards", "64"}},
		"nothing given":      {exit.WrongUsage, "--given is missing", []string{"evaluate", data, "--models", "osm"}},
		"nobody to test":     {exit.Failed, "no user is left", []string{"evaluate", data, "--models", "osm", "--given", "500"}},
		"trained elsewhere":  {exit.Failed, "trained on other data", []string{"evaluate", table(t, folder, "more.csv", others()), "--given", "2", "--min-test", "2", "--trained", trained}},
	} {
		code, _, stderr := beamed(t, c.args...)
		if code != c.code || !strings.Contains(stderr, c.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit code %d: %s", name, code, stderr)
		}
		if _, complete := success(t, out); complete {
			t.Errorf("%s: marked as complete", name)
		}
		if info, err := os.Stat(out); err == nil && !info.IsDir() {
			t.Errorf("%s: a model was written", name)
		}
		os.RemoveAll(out)
	}
	for _, file := range must[[]os.DirEntry](t)(os.ReadDir(folder)) {
		if recommend.IsTemporary(strings.TrimRight(file.Name(), ".0123456789")) {
			t.Errorf("left behind: %s", file.Name())
		}
	}
}

// others are ratings of items that no model here knows.
func others() (rows []string) {
	for _, row := range ratingRows(30, 12) {
		rows = append(rows, strings.ReplaceAll(row, ",i", ",other"))
	}
	return rows
}
