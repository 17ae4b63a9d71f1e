package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"fubini/tools/peak"
)

// reading measures, on one core, how files of ratings are read to memory, and by fubini data convert to the compact form on disk.
type reading struct {
	program, before string
	benchBefore     string
	times           int
}

func newReading(flags *flag.FlagSet) *reading {
	r := &reading{}
	flags.StringVar(&r.program, "fubini", "", "the program; built if empty")
	flags.StringVar(&r.before, "before", "", "a program to compare with, run in turn with the other")
	flags.StringVar(&r.benchBefore, "bench-before", "", "a build of this command at the commit of -before, for what reading to memory took then")
	flags.IntVar(&r.times, "times", 7, "how often each file is read; the fastest counts")
	return r
}

// write converts each file a number of times, and writes a table. Two programs must give the same bytes.
func (r *reading) write(ctx context.Context, files []string, w io.Writer) error {
	dir, done, err := workspace(ctx, &r.program)
	if err != nil {
		return err
	}
	defer done()
	programs := []string{r.program}
	if r.before != "" {
		programs = append(programs, r.before)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	readers := []string{self, r.benchBefore}[:len(programs)]
	fmt.Fprint(w, "| file | MB | program | to memory, core seconds | MB/s a core | to the disk, core seconds | MB/s a core | memory at its peak, MB | compact form, MB |\n|---|---:|---|---:|---:|---:|---:|---:|---:|\n")
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		best, content := make([]peak.Cost, len(programs)), digest{}
		memory := make([]float64, len(programs)) // core seconds of reading to memory
		for n := range r.times {
			tell("%s, %d of %d ...", file, n+1, r.times)
			for k, program := range programs {
				if took, err := onceBy(ctx, readers[k], file); err != nil {
					return err
				} else if n == 0 || took < memory[k] {
					memory[k] = took
				}
				out := filepath.Join(dir, "ratings.compact")
				cmd := exec.CommandContext(ctx, program, "data", "convert", file, out, "--quiet", "-j", "1")
				cmd.Env, cmd.Stderr = append(os.Environ(), "GOMAXPROCS=1"), os.Stderr
				used, err := peak.Run(cmd)
				if err != nil {
					return err
				}
				if n > 0 {
					best[k].Core, best[k].Memory = min(best[k].Core, used.Core), max(best[k].Memory, used.Memory)
					continue
				}
				best[k] = used
				if again, err := digestOf(out); err != nil {
					return err
				} else if k == 0 {
					content = again
				} else if again != content {
					return errors.New(file + ": the two programs give different bytes")
				}
			}
		}
		for k, name := range []string{"this", "before"}[:len(programs)] {
			mb := float64(info.Size()) / 1e6
			toMemory := "| | |" // not measured
			if memory[k] > 0 {
				toMemory = fmt.Sprintf("| %.3f | %.0f |", memory[k], mb/memory[k])
			}
			fmt.Fprintf(w, "| %s | %.1f | %s %s %.3f | %.0f | %.0f | %.1f |\n", filepath.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file)), mb, name, toMemory, best[k].Core, mb/best[k].Core, best[k].Memory, float64(content.size)/1e6)
		}
	}
	fmt.Fprintf(w, "\nTo memory: from the file in the system's cache to the set in memory, the first thing that a process does; to the disk: all of `fubini data convert`, with the start of the program and the writing of the compact form. The fastest of %d, and the most memory of the latter; %s/%s.", r.times, runtime.GOOS, runtime.GOARCH)
	largest := slices.MaxFunc(files, func(a, b string) int { return int(sizeOf(a) - sizeOf(b)) })
	if rate, err := diskRate(ctx, largest); err == nil { // not every system has such a program
		fmt.Fprintf(w, " The disk has %.0f MB/s of the largest file, past the cache (`dd iflag=direct bs=1M`, the fastest of %d).", rate, diskTimes)
	}
	fmt.Fprintln(w)
	return nil
}

// onceBy has a build of this command read a file to memory in a process of its own, on one core. It returns the core seconds, 0 without a build.
func onceBy(ctx context.Context, bench, file string) (seconds float64, err error) {
	if bench == "" {
		return 0, nil
	}
	cmd := exec.CommandContext(ctx, bench, "once", file)
	cmd.Env, cmd.Stderr = append(os.Environ(), "GOMAXPROCS=1"), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%s once %s: %w", bench, file, err)
	}
	_, err = fmt.Sscan(string(out), &seconds)
	return seconds, err
}

// diskTimes is how often the disk is measured.
const diskTimes = 3

// diskRate is how many MB of a file come from the disk in a second, where the system's cache is passed by.
func diskRate(ctx context.Context, file string) (rate float64, err error) {
	for range diskTimes {
		start := time.Now()
		if err := exec.CommandContext(ctx, "dd", "if="+file, "of=/dev/null", "iflag=direct", "bs=1M").Run(); err != nil {
			return 0, err
		}
		rate = max(rate, float64(sizeOf(file))/1e6/time.Since(start).Seconds())
	}
	return rate, nil
}

// sizeOf is the size of a file, 0 for one that is not there.
func sizeOf(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}

// digest stands for the bytes of a file, which are not held: what this program has in memory would count as that of those that it starts.
type digest struct {
	size int64
	sum  [sha256.Size]byte
}

func digestOf(path string) (d digest, err error) {
	file, err := os.Open(path)
	if err != nil {
		return d, err
	}
	defer file.Close()
	h := sha256.New()
	d.size, err = io.Copy(h, file)
	h.Sum(d.sum[:0])
	return d, err
}
