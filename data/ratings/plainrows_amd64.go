//go:build amd64 && !purego

package ratings

import "golang.org/x/sys/cpu"

var fastRows = cpu.X86.HasBMI1 && cpu.X86.HasBMI2

// addRows is addRowsPlain, by assembly where the processor allows it.
func (p *plainState) addRows(r *rowRun, decimal []uint32, text []byte, size, filled, before int) (to, full int) {
	if fastRows && len(decimal) > 0 {
		return addRowsBMI2(p, r, &decimal[0], len(decimal), &text[0], size, filled, before)
	}
	return p.addRowsPlain(r, decimal, text, size, filled, before)
}

// addRowsBMI2 is addRowsPlain, for a batch that has room for all lines.
//
//go:noescape
func addRowsBMI2(p *plainState, r *rowRun, decimal *uint32, decimals int, text *byte, size, filled, before int) (to, full int)
