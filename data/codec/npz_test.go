package codec_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fubini/data/codec"
	"fubini/data/codec/codectest"
	"fubini/data/ratings"
)

// npyArray is what a .npy file holds: content for strings, numbers otherwise.
type npyArray struct {
	kind    string
	numbers []float64 // of integers too: those of the tests fit
	content []string
}

var npyDescription = regexp.MustCompile(`^\{'descr': '<([ifU])(\d+)', 'fortran_order': False, 'shape': \((\d+),\), \} *\n$`)

// parseNPY reads one row of numbers or strings, as NumPy's documentation of
// format 1.0 has it.
func parseNPY(file []byte) (a npyArray, err error) {
	if len(file) < 10 || string(file[:8]) != "\x93NUMPY\x01\x00" {
		return a, fmt.Errorf("no .npy of version 1.0: %q", file[:min(len(file), 10)])
	}
	header := 10 + int(binary.LittleEndian.Uint16(file[8:]))
	if header%64 != 0 || header > len(file) {
		return a, fmt.Errorf("a header of %d bytes", header)
	}
	m := npyDescription.FindStringSubmatch(string(file[10:header]))
	if m == nil {
		return a, fmt.Errorf("header %q", file[10:header])
	}
	a.kind = m[1] + m[2]
	width, _ := strconv.Atoi(m[2])
	length, _ := strconv.Atoi(m[3])
	if m[1] == "U" {
		width *= 4
	}
	data := file[header:]
	if len(data) != width*length {
		return a, fmt.Errorf("%d bytes for %d elements of %s", len(data), length, a.kind)
	}
	for ; len(data) > 0; data = data[width:] {
		switch a.kind {
		case "i4":
			a.numbers = append(a.numbers, float64(int32(binary.LittleEndian.Uint32(data))))
		case "i8":
			a.numbers = append(a.numbers, float64(int64(binary.LittleEndian.Uint64(data))))
		case "f4":
			a.numbers = append(a.numbers, float64(math.Float32frombits(binary.LittleEndian.Uint32(data))))
		default:
			var content []rune
			for at := 0; at < width; at += 4 {
				content = append(content, rune(binary.LittleEndian.Uint32(data[at:])))
			}
			a.content = append(a.content, strings.TrimRight(string(content), "\x00"))
		}
	}
	return a, nil
}

func parseNPZ(content []byte) (map[string]npyArray, error) {
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, err
	}
	arrays := map[string]npyArray{}
	for _, entry := range archive.File {
		file, err := entry.Open()
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(file)
		if err != nil {
			return nil, err
		}
		if arrays[entry.Name], err = parseNPY(content); err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name, err)
		}
	}
	return arrays, nil
}

func TestNPZRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		timed := rapid.Bool().Draw(t, "timed")
		ids := codectest.AnyID.Filter(func(id string) bool { return !strings.HasSuffix(id, "\x00") })
		s := codectest.DrawSet(t, ids, codectest.AnyValue, 6, timed)
		timed = s.HasTimes()
		arrays, err := parseNPZ(codectest.WriteTwice(t, &codec.NPZ, s, codec.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		for name, kind := range map[string]string{"users.npy": "i4", "items.npy": "i4", "ratings.npy": "f4"} {
			if arrays[name].kind != kind || len(arrays[name].numbers) != s.Len() {
				t.Fatalf("%s: %d of %s", name, len(arrays[name].numbers), arrays[name].kind)
			}
		}
		if len(arrays) != 5 && !timed || len(arrays) != 6 && timed {
			t.Fatalf("%d arrays, with times: %v", len(arrays), timed)
		}
		b := ratings.NewBuilder()
		users, items := arrays["user_ids.npy"].content, arrays["item_ids.npy"].content
		for k, value := range arrays["ratings.npy"].numbers {
			when := int64(ratings.NoTime)
			if timed {
				when = int64(arrays["timestamps.npy"].numbers[k])
			}
			user, item := users[int(arrays["users.npy"].numbers[k])], items[int(arrays["items.npy"].numbers[k])]
			if err := b.Add([]byte(user), []byte(item), float32(value), when); err != nil {
				t.Fatal(err)
			}
		}
		again, _, err := b.Build(ratings.Refuse)
		if err != nil {
			t.Fatal(err)
		}
		codectest.CheckSame(t, again, s)
	})
}

func TestNPZWrites(t *testing.T) {
	arrays, err := parseNPZ(codectest.WriteTwice(t, &codec.NPZ, codectest.SetOf(t), codec.Options{}))
	if err != nil || len(arrays) != 5 || arrays["user_ids.npy"].kind != "U1" {
		t.Errorf("an empty set: %v, %v", arrays, err)
	}
	for _, id := range []string{"\xff", "a\x00"} {
		if err := codec.NPZ.Write(&bytes.Buffer{}, codectest.SetOf(t, [3]any{"u", id, 1.}), codec.Options{}); err == nil {
			t.Errorf("id %q was written", id)
		}
	}
}
