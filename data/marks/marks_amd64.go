//go:build amd64 && !purego

package marks

import "golang.org/x/sys/cpu"

var fast = cpu.X86.HasAVX2

func find(text []byte, separator, quote byte, separators, ends []uint64) {
	if fast {
		findAVX2(&text[0], len(separators), separator, quote, &separators[0], &ends[0])
		return
	}
	findPlain(text, separator, quote, separators, ends)
}

// findAVX2 is findPlain for a number of blocks above 0.
//
//go:noescape
func findAVX2(text *byte, blocks int, separator, quote byte, separators, ends *uint64)

func plain(text []byte) bool {
	blocks := len(text) / Block
	if !fast || blocks == 0 {
		return plainPlain(text)
	}
	return plainAVX2(&text[0], blocks) == 0 && plainPlain(text[blocks*Block:])
}

// plainAVX2 is 0 for a number of blocks above 0 in which all bytes are plain.
//
//go:noescape
func plainAVX2(text *byte, blocks int) uint64
