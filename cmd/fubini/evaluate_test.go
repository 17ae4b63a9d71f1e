package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fubini/core/rng"
)

// Every number but times is the same for any number of jobs and any order of
// the file, for every model.
func TestEvaluateDoesNotDependOnJobs(t *testing.T) {
	r := rng.Stream(1, "evaluate")
	var lines []string
	for u := range 40 {
		for i := range 30 {
			if r.Float64() < 0.7 {
				lines = append(lines, fmt.Sprintf("u%d,i%d,%d", u, i, 1+r.IntN(5)))
			}
		}
	}
	models := "all"
	if testing.Short() {
		models = "item-mean,pmf,latent-osm" // each of them is under the race detector in its package
	}
	folder := t.TempDir()
	var outputs []string
	times := regexp.MustCompile(`"(fit_s|rank_s)": [^,}]*`)
	for k, jobs := range []string{"1", "7"} {
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		path := filepath.Join(folder, fmt.Sprint(k, ".csv"))
		if err := os.WriteFile(path, []byte("user,item,rating\n"+strings.Join(lines, "\n")), 0o666); err != nil {
			t.Fatal(err)
		}
		out := fubini(t, "evaluate", path, "--given", "5", "--min-test", "3", "--models", models, "--more", "--format", "json", "-j", jobs, "--quiet")
		if !times.MatchString(out) {
			t.Fatalf("no times in %s", out)
		}
		outputs = append(outputs, times.ReplaceAllString(out, ""))
	}
	if outputs[0] != outputs[1] {
		t.Errorf("one job:\n%s\nseven:\n%s", outputs[0], outputs[1])
	}
}

// table writes ratings of so many users and items to a file.
func table(t *testing.T, users, items int) (path string) {
	t.Helper()
	r := rng.Stream(2, "table")
	var text strings.Builder
	text.WriteString("user,item,rating,timestamp\n")
	for u := range users {
		for i := range items {
			if r.Float64() < 0.6 {
				fmt.Fprintf(&text, "u%d,i%d,%d,%d\n", u, i, min(5, max(1, 3+(i%5-2)/2+r.IntN(3)-1)), r.IntN(10))
			}
		}
	}
	path = filepath.Join(t.TempDir(), "ratings.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// numbers are all of the output but times, and what flags are echoed.
var changing = regexp.MustCompile(`"(fit_s|rank_s|protocol|candidates|ndcg_gain|seed|given)":[^,}]*,?`)

func numbers(t *testing.T, args ...string) string {
	t.Helper()
	return changing.ReplaceAllString(fubini(t, append(args, "--format", "jsonl", "--quiet")...), "")
}

// A split in files has the same numbers as a split in memory if it was written with times, by which what comes next is sought, and
// others without.
func TestSplitWithTimes(t *testing.T) {
	data := table(t, 60, 20)
	one := func(args ...string) string {
		return numbers(t, append([]string{"evaluate", "--candidates", "all", "--models", "latent-osm"}, args...)...)
	}
	var of [2]string
	for k, flags := range [][]string{{"--times"}, nil} {
		folder := t.TempDir()
		fubini(t, append([]string{"data", "split", data, "--protocol", "leave-k", "--k", "2", "-o", folder, "--quiet"}, flags...)...)
		of[k] = one("--split", folder)
	}
	if want := one(data, "--protocol", "leave-k", "--k", "2"); of[0] != want || of[1] == want || !strings.Contains(want, `"aim":"next"`) {
		t.Errorf("from files with times\n%s\nfrom files without\n%s\nin memory\n%s", of[0], of[1], want)
	}
	bare := filepath.Join(t.TempDir(), "bare.csv")
	if err := os.WriteFile(bare, []byte("user,item,rating\na,x,1\na,y,2\na,z,3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	refused(t, []string{"data", "split", bare, "--times", "--protocol", "leave-k", "--quiet", "-o", t.TempDir()}, "--times", "has no times")
}

// Every flag that should change the numbers does.
func TestFlagsOfEvaluateMatter(t *testing.T) {
	skipIfShort(t)
	data := table(t, 60, 30)
	base := []string{"evaluate", data, "--given", "5", "--min-test", "3", "--models", "item-mean", "--more"}
	plain := numbers(t, base...)
	for _, flags := range [][]string{
		{"--ndcg-gain", "linear"}, {"--ndcg-gain", "binary"}, {"--candidates", "all"}, {"--seed", "2"}, {"--min-test", "5"},
		{"--protocol", "given"}, {"--scale", "0,9"},
	} {
		if numbers(t, append(base, flags...)...) == plain {
			t.Errorf("%v changes nothing", flags)
		}
	}
	if numbers(t, base...) != plain {
		t.Error("the same call gave other numbers")
	}
	rated := numbers(t, "evaluate", data, "--protocol", "leave-k", "--k", "3", "--models", "item-mean", "--candidates", "rated")
	if all := numbers(t, "evaluate", data, "--protocol", "leave-k", "--k", "3", "--models", "item-mean"); all == rated {
		t.Error("other protocols than the paper's rank rated items by default")
	}
}

// A split that was written and read again is judged as when it was made, for
// each protocol that writes one folder.
func TestWrittenSplitsAreJudgedTheSame(t *testing.T) {
	skipIfShort(t)
	data := table(t, 60, 30)
	for _, protocol := range [][]string{
		{"--protocol", "paper", "--given", "5", "--min-test", "3"},
		{"--protocol", "given", "--given", "5", "--min-test", "3"},
		{"--protocol", "user", "--given", "5", "--min-test", "3", "--share", "0.3"},
		{"--protocol", "leave-k", "--k", "3"},
		{"--protocol", "random", "--share", "0.3"},
		{"--protocol", "time", "--share", "0.3"},
	} {
		folder := filepath.Join(t.TempDir(), "split")
		fubini(t, append([]string{"data", "split", data, "-o", folder, "--quiet"}, protocol...)...)
		judge := []string{"--models", "item-mean,latent-osm", "--set", "latent-osm.epochs=3", "--candidates", "rated"}
		direct := numbers(t, append(append([]string{"evaluate", data}, protocol...), judge...)...)
		if again := numbers(t, append([]string{"evaluate", "--split", folder}, judge...)...); again != direct {
			t.Errorf("%v: read again\n%s\nat once\n%s", protocol, again, direct)
		}
	}
}
