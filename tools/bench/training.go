package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// training measures fubini train on ratings, by what it leaves out.
type training struct{ program string }

func newTraining(flags *flag.FlagSet) *training {
	t := &training{}
	flags.StringVar(&t.program, "fubini", "", "the program; built if empty")
	return t
}

// write trains on the ratings once for each row, and writes a table.
func (t *training) write(ctx context.Context, data string, w io.Writer) error {
	dir, done, err := workspace(ctx, &t.program)
	if err != nil {
		return err
	}
	defer done()
	var about struct {
		Version string `json:"version"`
	}
	out, err := exec.CommandContext(ctx, t.program, "version", "--format", "json").Output()
	if err == nil {
		err = json.Unmarshal(out, &about)
	}
	if err != nil {
		return err
	}
	fmt.Fprint(w, "| `fubini train` | cores | time, s | core seconds | memory, MB |\n|---|---:|---:|---:|---:|\n")
	for _, row := range []struct {
		name  string
		flags []string
	}{
		{"tiers alone, odds not calibrated", []string{"--aim", "taste", "--calibrate", "0"}},
		{"tiers alone, odds calibrated", []string{"--aim", "taste"}},
		{"interest alone", []string{"--aim", "interest"}},
		{"defaults: tiers, calibration, interest", nil},
	} {
		for _, jobs := range []int{1, runtime.NumCPU()} {
			tell("%s, %d cores ...", row.name, jobs)
			cmd := exec.CommandContext(ctx, t.program, append([]string{"train", data, "-o", filepath.Join(dir, "model"), "--quiet", "-j", fmt.Sprint(jobs)}, row.flags...)...)
			cmd.Stderr = os.Stderr
			start := time.Now()
			if err := cmd.Run(); err != nil {
				return err
			}
			used := cmd.ProcessState
			fmt.Fprintf(w, "| %s | %d | %.1f | %.1f | %.0f |\n", row.name, jobs, time.Since(start).Seconds(), (used.UserTime() + used.SystemTime()).Seconds(), float64(used.SysUsage().(*syscall.Rusage).Maxrss)/1024)
		}
	}
	fmt.Fprintf(w, "\nReading included; fubini %s, %s/%s.\n", about.Version, runtime.GOOS, runtime.GOARCH)
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
