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
	folder := t.TempDir()
	var outputs []string
	times := regexp.MustCompile(`"(fit_s|rank_s)": [^,}]*`)
	for k, jobs := range []string{"1", "2", "7"} {
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		path := filepath.Join(folder, fmt.Sprint(k, ".csv"))
		if err := os.WriteFile(path, []byte("user,item,rating\n"+strings.Join(lines, "\n")), 0o666); err != nil {
			t.Fatal(err)
		}
		out := fubini(t, "evaluate", path, "--given", "5", "--min-test", "3", "--models", "all", "--more", "--format", "json", "-j", jobs, "--quiet")
		if !times.MatchString(out) {
			t.Fatalf("no times in %s", out)
		}
		outputs = append(outputs, times.ReplaceAllString(out, ""))
	}
	if outputs[0] != outputs[1] || outputs[0] != outputs[2] {
		t.Errorf("one job:\n%s\ntwo:\n%s\nseven:\n%s", outputs[0], outputs[1], outputs[2])
	}
}
