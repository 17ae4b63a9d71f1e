package format

import (
	"strings"
	"testing"
)

// A byte that is not plain is seen wherever it stands, in whole words of eight bytes and behind them.
func TestPlainSeesEveryByte(t *testing.T) {
	for length := range 20 {
		good := []byte(strings.Repeat("user,1~ ", 3)[:length])
		if !plain(good) {
			t.Errorf("%q is not plain", good)
		}
		for at := range good {
			for _, wrong := range []byte{0, 0x80, 0xff} {
				bad := append([]byte{}, good...)
				bad[at] = wrong
				if plain(bad) {
					t.Errorf("%q is plain", bad)
				}
			}
		}
	}
	if plain([]byte("12345678\x00")) || plain([]byte{0}) {
		t.Error("NUL alone is plain")
	}
}
