//go:build !amd64 || purego

package marks

func find(text []byte, separator, quote byte, separators, ends []uint64) {
	findPlain(text, separator, quote, separators, ends)
}

func plain(text []byte) bool { return plainPlain(text) }

func places(marks []uint64, places, ranks []uint16) { placesPlain(marks, places, ranks) }
