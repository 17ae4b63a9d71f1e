package terminal

import (
	"bytes"
	"testing"
)

// A terminal gets characters whole, wherever writes divide them, and no control
// characters.
func TestPrintableOnATerminal(t *testing.T) {
	const text = "a\u009bb é 🍜\x1b[1m\t\xff\u202e\n"
	const want = "a\\x9bb é 🍜\\x1b[1m\t\\xff\\u202e\n"
	for size := 1; size <= len(text); size++ {
		var got bytes.Buffer
		to := &Printable{To: &got}
		for from := 0; from < len(text); from += size {
			if n, err := to.Write([]byte(text[from:min(from+size, len(text))])); err != nil || n != min(size, len(text)-from) {
				t.Fatalf("wrote %d, %v", n, err)
			}
		}
		if got.String() != want {
			t.Errorf("in pieces of %d: %q, want %q", size, got.String(), want)
		}
	}
}
