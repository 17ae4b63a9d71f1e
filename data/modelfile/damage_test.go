package modelfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
)

// Every byte of a file changed to every other value, and every length cut off or
// added: refused, or the same model (a space of the padding may become a tab).
func TestDamage(t *testing.T) {
	whole := written(t, small())
	model := small()
	tell := func(what string, damaged []byte) bool {
		f, err := readAll(damaged)
		if err == nil && !same(f, model) {
			t.Errorf("%s: accepted as another model", what)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "modelfile: ") {
			t.Errorf("%s: %v", what, err)
		}
		return err == nil
	}
	accepted, unseen := 0, 0
	damaged := bytes.Clone(whole)
	for i := range whole {
		for _, mask := range masks() {
			damaged[i] = whole[i] ^ mask
			if tell(fmt.Sprintf("byte %d from %q to %q", i, whole[i], damaged[i]), damaged) {
				accepted++
			}
			// The broken twin: without the checksum, damage goes unseen.
			if f, err := readPlain(damaged); err == nil && !same(f, model) {
				unseen++
			}
		}
		damaged[i] = whole[i]
	}
	for length := range whole {
		if tell(fmt.Sprintf("the first %d bytes", length), whole[:length]) {
			t.Errorf("the first %d bytes of %d: accepted", length, len(whole))
		}
	}
	for more := 1; more <= 16; more++ {
		if tell("longer", append(bytes.Clone(whole), make([]byte, more)...)) {
			t.Errorf("%d bytes more: accepted", more)
		}
	}
	t.Logf("%d bytes: %d changes make no difference, %d would go unseen without the checksum", len(whole), accepted, unseen)
	if accepted > 100 {
		t.Errorf("%d changes are accepted: more than the padding explains", accepted)
	}
	if unseen == 0 {
		t.Error("the test cannot see a missing checksum")
	}
}

// masks are the ways to change a byte: every single bit, or under --long all.
func masks() []byte {
	masks := []byte{1, 2, 4, 8, 16, 32, 64, 128, 255, 0x29} // 0x29 turns a space into a tab
	if os.Getenv("FUBINI_LONG") != "" {
		masks = masks[:0]
		for mask := 1; mask < 256; mask++ {
			masks = append(masks, byte(mask))
		}
	}
	return masks
}

// raw puts a file together from a header that may say anything.
func raw(header string, data int) []byte {
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(file, header...), make([]byte, data)...)
}

// one is the header of a file with one tensor.
func one(dtype, shape, offsets string) string {
	return fmt.Sprintf(`{"x":{"dtype":%s,"shape":%s,"data_offsets":%s}}`, dtype, shape, offsets)
}

func TestRefused(t *testing.T) {
	u8 := func(name string, begin, end int) string {
		return fmt.Sprintf(`"%s":{"dtype":"U8","shape":[%d],"data_offsets":[%d,%d]}`, name, end-begin, begin, end)
	}
	length := func(n uint64, rest string) []byte { return append(binary.LittleEndian.AppendUint64(nil, n), rest...) }
	for _, test := range []struct {
		name, want string
		file       []byte
	}{
		{"empty", "0 bytes are too few", nil},
		{"seven bytes", "7 bytes are too few", make([]byte, 7)},
		{"no header", "it is not JSON", length(0, "")},
		{"header longer than the file", "its header alone should have 3", length(3, "{}")},
		{"header as long as can be", "its header alone should have 18446744073709551615", length(math.MaxUint64, "{}")},
		{"header of negative length", "its header alone should have 9223372036854775808", length(1<<63, "{}")},
		{"a ZIP archive", "not a safetensors file", []byte("PK\x03\x04\x14\x00\x08\x00\x08\x00\x00\x00")},
		{"not JSON", "not JSON", raw(`{"x"`, 0)},
		{"two values", "not JSON", raw(`{} {}`, 0)},
		{"trailing comma", "not JSON", raw(`{`+u8("x", 0, 1)+`,}`, 1)},
		{"trailing NUL", "not JSON", raw("{}\x00", 0)},
		{"not UTF-8", "not UTF-8", raw("{\"\xff\":1}", 0)},
		{"a list", "not an object", raw(`[]`, 0)},
		{"null", "not an object", raw(`null`, 0)},
		{"deep", "not JSON", raw(strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000), 0)},
		{"metadata twice", "twice", raw(`{"__metadata__":{},"__metadata__":{}}`, 0)},
		{"metadata key twice", `"__metadata__" has the key "a" twice`, raw(`{"__metadata__":{"a":"1","a":"1"}}`, 0)},
		{"metadata key twice, escaped", "twice", raw(`{"__metadata__":{"a":"1","\u0061":"1"}}`, 0)},
		{"metadata a number", `"a" is not a text`, raw(`{"__metadata__":{"a":1}}`, 0)},
		{"metadata null", "not an object", raw(`{"__metadata__":null}`, 0)},
		{"tensor twice", `has the key "x" twice`, raw(`{`+u8("x", 0, 1)+`,`+u8("x", 1, 2)+`}`, 2)},
		{"tensor null", `"x" is not an object`, raw(`{"x":null}`, 0)},
		{"unknown key", `unknown key "more"`, raw(`{"x":{"dtype":"U8","shape":[],"data_offsets":[0,1],"more":1}}`, 1)},
		{"other case", `unknown key "Dtype"`, raw(`{"x":{"Dtype":"U8","shape":[],"data_offsets":[0,1]}}`, 1)},
		{"key twice", `"x" has the key "shape" twice`, raw(`{"x":{"dtype":"U8","shape":[],"shape":[],"data_offsets":[0,1]}}`, 1)},
		{"no dtype", "lacks", raw(`{"x":{"shape":[],"data_offsets":[0,1]}}`, 1)},
		{"nothing", "lacks", raw(`{"x":{}}`, 0)},
		{"unknown dtype", `dtype "F7" is not supported`, raw(one(`"F7"`, `[1]`, `[0,1]`), 1)},
		{"dtype a number", `"dtype" is not a text`, raw(one(`8`, `[1]`, `[0,1]`), 1)},
		{"dtype of Go", `dtype "uint8" is not supported`, raw(one(`"uint8"`, `[1]`, `[0,1]`), 1)},
		{"shape null", "not an array", raw(one(`"U8"`, `null`, `[0,1]`), 1)},
		{"shape negative", `hold "-1"`, raw(one(`"U8"`, `[-1]`, `[0,1]`), 1)},
		{"shape of minus zero", `hold "-0"`, raw(one(`"U8"`, `[-0]`, `[0,0]`), 0)},
		{"shape a fraction", `hold "1.0"`, raw(one(`"U8"`, `[1.0]`, `[0,1]`), 1)},
		{"shape a power", `hold "1e0"`, raw(one(`"U8"`, `[1e0]`, `[0,1]`), 1)},
		{"shape a text", `hold ""`, raw(one(`"U8"`, `["1"]`, `[0,1]`), 1)},
		{"shape nested", `hold ""`, raw(one(`"U8"`, `[[1]]`, `[0,1]`), 1)},
		{"shape beyond 64 bits", `too large`, raw(one(`"U8"`, `[18446744073709551617]`, `[0,1]`), 1)},
		{"shape beyond 63 bits", `too large`, raw(one(`"U8"`, `[9223372036854775808]`, `[0,1]`), 1)},
		{"product that wraps to 0", "too large", raw(one(`"U8"`, `[4294967296,4294967296]`, `[0,0]`), 0)},
		{"product that wraps to 8", "too large", raw(one(`"F64"`, `[2305843009213693953]`, `[0,8]`), 8)},
		{"huge by 0", "too large", raw(one(`"F64"`, `[0,4294967296,4294967296]`, `[0,0]`), 0)},
		{"65 dimensions", "more than 64 dimensions", raw(one(`"U8"`, `[`+strings.Repeat("1,", 64)+`1]`, `[0,1]`), 1)},
		{"one offset", "1 data_offsets, not 2", raw(one(`"U8"`, `[1]`, `[0]`), 1)},
		{"three offsets", "more than 2 data_offsets", raw(one(`"U8"`, `[1]`, `[0,1,1]`), 1)},
		{"offset negative", `hold "-1"`, raw(one(`"U8"`, `[1]`, `[-1,0]`), 1)},
		{"offsets that descend", "its range is 1 to 0", raw(one(`"U8"`, `[1]`, `[1,0]`), 1)},
		{"range too short", "takes 8 bytes, its range is 0 to 7", raw(one(`"F64"`, `[1]`, `[0,7]`), 7)},
		{"range too long", "takes 8 bytes, its range is 0 to 9", raw(one(`"F64"`, `[1]`, `[0,9]`), 9)},
		{"range beyond the file", "1 bytes of data are there, the header has 1000000000", raw(one(`"U8"`, `[1000000000]`, `[0,1000000000]`), 1)},
		{"data after the last", "1 bytes follow", raw(one(`"U8"`, `[1]`, `[0,1]`), 2)},
		{"data without tensors", "1 bytes follow", raw(`{}`, 1)},
		{"overlap", "inside the one before", raw(`{`+u8("x", 0, 2)+`,`+u8("y", 1, 3)+`}`, 3)},
		{"same place", "inside the one before", raw(`{`+u8("x", 0, 2)+`,`+u8("y", 0, 2)+`}`, 2)},
		{"gap", "after a gap from 1", raw(`{`+u8("x", 0, 1)+`,`+u8("y", 2, 3)+`}`, 3)},
		{"gap in front", "after a gap from 0", raw(`{`+u8("x", 1, 2)+`}`, 2)},
		{"empty tensor inside another", "inside the one before", raw(`{`+u8("x", 0, 2)+`,`+u8("y", 1, 1)+`}`, 2)},
		{"empty tensor outside", "after a gap", raw(`{`+u8("x", 0, 2)+`,`+u8("y", 3, 3)+`}`, 2)},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := readPlain(test.file)
			if f != nil || err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v; want %s", err, test.want)
			}
			if f, err := readAll(test.file); f != nil || err == nil {
				t.Error("accepted as a model")
			}
		})
	}
}

// What plain safetensors files may have, and ours do not.
func TestAccepted(t *testing.T) {
	for _, file := range [][]byte{
		raw(`{}`, 0), raw("\n{ \t}  ", 0), raw(`{"__metadata__":{}}`, 0),
		raw(`{"":{"data_offsets":[0,8],"shape":[],"dtype":"F64"}}`, 8),
		raw(`{"b":{"dtype":"U8","shape":[1],"data_offsets":[8,9]},"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},"c":{"dtype":"U8","shape":[0],"data_offsets":[8,8]}}`, 9),
	} {
		if _, err := readPlain(file); err != nil {
			t.Errorf("%q: %v", file, err)
		}
		if _, err := readAll(file); err == nil || !strings.Contains(err.Error(), "not a fubini model") {
			t.Errorf("%q: %v", file, err)
		}
	}
	f := New()
	Set(f, "x", []float32{1, float32(math.NaN())})
	g, err := readPlain(plain(t, f))
	if err != nil || !same(f, g) {
		t.Errorf("%v, %v", g, err)
	}
	if _, err := Get[float32](g, "x"); err == nil {
		t.Error("NaN comes out")
	}
}

func TestFormat(t *testing.T) {
	sealed := func(metadata map[string]string) []byte {
		f := small()
		f.Metadata = metadata
		metadata[keyChecksum] = checksum(metadata, f.Tensors())
		return plain(t, f)
	}
	for _, test := range []struct {
		metadata map[string]string
		want     string
	}{
		{map[string]string{}, `modelfile: not a fubini model: its metadata has no "format"`},
		{map[string]string{"format": "pt"}, `modelfile: not a fubini model: its format is "pt"`},
		{map[string]string{"format": "fubini"}, `modelfile: damaged: "" is not a format version`},
		{map[string]string{"format": "fubini", "format_version": "0"}, `modelfile: damaged: "0" is not a format version`},
		{map[string]string{"format": "fubini", "format_version": "1.5"}, `modelfile: damaged: "1.5" is not a format version`},
		{map[string]string{"format": "fubini", "format_version": "3"}, `modelfile: written by a newer fubini, format 3; this program reads up to 1`},
		{map[string]string{"format": "fubini", "format_version": "1"}, ``},
	} {
		_, err := readAll(sealed(test.metadata))
		if test.want == "" && err != nil || test.want != "" && (err == nil || err.Error() != test.want) {
			t.Errorf("%v: %v", test.metadata, err)
		}
	}
	// A newer format may hold what this one cannot, and seal it in another way.
	_, err := readAll(raw(`{"__metadata__":{"format":"fubini","format_version":"2"},"x":{"dtype":"F8_E4M3","shape":[3],"data_offsets":[0,3]}}`, 3))
	if err == nil || !strings.Contains(err.Error(), "newer fubini, format 2") {
		t.Error(err)
	}
	// A model with NaN, sealed by someone who did not mind.
	f := small()
	Set(f, "u", []float64{0, math.Inf(1)})
	f.Metadata = f.ownMetadata()
	f.Metadata[keyChecksum] = checksum(f.Metadata, f.Tensors())
	if _, err := readAll(plain(t, f)); err == nil || err.Error() != `modelfile: tensor "u": element 1 is not a finite number` {
		t.Error(err)
	}
	// No checksum at all.
	delete(f.Metadata, keyChecksum)
	if _, err := readAll(plain(t, f)); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Error(err)
	}
}

// A readerAt that breaks.
type broken struct{ after int64 }

var errBroken = errors.New("the disk is on fire")

func (b broken) ReadAt(p []byte, offset int64) (int, error) {
	if offset+int64(len(p)) > b.after {
		return 0, errBroken
	}
	return copy(p, raw(`{}`, 100)[offset:]), nil
}

func TestReaderFails(t *testing.T) {
	for after := range int64(16) {
		if _, err := read(broken{after}, 1<<10, anyMetadata); after < 10 && !errors.Is(err, errBroken) {
			t.Errorf("broken after %d bytes: %v", after, err)
		}
	}
	// A size that is not the reader's.
	whole := written(t, small())
	for _, size := range []int64{-1, 0, 7, 8, int64(len(whole)) - 1, int64(len(whole)) + 1, 1 << 40, math.MaxInt64} {
		if _, err := Read(bytes.NewReader(whole), size); err == nil {
			t.Errorf("accepted with a size of %d", size)
		}
	}
	if _, err := Read(bytes.NewReader(whole[:len(whole)-8]), int64(len(whole))); err == nil || !strings.Contains(err.Error(), "truncated: it ends after") {
		t.Error(err)
	}
	if _, err := Read(io.NewSectionReader(bytes.NewReader(append([]byte("in front"), whole...)), 8, int64(len(whole))), int64(len(whole))); err != nil {
		t.Error(err)
	}
}

// allocated counts the bytes that do allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// allowed is how much reading so many bytes may allocate, in all, garbage
// included. The worst measured was 44 bytes a byte, for metadata of nothing but
// short keys; numbers take 1 byte a byte.
func allowed(length int) uint64 { return 1<<16 + 64*uint64(length) }

func TestAllocation(t *testing.T) {
	var tiny, pairs strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&pairs, `,"%d":""`, i)
		fmt.Fprintf(&tiny, `,"%d":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}`, i)
	}
	for name, file := range map[string][]byte{
		"header of 90 MB claimed":      append(binary.LittleEndian.AppendUint64(nil, 90_000_000), "{}"...),
		"shape of 8 TB claimed":        raw(one(`"F64"`, `[1000000000]`, `[0,8000000000000]`), 8),
		"many tensors":                 raw("{"+tiny.String()[1:]+"}", 0),
		"many metadata":                raw(`{"__metadata__":{`+pairs.String()[1:]+`}}`, 0),
		"many brackets":                raw(`{"x":`+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+`}`, 0),
		"as many dimensions as can be": raw(one(`"U8"`, `[`+strings.Repeat("0,", 63)+`0]`, `[0,0]`), 0),
		"many dimensions":              raw(one(`"U8"`, `[`+strings.Repeat("0,", 100_000)+`0]`, `[0,0]`), 0),
		"long name":                    raw(`{"`+strings.Repeat("x", 1<<20)+`":{}}`, 0),
		"large data":                   written(t, large()),
	} {
		var err error
		got := allocated(func() { _, err = readPlain(file) })
		t.Logf("%s: %d bytes allocated for %d, %v", name, got, len(file), err)
		if got > allowed(len(file)) {
			t.Errorf("%s: %d bytes allocated for %d", name, got, len(file))
		}
		if err != nil && len(err.Error()) > 1000 {
			t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(written(f, small()))
	f.Add(written(f, New()))
	f.Add(plain(f, small()))
	f.Add(raw(`{"":{"data_offsets":[0,8],"shape":[],"dtype":"F64"}}`, 8))
	f.Add(raw(`{"b":{"dtype":"U8","shape":[1],"data_offsets":[8,9]},"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},"c":{"dtype":"U8","shape":[0,7],"data_offsets":[8,8]}}`, 9))
	f.Add(raw(`{"__metadata__":{"\ud800":"\u2028","a":"é\n"},"x":{"dtype":"I16","shape":[1,2],"data_offsets":[0,4]}}`, 4))
	f.Add(raw(one(`"F64"`, `[0,4294967296]`, `[0,0]`), 0))
	f.Fuzz(checkReads)
}

// FuzzHeader has the length in front right, so that more comes through.
func FuzzHeader(f *testing.F) {
	for _, file := range [][]byte{written(f, small()), plain(f, small()), raw(one(`"F64"`, `[2,0]`, `[0,0]`), 0), raw(one(`"U8"`, `[]`, `[0,1]`), 1)} {
		length := binary.LittleEndian.Uint64(file)
		f.Add(string(file[8:8+length]), file[8+length:])
	}
	f.Fuzz(func(t *testing.T, header string, data []byte) { checkReads(t, append(raw(header, 0), data...)) })
}

// checkReads reads any bytes: they are refused, or written again with the same
// meaning.
func checkReads(t *testing.T, data []byte) {
	var model, other *File
	var modelErr, otherErr error
	if got := allocated(func() { model, modelErr = readAll(data) }); got > allowed(len(data)) {
		t.Fatalf("%d bytes allocated for %d", got, len(data))
	}
	other, otherErr = readPlain(data)
	if (modelErr == nil) != (model != nil) || (otherErr == nil) != (other != nil) || modelErr == nil && otherErr != nil {
		t.Fatalf("%v, %v; %v, %v", model, modelErr, other, otherErr)
	}
	if model != nil {
		if again, err := readAll(written(t, model)); err != nil || !same(model, again) {
			t.Fatalf("%+v became %+v, %v", model, again, err)
		}
	}
	if other == nil {
		return
	}
	text := plain(t, other)
	again, err := readPlain(text)
	if err != nil || !same(other, again) {
		t.Fatalf("%+v became %+v, %v", other, again, err)
	}
	if !bytes.Equal(plain(t, again), text) {
		t.Fatal("the same content gives other bytes")
	}
	for _, tensor := range other.Tensors() { // whatever is there, asking for it does no harm
		other.Strings(tensor.Name, -1)
		if _, err := Get[float64](other, tensor.Name); err == nil && tensor.Type != "F64" {
			t.Fatalf("%v as float64", tensor)
		}
	}
	// Sealed as a model it is one, or refused for a number that is not finite.
	for _, key := range []string{keyFormat, keyVersion, keyChecksum} {
		delete(other.Metadata, key)
	}
	var sealed bytes.Buffer
	if _, err := other.WriteTo(&sealed); err != nil {
		if !strings.Contains(err.Error(), "finite") {
			t.Fatal(err)
		}
		return
	}
	if again, err := readAll(sealed.Bytes()); err != nil || !same(other, again) {
		t.Fatalf("%+v became %+v, %v", other, again, err)
	}
}
