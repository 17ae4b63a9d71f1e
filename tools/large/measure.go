package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"fubini/tools/peak"
)

// step is one run of the program, and what it took.
type step struct {
	name string
	args []string
	in   string // file that is read

	peak.Cost
	size float64 // of the file that is read, in MB
	log  bytes.Buffer
}

func (s *step) run(program string) error {
	info, err := os.Stat(s.in)
	if err != nil {
		return err
	}
	s.size = float64(info.Size()) / 1e6
	cmd := exec.Command(program, s.args...)
	cmd.Stderr = io.MultiWriter(os.Stderr, &s.log)
	s.Cost, err = peak.Run(cmd)
	return err
}

func writeTable(w io.Writer, steps []step) error {
	fmt.Fprintln(w, "| step | s | core s | memory at its peak, MB | file, MB |")
	_, err := fmt.Fprintln(w, "|---|---:|---:|---:|---:|")
	for _, s := range steps {
		_, err = fmt.Fprintf(w, "| %s | %.1f | %.1f | %.0f | %.0f |\n", s.name, s.Seconds, s.Core, s.Memory, s.size)
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
