package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/stat"

	"fubini/core/rng"
	"fubini/tools/peak"
)

// tastes measures fubini fit --hidden 1 on votes of raters of two planted tastes, three in ten of the second, and fit with reliabilities
// in place of tastes on the same votes.
type tastes struct {
	raters      string
	items, each int
	program     string
}

const secondShare = 0.3

func newTastes(flags *flag.FlagSet) *tastes {
	t := &tastes{}
	flags.StringVar(&t.raters, "raters", "200,2000,20000", "numbers of raters")
	flags.IntVar(&t.items, "items", 50, "items")
	flags.IntVar(&t.each, "each", 50, "votes of a rater, each on two items")
	flags.StringVar(&t.program, "fubini", "", "the program; built if empty")
	return t
}

// write makes votes, fits each set of them and writes a table.
func (t *tastes) write(ctx context.Context, w io.Writer) error {
	counts, err := parseCounts(t.raters)
	if err != nil {
		return fmt.Errorf("-raters: %w", err)
	}
	dir, done, err := workspace(ctx, &t.program)
	if err != nil {
		return err
	}
	defer done()
	fmt.Fprint(w, `| votes | raters | time, s | memory, MB | correlation of the difference of tastes | share of the second, planted 0.3 | gain, nats a vote | reliabilities: time, s | memory, MB |
|---:|---:|---:|---:|---:|---:|---:|---:|---:|
`)
	for _, raters := range counts {
		if err := t.measure(ctx, w, filepath.Join(dir, "votes.csv"), raters); err != nil {
			return err
		}
	}
	return nil
}

func parseCounts(text string) (counts []int, err error) {
	for _, word := range strings.Split(text, ",") {
		var n int
		if _, err := fmt.Sscan(word, &n); err != nil || n < 2 {
			return nil, fmt.Errorf("%q is not a number of at least 2", word)
		}
		counts = append(counts, n)
	}
	return counts, nil
}

// measure is one row.
func (t *tastes) measure(ctx context.Context, w io.Writer, name string, raters int) error {
	var difference []float64
	err := write(name, func(w io.Writer) (err error) {
		difference, err = t.plant(w, raters)
		return err
	})
	if err != nil {
		return err
	}
	tell("%d raters ...", raters)
	out, used, err := t.fit(ctx, name, "--hidden", "1")
	if err != nil {
		return err
	}
	_, reliable, err := t.fit(ctx, name)
	if err != nil {
		return err
	}
	var report struct { // of use/board.Report
		Items []struct {
			ID string `json:"item"`
		} `json:"items"`
		Tastes struct {
			Groups []struct {
				Share  float64 `json:"share"`
				Worths []struct {
					Worth float64 `json:"worth"`
				} `json:"worths"`
			} `json:"groups"`
			Gain     float64 `json:"gain"`
			StdError float64 `json:"std_err"`
		} `json:"tastes"`
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return err
	}
	if len(report.Tastes.Groups) != 2 {
		return fmt.Errorf("%d raters: no two tastes were found", raters)
	}
	first, second := report.Tastes.Groups[0], report.Tastes.Groups[1]
	var x, y []float64
	for k, item := range report.Items {
		var i int
		if _, err := fmt.Sscanf(item.ID, "item%d", &i); err != nil {
			return err
		}
		x, y = append(x, second.Worths[k].Worth-first.Worths[k].Worth), append(y, difference[i])
	}
	fmt.Fprintf(w, "| %d | %d | %.1f | %.0f | %.3f | %.3f | %.4f ± %.4f | %.1f | %.0f |\n", raters*t.each, raters, used.Seconds, used.Memory, stat.Correlation(x, y, nil), second.Share, report.Tastes.Gain, report.Tastes.StdError, reliable.Seconds, reliable.Memory)
	return nil
}

// fit runs the program on a file of votes, and returns its result and what it took.
func (t *tastes) fit(ctx context.Context, name string, more ...string) ([]byte, peak.Cost, error) {
	cmd := exec.CommandContext(ctx, t.program, append([]string{"fit", name, "--raters", "rater", "--format", "json", "--quiet"}, more...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	used, err := peak.Run(cmd)
	return out.Bytes(), used, err
}

// plant writes votes, and returns the difference of the second taste from the first.
func (t *tastes) plant(w io.Writer, raters int) ([]float64, error) {
	r := rng.Stream(seed, "tastes")
	base, difference := make([]float64, t.items), make([]float64, t.items)
	for i := range base {
		base[i], difference[i] = r.NormFloat64(), r.NormFloat64()
	}
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "rater,model_a,model_b,winner")
	for rater := range raters {
		has := r.Float64() < secondShare
		for range t.each {
			i := r.IntN(t.items)
			j := (i + 1 + r.IntN(t.items-1)) % t.items
			d := base[i] - base[j]
			if has {
				d += difference[i] - difference[j]
			}
			winner := []string{"model_a", "model_b", "tie"}[r.Pick([]float64{math.Exp(d / 2), math.Exp(-d / 2), 0.8})]
			fmt.Fprintf(out, "r%d,item%d,item%d,%s\n", rater, i, j, winner)
		}
	}
	return difference, out.Flush()
}
