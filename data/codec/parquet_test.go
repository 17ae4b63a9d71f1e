package codec_test

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"
	"time"

	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"fubini/data/codec"
	"fubini/data/codec/codectest"
	"fubini/data/ratings"
)

// parquetOf makes a file of other people's.
func parquetOf[T any](t testing.TB, rows []T, options ...parquet.WriterOption) []byte {
	t.Helper()
	var out bytes.Buffer
	w := parquet.NewGenericWriter[T](&out, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

type (
	parquetInts struct {
		UserID    int64 `parquet:"userId"`
		MovieID   int32 `parquet:"movieId"`
		Rating    int8  `parquet:"rating"`
		Timestamp int64 `parquet:"timestamp"`
	}
	parquetFloats struct {
		Extra []string `parquet:"extra,list"`
		Score float64  `parquet:"score"`
		Item  float64  `parquet:"item_id"`
		UID   uint64   `parquet:"uid"`
	}
	parquetStrings struct {
		User  *string `parquet:"user,optional"`
		Item  *string `parquet:"item,optional,dict"`
		Stars *string `parquet:"stars,optional"`
		Time  *string `parquet:"time,optional"`
		Title string  `parquet:"title"`
	}
	parquetMillis struct {
		User string    `parquet:"user"`
		Item uint32    `parquet:"item"`
		Cost int64     `parquet:"rating,decimal(1:9)"`
		Time time.Time `parquet:"time,timestamp(millisecond)"`
	}
	parquetDates struct {
		User   string   `parquet:"user"`
		Item   string   `parquet:"item"`
		Rating *float32 `parquet:"rating,optional"`
		Date   int32    `parquet:"date,date"`
	}
)

func content(s string) *string { return &s }

func TestParquetReads(t *testing.T) {
	half := float32(.5)
	for name, c := range map[string]struct {
		file []byte
		want string
		when []int64
	}{
		"integers": {parquetOf(t, []parquetInts{{1, 10, 5, 7}, {2, 10, -3, 9}}), "1 10=5\n2 10=-3\n", []int64{7, 9}},
		"floats":   {parquetOf(t, []parquetFloats{{nil, .5, 3, 1}, {[]string{"x", "y"}, 4, 4, 1}}, parquet.Compression(&parquet.Snappy)), "1 3=0.5 4=4\n", nil},
		"strings": {parquetOf(t, []parquetStrings{{content("u"), content("b"), content("3.5"), content("2000-01-02"), ""}, {content("u"), content("a"), content("1e1"), content("12"), "Alpha"}},
			parquet.Compression(&parquet.Gzip)), "u a=10 b=3.5\n", []int64{12, 946771200}},
		"some times": {parquetOf(t, []parquetStrings{{content("u"), content("b"), content("3.5"), nil, ""}, {content("u"), content("a"), content("1"), content("12"), ""}}), "u a=1 b=3.5\n", []int64{12, ratings.NoTime}},
		"logical":    {parquetOf(t, []parquetMillis{{"u", 1 << 31, 45, time.UnixMilli(-1500)}}), "u 2147483648=4.5\n", []int64{-2}},
		"dates":      {parquetOf(t, []parquetDates{{"u", "i", &half, 10957}}, parquet.DataPageVersion(1)), "u i=0.5\n", []int64{946684800}},
		"no rows":    {parquetOf[parquetInts](t, nil), "", nil},
	} {
		s, counts, err := codectest.ReadBytes(&codec.Parquet, c.file, codec.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := codectest.Spell(s); got != c.want || counts.Lines != s.Len() {
			t.Errorf("%s: %q from %d rows, want %q", name, got, counts.Lines, c.want)
		}
		var times []int64
		for u := range s.Users().Len() {
			times = append(times, s.Row(u).Times...)
		}
		if len(times) != len(c.when) {
			t.Errorf("%s: times %v, want %v", name, times, c.when)
			continue
		}
		for k, when := range c.when {
			if times[k] != when {
				t.Errorf("%s: times %v, want %v", name, times, c.when)
			}
		}
		if name == "strings" {
			a, _ := s.Items().Find("a")
			if got := s.Items().Name(a); got != "Alpha" {
				t.Errorf("item a is called %q", got)
			}
		}
	}
}

// A column of tiers, in letters or numbers, with nothing for an item without a place; a file of one person; a time that is none costs itself.
func TestParquetTiers(t *testing.T) {
	type letters struct {
		User string  `parquet:"user"`
		Item string  `parquet:"item"`
		Tier *string `parquet:"tier,optional"`
	}
	type numbers struct {
		Item string `parquet:"item"`
		Tier *int32 `parquet:"tier,optional"`
	}
	one, two := int32(1), int32(2)
	for name, c := range map[string]struct {
		file     []byte
		want     string
		unplaced int
		badTimes int
	}{
		"letters": {parquetOf(t, []letters{{"ann", "a", content("S")}, {"ann", "b", content("B")}, {"bob", "a", nil}, {"bob", "b", content("A")}}), "ann a=3 b=1\nbob b=2\n", 1, 0},
		"numbers": {parquetOf(t, []numbers{{"a", &one}, {"b", &two}, {"c", nil}}), "me a=2 b=1\n", 1, 0},
		"grades":  {parquetOf(t, []parquetStrings{{content("u"), content("a"), content("A+"), nil, ""}, {content("u"), content("b"), content("B"), content("noon"), ""}}), "u a=2 b=1\n", 0, 1},
	} {
		s, counts, err := codectest.ReadBytes(&codec.Parquet, c.file, codec.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := codectest.Spell(s); got != c.want || counts.Unplaced != c.unplaced || counts.BadTimes != c.badTimes {
			t.Errorf("%s: %q, want %q; %+v", name, got, c.want, counts)
		}
	}
	_, _, err := codectest.ReadBytes(&codec.Parquet, parquetOf(t, []letters{{"ann", "a", content("Loved")}}), codec.Options{})
	codectest.CheckRefused(t, err, "row 1", "Loved", "neither a letter")
}

func TestParquetRefuses(t *testing.T) {
	good := parquetOf(t, []parquetInts{{1, 10, 5, 7}, {2, 10, 3, 9}})
	type unnamed struct {
		A, B string
	}
	type nested struct {
		User   struct{ ID string } `parquet:"user"`
		Item   string              `parquet:"item"`
		Rating float32             `parquet:"rating"`
	}
	type repeated struct {
		User   string    `parquet:"user"`
		Item   string    `parquet:"item"`
		Rating []float32 `parquet:"rating"`
	}
	type flags struct {
		User   string `parquet:"user"`
		Item   string `parquet:"item"`
		Rating bool   `parquet:"rating"`
	}
	type halves struct {
		User   float64 `parquet:"user"`
		Item   string  `parquet:"item"`
		Rating float64 `parquet:"rating"`
	}
	damaged := bytes.Clone(good)
	for k := 4; k < len(good)/3; k++ {
		damaged[k] ^= 0xff
	}
	large := bytes.Clone(good)
	copy(large[len(large)-8:], "\xff\xff\xff\x7f")
	for name, c := range map[string]struct {
		file  []byte
		words []string
	}{
		"empty":         {nil, []string{"empty"}},
		"tiny":          {[]byte("PAR1"), []string{"too few"}},
		"text":          {[]byte("user,item,rating\n"), []string{"PAR1"}},
		"truncated":     {good[:len(good)-20], []string{"truncated"}},
		"encrypted":     {[]byte("PAREPAREPAREPARE"), []string{"encrypted"}},
		"damaged pages": {damaged, []string{"damaged"}},
		"large footer":  {large, []string{"damaged"}},
		"no footer":     {[]byte("PAR1\x00\x00\x00\x00PAR1"), []string{"damaged"}},
		"other columns": {parquetOf(t, []unnamed{{"a", "b"}}), []string{"A, B", "user"}},
		"nested":        {parquetOf(t, []nested{{Item: "i"}}), []string{"user"}},
		"repeated":      {parquetOf(t, []repeated{{"u", "i", []float32{1}}}), []string{"rating"}},
		"flags":         {parquetOf(t, []flags{{"u", "i", true}}), []string{"row 1", "rating", "true"}},
		"half an id":    {parquetOf(t, []halves{{1, "i", 1}, {1.5, "i", 1}}), []string{"row 2", "user", "1.5"}},
		"not finite":    {parquetOf(t, []halves{{1, "i", 1e300}}), []string{"row 1", "rating", "1e+300"}},
		"no number":     {parquetOf(t, []parquetStrings{{User: content("u"), Item: content("i"), Stars: content("good")}}), []string{"row 1", "rating", "good"}},
		"null user":     {parquetOf(t, []parquetStrings{{Item: content("i"), Stars: content("1")}}), []string{"row 1", "user", "no value"}},
		"null rating":   {parquetOf(t, []parquetDates{{User: "u", Item: "i"}}), []string{"row 1", "rating", "no value"}},
		"empty id":      {parquetOf(t, []parquetStrings{{User: content(""), Item: content("i"), Stars: content("1")}}), []string{"row 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := codectest.ReadBytes(&codec.Parquet, c.file, codec.Options{})
			codectest.CheckRefused(t, err, c.words...)
		})
	}
	in := &codec.Input{Name: "test.parquet", R: iotest.ErrReader(errors.New("unplugged")), Size: -1, Counts: &codec.Report{}}
	codectest.CheckRefused(t, codec.Parquet.Load(in, ratings.NewBuilder(), codec.Options{}), "unplugged")
}

func TestParquetRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := codectest.DrawSet(t, codectest.AnyID, codectest.AnyValue, 6, rapid.Bool().Draw(t, "timed"))
		codectest.CheckSame(t, codectest.RoundTrip(t, &codec.Parquet, s, codec.Options{}), s)
	})
}

// Pages and groups of rows end at other rows in every column.
func TestParquetManyRows(t *testing.T) {
	b := ratings.NewBuilder()
	for k := range 20_000 {
		user, item := []byte{'u', byte('a' + k%7), byte('a' + k%11)}, []byte{'i', byte(k), byte(k >> 8), byte(k >> 16)}
		if err := b.Add(user, item, float32(k%1000), int64(k)); err != nil {
			t.Fatal(err)
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	codectest.CheckSame(t, codectest.RoundTrip(t, &codec.Parquet, s, codec.Options{}), s)

	var out bytes.Buffer // many groups, small pages, read from a file
	w := parquet.NewGenericWriter[codec.ParquetTimedRow](&out, parquet.MaxRowsPerRowGroup(3000), parquet.PageBufferSize(1000))
	for u := range s.Users().Len() {
		row := s.Row(u)
		for k, item := range row.Items {
			if _, err := w.Write([]codec.ParquetTimedRow{{s.Users().ID(uint32(u)), s.Items().ID(item), row.Values[k], row.Times[k]}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	in := &codec.Input{Name: "test.parquet", R: iotest.ErrReader(io.ErrClosedPipe), At: bytes.NewReader(out.Bytes()), Size: int64(out.Len()), Counts: &codec.Report{}}
	again := ratings.NewBuilder()
	if err := codec.Parquet.Load(in, again, codec.Options{}); err != nil {
		t.Fatal(err)
	}
	got, _, err := again.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	codectest.CheckSame(t, got, s)
}

func FuzzParquet(f *testing.F) {
	f.Add(parquetOf(f, []parquetInts{{1, 10, 5, 7}, {2, 10, 3, 9}}))
	f.Add(parquetOf(f, []parquetFloats{{nil, .5, 3, 1}, {[]string{"x"}, 4, 4, 1}}, parquet.Compression(&parquet.Snappy)))
	f.Add(parquetOf(f, []parquetStrings{{content("u"), content("b"), content("3.5"), nil, "t"}}, parquet.DataPageVersion(1)))
	f.Add(parquetOf(f, []codec.ParquetTimedRow{{"u", "i", 1, 2}, {"u", "j", 1, 2}}, parquet.Compression(&parquet.Zstd)))
	f.Add(parquetOf(f, []codec.ParquetTimedRow{{"u", "i", 1, 2}, {"u", "j", 1, 2}, {"v", "j", 1, 2}}, parquet.MaxRowsPerRowGroup(2)))
	f.Add(parquetOf(f, []parquetMillis{{"u", 1 << 31, 45, time.UnixMilli(-1500)}, {"u", 1, 45, time.UnixMilli(1)}}))
	f.Fuzz(func(t *testing.T, file []byte) {
		codec.Parquet.Detect(file)
		s, _, err := codectest.ReadBytes(&codec.Parquet, file, codec.Options{})
		many, _, manyErr := parquetSet(file, false)
		single, _, singleErr := parquetSet(file, true)
		if (manyErr == nil) != (singleErr == nil) {
			t.Fatalf("many rows at a time: %v; one by one: %v", manyErr, singleErr)
		}
		if manyErr == nil {
			codectest.CheckSame(t, many, single)
		}
		if err != nil {
			return
		}
		codectest.CheckSame(t, codectest.RoundTrip(t, &codec.Parquet, s, codec.Options{}), s)
	})
}
