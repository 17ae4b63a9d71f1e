package vec

import (
	"fmt"
	"math"
)

// AddAt adds factor times values to the elements of to that stand at some places, in order. Meanwhile the processor
// fetches the places and values that stand ahead elements further on in the same memory, or before for less than 0:
// those of the next call.
func AddAt(to []float64, at []uint32, values []float32, factor float64, ahead int) {
	if len(values) != len(at) {
		panic(fmt.Sprintf("vec: %d values for %d places", len(values), len(at)))
	}
	addAt(to, at, values, factor, ahead)
}

func addAtPlain(to []float64, at []uint32, values []float32, factor float64) {
	for k, i := range at {
		to[i] += float64(factor * float64(values[k]))
	}
}

// Fetch lets the processor fetch the memory about an address, and go on meanwhile. Elsewhere than on amd64 it does nothing.
func Fetch(at *uint32) { fetch(at) }

// AddAtKinds is [AddAt] where every value has a kind besides, and is multiplied by what a table has for it after it was multiplied by the factor.
func AddAtKinds(to []float64, at []uint32, values []float32, kinds []uint8, factor float64, table *[256]float64, ahead int) {
	if len(values) != len(at) || len(kinds) != len(at) {
		panic(fmt.Sprintf("vec: %d values of %d kinds for %d places", len(values), len(kinds), len(at)))
	}
	addAtKinds(to, at, values, kinds, factor, table, ahead)
}

func addAtKindsPlain(to []float64, at []uint32, values []float32, kinds []uint8, factor float64, table *[256]float64) {
	for k, i := range at {
		to[i] += float64(float64(factor*float64(values[k])) * table[kinds[k]])
	}
}

// Blend writes x times a plus y times b, each element times its factor.
func Blend(out, factors, a, b []float64, x, y float64) {
	if len(factors) != len(out) || len(a) != len(out) || len(b) != len(out) {
		panic(fmt.Sprintf("vec: %d factors, %d and %d elements for %d", len(factors), len(a), len(b), len(out)))
	}
	blend(out, factors, a, b, x, y)
}

func blendPlain(out, factors, a, b []float64, x, y float64) {
	factors, a, b = factors[:len(out)], a[:len(out)], b[:len(out)]
	for k, factor := range factors {
		out[k] = factor * (float64(x*a[k]) + float64(y*b[k]))
	}
}

// Run is the number of elements of which [Mix] gives the largest.
const Run = 32

// Mix writes first * scale * near + second * smooth, element by element, and the largest of each run of elements. A sum
// that is no number is not the largest; minus infinity is that of none. Sums are those of float32 and may be fused.
func Mix(out, highest, scale []float32, near []float64, smooth []float32, first, second float32) {
	n := len(out)
	if len(scale) != n || len(near) != n || len(smooth) != n || len(highest) != (n+Run-1)/Run {
		panic(fmt.Sprintf("vec: %d sums, %d runs of %d, %d and %d elements", n, len(highest), len(scale), len(near), len(smooth)))
	}
	mix(out, highest, scale, near, smooth, first, second)
}

func mixPlain(out, highest, scale []float32, near []float64, smooth []float32, first, second float32) {
	for r := range highest {
		from, to := r*Run, min((r+1)*Run, len(out))
		highest[r] = float32(math.Inf(-1))
		for i := from; i < to; i++ {
			if out[i] = first*scale[i]*float32(near[i]) + second*smooth[i]; out[i] > highest[r] {
				highest[r] = out[i]
			}
		}
	}
}
