package text

import (
	"errors"
	"io"
	"strings"
	"testing"
)

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
