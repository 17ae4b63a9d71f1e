package modelfile

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A File is the content of a model file. [New] makes one.
type File struct {
	// Metadata is text under keys, such as [KeyModel]. The keys format,
	// format_version and sha256 belong to this package: WriteTo adds them, Read
	// checks and removes them.
	Metadata map[string]string

	tensors map[string]Tensor
}

// New returns an empty file.
func New() *File {
	return &File{Metadata: map[string]string{}, tensors: map[string]Tensor{}}
}

// Set stores a copy of data as a tensor of this name and shape; without a shape it has one dimension. [File.WriteTo]
// returns the error for a shape that does not fit or a number that is not finite.
func Set[T Element](f *File, name string, data []T, shape ...int) {
	t := Tensor{Name: name, Type: dtypeOf[T](), Shape: slices.Clone(shape)}
	if len(shape) == 0 {
		t.Shape = []int{len(data)}
	}
	if length, ok := byteLength(t.Type, t.Shape); !ok || length != len(data)*t.Type.Size() {
		t.fault = fmt.Errorf("modelfile: tensor %q: shape %v does not fit %d numbers", name, t.Shape, len(data))
	} else {
		t.Data, _ = binary.Append(make([]byte, 0, length), binary.LittleEndian, data) // cannot fail: Element has fixed sizes
	}
	if f.tensors == nil {
		f.tensors = map[string]Tensor{}
	}
	f.tensors[name] = t
}

// Get returns a copy of the elements of a tensor. An error is returned for another type than T, another shape, or a
// number that is not finite. In a shape -1 means any length; without a shape any shape is accepted.
func Get[T Element](f *File, name string, shape ...int) ([]T, error) {
	t, there := f.tensors[name]
	want := dtypeOf[T]()
	switch {
	case !there:
		return nil, fmt.Errorf("modelfile: there is no tensor %q, expected %v%s", name, want, ofShape(shape))
	case t.fault != nil:
		return nil, t.fault
	case t.Type != want || len(shape) > 0 && !matches(t.Shape, shape):
		return nil, fmt.Errorf("modelfile: tensor %q is %v%s, expected %v%s", name, t.Type, ofShape(t.Shape), want, ofShape(shape))
	}
	if err := t.checkFinite(); err != nil {
		return nil, err
	}
	elements := make([]T, len(t.Data)/want.Size())
	if _, err := binary.Decode(t.Data, binary.LittleEndian, elements); err != nil {
		panic(err) // the lengths agree, and Element has fixed sizes
	}
	return elements, nil
}

// Optional is [Get], with nil for a tensor that the file does not have.
func Optional[T Element](f *File, name string, shape ...int) ([]T, error) {
	if _, there := f.tensors[name]; !there {
		return nil, nil
	}
	return Get[T](f, name, shape...)
}

// SetSome is [Set], and stores nothing for a nil slice.
func SetSome[T Element](f *File, name string, data []T, shape ...int) {
	if data != nil {
		Set(f, name, data, shape...)
	}
}

// Reader reads one tensor after another with [Into]. After an error it reads no more, and Err has the error.
type Reader struct {
	*File
	Err error
}

// Into is [Get] into a slice.
func Into[T Element](r *Reader, to *[]T, name string, shape ...int) {
	if r.Err == nil {
		*to, r.Err = Get[T](r.File, name, shape...)
	}
}

// IntoSome is [Optional] into a slice.
func IntoSome[T Element](r *Reader, to *[]T, name string, shape ...int) {
	if r.Err == nil {
		*to, r.Err = Optional[T](r.File, name, shape...)
	}
}

// ofShape words a shape for a message.
func ofShape(shape []int) string {
	if len(shape) == 0 {
		return ""
	}
	dims := make([]string, len(shape))
	for i, dim := range shape {
		dims[i] = strconv.Itoa(dim)
		if dim == -1 {
			dims[i] = "any"
		}
	}
	return " [" + strings.Join(dims, " × ") + "]"
}

// Tensor returns a tensor, whose shape and data must not be changed. The other dimensions of a tensor without elements
// may be of any length.
func (f *File) Tensor(name string) (t Tensor, there bool) {
	t, there = f.tensors[name]
	return t, there
}

// Tensors returns all tensors, sorted by name. Their shapes and data must not be changed.
func (f *File) Tensors() []Tensor {
	tensors := make([]Tensor, 0, len(f.tensors))
	for _, name := range slices.Sorted(maps.Keys(f.tensors)) {
		tensors = append(tensors, f.tensors[name])
	}
	return tensors
}

// offsetsOf names the tensor with the places where the strings of another one begin.
func offsetsOf(name string) string { return name + ".offsets" }

// SetStrings stores texts as two tensors: all of them joined, as uint8, and under
// the name with .offsets, as int64, where each begins and the last ends.
func (f *File) SetStrings(name string, texts []string) {
	var joined []byte
	offsets := make([]int64, 1, len(texts)+1)
	for _, text := range texts {
		joined = append(joined, text...)
		offsets = append(offsets, int64(len(joined)))
	}
	Set(f, name, joined)
	Set(f, offsetsOf(name), offsets)
	if i := slices.IndexFunc(texts, func(text string) bool { return !utf8.ValidString(text) }); i >= 0 {
		f.tensors[name] = Tensor{Name: name, fault: notUTF8(name, i, texts[i])}
	}
}

// Strings returns the texts that [File.SetStrings] stored. An error is returned unless there are count of them; -1 means
// any number.
func (f *File) Strings(name string, count int) ([]string, error) {
	joined, err := Get[uint8](f, name, -1)
	if err != nil {
		return nil, err
	}
	offsets, err := Get[int64](f, offsetsOf(name), -1)
	if err != nil {
		return nil, err
	}
	if len(offsets) == 0 || offsets[0] != 0 || offsets[len(offsets)-1] != int64(len(joined)) {
		return nil, fmt.Errorf("modelfile: tensor %q: the offsets do not run from 0 to %d", offsetsOf(name), len(joined))
	}
	if !slices.IsSorted(offsets) {
		return nil, fmt.Errorf("modelfile: tensor %q: the offsets do not ascend", offsetsOf(name))
	}
	if got := len(offsets) - 1; count != -1 && got != count {
		return nil, fmt.Errorf("modelfile: tensor %q holds %d texts, expected %d", name, got, count)
	}
	all := string(joined) // every text is a piece of it
	texts := make([]string, len(offsets)-1)
	for i := range texts {
		texts[i] = all[offsets[i]:offsets[i+1]]
		if !utf8.ValidString(texts[i]) {
			return nil, notUTF8(name, i, texts[i])
		}
	}
	return texts, nil
}

func notUTF8(name string, i int, text string) error {
	return fmt.Errorf("modelfile: tensor %q: text %d, %q, is not UTF-8", name, i, text)
}
