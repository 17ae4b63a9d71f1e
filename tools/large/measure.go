package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"fubini/tools/peak"
)

// step is one run of the program, and what it took.
type step struct {
	name string
	args []string
	in   string // file that is read

	seconds, core float64 // on the clock, and of processors
	memory        float64 // most that was resident, in MB
	size          float64 // of the file that is read, in MB
	log           bytes.Buffer
}

func (s *step) run(program string) error {
	info, err := os.Stat(s.in)
	if err != nil {
		return err
	}
	s.size = float64(info.Size()) / 1e6
	cmd := exec.Command(program, s.args...)
	cmd.Stderr = io.MultiWriter(os.Stderr, &s.log)
	peak.Forget()
	begin := time.Now()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(s.args, " "), err)
	}
	s.seconds = time.Since(begin).Seconds()
	s.core = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	s.memory = peak.Of(cmd.ProcessState)
	return nil
}

// versionOf asks a program for its version.
func versionOf(program string) (string, error) {
	var about struct {
		Version string `json:"version"`
	}
	out, err := exec.Command(program, "version", "--format", "json").Output()
	if err == nil {
		err = json.Unmarshal(out, &about)
	}
	return about.Version, err
}

func writeTable(w io.Writer, steps []step) error {
	fmt.Fprintln(w, "| step | s | core s | memory at its peak, MB | file, MB |")
	_, err := fmt.Fprintln(w, "|---|---:|---:|---:|---:|")
	for _, s := range steps {
		_, err = fmt.Fprintf(w, "| %s | %.1f | %.1f | %.0f | %.0f |\n", s.name, s.seconds, s.core, s.memory, s.size)
	}
	return err
}

// firstUsers copies the head of a CSV file that has the ratings of its first users.
func firstUsers(from, to string, users int) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	w := bufio.NewWriter(out)
	last, count := "", -1 // the header has a user of its own
	for lines := bufio.NewScanner(in); lines.Scan(); {
		user, _, _ := strings.Cut(lines.Text(), ",")
		if user != last {
			last = user
			if count++; count > users {
				break
			}
		}
		fmt.Fprintln(w, lines.Text())
	}
	return w.Flush()
}
