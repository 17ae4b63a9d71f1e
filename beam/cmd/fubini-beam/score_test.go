package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fubini/app/exit"
	"fubini/core/rng"
	"fubini/learn/modelstore"
)

// The rows are those of one process, whatever the number of shards, and parts have the
// same bytes however people are spread over inputs.
func TestScoreGivesTheRowsOfOneProcess(t *testing.T) {
	folder := t.TempDir()
	rows := ratingRows(90, 24)
	data := table(t, folder, "people.csv", rows)
	trained := smallModel(t, data)
	want := sorted(alone(t, trained, data, modelstore.AimAuto))
	out := filepath.Join(folder, "out")
	works(t, "score", trained, "--input", data, "-o", out, "--shards", "3")
	whole := parts(t, out)
	if got := sorted(slices.Collect(maps.Values(whole))...); len(whole) != 3 || !slices.Equal(got, want) {
		t.Fatalf("%d parts with %d rows; one process gives %d", len(whole), len(got), len(want))
	}
	if mark, complete := success(t, out); !complete || mark.People != 90 || mark.Rows != len(want) || mark.Placed != len(rows) || mark.Bad != 0 {
		t.Errorf("told of %+v", mark)
	}

	order := make([]int, len(rows)) // every line in a file of its own choice, in any order
	rng.Permutation(rng.Stream(2, "spread"), order)
	spread := make([][]string, 4)
	for k, at := range order {
		spread[k%4] = append(spread[k%4], rows[at])
	}
	for k, some := range spread {
		table(t, folder, "spread-"+string(rune('a'+k))+".csv", some)
	}
	again := filepath.Join(folder, "again")
	works(t, "score", trained, "--input", filepath.Join(folder, "spread-*.csv"), "-o", again, "--shards", "3", "-j", "2")
	if !maps.Equal(parts(t, again), whole) {
		t.Error("people spread over files get other bytes")
	}
	many := filepath.Join(folder, "many")
	works(t, "score", trained, "--input", data, "-o", many, "--shards", "200") // most without people
	if found := parts(t, many); len(found) != 200 || !slices.Equal(sorted(slices.Collect(maps.Values(found))...), want) {
		t.Errorf("%d parts of 200", len(found))
	}
	parquet := filepath.Join(folder, "parquet")
	works(t, "score", trained, "--input", data, "-o", parquet, "--format", "parquet", "--shards", "1")
	if text := parts(t, parquet)["part-00000-of-00001.parquet"]; !strings.HasPrefix(text, "PAR1") {
		t.Errorf("no Parquet file: %.10q", text)
	}
}

// By every aim of a model with taste and interest the rows are those of one process. Lists are choices here, so that the default is both;
// where they are drawn at random it is taste alone.
func TestScoreByEveryAim(t *testing.T) {
	folder := t.TempDir()
	data := table(t, folder, "people.csv", choiceRows(90, 24))
	trained := trainedModel(t, data, true)
	if by, err := readSaved(t, trained).Resolve(modelstore.AimAuto); err != nil || by != modelstore.AimBalanced {
		t.Fatalf("the default aim is %s, %v: the lists of this test should be choices", by, err)
	}
	rows := map[modelstore.Aim][]string{}
	for _, aim := range []modelstore.Aim{modelstore.AimAuto, modelstore.AimTaste, modelstore.AimBalanced, modelstore.AimInterest} {
		out := filepath.Join(folder, "out"+aim.String())
		works(t, "score", trained, "--input", data, "-o", out, "--shards", "3", "--aim", aim.String())
		rows[aim] = sorted(slices.Collect(maps.Values(parts(t, out)))...)
		if want := sorted(alone(t, trained, data, aim)); len(want) == 0 || !slices.Equal(rows[aim], want) {
			t.Errorf("aim %q: %d rows; one process gives %d", aim, len(rows[aim]), len(want))
		}
		if !strings.Contains(rows[aim][0], `"interest":`) {
			t.Errorf("aim %q: no probability of a pick in %s", aim, rows[aim][0])
		}
	}
	if !slices.Equal(rows[modelstore.AimAuto], rows[modelstore.AimBalanced]) {
		t.Error("without an aim the rows are not those of balanced")
	}
	ordered := map[string]modelstore.Aim{} // items in order: by equal ones the test could not tell aims apart
	for _, aim := range []modelstore.Aim{modelstore.AimTaste, modelstore.AimBalanced, modelstore.AimInterest} {
		var items strings.Builder
		for _, row := range rows[aim] {
			before, _, _ := strings.Cut(row, `,"name"`)
			items.WriteString(before)
		}
		if other, same := ordered[items.String()]; same {
			t.Errorf("%s and %s give the same order", aim, other)
		}
		ordered[items.String()] = aim
	}
}

// Titles give the rows that ids give, and guesses are counted.
func TestScoreFindsTitles(t *testing.T) {
	folder := t.TempDir()
	films := []string{"Matrix (1999)", "Alien (1979)", "Heat (1995)", "Fargo (1996)", "Speed (1994)", "Ran (1985)"}
	var rows []string
	for u := range 12 {
		for i, film := range films {
			rows = append(rows, fmt.Sprintf("u%d,%s,%d", u, film, 1+(u*i+u)%5))
		}
	}
	trained := smallModel(t, table(t, folder, "ratings.csv", rows))
	byID := table(t, folder, "ids.csv", []string{"ann,Matrix (1999),5", "ann,Alien (1979),2", "bob,Heat (1995),3", "bob,Ran (1985),4"})
	byTitle := table(t, folder, "titles.csv", []string{"ann,MATRIX 1999,5", "ann,Alein (1979),2", "bob,HEAT,3", "bob,Ran (1985),4"})
	out := filepath.Join(folder, "out")
	works(t, "score", trained, "--input", byTitle, "-o", out, "--shards", "2")
	if got, want := sorted(slices.Collect(maps.Values(parts(t, out)))...), sorted(alone(t, trained, byID, modelstore.AimAuto)); !slices.Equal(got, want) || len(got) == 0 {
		t.Errorf("rows\n%s\nby ids\n%s", got, want)
	}
	if mark, complete := success(t, out); !complete || mark.Unknown != 0 || mark.Guessed != 1 {
		t.Errorf("told of %+v", mark)
	}
}

// What is complete is recognised; what is not is made again, to the same bytes; what is of
// another run is left alone.
func TestPartialOutputIsNeverTakenForComplete(t *testing.T) {
	folder := t.TempDir()
	data := table(t, folder, "people.csv", ratingRows(40, 12))
	trained := smallModel(t, data)
	out := filepath.Join(folder, "out")
	score := []string{"score", trained, "--input", data, "-o", out, "--shards", "2"}
	works(t, score...)
	whole := parts(t, out)
	if code, _, told := beamed(t, score...); code != 0 || !strings.Contains(told, "complete already") {
		t.Errorf("a second run: exit code %d: %s", code, told)
	}
	if err := os.Remove(filepath.Join(out, "_SUCCESS")); err != nil {
		t.Fatal(err)
	}
	for name := range whole { // as a worker that was killed may leave it
		if err := os.WriteFile(filepath.Join(out, name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(out, ".fubini-1.tmp"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, told := beamed(t, score...); code != 0 || strings.Contains(told, "already") || !maps.Equal(parts(t, out), whole) {
		t.Errorf("after a broken run: exit code %d: %s", code, told)
	}
	if _, err := os.Stat(filepath.Join(out, ".fubini-1.tmp")); err == nil {
		t.Error("what was killed is still there")
	}
	if code, _, told := beamed(t, append(score, "-n", "3")...); code != exit.Failed || !strings.Contains(told, "another batch (other count)") || !maps.Equal(parts(t, out), whole) {
		t.Errorf("into the output of another run: exit code %d: %s", code, told)
	}
	changed := strings.Replace(string(must[[]byte](t)(os.ReadFile(data))), ",5\n", ",4\n", 1) // as long as before
	if err := os.WriteFile(data, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, told := beamed(t, score...); code != exit.Failed || !strings.Contains(told, "another content") {
		t.Errorf("after the data changed: exit code %d: %s", code, told)
	}
	if code, _, told := beamed(t, "score", trained, "--input", data, "-o", folder); code != exit.Failed || !strings.Contains(told, "other files") {
		t.Errorf("into a folder with other files: exit code %d: %s", code, told)
	}
}

// Bad lines go beside the output, with file, line and reason, and nobody else suffers.
func TestBadLinesGoBeside(t *testing.T) {
	folder := t.TempDir()
	rows := ratingRows(40, 12)
	trained := smallModel(t, table(t, folder, "good.csv", rows))
	good := filepath.Join(folder, "good")
	works(t, "score", trained, "--input", filepath.Join(folder, "good.csv"), "-o", good, "--shards", "2")
	bad := slices.Insert(slices.Clone(rows), 10, "u0,i01,many", "u0,i02")
	data := table(t, folder, "bad.csv", append(bad, "u99"))
	out := filepath.Join(folder, "out")
	works(t, "score", trained, "--input", data, "-o", out, "--shards", "2")
	if !maps.Equal(parts(t, out), parts(t, good)) {
		t.Error("bad lines changed what others get")
	}
	text := string(must[[]byte](t)(os.ReadFile(filepath.Join(out, "errors.jsonl"))))
	if mark, _ := success(t, out); mark.Bad != 3 || strings.Count(text, "\n") != 3 || !strings.Contains(text, `"line":12`) || !strings.Contains(text, "not a finite number") {
		t.Errorf("%d bad lines: %s", mark.Bad, text)
	}
}
