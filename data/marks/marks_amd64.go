//go:build amd64 && !purego

package marks

import "golang.org/x/sys/cpu"

var (
	fast       = cpu.X86.HasAVX2
	fastPlaces = cpu.X86.HasPOPCNT && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI2
)

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

func places(marks []uint64, places, ranks []uint16) {
	if fastPlaces {
		placesVBMI2(&marks[0], len(marks), &places[0], &ranks[0])
		return
	}
	placesPlain(marks, places, ranks)
}

// placesVBMI2 is placesPlain for a number of blocks above 0.
//
//go:noescape
func placesVBMI2(marks *uint64, blocks int, places, ranks *uint16)
