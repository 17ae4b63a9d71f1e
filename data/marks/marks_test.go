package marks

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Every byte has its bits, by the plain loop and by that of this processor, whatever the other bytes are.
func TestFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		separator := rapid.SampledFrom([]byte(",;\t:\x80\xff\x00")).Draw(t, "separator")
		quote := rapid.SampledFrom([]byte("\"\n")).Draw(t, "quote")
		near := rapid.SampledFrom([]byte{separator, separator ^ 0x80, separator + 1, separator - 1, '\n', '\n' ^ 0x80, '"', 0, 0xff, 'a'})
		text := rapid.SliceOfN(rapid.OneOf(near, rapid.Byte()), 0, 300).Draw(t, "text")
		blocks := len(text) / Block
		for name, find := range map[string]func([]byte, byte, byte, []uint64, []uint64){"plain": findPlain, "this processor": Find} {
			separators, ends := make([]uint64, blocks+1), make([]uint64, blocks+1)
			separators[blocks], ends[blocks] = 7, 7 // not to be touched
			if name == "plain" {
				find(text, separator, quote, separators[:blocks], ends[:blocks])
			} else {
				find(text, separator, quote, separators, ends)
			}
			wantSeparators, wantEnds := make([]uint64, blocks), make([]uint64, blocks)
			for k, c := range text[:blocks*Block] {
				if c == separator {
					wantSeparators[k/Block] |= 1 << (k % Block)
				}
				if c == '\n' || c == quote {
					wantEnds[k/Block] |= 1 << (k % Block)
				}
			}
			if !slices.Equal(separators, append(wantSeparators, 7)) || !slices.Equal(ends, append(wantEnds, 7)) {
				t.Fatalf("%s: %x and %x in %q, want %x and %x", name, separators, ends, text, wantSeparators, wantEnds)
			}
		}
	})
}

// A byte that is not plain is seen wherever it stands, in whole blocks and words and behind them.
func TestPlain(t *testing.T) {
	for name, plain := range map[string]func([]byte) bool{"plain": plainPlain, "this processor": Plain} {
		for length := range 3*Block + 20 {
			text := bytes.Repeat([]byte("\x01\x7f,user,1~ \n"), 20)[:length]
			if !plain(text) {
				t.Fatalf("%s: %q is not plain", name, text)
			}
			for at := range text {
				for _, wrong := range []byte{0, 0x80, 0xff} {
					right := text[at]
					text[at] = wrong
					if plain(text) {
						t.Fatalf("%s: %q is plain", name, text)
					}
					text[at] = right
				}
			}
		}
	}
}

func BenchmarkFind(b *testing.B) {
	var text bytes.Buffer
	for k := range 160 {
		fmt.Fprintf(&text, "%d::%d::%d::%d\n", k/165+1, k*7919%3706+1, k%5+1, 978300760+k*31)
	}
	block := text.Bytes()[:text.Len()/Block*Block]
	separators, ends := make([]uint64, len(block)/Block), make([]uint64, len(block)/Block)
	for name, find := range map[string]func([]byte, byte, byte, []uint64, []uint64){"plain": findPlain, "this processor": Find} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(block)))
			for b.Loop() {
				find(block, ':', '\n', separators, ends)
			}
		})
	}
}
