package terminal

import (
	"io"
	"unicode/utf8"

	"fubini/app/exit"
)

// Printable is a terminal that no text from a file can steer: control characters come
// as they would stand in a Go string, but for the ends of lines and tabs.
type Printable struct {
	To   io.Writer
	rest []byte // the beginning of a character
}

// Write implements io.Writer.
func (p *Printable) Write(text []byte) (int, error) {
	all := append(p.rest, text...)
	end := len(all)
	for k := 1; k < utf8.UTFMax && k <= len(all); k++ { // the last character may not be whole
		if utf8.RuneStart(all[len(all)-k]) {
			if !utf8.FullRune(all[len(all)-k:]) {
				end = len(all) - k
			}
			break
		}
	}
	p.rest = append([]byte(nil), all[end:]...)
	if _, err := io.WriteString(p.To, exit.Printable(string(all[:end]))); err != nil {
		return 0, err
	}
	return len(text), nil
}
