package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// openTerminal opens a pseudo-terminal: what is written to the second is read from the
// first.
func openTerminal(t *testing.T) (screen, program *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { screen.Close() })
	number, unlock := uint32(0), uint32(0)
	for request, argument := range map[uintptr]*uint32{syscall.TIOCSPTLCK: &unlock, syscall.TIOCGPTN: &number} {
		if _, _, failed := syscall.Syscall(syscall.SYS_IOCTL, screen.Fd(), request, uintptr(unsafe.Pointer(argument))); failed != 0 {
			t.Skipf("no pseudo-terminals here: %v", failed)
		}
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { program.Close() })
	return screen, program
}

// On a terminal no format shows control characters of a file.
func TestNoFormatSteersATerminal(t *testing.T) {
	data, model := steered(t)
	screen, program := openTerminal(t)
	for _, args := range [][]string{
		{"recommend", model, "--users", data, "--min-support", "0", "--format", "json"},
		{"recommend", model, "--users", data, "--min-support", "0", "--format", "csv"},
		{"embed", model, data, "--format", "jsonl"},
		{"data", "convert", data, "-", "--to", "csv"},
		{"data", "info", filepath.Join(t.TempDir(), "\x1b[2J.csv")},
	} {
		shown := make(chan string)
		go func() {
			var all strings.Builder
			piece := make([]byte, 4096)
			for !strings.Contains(all.String(), "the end") {
				n, err := screen.Read(piece)
				if err != nil {
					break
				}
				all.Write(piece[:n])
			}
			shown <- all.String()
		}()
		run(t.Context(), append(args, "--quiet"), nil, program, program)
		fmt.Fprintln(program, "the end")
		select {
		case text := <-shown:
			if text = strings.ReplaceAll(text, "\r\n", "\n"); len(text) < 20 || steersTerminal(strings.ReplaceAll(text, "\t", "")) {
				t.Errorf("%q shows %q", args, text)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%q shows nothing", args)
		}
	}
}
