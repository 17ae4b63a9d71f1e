// Package terminal shows a person how far work has come, and keeps texts from files from steering the terminal.
package terminal

import (
	"io"
	"os"
	"unicode/utf8"

	"fubini/app/exit"
)

// IsTerminal reports whether a person is likely to watch a stream: it is a character device.
func IsTerminal(stream io.Writer) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Printable is a writer that shows control characters as a Go string does, except line ends and tabs, so that texts
// from files cannot change the state of a terminal.
type Printable struct {
	To   io.Writer
	rest []byte // the beginning of a character
}

// Write implements [io.Writer].
func (p *Printable) Write(text []byte) (int, error) {
	all := append(p.rest, text...)
	end := len(all)
	for k := 1; k < utf8.UTFMax && k <= len(all); k++ { // the last character may not be whole
		if last := all[len(all)-k:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				end = len(all) - k
			}
			break
		}
	}
	p.rest = append([]byte(nil), all[end:]...)
	_, err := io.WriteString(p.To, exit.Printable(string(all[:end])))
	return len(text), err
}
