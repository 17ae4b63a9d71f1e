package modelfile

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
)

// Element is a type of numbers that both Go and safetensors have.
type Element interface {
	float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// DType is the name of an element type in safetensors, such as F64.
type DType string

// dtypes lists all of them in the order of their tensors in a file: widest first,
// so that all are aligned. The order among equals is that of Python's safetensors.
var dtypes = []struct {
	DType
	in reflect.Type // in Go
}{
	{"U64", reflect.TypeFor[uint64]()}, {"I64", reflect.TypeFor[int64]()}, {"F64", reflect.TypeFor[float64]()},
	{"F32", reflect.TypeFor[float32]()}, {"U32", reflect.TypeFor[uint32]()}, {"I32", reflect.TypeFor[int32]()},
	{"U16", reflect.TypeFor[uint16]()}, {"I16", reflect.TypeFor[int16]()},
	{"I8", reflect.TypeFor[int8]()}, {"U8", reflect.TypeFor[uint8]()},
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
		return int(dtypes[i].in.Size())
	}
	return 0
}

// String returns the name of the type in Go, such as float64.
func (d DType) String() string {
	if i := d.rank(); i >= 0 {
		return dtypes[i].in.String()
	}
	return string(d)
}

// dtypeOf is the type of a Go number.
func dtypeOf[T Element]() DType {
	i := 0
	for dtypes[i].in != reflect.TypeFor[T]() {
		i++
	}
	return dtypes[i].DType
}

// A Tensor is a named array of numbers.
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

// checkFinite refuses elements that are infinite or no numbers: floats whose exponent has all bits set.
func (t Tensor) checkFinite() error {
	size, bad := 8, func(b []byte) bool { return binary.LittleEndian.Uint64(b)>>52&0x7ff == 0x7ff }
	switch t.Type {
	case "F64":
	case "F32":
		size, bad = 4, func(b []byte) bool { return binary.LittleEndian.Uint32(b)>>23&0xff == 0xff }
	default:
		return nil
	}
	for i := 0; i < len(t.Data); i += size {
		if bad(t.Data[i:]) {
			return fmt.Errorf("modelfile: tensor %q: element %d is not a finite number", t.Name, i/size)
		}
	}
	return nil
}

// matches reports whether a shape is the expected one, where -1 stands for any length.
func matches(shape, expected []int) bool {
	return slices.EqualFunc(shape, expected, func(is, want int) bool { return is == want || want == -1 })
}
