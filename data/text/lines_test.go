package text

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// A NUL byte and a byte that is not UTF-8 are seen wherever they stand in a line.
func TestLinesSeeEveryByte(t *testing.T) {
	for length := range 20 {
		good := strings.Repeat("user,1~ ", 3)[:length]
		for at := range good {
			bad := []byte(good)
			bad[at] = 0
			if _, err := NewLines("x", bytes.NewReader(bad)).Next(); err == nil || !strings.Contains(err.Error(), "a NUL byte in column") {
				t.Errorf("%q: %v", bad, err)
			}
			bad[at] = 0xff
			latin1 := 0
			l := NewLines("x", bytes.NewReader(append([]byte("a\n"), bad...)))
			l.Latin1 = &latin1
			l.Next()
			if line, err := l.Next(); err != nil || string(line) != good[:at]+"\u00ff"+good[at+1:] || latin1 != 1 {
				t.Errorf("%q is read as %q (%v)", bad, line, err)
			}
		}
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("y", MaxLine)
	text := "\ufeffa\r\n\nb\rc\n" + long + "\nlast"
	for _, chunk := range []int{1 << 20, 7, 1} {
		if chunk == 1 && testing.Short() {
			continue
		}
		l := NewLines("x", &slowly{strings.NewReader(text), chunk})
		for n, want := range []string{"a", "", "b\rc", long, "last"} {
			line, err := l.Next()
			if err != nil || string(line) != want || l.Number != n+1 || l.crlf != (n == 0) {
				t.Fatalf("chunk %d: line %d is %s (%v), want %s", chunk, l.Number, Quote(line), err, Quote(want))
			}
		}
		if _, err := l.Next(); err != io.EOF {
			t.Errorf("%v at the end", err)
		}

	}
	broken := errors.New("broken")
	l := NewLines("x", io.MultiReader(strings.NewReader("a\nb"), &failing{broken}))
	l.Next()
	if _, err := l.Next(); !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "x:2: ") {
		t.Errorf("%v", err)
	}
}

type slowly struct {
	r     io.Reader
	chunk int
}

func (s *slowly) Read(p []byte) (int, error) { return s.r.Read(p[:min(len(p), s.chunk)]) }

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }
