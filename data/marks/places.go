package marks

import "math/bits"

// NoPlace stands behind the last place.
const NoPlace = 1<<16 - 1

// Behind is how many times it stands there.
const Behind = 32

// Places writes the places of the bytes with a mark, in ascending order, and how many there are before each block. It wants room for Behind more places than blocks
// have bytes, and may write to all of it. Places are below NoPlace: there are less than 1,024 blocks.
func Places(marks []uint64, at, ranks []uint16) {
	if len(marks) >= (NoPlace+1)/Block {
		panic("marks: too many blocks")
	}
	if len(marks) > 0 {
		places(marks, at[:len(marks)*Block+Behind], ranks[:len(marks)])
	}
}

func placesPlain(marks []uint64, at, ranks []uint16) {
	n := 0
	for k, word := range marks {
		ranks[k] = uint16(n)
		for ; word != 0; word &= word - 1 {
			at[n] = uint16(k*Block + bits.TrailingZeros64(word))
			n++
		}
	}
	for k := range Behind {
		at[n+k] = NoPlace
	}
}
