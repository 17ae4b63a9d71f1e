package codec

import (
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/parquet-go/parquet-go"

	"fubini/data/ratings"
)

type (
	parquetRow struct {
		User      string  `parquet:"user,dict"`
		Item      string  `parquet:"item,dict"`
		Rating    float32 `parquet:"rating,dict"`
		Timestamp int64   `parquet:"timestamp"`
	}
	parquetDatedRow struct { // for times that some ratings lack
		User      string  `parquet:"user,dict"`
		Item      string  `parquet:"item,dict"`
		Rating    float32 `parquet:"rating,dict"`
		Timestamp *int64  `parquet:"timestamp,optional"`
	}
)

func writeParquet(w io.Writer, s *ratings.Set, _ Options) error { return writeParquetAs(w, s) }

// column gives a field of a row another tag: another name for its column, or - for none.
func column(field, tag string) parquet.WriterOption {
	return &parquet.StructTagOption{ColumnPath: []string{field}, StructTag: reflect.StructTag(`parquet:"` + tag + `"`)}
}

// writeParquetAs writes a table without times, with a time in each row, or with times that some rows lack.
func writeParquetAs(w io.Writer, s *ratings.Set, columns ...parquet.WriterOption) error {
	for u := range s.Users().Len() {
		if slices.Contains(s.Row(u).Times, ratings.NoTime) {
			return writeParquetRows(w, s, func(r parquetRow) parquetDatedRow {
				dated := parquetDatedRow{r.User, r.Item, r.Rating, nil}
				if r.Timestamp != ratings.NoTime {
					dated.Timestamp = &r.Timestamp
				}
				return dated
			}, columns)
		}
	}
	if !s.HasTimes() {
		columns = append(columns, column("Timestamp", "-"))
	}
	return writeParquetRows(w, s, func(r parquetRow) parquetRow { return r }, columns)
}

func writeParquetRows[T any](w io.Writer, s *ratings.Set, row func(parquetRow) T, columns []parquet.WriterOption) error {
	out := parquet.NewGenericWriter[T](w, append(columns,
		parquet.Compression(&parquet.Zstd),
		parquet.CreatedBy("fubini", "", ""), // the library would put its own version, which changes the bytes
		parquet.MaxRowsPerRowGroup(1<<20),
	)...)
	rows := make([]T, 0, 1024)
	for u := range s.Users().Len() {
		user, of := s.Users().ID(uint32(u)), s.Row(u)
		for k, item := range of.Items {
			each := parquetRow{User: user, Item: s.Items().ID(item), Rating: of.Values[k]}
			if of.Times != nil {
				each.Timestamp = of.Times[k]
			}
			rows = append(rows, row(each))
			if len(rows) == cap(rows) {
				if _, err := out.Write(rows); err != nil {
					return fmt.Errorf("format: Parquet: %w", err)
				}
				rows = rows[:0]
			}
		}
	}
	if _, err := out.Write(rows); err != nil {
		return fmt.Errorf("format: Parquet: %w", err)
	}
	return out.Close()
}
