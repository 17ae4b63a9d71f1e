package codec_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"pgregory.net/rapid"

	"fubini/data/codec"
	"fubini/data/codec/codectest"
	"fubini/data/ratings"
)

// parquetType is a type of a column that other programs write, and how it has a number.
type parquetType struct {
	name string
	node func() parquet.Node
	of   func(n int64) parquet.Value
}

func texts(n int64) parquet.Value  { return parquet.ByteArrayValue(fmt.Appendf(nil, "text of %d", n)) }
func shorts(n int64) parquet.Value { return parquet.ByteArrayValue(fmt.Appendf(nil, "%d", n)) }
func four(n int64) parquet.Value {
	return parquet.FixedLenByteArrayValue(fmt.Appendf(nil, "%04d", n%10_000))
}
func in32(n int64) parquet.Value    { return parquet.Int32Value(int32(n)) }
func reals(n int64) parquet.Value   { return parquet.FloatValue(float32(n)) }
func doubles(n int64) parquet.Value { return parquet.DoubleValue(float64(n)) }

var (
	idTypes = []parquetType{
		{"texts", parquet.String, texts},
		{"short texts", parquet.String, shorts},
		{"texts of one length", func() parquet.Node { return parquet.Leaf(parquet.FixedLenByteArrayType(4)) }, four},
		{"64 bits", func() parquet.Node { return parquet.Int(64) }, parquet.Int64Value},
		{"32 bits", func() parquet.Node { return parquet.Int(32) }, in32},
		{"64 bits from 0", func() parquet.Node { return parquet.Uint(64) }, parquet.Int64Value},
		{"32 bits from 0", func() parquet.Node { return parquet.Uint(32) }, in32},
		{"real", func() parquet.Node { return parquet.Leaf(parquet.DoubleType) }, doubles},
	}
	ratingTypes = []parquetType{
		{"real", func() parquet.Node { return parquet.Leaf(parquet.FloatType) }, reals},
		{"real of 64 bits", func() parquet.Node { return parquet.Leaf(parquet.DoubleType) }, doubles},
		{"8 bits", func() parquet.Node { return parquet.Int(8) }, func(n int64) parquet.Value { return in32(n % 100) }},
		{"64 bits", func() parquet.Node { return parquet.Int(64) }, parquet.Int64Value},
		{"decimal", func() parquet.Node { return parquet.Decimal(1, 9, parquet.Int32Type) }, in32},
		{"from 0", func() parquet.Node { return parquet.Uint(64) }, parquet.Int64Value},
	}
	timeTypes = []parquetType{
		{"seconds", func() parquet.Node { return parquet.Int(64) }, parquet.Int64Value},
		{"milliseconds", func() parquet.Node { return parquet.Timestamp(parquet.Millisecond) }, parquet.Int64Value},
		{"nanoseconds", func() parquet.Node { return parquet.Timestamp(parquet.Nanosecond) }, parquet.Int64Value},
		{"days", parquet.Date, in32},
		{"real", func() parquet.Node { return parquet.Leaf(parquet.DoubleType) }, doubles},
	}
	parquetPackings = []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Zstd, &parquet.Gzip}
)

// drawnColumn is a column of a file to be made.
type drawnColumn struct {
	parquetType
	node  parquet.Node
	nulls float64 // how often there is none
	odd   parquet.Value
	faulty,
	optional bool
}

// drawColumn draws a type and how it is written. Faults are values that are refused, in few rows.
func drawColumn(t *rapid.T, name string, types []parquetType, mayLack bool, odd ...parquet.Value) *drawnColumn {
	c := &drawnColumn{parquetType: rapid.SampledFrom(types).Draw(t, name)}
	c.node = c.parquetType.node()
	switch rapid.IntRange(0, 3).Draw(t, name+" encoding") {
	case 0, 1:
		c.node = parquet.Encoded(c.node, &parquet.RLEDictionary)
	case 2:
		if k := c.node.Type().Kind(); k == parquet.Int32 || k == parquet.Int64 {
			c.node = parquet.Encoded(c.node, &parquet.DeltaBinaryPacked)
		} else if k == parquet.ByteArray {
			c.node = parquet.Encoded(c.node, &parquet.DeltaByteArray)
		}
	}
	if c.optional = rapid.Bool().Draw(t, name+" optional"); c.optional {
		c.node = parquet.Optional(c.node)
		if mayLack {
			c.nulls = rapid.SampledFrom([]float64{0, .2, 1}).Draw(t, name+" nulls")
		}
	}
	for _, v := range odd {
		if v.Kind() == c.node.Type().Kind() && rapid.IntRange(0, 5).Draw(t, name+" odd") == 0 {
			c.odd, c.faulty = v, true
		}
	}
	if c.optional && !mayLack && rapid.IntRange(0, 9).Draw(t, name+" null") == 0 {
		c.odd, c.faulty = parquet.Value{}, true
	}
	return c
}

// Rows that are added many at a time make the same set as rows that are read one by one, whatever wrote the file, and what is refused is refused in the same words.
func TestParquetRowsTwin(t *testing.T) {
	refused, read, quick := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		columns := map[string]*drawnColumn{
			"item":   drawColumn(t, "item", idTypes, false, parquet.ByteArrayValue(nil), parquet.DoubleValue(.5), parquet.Int64Value(-1)),
			"rating": drawColumn(t, "rating", ratingTypes, false, parquet.FloatValue(float32(math.NaN())), parquet.DoubleValue(1e300), parquet.Int64Value(-1)),
		}
		if rapid.IntRange(0, 9).Draw(t, "users") > 0 {
			columns["user"] = drawColumn(t, "user", idTypes, false, parquet.ByteArrayValue(nil), parquet.DoubleValue(1e17), parquet.Int64Value(math.MinInt64))
		}
		if rapid.IntRange(0, 2).Draw(t, "times") > 0 {
			columns["timestamp"] = drawColumn(t, "timestamp", timeTypes, true, parquet.Int64Value(ratings.NoTime), parquet.DoubleValue(math.Inf(1)))
		}
		rows := rapid.SampledFrom([]int{1, 100, 511, 513, 1500}).Draw(t, "rows")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		file, faulty := drawnFile(t, columns, rows, random)

		fast, fastCounts, fastErr := parquetSet(file, false)
		slow, slowCounts, slowErr := parquetSet(file, true)
		if fmt.Sprint(fastErr) != fmt.Sprint(slowErr) {
			t.Fatalf("many at a time: %v; one by one: %v", fastErr, slowErr)
		}
		if slowErr != nil {
			if !faulty {
				t.Fatal(slowErr)
			}
			refused++
			return
		}
		codectest.CheckSame(t, fast, slow)
		if fmt.Sprint(fastCounts) != fmt.Sprint(slowCounts) {
			t.Fatalf("many at a time: %+v; one by one: %+v", fastCounts, slowCounts)
		}
		read++
		n, err := codec.ParquetPlain(parquetInput(file), ratings.NewBuilder())
		if quick += n; err != nil || n != rows {
			t.Fatalf("%d rows of %d were added many at a time, %v", n, rows, err)
		}
	})
	if refused == 0 || read == 0 {
		t.Errorf("%d files read and %d refused; there should be both", read, refused)
	}
	t.Logf("%d files read, of %d rows, and %d refused", read, quick, refused)
}

// Decimals in bytes are no times, nor nothing.
func TestParquetDecimalBytes(t *testing.T) {
	var out bytes.Buffer
	w := parquet.NewWriter(&out, parquet.NewSchema("ratings", parquet.Group{
		"item": parquet.Int(64), "rating": parquet.Int(64), "timestamp": parquet.Decimal(1, 9, parquet.ByteArrayType)}))
	row := parquet.Row{parquet.Int64Value(1).Level(0, 0, 0), parquet.Int64Value(1).Level(0, 0, 1), parquet.ByteArrayValue([]byte{1}).Level(0, 0, 2)}
	if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, err := codectest.ReadBytes(&codec.Parquet, out.Bytes(), codec.Options{})
	codectest.CheckRefused(t, err, "row 1", "timestamp", "a time")
}

// drawnFile writes a file, and reports whether it has a fault.
func drawnFile(t *rapid.T, columns map[string]*drawnColumn, rows int, random *rand.Rand) (file []byte, faulty bool) {
	group := parquet.Group{}
	for name, c := range columns {
		group[name] = c.node
	}
	options := []parquet.WriterOption{
		parquet.NewSchema("ratings", group),
		parquet.Compression(rapid.SampledFrom(parquetPackings).Draw(t, "packing")),
		parquet.DataPageVersion(rapid.IntRange(1, 2).Draw(t, "page version")),
		parquet.PageBufferSize(rapid.SampledFrom([]int{100, 1000, 1 << 20}).Draw(t, "page size")),
		parquet.MaxRowsPerRowGroup(rapid.SampledFrom([]int64{7, 400, 1 << 20}).Draw(t, "rows of a group")),
	}
	if rapid.Bool().Draw(t, "dictionary ends") { // pages behind it are plain
		options = append(options, parquet.DictionaryMaxBytes(rapid.Int64Range(50, 2000).Draw(t, "dictionary size")))
	}
	var out bytes.Buffer
	w := parquet.NewWriter(&out, options...)
	user, scattered := int64(0), rapid.Bool().Draw(t, "scattered")
	for k := range rows {
		if scattered {
			user = random.Int64N(40)
		} else if random.IntN(20) == 0 {
			user++
		}
		number := map[string]int64{"user": user, "item": int64(k) * 7919 % 1000 * 13, "rating": random.Int64N(300), "timestamp": random.Int64N(40_000) - 20_000}
		var row parquet.Row
		for n, name := range []string{"item", "rating", "timestamp", "user"} {
			c := columns[name]
			if c == nil {
				continue
			}
			v := c.of(number[name])
			if c.faulty && random.IntN(rows) == 0 {
				v, faulty = c.odd, true
			}
			if c.nulls > 0 && random.Float64() < c.nulls {
				v = parquet.Value{}
			}
			level := 0
			if c.optional && !v.IsNull() {
				level = 1
			}
			if columns["timestamp"] == nil && n == 3 {
				n = 2
			}
			row = append(row, v.Level(0, level, n))
		}
		if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), faulty
}

func parquetInput(file []byte) *codec.Input {
	return &codec.Input{Name: "test.parquet", At: bytes.NewReader(file), Size: int64(len(file)), Counts: &codec.Report{}}
}

// parquetSet reads a file, with a scale for ratings to be looked at one by one.
func parquetSet(file []byte, single bool) (*ratings.Set, *codec.Report, error) {
	in, b := parquetInput(file), ratings.NewBuilder()
	if single {
		b.Between(math.Inf(-1), math.Inf(1))
	}
	if err := codec.Parquet.Load(in, b, codec.Options{}); err != nil {
		return nil, in.Counts, err
	}
	s, report, err := b.Build(ratings.KeepLast)
	in.Counts.Report = report
	return s, in.Counts, err
}

func BenchmarkParquet(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	var rows []codec.ParquetTimedRow
	for k := range 1_000_000 {
		rows = append(rows, codec.ParquetTimedRow{User: fmt.Sprint(k / 150), Item: fmt.Sprint(random.IntN(10_000)), Rating: float32(1+random.IntN(10)) / 2, Timestamp: int64(k)})
	}
	file := parquetOf(b, rows, parquet.Compression(&parquet.Zstd))
	for _, single := range []bool{false, true} {
		b.Run(map[bool]string{false: "many at a time", true: "one by one"}[single], func(b *testing.B) {
			for b.Loop() {
				in, builder := parquetInput(file), ratings.NewBuilder()
				if single {
					builder.Between(math.Inf(-1), math.Inf(1))
				}
				if err := codec.Parquet.Load(in, builder, codec.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(rows)), "ns/rating")
		})
	}
}

// A damaged file is refused both ways, or read both ways as the same set.
func TestParquetDamagedTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var texts []codec.ParquetTimedRow
	var numbers []parquetInts
	for k := range 60 {
		texts = append(texts, codec.ParquetTimedRow{User: fmt.Sprint(k / 10), Item: fmt.Sprint(k % 10), Rating: float32(k % 3), Timestamp: int64(k)})
		numbers = append(numbers, parquetInts{int64(k / 10), int32(k % 10), int8(k % 3), int64(k)})
	}
	refused, read := 0, 0
	for _, file := range [][]byte{
		parquetOf(t, texts), parquetOf(t, texts, parquet.DataPageVersion(1), parquet.MaxRowsPerRowGroup(25)),
		parquetOf(t, numbers), parquetOf(t, numbers, parquet.DataPageVersion(1), parquet.MaxRowsPerRowGroup(25)),
	} {
		for range 300 {
			damaged := bytes.Clone(file)
			for range 1 + random.IntN(2) {
				at := 4 + random.IntN(len(file)-12)
				damaged[at] = byte(random.Uint32())
			}
			many, _, manyErr := parquetSet(damaged, false)
			single, _, singleErr := parquetSet(damaged, true)
			if (manyErr == nil) != (singleErr == nil) {
				t.Fatalf("many rows at a time: %v; one by one: %v; of %x", manyErr, singleErr, damaged)
			}
			if singleErr != nil {
				refused++
				continue
			}
			read++
			codectest.CheckSame(t, many, single)
		}
	}
	if refused == 0 || read == 0 {
		t.Errorf("%d files read and %d refused; there should be both", read, refused)
	}
}
