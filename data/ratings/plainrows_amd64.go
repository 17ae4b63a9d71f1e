//go:build amd64 && !purego

package ratings

import (
	"math/bits"

	"golang.org/x/sys/cpu"

	"fubini/data/marks"
)

var (
	fastRows   = cpu.X86.HasBMI1 && cpu.X86.HasBMI2
	fastPlaces = fastRows && cpu.X86.HasPOPCNT && cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VBMI2
)

// addRows is addRowsPlain, by assembly where the processor allows it: of eight lines at once, then of those that are left.
func (p *plainState) addRows(r *rowRun, decimal []uint32, text []byte, size, filled, before int) (to, full int) {
	if !fastRows || len(decimal) == 0 {
		return p.addRowsPlain(r, decimal, text, size, filled, before)
	}
	if r.placed {
		word, bit := size/64, size%64
		at := int(p.ranks[word]) + bits.OnesCount64(p.marks[word]&(1<<bit-1)) // the first mark of the line
		if at > 0 && int(p.places[at-1])+1 == size {
			if lines := addRowsVBMI2(p, r, &decimal[0], len(decimal), &text[0], &p.places[at-1], filled, before); lines > 0 {
				size, filled = int(p.places[at-1+3*lines])+1, filled+lines
			}
		}
	}
	return addRowsBMI2(p, r, &decimal[0], len(decimal), &text[0], size, filled, before)
}

// place finds the places of marks, if the lines of a run can be read by them: a user, an item and a rating, with one byte between.
func (p *plainState) place(r *rowRun, blocks int) {
	if r.placed = fastPlaces && !r.timed && r.gap == 1; r.placed {
		marks.Places(p.marks[:blocks], p.places[:], p.ranks[:])
	}
}

// addRowsVBMI2 is addRowsPlain for lines that consist of a user of at most seven bytes, an item and a rating of at most six bytes, one byte between, eight at a time:
// from the place of the line end before the first one on. It returns how many lines it read; what the batch has behind them is void.
//
//go:noescape
func addRowsVBMI2(p *plainState, r *rowRun, decimal *uint32, decimals int, text *byte, place *uint16, filled, before int) (lines int)

// addRowsBMI2 is addRowsPlain, for a batch that has room for all lines.
//
//go:noescape
func addRowsBMI2(p *plainState, r *rowRun, decimal *uint32, decimals int, text *byte, size, filled, before int) (to, full int)
