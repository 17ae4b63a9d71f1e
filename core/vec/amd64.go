//go:build amd64 && !purego

package vec

import "golang.org/x/sys/cpu"

// fast says whether the assembly runs here.
var fast = cpu.X86.HasAVX2

// Kernels names what runs here.
func Kernels() string {
	if fast {
		return "AVX2"
	}
	return "plain Go"
}

func dot(a, b []float64) float64 {
	if fast {
		return dotAVX2(a, b)
	}
	return dotPlain(a, b)
}

func dotRows(out, a, rows []float64) {
	if fast {
		dotRowsAVX2(out, a, rows)
		return
	}
	dotRowsPlain(out, a, rows)
}

func addTimes(to, from []float64, factor float64) {
	if fast {
		addTimesAVX2(to, from, factor)
		return
	}
	addTimesPlain(to, from, factor)
}

func addRows(to, rows, factors []float64) {
	if fast {
		addRowsAVX2(to, rows, factors)
		return
	}
	addRowsPlain(to, rows, factors)
}

func scale(values []float64, factor float64) {
	if fast {
		scaleAVX2(values, factor)
		return
	}
	scalePlain(values, factor)
}
