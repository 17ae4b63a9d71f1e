// Testsummary counts the tests in the event streams that `go test -json` writes, as ./test does at its end.
//
//	testsummary [-race FILE] [-checks N] [-unsuccessful] FILE...
//
// It prints the failed tests, those that failed and passed when they were run once more, the skipped tests with their
// reasons, and as its last line
//
//	N passed, M failed, K skipped
//
// Every test and subtest counts as one, as in the output of go test. A test that was started and never ended has
// failed; so has a package that failed without a failed test (it did not build, say). Of the race file only failures
// are taken, because it repeats tests of the plain run. N of -checks, the failed checks that are not tests, is added
// to the failures, and -unsuccessful says that go test itself reported failure: the last line must never read
// "0 failed" after a run that failed.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	race := flag.String("race", "", "event stream of a second run, of which only failures count")
	checks := flag.Int("checks", 0, "failed checks that are not tests")
	unsuccessful := flag.Bool("unsuccessful", false, "a run of go test failed: there is at least one failure")
	flag.Parse()
	if failed := run(os.Stdout, flag.Args(), *race, *checks, *unsuccessful); failed > 0 {
		os.Exit(1)
	}
}

// run reads the named event streams, writes the summary, and returns the number of failures.
// A stream that cannot be read is a failure, but no reason not to sum up the others.
func run(w io.Writer, plain []string, race string, checks int, unsuccessful bool) (failed int) {
	tests := tally{}
	for _, name := range append(slices.Clone(plain), race) {
		if name == "" {
			continue
		}
		again, err := read(name)
		if err != nil {
			fmt.Fprintf(w, "not counted: %s: %v\n", name, err)
			unsuccessful = true
		}
		for of, test := range again {
			if name != race || test.state == "fail" {
				tests[of] = test
			}
		}
	}
	byState := map[string][]string{}
	for of, test := range tests {
		line := of.String()
		if test.state == "skip" {
			line += ": " + reason(test.output)
		}
		byState[test.state] = append(byState[test.state], line)
		if test.again && test.state == "pass" {
			byState["again"] = append(byState["again"], line)
		}
	}
	failed = len(byState["fail"]) + checks
	if unsuccessful && len(byState["fail"]) == 0 {
		failed++
	}
	for _, part := range []struct{ title, state string }{{"Failed:", "fail"}, {"Failed first, passed when run once more:", "again"}, {"Skipped:", "skip"}} {
		if lines := byState[part.state]; len(lines) > 0 {
			slices.Sort(lines)
			fmt.Fprintf(w, "%s\n  %s\n", part.title, strings.Join(lines, "\n  "))
		}
	}
	fmt.Fprintf(w, "%d passed, %d failed, %d skipped\n", len(byState["pass"]), failed, len(byState["skip"]))
	return failed
}

// id names a test; an empty test stands for the package as a whole.
type id struct{ Package, Test string }

func (k id) String() string {
	if k.Test == "" {
		return k.Package + " (the package itself: build, TestMain or time limit)"
	}
	return k.Package + " " + k.Test
}

// tally is what is known of tests. A state is "pass", "fail" or "skip", the last one where a test ran again after a
// failure.
type tally map[id]struct {
	state, output string
	again         bool
}

// read takes the events of one run. Lines that are not events (go's own remarks) are passed over, but a stream that
// holds no event at all is an error: nothing was tested.
func read(name string) (tally, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	tests := tally{}
	for line := range bytes.Lines(text) {
		var e struct { // of test2json's TestEvent
			id
			Action, Output string
		}
		if json.Unmarshal(line, &e) != nil || e.Package == "" {
			continue
		}
		test := tests[e.id]
		switch e.Action {
		case "pass", "fail", "skip":
			test.again = test.again || test.state == "fail"
			test.state = e.Action
		case "output":
			if len(test.output) < 1<<12 { // enough for the reason of a skip
				test.output += e.Output
			}
		}
		tests[e.id] = test
	}
	if len(tests) == 0 {
		return nil, errors.New("no test events")
	}
	// Tests without an end have failed. Packages do not count, unless their failure is the only sign that something
	// went wrong.
	explained := map[string]bool{}
	for of, test := range tests {
		if test.state == "" {
			test.state = "fail"
			tests[of] = test
		}
		explained[of.Package] = explained[of.Package] || of.Test != "" && test.state == "fail"
	}
	for of, test := range tests {
		if of.Test == "" && (test.state != "fail" || explained[of.Package]) {
			delete(tests, of)
		}
	}
	return tests, nil
}

var framing = regexp.MustCompile(`(?m)^\s*(?:(?:=== |--- ).*|\S+\.go:\d+: )`)

// reason is what a skipped test printed, without go test's framing and file positions.
func reason(output string) string {
	words := strings.Fields(framing.ReplaceAllString(output, ""))
	if len(words) == 0 {
		return "no reason given"
	}
	return strings.Join(words, " ")
}
