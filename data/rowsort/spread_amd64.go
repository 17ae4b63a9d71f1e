//go:build amd64 && !purego

package rowsort

import "golang.org/x/sys/cpu"

var fastSpread = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VBMI2 && cpu.X86.HasPOPCNT

// gather writes the items and values of slots that are not 0, makes them 0, and returns how many there were. It may write as many as room behind them.
func (s *spreading) gather(item []uint32, value []float32) int {
	blocks := findVBMI2(&s.slots[0], len(s.marks), &s.marks[0], &s.filled[0])
	return gatherVBMI2(&s.slots[0], &s.marks[0], &s.filled[0], blocks, &s.values, &item[0], &value[0])
}

// findVBMI2 marks slots that are not 0, and lists the blocks that have any: filled has room for one more.
//
//go:noescape
func findVBMI2(slots *uint8, blocks int, marks *uint64, filled *uint32) int

// gatherVBMI2 is gather for the blocks listed, after their slots have been marked.
//
//go:noescape
func gatherVBMI2(slots *uint8, marks *uint64, filled *uint32, blocks int, values *[32]float32, item *uint32, value *float32) int
