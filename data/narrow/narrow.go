// Package narrow copies numbers to smaller ones, sixteen at a time where the processor can.
package narrow

// Number is a number of a column of ratings.
type Number interface {
	uint8 | uint16 | uint32 | int64
}

// Numbers copies numbers to a list of as many, without the bits that these have no room for.
func Numbers[S, L Number](to []S, from []L) {
	done := first(to, from)
	to, from = to[done:], from[done:]
	from = from[:len(to)]
	for k := range to {
		to[k] = S(from[k])
	}
}
