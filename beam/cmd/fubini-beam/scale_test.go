package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fubini/app/measure"
	"fubini/app/recommend"
	"fubini/beam/job"
	"fubini/beam/people"
	"fubini/beam/score"
	"fubini/cmd/fubini/cli"
	"fubini/data/format"
	"fubini/learn/modelstore"
)

// TestScalePage scores made-up people on one core: with the batch of fubini recommend --users, and with the pipeline
// of fubini-beam score on Prism, from a table to lines of JSON; for a few numbers of people, to measure the fixed cost of
// a job. From that follows a projection for a cluster. FUBINI_SCALE_PAGE names the page that the tables are put into,
// between its marks; FUBINI_SCALE_START the seconds that a cluster takes to start a job, where it is not that of Prism.
func TestScalePage(t *testing.T) {
	page, number, start := os.Getenv("FUBINI_SCALE_PAGE"), 20_000, 0.0
	if text := os.Getenv("FUBINI_SCALE_START"); text != "" {
		var err error
		if start, err = strconv.ParseFloat(text, 64); err != nil {
			t.Fatal(err)
		}
	}
	if page == "" { // see that it runs
		if testing.Short() {
			t.Skip("measures speed")
		}
		number = 40
		page = filepath.Join(t.TempDir(), "page.md")
		if err := os.WriteFile(page, []byte("before\n"+sectionBegins+"old\n"+sectionEnds+"after\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := &program{Program: *cli.NewProgram(os.Stderr)}
	p.Quiet = !testing.Verbose()
	found, err := p.measure(t.Context(), number)
	if err != nil {
		t.Fatal(err)
	}
	if err := replaceSection(page, found.section(start)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(text); !strings.Contains(got, fmt.Sprintf("\n| %d | true | ", number/2)) || !strings.Contains(got, "\n| 256 | ") || strings.Contains(got, "NaN") || strings.Contains(got, "old\n") {
		t.Errorf("%s", got)
	}
	if err := replaceSection(filepath.Join(t.TempDir(), "none.md"), ""); err == nil {
		t.Error("a page that is not there was written")
	}
}

// pace is how long some people took.
type pace struct {
	people      int
	odds        bool
	alone, beam float64 // seconds of a core: one process, the pipeline
	wall        float64 // seconds until the pipeline was done
}

type paces []pace

// measure scores on one core.
func (p *program) measure(ctx context.Context, number int) (paces, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	folder, err := os.MkdirTemp("", "fubini-beam-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	saved := measure.Model(p.Seed)
	path := filepath.Join(folder, "model")
	file, err := saved.File()
	if err != nil {
		return nil, err
	}
	err = job.Write(path, func(w io.Writer) error {
		_, err := file.WriteTo(w)
		return err
	})
	if err != nil {
		return nil, err
	}
	var all paces
	for _, one := range []pace{{people: 1}, {people: number / 4}, {people: number / 2}, {people: number}, {people: number / 2, odds: true}} {
		p.Tell("%d people, odds %t ...", one.people, one.odds)
		data := filepath.Join(folder, fmt.Sprintf("people-%d.csv", one.people))
		if err := job.Write(data, func(w io.Writer) error {
			_, err := io.Copy(w, measure.Ratings(one.people))
			return err
		}); err != nil {
			return nil, err
		}
		used := coreSeconds()
		if err := alonePass(ctx, saved, data, filepath.Join(folder, "alone"), one.odds); err != nil {
			return nil, err
		}
		one.alone = coreSeconds() - used
		used = coreSeconds()
		begun := time.Now()
		inputs, err := people.Find([]string{data})
		if err != nil {
			return nil, err
		}
		j := score.Job{
			Rules: recommend.Rules{Count: measure.Top, Odds: one.odds}, Duplicates: "error", Form: "jsonl", Model: path, Jobs: 1,
			Read: people.ReadFn{Inputs: inputs, Shards: 16}, Folder: filepath.Join(folder, fmt.Sprintf("out-%d-%t", one.people, one.odds)),
		}
		if _, _, err := j.Run(ctx, "test", p.log); err != nil {
			return nil, err
		}
		one.beam, one.wall = coreSeconds()-used, time.Since(begun).Seconds()
		all = append(all, one)
	}
	return all, nil
}

// coreSeconds is how long this process has kept cores busy, whatever else they do.
func coreSeconds() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err) // only for a fault of ours
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}

// alonePass is what the command recommend --users does, on one core.
func alonePass(ctx context.Context, saved *modelstore.Saved, data, out string, odds bool) error {
	r, err := recommend.New(saved, recommend.Rules{Count: measure.Top, Odds: odds})
	if err != nil {
		return err
	}
	b := &recommend.Batch{Recommender: r, Form: recommend.JSONLForm(r), Name: data, Rated: true}
	reader, err := format.OpenUsers(os.DirFS(filepath.Dir(data)), filepath.Base(data), format.Options{})
	if err != nil {
		return err
	}
	defer reader.Close()
	return job.Write(out, func(w io.Writer) error {
		sink := b.Form.Open(w)
		if err := b.Run(ctx, 1, reader.Next, sink.Put); err != nil {
			return err
		}
		return sink.Close()
	})
}

// fit is the line through what the pipeline took without odds: seconds of a job, and of a
// person.
func (all paces) fit() (fixed, each float64) {
	var n, x, y, xx, xy float64
	for _, one := range all {
		if one.odds {
			continue
		}
		v := float64(one.people)
		n++
		x += v
		y += one.beam
		xx += v * v
		xy += v * one.beam
	}
	each = (n*xy - x*y) / (n*xx - x*x)
	return (y - each*x) / n, each
}

// section is what was found, in Markdown.
func (all paces) section(start float64) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, `People with %d placed items of a catalogue of %d, %d hidden units, the best %d for each. Seconds of a core, reading and
writing too; the pipeline on Prism has 16 shards.

| people | with odds | one process, s | pipeline, s | one process, people/s a core | pipeline, people/s a core | times as much |
|---:|---|---:|---:|---:|---:|---:|
`, measure.Placed, measure.Items, measure.Units, measure.Top)
	for _, one := range all {
		n := float64(one.people)
		fmt.Fprintf(&b, "| %d | %t | %.3g | %.3g | %.3g | %.3g | %.2f |\n", one.people, one.odds, one.alone, one.beam, n/one.alone, n/one.beam, one.beam/one.alone)
	}
	fixed, each := all.fit()
	odds := all[len(all)-1]
	withOdds := (odds.beam - all[0].beam) / float64(odds.people)
	fmt.Fprintf(&b, `
A job for a single person takes %.3g s here by the clock, and %.3g s of a core: that is its fixed cost. The line through the rows
without odds says %.3g s of a core for a job and %.3g µs for a person; with odds a person takes %.3g µs.

**Projection, not a measurement**, for 1e8 people: fixed cost and the time of a person as above, cores that share the
work evenly, and storage that keeps up. %s

| cores | hours | hours with odds |
|---:|---:|---:|
`, all[0].wall, all[0].beam, fixed, 1e6*each, 1e6*withOdds, startText(start))
	if start == 0 {
		start = all[0].wall
	}
	for _, cores := range []float64{2, 16, 64, 256} {
		fmt.Fprintf(&b, "| %g | %.3g | %.3g |\n", cores, (start+1e8*each/cores)/3600, (start+1e8*withOdds/cores)/3600)
	}
	return b.String()
}

func startText(start float64) string {
	if start == 0 {
		return "The start of a job is that of Prism; a cluster takes some seconds more."
	}
	return fmt.Sprintf("A job takes %g s to start, as on [the cluster](scale-flink.md).", start)
}

// The marks in a page between which the result stands.
const sectionBegins, sectionEnds = "<!-- scale -->\n", "<!-- end of scale -->\n"

// replaceSection puts a section between its marks.
func replaceSection(page, section string) error {
	text, err := os.ReadFile(filepath.Clean(page))
	if err != nil {
		return err
	}
	before, rest, begun := strings.Cut(string(text), sectionBegins)
	_, after, ended := strings.Cut(rest, sectionEnds)
	if !begun || !ended {
		return fmt.Errorf("%s has no lines %q and %q", page, strings.TrimSpace(sectionBegins), strings.TrimSpace(sectionEnds))
	}
	return job.Write(page, func(w io.Writer) error {
		_, err := io.WriteString(w, before+sectionBegins+"\n"+section+"\n"+sectionEnds+after)
		return err
	})
}
