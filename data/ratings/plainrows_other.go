//go:build !amd64 || purego

package ratings

func (p *plainState) addRows(r *rowRun, decimal []uint32, text []byte, size, filled, before int) (to, full int) {
	return p.addRowsPlain(r, decimal, text, size, filled, before)
}

// place does nothing here.
func (p *plainState) place(*rowRun, int) {}
