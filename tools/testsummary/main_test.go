package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// summary runs the program on streams given as text and returns what it prints and counts.
func summary(t *testing.T, race string, checks int, plain ...string) (text string, failed int) {
	t.Helper()
	save := func(content string) string {
		file, err := os.CreateTemp(t.TempDir(), "*.json")
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := file.WriteString(content); err != nil {
			t.Fatal(err)
		}
		return file.Name()
	}
	var names []string
	for _, content := range plain {
		names = append(names, save(content))
	}
	if race != "" {
		race = save(race)
	}
	var out strings.Builder
	failed = run(&out, names, race, checks, false)
	return out.String(), failed
}

const passing = `{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"{\"Action\":\"fail\",\"Package\":\"p\",\"Test\":\"TestA\"}\n"}
{"Action":"pass","Package":"p","Test":"TestA","Elapsed":0.1}
{"Action":"run","Package":"p","Test":"TestB"}
{"Action":"output","Package":"p","Test":"TestB","Output":"=== RUN   TestB\n"}
{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:7: FUBINI_DATA is not set:\n"}
{"Action":"output","Package":"p","Test":"TestB","Output":"        no ratings\n"}
{"Action":"output","Package":"p","Test":"TestB","Output":"--- SKIP: TestB (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"TestB","Elapsed":0}
{"Action":"pass","Package":"p","Elapsed":0.2}
{"Action":"skip","Package":"no/test/files","Elapsed":0}
`

func TestSummary(t *testing.T) {
	cases := []struct {
		name, race string
		checks     int
		plain      []string
		want       string
	}{
		{
			name:  "skips are named with their reason and output cannot pose as an event",
			plain: []string{passing},
			want:  "Skipped:\n  p TestB: FUBINI_DATA is not set: no ratings\n1 passed, 0 failed, 1 skipped\n",
		},
		{
			name: "streams add up",
			plain: []string{passing, `{"Action":"run","Package":"q","Test":"TestA"}
{"Action":"pass","Package":"q","Test":"TestA"}
{"Action":"skip","Package":"q","Test":"TestC"}
{"Action":"pass","Package":"q"}`},
			want: "Skipped:\n  p TestB: FUBINI_DATA is not set: no ratings\n  q TestC: no reason given\n2 passed, 0 failed, 2 skipped\n",
		},
		{
			name:   "checks count as failures",
			checks: 2,
			plain:  []string{`{"Action":"pass","Package":"p","Test":"TestA"}`},
			want:   "1 passed, 2 failed, 0 skipped\n",
		},
		{
			name: "a failed test and its package are one failure",
			plain: []string{`{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p","Test":"TestB"}
{"Action":"fail","Package":"p"}`},
			want: "Failed:\n  p TestB\n1 passed, 1 failed, 0 skipped\n",
		},
		{
			name: "a package that does not build is a failure",
			plain: []string{`{"ImportPath":"p [p.test]","Action":"build-fail"}
{"Action":"start","Package":"p"}
{"Action":"fail","Package":"p","FailedBuild":"p [p.test]"}`},
			want: "Failed:\n  p (the package itself: build, TestMain or time limit)\n0 passed, 1 failed, 0 skipped\n",
		},
		{
			name: "a test that never ends has failed",
			plain: []string{`not an event
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p"}`},
			want: "Failed:\n  p TestA\n0 passed, 1 failed, 0 skipped\n",
		},
		{
			name:  "a package that never ends has failed",
			plain: []string{`{"Action":"start","Package":"p"}`},
			want:  "Failed:\n  p (the package itself: build, TestMain or time limit)\n0 passed, 1 failed, 0 skipped\n",
		},
		{
			name: "a second run counts, and what passed only then is named",
			plain: []string{`{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p","Test":"TestB"}
{"Action":"fail","Package":"p"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p","Test":"TestB"}
{"Action":"fail","Package":"p"}`},
			want: "Failed:\n  p TestB\nFailed first, passed when run once more:\n  p TestA\n1 passed, 1 failed, 0 skipped\n",
		},
		{
			name:  "a race failure replaces the pass, other race results do not count",
			plain: []string{passing},
			race: `{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"skip","Package":"p","Test":"TestB"}
{"Action":"skip","Package":"p","Test":"TestA/short"}
{"Action":"fail","Package":"p"}`,
			want: "Failed:\n  p TestA\nSkipped:\n  p TestB: FUBINI_DATA is not set: no ratings\n0 passed, 1 failed, 1 skipped\n",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, failed := summary(t, c.race, c.checks, c.plain...)
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if (failed == 0) != strings.Contains(c.want, " 0 failed") {
				t.Errorf("%d failures returned, but the text says\n%s", failed, got)
			}
		})
	}
}

func TestAStreamThatCannotBeReadIsAFailure(t *testing.T) {
	text, failed := summary(t, "", 0, passing, "go: cannot find main module\n")
	if failed != 1 || !strings.Contains(text, "no test events") || !strings.HasSuffix(text, "\n1 passed, 1 failed, 1 skipped\n") {
		t.Errorf("no events: %d failures, text\n%s", failed, text)
	}
	if failed := run(&strings.Builder{}, []string{filepath.Join(t.TempDir(), "absent.json")}, "", 0, false); failed != 1 {
		t.Errorf("missing file: %d failures", failed)
	}
}

func TestAnUnsuccessfulRunIsNeverWithoutFailures(t *testing.T) {
	name := filepath.Join(t.TempDir(), "plain.json")
	for content, want := range map[string]int{
		`{"Action":"pass","Package":"p","Test":"TestA"}`: 1, // go test failed and the stream does not show why
		`{"Action":"fail","Package":"p","Test":"TestA"}`: 1, // it does: not counted twice
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if failed := run(&strings.Builder{}, []string{name}, "", 0, true); failed != want {
			t.Errorf("%s: %d failures", content, failed)
		}
	}
}
