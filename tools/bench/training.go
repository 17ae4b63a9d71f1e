package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"fubini/tools/peak"
)

// training measures fubini train on ratings, by what it leaves out.
type training struct {
	program, before, only string
	times                 int
}

func newTraining(flags *flag.FlagSet) *training {
	t := &training{}
	flags.StringVar(&t.program, "fubini", "", "the program; built if empty")
	flags.StringVar(&t.before, "before", "", "a program to compare with, run in turn with the other")
	flags.StringVar(&t.only, "only", "", "only rows with this in their name")
	flags.IntVar(&t.times, "times", 1, "how often each row is run; the fastest counts")
	return t
}

// write trains on the ratings for each row, and writes a table. A program must write the same bytes on one core and on all.
func (t *training) write(ctx context.Context, data string, w io.Writer) error {
	dir, done, err := workspace(ctx, &t.program)
	if err != nil {
		return err
	}
	defer done()
	programs, versions := []string{t.program}, []string(nil)
	if t.before != "" {
		programs = append(programs, t.before)
	}
	for _, program := range programs {
		version, err := peak.Version(program)
		if err != nil {
			return err
		}
		versions = append(versions, version)
	}
	fmt.Fprint(w, "| `fubini train` | program | cores | time, s | core seconds | memory, MB |\n|---|---|---:|---:|---:|---:|\n")
	for _, row := range []struct {
		name  string
		flags []string
	}{
		{"tiers alone, odds not calibrated", []string{"--aim", "taste", "--calibrate", "0"}},
		{"tiers alone, odds calibrated", []string{"--aim", "taste"}},
		{"interest alone", []string{"--aim", "interest"}},
		{"defaults: tiers, calibration, interest", nil},
	} {
		if !strings.Contains(row.name, t.only) {
			continue
		}
		cores := []int{1, runtime.NumCPU()}
		fastest, models := make([]peak.Cost, len(cores)*len(programs)), make([][]byte, len(programs))
		for n := range t.times {
			for c, jobs := range cores {
				for k, program := range programs {
					tell("%s, %d cores, %d of %d ...", row.name, jobs, n+1, t.times)
					out := filepath.Join(dir, "model")
					cmd := exec.CommandContext(ctx, program, append([]string{"train", data, "-o", out, "--quiet", "-j", fmt.Sprint(jobs)}, row.flags...)...)
					cmd.Stderr = os.Stderr
					own, err := peak.Run(cmd)
					if err != nil {
						return err
					}
					model, err := os.ReadFile(out)
					if err != nil {
						return err
					}
					if models[k] != nil && !bytes.Equal(model, models[k]) {
						return fmt.Errorf("%s: %s writes other bytes on %d cores, or when it is run again", row.name, program, jobs)
					}
					models[k] = model
					if of := &fastest[k*len(cores)+c]; n == 0 {
						*of = own
					} else {
						*of = peak.Cost{Seconds: min(of.Seconds, own.Seconds), Core: min(of.Core, own.Core), Memory: min(of.Memory, own.Memory)}
					}
				}
			}
		}
		for at, of := range fastest {
			fmt.Fprintf(w, "| %s | %s | %d | %.1f | %.1f | %.0f |\n", row.name, []string{"this", "before"}[at/len(cores)], cores[at%len(cores)], of.Seconds, of.Core, of.Memory)
		}
	}
	fmt.Fprintf(w, "\nReading included, the least of %d runs; this is fubini %s, %s/%s.", t.times, versions[0], runtime.GOOS, runtime.GOARCH)
	if t.before != "" {
		fmt.Fprintf(w, " Before is fubini %s.", versions[1])
	}
	fmt.Fprintln(w)
	return nil
}

// workspace makes a folder for the files of a measurement, which done removes, and builds the program in it unless one is named.
func workspace(ctx context.Context, program *string) (dir string, done func(), err error) {
	if dir, err = os.MkdirTemp("", "bench"); err != nil {
		return "", nil, err
	}
	done = func() { os.RemoveAll(dir) }
	if *program == "" {
		*program = filepath.Join(dir, "fubini")
		cmd := exec.CommandContext(ctx, "go", "build", "-C", "..", "-buildvcs=true", "-o", *program, "./cmd/fubini")
		if out, err := cmd.CombinedOutput(); err != nil {
			done()
			return "", nil, fmt.Errorf("%w: %s", err, out)
		}
	}
	return dir, done, nil
}
