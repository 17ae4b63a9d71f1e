package codec

import (
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"

	"fubini/data/ratings"
)

type (
	parquetRow struct {
		User   string  `parquet:"user,dict"`
		Item   string  `parquet:"item,dict"`
		Rating float32 `parquet:"rating,dict"`
	}
	parquetTimedRow struct {
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

func writeParquet(w io.Writer, s *ratings.Set, _ Options) error {
	return writeParquetAs(w, s, func(r parquetRow) parquetRow { return r }, func(r parquetTimedRow) parquetTimedRow { return r }, func(r parquetDatedRow) parquetDatedRow { return r })
}

// writeParquetAs writes rows of one of three types: without times, with a time each, or with times that some lack.
func writeParquetAs[P, T, D any](w io.Writer, s *ratings.Set, plain func(parquetRow) P, timed func(parquetTimedRow) T, dated func(parquetDatedRow) D) error {
	some := false
	for u := range s.Users().Len() {
		some = some || slices.Contains(s.Row(u).Times, ratings.NoTime)
	}
	if some {
		return writeParquetRows(w, s, func(r parquetRow, row ratings.Row, k int) D {
			each := parquetDatedRow{r.User, r.Item, r.Rating, nil}
			if row.Times[k] != ratings.NoTime {
				each.Timestamp = &row.Times[k]
			}
			return dated(each)
		})
	}
	if s.HasTimes() {
		return writeParquetRows(w, s, func(r parquetRow, row ratings.Row, k int) T {
			return timed(parquetTimedRow{r.User, r.Item, r.Rating, row.Times[k]})
		})
	}
	return writeParquetRows(w, s, func(r parquetRow, _ ratings.Row, _ int) P { return plain(r) })
}

func writeParquetRows[T any](w io.Writer, s *ratings.Set, complete func(parquetRow, ratings.Row, int) T) error {
	out := parquet.NewGenericWriter[T](w,
		parquet.Compression(&parquet.Zstd),
		parquet.CreatedBy("fubini", "", ""), // the library would put its own version, which changes the bytes
		parquet.MaxRowsPerRowGroup(1<<20),
	)
	rows := make([]T, 0, 1024)
	for u := range s.Users().Len() {
		user, row := s.Users().ID(uint32(u)), s.Row(u)
		for k, item := range row.Items {
			rows = append(rows, complete(parquetRow{user, s.Items().ID(item), row.Values[k]}, row, k))
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
