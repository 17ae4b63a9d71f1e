package codec

import (
	"bufio"
	"io"
	"math"

	"fubini/data/numpy"
	"fubini/data/ratings"
)

// NPZ is the format of NumPy's uncompressed archives of arrays. The arrays users, items, ratings and timestamps have one
// element for each rating: users and items are positions in user_ids and item_ids; a timestamp is in seconds, and the
// least int64, NumPy's NaT, where it is unknown. It is only written.
var NPZ = Codec{
	Name:       "npz",
	Extensions: []string{".npz"},
	Write:      writeNPZ,
}

func writeNPZ(w io.Writer, s *ratings.Set, _ Options) error {
	z := numpy.New(w)
	column := func(name, kind string, put func(out *bufio.Writer, user int, row ratings.Row, k int)) {
		z.Array(name, kind, []int{s.Len()}, func(out *bufio.Writer) {
			for u := range s.Users().Len() {
				row := s.Row(u)
				for k := range row.Items {
					put(out, u, row, k)
				}
			}
		})
	}
	column("users", "<i4", func(out *bufio.Writer, u int, _ ratings.Row, _ int) { numpy.Put32(out, uint32(u)) })
	column("items", "<i4", func(out *bufio.Writer, _ int, row ratings.Row, k int) { numpy.Put32(out, row.Items[k]) })
	column("ratings", "<f4", func(out *bufio.Writer, _ int, row ratings.Row, k int) {
		numpy.Put32(out, math.Float32bits(row.Values[k]))
	})
	if s.HasTimes() {
		column("timestamps", "<i8", func(out *bufio.Writer, _ int, row ratings.Row, k int) { numpy.Put64(out, uint64(row.Times[k])) })
	}
	z.Strings("user_ids", s.Users().IDs())
	z.Strings("item_ids", s.Items().IDs())
	return z.Close()
}
