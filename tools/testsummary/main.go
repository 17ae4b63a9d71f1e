// Testsummary counts the tests in the event streams that `go test -json` writes, as ./test does at its end.
//
//	testsummary [-race FILE] [-checks N] [-unsuccessful] FILE...
//
// It prints the failed tests, the skipped tests with their reasons, and as its last line
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
	"bufio"
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
	var err error
	for _, name := range plain {
		err = errors.Join(err, readInto(tests, name))
	}
	if race != "" {
		again := tally{}
		err = errors.Join(err, readInto(again, race))
		tests.addFailures(again)
	}
	if err != nil {
		fmt.Fprintln(w, "not counted:", err)
	}
	if (unsuccessful || err != nil) && tests.count("fail") == 0 {
		checks++
	}
	return tests.write(w, checks)
}

func readInto(tests tally, name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := tests.read(file); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// id names a test; an empty test stands for the package as a whole.
type id struct{ pkg, test string }

// outcome is what is known of a test so far.
type outcome struct {
	state  string // "pass", "fail", "skip"; "" while it runs
	output []string
}

type tally map[id]*outcome

// event is the part of test2json's TestEvent used here.
type event struct {
	Action, Package, Test, Output string
}

// read adds the events of one run. Lines that are not events (go's own remarks) are passed over,
// but a stream that holds no event at all is an error: nothing was tested.
func (t tally) read(r io.Reader) error {
	lines := bufio.NewReader(r)
	events := 0
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		if json.Unmarshal(line, &e) == nil && e.Package != "" {
			events++
			t.add(e)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if events == 0 {
		return errors.New("no test events")
	}
	t.close()
	return nil
}

func (t tally) add(e event) {
	key := id{e.Package, e.Test}
	if t[key] == nil {
		t[key] = &outcome{}
	}
	switch e.Action {
	case "pass", "fail", "skip":
		t[key].state = e.Action
	case "output":
		t[key].output = append(t[key].output, e.Output)
	}
}

// close settles what the stream left open: tests without an end have failed, and packages are
// dropped unless their failure is the only sign that something went wrong.
func (t tally) close() {
	explained := map[string]bool{}
	for key, o := range t {
		if o.state == "" {
			o.state = "fail"
		}
		if o.state == "fail" && key.test != "" {
			explained[key.pkg] = true
		}
	}
	for key, o := range t {
		if key.test == "" && (o.state != "fail" || explained[key.pkg]) {
			delete(t, key)
		}
	}
}

func (t tally) count(state string) (n int) {
	for _, o := range t {
		if o.state == state {
			n++
		}
	}
	return n
}

// addFailures marks as failed what failed in a second run of the same tests.
func (t tally) addFailures(again tally) {
	for key, o := range again {
		if o.state == "fail" {
			t[key] = o
		}
	}
}

// write prints the failed and the skipped tests and the closing line; it returns the number of failures.
func (t tally) write(w io.Writer, checks int) (failed int) {
	byState := map[string][]id{}
	for key, o := range t {
		byState[o.state] = append(byState[o.state], key)
	}
	for _, state := range []string{"fail", "skip"} {
		keys := byState[state]
		if len(keys) == 0 {
			continue
		}
		slices.SortFunc(keys, func(a, b id) int { return strings.Compare(a.String(), b.String()) })
		fmt.Fprintln(w, map[string]string{"fail": "Failed:", "skip": "Skipped:"}[state])
		for _, key := range keys {
			if state == "skip" {
				fmt.Fprintf(w, "  %s: %s\n", key, t[key].reason())
			} else {
				fmt.Fprintf(w, "  %s\n", key)
			}
		}
	}
	failed = len(byState["fail"]) + checks
	fmt.Fprintf(w, "%d passed, %d failed, %d skipped\n", len(byState["pass"]), failed, len(byState["skip"]))
	return failed
}

func (k id) String() string {
	if k.test == "" {
		return k.pkg + " (the package itself: build, TestMain or time limit)"
	}
	return k.pkg + " " + k.test
}

var (
	framing  = regexp.MustCompile(`^\s*(=== |--- )`)
	position = regexp.MustCompile(`^\s*\S+\.go:\d+: `)
)

// reason is what a skipped test printed, without go test's framing and file positions.
func (o *outcome) reason() string {
	var words []string
	for line := range strings.Lines(strings.Join(o.output, "")) {
		if framing.MatchString(line) {
			continue
		}
		words = append(words, strings.Fields(position.ReplaceAllString(line, ""))...)
	}
	if len(words) == 0 {
		return "no reason given"
	}
	return strings.Join(words, " ")
}
