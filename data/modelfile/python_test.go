package modelfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
)

// Python's safetensors reads what we write, and we read what it writes: its
// answers were taken down by peers/modelfile.py.
func TestPython(t *testing.T) {
	text, err := os.ReadFile("testdata/python.json")
	if err != nil {
		t.Fatal(err)
	}
	var python struct {
		Input struct{ SHA256 string }
		Read  struct {
			Metadata map[string]string
			Tensors  map[string]struct {
				DType string
				Shape []int
				Data  []json.Number
			}
		}
		Resaved, Made, Plain string
	}
	if err := json.Unmarshal(text, &python); err != nil {
		t.Fatal(err)
	}
	model := small()
	data := written(t, model)
	if fmt.Sprintf("%x", sha256.Sum256(data)) != python.Input.SHA256 {
		t.Fatal("python.json was made from another small.hex: run peers/modelfile.py")
	}

	for key, value := range model.Metadata {
		if python.Read.Metadata[key] != value {
			t.Errorf("Python reads %s as %q", key, python.Read.Metadata[key])
		}
	}
	if len(python.Read.Metadata) != len(model.Metadata)+3 || len(python.Read.Tensors) != len(model.Tensors()) {
		t.Errorf("Python reads %d metadata, %d tensors", len(python.Read.Metadata), len(python.Read.Tensors))
	}
	for _, tensor := range model.Tensors() {
		got := python.Read.Tensors[tensor.Name]
		// Text to number and back to bytes must give ours: nothing was lost on either side.
		bytesOf := New()
		switch got.DType {
		case "float64":
			Set(bytesOf, "x", numbers[float64](t, got.Data), got.Shape...)
		case "float32":
			Set(bytesOf, "x", numbers[float32](t, got.Data), got.Shape...)
		case "int64":
			Set(bytesOf, "x", numbers[int64](t, got.Data), got.Shape...)
		case "int32":
			Set(bytesOf, "x", numbers[int32](t, got.Data), got.Shape...)
		case "uint32":
			Set(bytesOf, "x", numbers[uint32](t, got.Data), got.Shape...)
		case "uint8":
			Set(bytesOf, "x", numbers[uint8](t, got.Data), got.Shape...)
		}
		x, _ := bytesOf.Tensor("x")
		if x.Type != tensor.Type || !slices.Equal(x.Shape, tensor.Shape) || !bytes.Equal(x.Data, tensor.Data) {
			t.Errorf("Python reads %+v as %+v", tensor, got)
		}
	}

	resaved, err := readAll(unhex(t, python.Resaved))
	if err != nil || !same(resaved, model) {
		t.Errorf("the model that Python saved again: %+v, %v", resaved, err)
	}

	want := New()
	want.Metadata = map[string]string{"model": "osm", "seed": "3", "settings": "{\"é\":\"<&>\u2028\"}"}
	want.SetStrings(ItemIDs, []string{"a", "ß", ""})
	Set(want, "u", []float64{0.5, -1.25, 3})
	Set(want, "W", []float32{0, 1, 2, 3, 4, 5}, 3, 2)
	Set(want, "none", []float64{}, 3, 0)
	made, err := readAll(unhex(t, python.Made))
	if err != nil || !same(made, want) {
		t.Errorf("the model that Python made: %+v, %v", made, err)
	}

	plainData := unhex(t, python.Plain)
	if _, err := readAll(plainData); err == nil {
		t.Error("a file without metadata passes for a model")
	}
	f, err := readPlain(plainData)
	if err != nil {
		t.Fatal(err)
	}
	expect := New()
	Set(expect, "float64", []float64{0, 1, 2, 3, 4, 100}, 2, 3)
	Set(expect, "float32", []float32{0, 1, 2, 3, 4, 100}, 2, 3)
	Set(expect, "int64", []int64{0, 1, 2, 3, 4, 100}, 2, 3)
	Set(expect, "int32", []int32{0, 1, 2, 3, 4, 100}, 2, 3)
	Set(expect, "int16", []int16{0, 1, 2, 3, 4, 100}, 2, 3)
	Set(expect, "int8", []int8{0, 1, 2, 3, 4, 100}, 2, 3)
	Set(expect, "uint64", []uint64{0, 1, 2, 3, 4, 100}, 2, 3)
	Set(expect, "uint32", []uint32{0, 1, 2, 3, 4, 100}, 2, 3)
	Set(expect, "uint16", []uint16{0, 1, 2, 3, 4, 100}, 2, 3)
	Set(expect, "uint8", []uint8{0, 1, 2, 3, 4, 100}, 2, 3)
	Set(expect, "a", []uint8{7})
	Set(expect, "none", []float32{}, 2, 0)
	Set(expect, "scalar", []float64{0.5})
	scalar := expect.tensors["scalar"]
	scalar.Shape = []int{}
	expect.tensors["scalar"] = scalar
	if !same(f, expect) {
		t.Errorf("the plain file is read as %+v", f)
	}
	if ours := plain(t, expect); !bytes.Equal(ours, plainData) {
		t.Errorf("the plain file is written as\n%q, by Python as\n%q", ours, plainData)
	}
	if got, err := Get[float64](f, "scalar"); err != nil || !slices.Equal(got, []float64{0.5}) {
		t.Error(got, err)
	}
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func numbers[T Element](t *testing.T, texts []json.Number) []T {
	t.Helper()
	out := make([]T, len(texts))
	for i, text := range texts {
		if err := json.Unmarshal([]byte(text), &out[i]); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
