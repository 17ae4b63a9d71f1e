//go:build !amd64 || purego

package rowsort

const fastSpread = false

func (s *spreading) gather([]uint32, []float32) int { panic("rowsort: rows are not spread here") }
