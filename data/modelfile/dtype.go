package modelfile

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// Element is what a tensor may hold: every number that safetensors and Go share.
type Element interface {
	float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// DType is the type of a tensor's elements under its name in safetensors.
type DType string

// dtypes lists all of them in the order of their tensors in a file: widest first,
// so that all are aligned. The order among equals is that of Python's safetensors.
var dtypes = []struct {
	DType
	size int
	name string // in Go
}{
	{"U64", 8, "uint64"}, {"I64", 8, "int64"}, {"F64", 8, "float64"},
	{"F32", 4, "float32"}, {"U32", 4, "uint32"}, {"I32", 4, "int32"},
	{"U16", 2, "uint16"}, {"I16", 2, "int16"},
	{"I8", 1, "int8"}, {"U8", 1, "uint8"},
}

// rank is the place in dtypes, or -1.
func (d DType) rank() int {
	for i := range dtypes {
		if dtypes[i].DType == d {
			return i
		}
	}
	return -1
}

// Size is the number of bytes of one element, 0 for an unknown type.
func (d DType) Size() int {
	if i := d.rank(); i >= 0 {
		return dtypes[i].size
	}
	return 0
}

// String is the name of the type in Go: float64 for F64.
func (d DType) String() string {
	if i := d.rank(); i >= 0 {
		return dtypes[i].name
	}
	return string(d)
}

// dtypeOf is the type of a Go number.
func dtypeOf[T Element]() DType {
	switch any(*new(T)).(type) {
	case float32:
		return "F32"
	case float64:
		return "F64"
	case int8:
		return "I8"
	case int16:
		return "I16"
	case int32:
		return "I32"
	case int64:
		return "I64"
	case uint8:
		return "U8"
	case uint16:
		return "U16"
	case uint32:
		return "U32"
	default:
		return "U64"
	}
}

// A Tensor is an array with a name.
type Tensor struct {
	Name  string
	Type  DType
	Shape []int  // none: a single number
	Data  []byte // the elements, little-endian, the last dimension running fastest

	fault error // why it cannot be written
}

// inFileOrder compares tensors by their place in a file.
func inFileOrder(a, b Tensor) int {
	return cmp.Or(a.Type.rank()-b.Type.rank(), cmp.Compare(a.Name, b.Name))
}

// byteLength is the number of bytes of a tensor; false where it, or the product
// of all dimensions but the empty ones, does not fit in an int. The second
// keeps a tensor of 2^60 by 0 from passing for a small one.
func byteLength(dtype DType, shape []int) (length int, ok bool) {
	product := uint64(dtype.Size())
	empty := false
	for _, dim := range shape {
		if dim < 0 {
			return 0, false
		}
		if dim == 0 {
			empty = true
			continue
		}
		high, low := bits.Mul64(product, uint64(dim))
		if high != 0 || low > math.MaxInt {
			return 0, false
		}
		product = low
	}
	if empty {
		return 0, true
	}
	return int(product), true
}

// nonFinite returns the place of the first element that is infinite or no number.
// Such floats are the ones whose exponent has all bits set.
func (t Tensor) nonFinite() (place int, found bool) {
	switch t.Type {
	case "F64":
		const exponent = 0x7ff << 52
		for i := 0; i < len(t.Data); i += 8 {
			if binary.LittleEndian.Uint64(t.Data[i:])&exponent == exponent {
				return i / 8, true
			}
		}
	case "F32":
		const exponent = 0xff << 23
		for i := 0; i < len(t.Data); i += 4 {
			if binary.LittleEndian.Uint32(t.Data[i:])&exponent == exponent {
				return i / 4, true
			}
		}
	}
	return 0, false
}

// matches reports whether a shape is the expected one, where -1 stands for any length.
func matches(shape, expected []int) bool {
	return slices.EqualFunc(shape, expected, func(is, want int) bool { return is == want || want == -1 })
}
