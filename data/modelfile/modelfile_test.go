package modelfile

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"math/bits"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite testdata/small.hex")

// small is a model with every kind of content, small enough to read its bytes.
func small() *File {
	f := New()
	f.Metadata[KeyProgramVersion] = "0.1.0"
	f.Metadata[KeyModel] = "latent-osm"
	f.Metadata[KeyData] = "sha256:abc"
	f.Metadata[KeySeed] = "7"
	f.Metadata[KeySettings] = `{"hidden":2,"note":"<\"é\">"}`
	f.Metadata[KeyHistory] = `[{"epoch":1,"dist":0.5}]`
	f.SetStrings(ItemIDs, []string{"a1", "", "été"})
	f.SetStrings(ItemNames, []string{"Alien", "日本", "x"})
	Set(f, "u", []float64{0.1, -2.5, math.SmallestNonzeroFloat64})
	Set(f, "W", []float32{1, -2, 3.5, 4, 5, math.MaxFloat32}, 3, 2)
	Set(f, "none", []float64{}, 3, 0)
	Set(f, "seen", []uint32{0, 1, math.MaxUint32})
	Set(f, "chain", []int32{-1, 2, math.MinInt32, 5}, 2, 1, 2)
	return f
}

func written(t testing.TB, f *File) []byte {
	t.Helper()
	var out bytes.Buffer
	n, err := f.WriteTo(&out)
	if err != nil {
		t.Fatal(err)
	}
	if n != int64(out.Len()) {
		t.Fatalf("WriteTo says %d bytes and wrote %d", n, out.Len())
	}
	return out.Bytes()
}

func readAll(data []byte) (*File, error) {
	return Read(bytes.NewReader(data), int64(len(data)))
}

func readPlain(data []byte) (*File, error) {
	return read(bytes.NewReader(data), int64(len(data)), anyMetadata)
}

// plain writes a safetensors file as it is, without the keys of a model.
func plain(t testing.TB, f *File) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := write(&out, f.Metadata, f.Tensors()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// same says whether two files mean the same.
func same(f, g *File) bool {
	return maps.Equal(f.Metadata, g.Metadata) && slices.EqualFunc(f.Tensors(), g.Tensors(), func(a, b Tensor) bool {
		return a.Name == b.Name && a.Type == b.Type && slices.Equal(a.Shape, b.Shape) && bytes.Equal(a.Data, b.Data)
	})
}

// hexLines reads hexadecimal digits, without lines that begin with #.
func hexLines(t *testing.T, text string) []byte {
	t.Helper()
	var digits strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			digits.WriteString(strings.TrimSpace(line))
		}
	}
	data, err := hex.DecodeString(digits.String())
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestGolden(t *testing.T) {
	const name = "testdata/small.hex"
	got := written(t, small())
	if *update {
		text := []byte("# go test ./data/modelfile -run TestGolden -update\n")
		for line := range slices.Chunk(got, 32) {
			text = append(hex.AppendEncode(text, line), '\n')
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want := hexLines(t, string(text))
	if !bytes.Equal(got, want) {
		t.Errorf("the small model is written as\n%q\nand no longer as\n%q\nold files must stay readable: is it time for a new formatVersion?", got, want)
	}
	f, err := readAll(want)
	if err != nil {
		t.Fatal(err)
	}
	if !same(f, small()) {
		t.Errorf("the small model is read as %+v", f)
	}
}

func TestLayout(t *testing.T) {
	data := written(t, small())
	length := binary.LittleEndian.Uint64(data)
	if length%8 != 0 {
		t.Errorf("a header of %d bytes leaves the data unaligned", length)
	}
	_, entries, err := parseHeader(data[8 : 8+length])
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.begin%e.dtype.Size() != 0 {
			t.Errorf("tensor %q begins at %d: not aligned", e.name, e.begin)
		}
	}
}

func TestOrderOfSettingDoesNotMatter(t *testing.T) {
	f, g := small(), New()
	maps.Copy(g.Metadata, f.Metadata)
	tensors := f.Tensors()
	slices.Reverse(tensors)
	for _, tensor := range tensors {
		Set(g, tensor.Name, []float64{math.NaN()}) // replaced, and forgotten with its fault
		g.tensors[tensor.Name] = tensor
	}
	if !bytes.Equal(written(t, f), written(t, g)) || f.Checksum() != g.Checksum() {
		t.Error("the same content gives other bytes")
	}
	if !strings.Contains(string(written(t, f)), `"sha256":"`+f.Checksum()+`"`) {
		t.Error("the checksum in the file is another one")
	}
}

func checkRoundTrip[T Element](t *testing.T, some ...T) {
	f := New()
	Set(f, "vector", some)
	Set(f, "cube", some, 1, len(some), 1)
	Set[T](f, "empty", nil)
	Set(f, "wide", []T{}, 0, 5)
	given := slices.Clone(some)
	some[0]++ // Set has made a copy
	g, err := readAll(written(t, f))
	if err != nil {
		t.Fatal(err)
	}
	vector, err := Get[T](g, "vector", len(given))
	if err != nil || !slices.Equal(vector, given) {
		t.Errorf("%v became %v, %v", given, vector, err)
	}
	cube, err := Get[T](g, "cube", 1, -1, -1)
	if err != nil || !slices.Equal(cube, given) {
		t.Errorf("%v became %v, %v", given, cube, err)
	}
	cube[0]++ // and Get another one
	if again, err := Get[T](g, "cube"); err != nil || !slices.Equal(again, given) {
		t.Errorf("%v became %v, %v", given, again, err)
	}
	for name, shape := range map[string][]int{"empty": {0}, "wide": {0, 5}} {
		if got, err := Get[T](g, name, shape...); err != nil || len(got) != 0 {
			t.Errorf("%s became %v, %v", name, got, err)
		}
	}
}

func TestEveryType(t *testing.T) {
	checkRoundTrip[float32](t, 1.5, -0.1, math.MaxFloat32, math.SmallestNonzeroFloat32)
	checkRoundTrip(t, 1.5, -0.1, math.MaxFloat64, math.SmallestNonzeroFloat64)
	checkRoundTrip[int8](t, 1, math.MinInt8, math.MaxInt8)
	checkRoundTrip[int16](t, 1, math.MinInt16, math.MaxInt16)
	checkRoundTrip[int32](t, 1, math.MinInt32, math.MaxInt32)
	checkRoundTrip[int64](t, 1, math.MinInt64, math.MaxInt64)
	checkRoundTrip[uint8](t, 1, math.MaxUint8)
	checkRoundTrip[uint16](t, 1, math.MaxUint16)
	checkRoundTrip[uint32](t, 1, math.MaxUint32)
	checkRoundTrip[uint64](t, 1, math.MaxUint64)
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := New()
		texts := map[string][]string{}
		for key, value := range rapid.MapOf(rapid.String(), rapid.String()).Draw(t, "metadata") {
			f.Metadata["x"+key] = value
		}
		for _, name := range rapid.SliceOfDistinct(rapid.String(), rapid.ID[string]).Draw(t, "names") {
			shape := rapid.SliceOfN(rapid.IntRange(0, 4), 1, 4).Draw(t, "shape")
			count := 1
			for _, dim := range shape {
				count *= dim
			}
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				Set(f, name, rapid.SliceOfN(rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64), count, count).Draw(t, "data"), shape...)
			case 1:
				Set(f, name, rapid.SliceOfN(rapid.Float32Range(-math.MaxFloat32, math.MaxFloat32), count, count).Draw(t, "data"), shape...)
			case 2:
				Set(f, name, rapid.SliceOfN(rapid.Int32(), count, count).Draw(t, "data"), shape...)
			case 3:
				Set(f, name, rapid.SliceOfN(rapid.Uint8(), count, count).Draw(t, "data"), shape...)
			case 4:
				if !strings.HasSuffix(name, ".offsets") {
					texts[name] = rapid.SliceOf(rapid.String()).Draw(t, "texts")
					f.SetStrings(name, texts[name])
				}
			}
		}
		var out bytes.Buffer
		if _, err := f.WriteTo(&out); err != nil {
			t.Fatal(err)
		}
		g, err := readAll(out.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if !same(f, g) || g.Checksum() != f.Checksum() {
			t.Fatalf("%+v became %+v", f, g)
		}
		for name, want := range texts {
			if got, err := g.Strings(name, len(want)); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%q became %q, %v", want, got, err)
			}
		}
	})
}

func TestGetErrors(t *testing.T) {
	f := small()
	Set(f, "unfit", []float64{1, 2, 3}, 2, 2)
	Set(f, "nan", []float64{1, math.NaN()})
	get := func(_ any, err error) error { return err }
	for _, test := range []struct {
		err  error
		want string
	}{
		{get(Get[float64](f, "v", -1, 2)), `modelfile: there is no tensor "v", expected float64 [any × 2]`},
		{get(Get[float64](f, "W")), `modelfile: tensor "W" is float32 [3 × 2], expected float64`},
		{get(Get[float32](f, "W", -1)), `modelfile: tensor "W" is float32 [3 × 2], expected float32 [any]`},
		{get(Get[float32](f, "W", 3, 1)), `modelfile: tensor "W" is float32 [3 × 2], expected float32 [3 × 1]`},
		{get(Get[float64](f, "unfit")), `modelfile: tensor "unfit": shape [2 2] does not fit 3 numbers`},
		{get(Get[float64](f, "nan")), `modelfile: tensor "nan": element 1 is not a finite number`},
		{get(f.Strings("W", -1)), `modelfile: tensor "W" is float32 [3 × 2], expected uint8 [any]`},
		{get(f.Strings(ItemIDs, 4)), `modelfile: tensor "items.ids" holds 3 texts, expected 4`},
	} {
		if test.err == nil || test.err.Error() != test.want {
			t.Errorf("got %v\nwant %s", test.err, test.want)
		}
	}
	if dims, there := f.Tensor("none"); !there || !slices.Equal(dims.Shape, []int{3, 0}) {
		t.Errorf("none: %v, %v", dims, there)
	}
}

func TestStringsErrors(t *testing.T) {
	for _, test := range []struct {
		joined  string
		offsets []int64
		want    string
	}{
		{"abc", []int64{}, "do not run from 0 to 3"},
		{"abc", []int64{1, 3}, "do not run from 0 to 3"},
		{"abc", []int64{0, 2}, "do not run from 0 to 3"},
		{"abc", []int64{0, 4}, "do not run from 0 to 3"},
		{"abc", []int64{0, 2, 1, 3}, "do not ascend"},
		{"abc", []int64{0, 9, 3}, "do not ascend"},
		{"abc", []int64{0, -1, 3}, "do not ascend"},
		{"a\xffc", []int64{0, 3}, "is not UTF-8"},
		{"é", []int64{0, 1, 2}, "is not UTF-8"}, // whole, but cut in the middle
	} {
		f := New()
		Set(f, "x", []byte(test.joined))
		Set(f, "x.offsets", test.offsets)
		if got, err := f.Strings("x", -1); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q %v: %q, %v; want %s", test.joined, test.offsets, got, err, test.want)
		}
	}
	f := New()
	Set(f, "x", []byte("abc"))
	if _, err := f.Strings("x", -1); err == nil || !strings.Contains(err.Error(), `no tensor "x.offsets"`) {
		t.Error(err)
	}
}

func TestWriteRefuses(t *testing.T) {
	const root = 1 << (bits.UintSize / 2) // its square is 0 as an int
	for want, change := range map[string]func(f *File){
		`tensor "x": element 2 is not a finite number`:         func(f *File) { Set(f, "x", []float64{0, 1, math.NaN()}) },
		`tensor "x": element 0 is not a finite number`:         func(f *File) { Set(f, "x", []float32{float32(math.Inf(-1))}) },
		`tensor "x": shape [2 2] does not fit 3`:               func(f *File) { Set(f, "x", []int32{1, 2, 3}, 2, 2) },
		`tensor "x": shape [-1 -1] does not fit 1`:             func(f *File) { Set(f, "x", []int32{1}, -1, -1) },
		fmt.Sprintf(`tensor "x": shape [%d %d 0]`, root, root): func(f *File) { Set(f, "x", []int32{}, root, root, 0) },
		`tensor "x": text 1, "\xff", is not UTF-8`:             func(f *File) { f.SetStrings("x", []string{"a", "\xff", "b"}) },
		`"x\xff" is not UTF-8`:                                 func(f *File) { Set(f, "x\xff", []int32{1}) },
		`"v\xff" is not UTF-8`:                                 func(f *File) { f.Metadata["k"] = "v\xff" },
		`no tensor can be called "__metadata__"`:               func(f *File) { Set(f, "__metadata__", []int32{1}) },
		`"x" has 65 dimensions`:                                func(f *File) { Set(f, "x", []int32{1}, slices.Repeat([]int{1}, 65)...) },
		`metadata key "sha256" is for the package`:             func(f *File) { f.Metadata["sha256"] = "" },
		`metadata key "format" is for the package`:             func(f *File) { f.Metadata["format"] = "pt" },
		`names and metadata take`:                              func(f *File) { f.Metadata["x"] = strings.Repeat("y", maxHeader) },
	} {
		f := small()
		change(f)
		var out bytes.Buffer
		if n, err := f.WriteTo(&out); err == nil || !strings.Contains(err.Error(), want) || n != 0 || out.Len() != 0 {
			t.Errorf("%d bytes, %v; want %s", n, err, want)
		}
	}
}

// A full device takes the first bytes only.
type full struct{ left int }

var errFull = errors.New("no space left")

func (w *full) Write(data []byte) (int, error) {
	n := min(w.left, len(data))
	w.left -= n
	if n < len(data) {
		return n, errFull
	}
	return n, nil
}

func TestWriteFails(t *testing.T) {
	length := len(written(t, small()))
	for room := range length {
		if n, err := small().WriteTo(&full{room}); !errors.Is(err, errFull) || n != int64(room) {
			t.Fatalf("room for %d bytes of %d: %d, %v", room, length, n, err)
		}
	}
}

func TestJSON(t *testing.T) {
	type settings struct {
		Hidden int     `json:"hidden"`
		Rate   float64 `json:"rate"`
	}
	f := New()
	if err := f.SetJSON(KeySettings, settings{3, 0.01}); err != nil || f.Metadata[KeySettings] != `{"hidden":3,"rate":0.01}` {
		t.Fatal(f.Metadata, err)
	}
	var got settings
	if err := f.JSON(KeySettings, &got); err != nil || got != (settings{3, 0.01}) {
		t.Fatal(got, err)
	}
	if err := f.SetJSON(KeySeed, uint64(math.MaxUint64)); err != nil || f.Metadata[KeySeed] != "18446744073709551615" {
		t.Fatal(f.Metadata, err)
	}
	if err := f.SetJSON(KeyHistory, []float64{math.NaN()}); err == nil || !strings.Contains(err.Error(), `metadata "history"`) {
		t.Error(err)
	}
	for text, want := range map[string]string{
		`{"hidden":3,"more":1}`: `unknown field "more"`,
		`{"hidden":3} {}`:       "more follows",
		`{"hidden":"three"}`:    `metadata "settings"`,
		``:                      `metadata "settings"`,
	} {
		f.Metadata[KeySettings] = text
		if err := f.JSON(KeySettings, new(settings)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
	if err := f.JSON("nothing", new(settings)); err == nil || !strings.Contains(err.Error(), `no metadata "nothing"`) {
		t.Error(err)
	}
}

func TestDTypes(t *testing.T) {
	for _, d := range dtypes {
		if d.Size() == 0 || d.String() == string(d.DType) {
			t.Errorf("%s: %d bytes, %v", string(d.DType), d.Size(), d)
		}
	}
	if d := DType("BF16"); d.Size() != 0 || d.String() != "BF16" {
		t.Errorf("%d bytes, %v", d.Size(), d)
	}
	if reflect.TypeFor[File]().NumField() != 2 {
		t.Error("a new field of File is not compared by same")
	}
}

var _ io.WriterTo = (*File)(nil)

// A model of 20,000 items with 64 numbers each, as float64.
func large() *File {
	f := New()
	numbers := make([]float64, 20_000*64)
	for i := range numbers {
		numbers[i] = 1 / float64(i+1)
	}
	Set(f, "W", numbers, 20_000, 64)
	return f
}

func BenchmarkWrite(b *testing.B) {
	f := large()
	b.SetBytes(int64(len(written(b, f))))
	for b.Loop() {
		if _, err := f.WriteTo(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSet(b *testing.B) {
	f := large()
	numbers, err := Get[float64](f, "W")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(8 * len(numbers)))
	for b.Loop() {
		Set(f, "W", numbers, 20_000, 64)
	}
}

func BenchmarkRead(b *testing.B) {
	data := written(b, large())
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		f, err := readAll(data)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Get[float64](f, "W", -1, 64); err != nil {
			b.Fatal(err)
		}
	}
}

func anyMetadata(map[string]string) error { return nil }
