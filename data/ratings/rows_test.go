package ratings

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// built adds rows of items to a builder, builds a set and returns its compact form, by bytes or, if they are not wanted, by the other ways.
func built(t *testing.T, rows [][]int, timed, bytewise bool, policy Duplicates) ([]byte, Report, error) {
	t.Helper()
	b := NewBuilder()
	if !bytewise {
		b.value.numbers.widen() // which those do not take
	}
	for u, row := range rows {
		for k, item := range row {
			when := int64(NoTime)
			if timed {
				when = int64(1000*u + k)
			}
			if err := b.Add(fmt.Append(nil, u), fmt.Append(nil, item), float32(k%7)/2, when); err != nil {
				t.Fatal(err)
			}
		}
	}
	if b.newByBytes(make([]uint32, 1)) != nil != bytewise {
		t.Fatal("the rows are not sorted as they should")
	}
	set, report, err := b.Build(policy)
	if err != nil {
		return nil, report, err
	}
	var file bytes.Buffer
	if err := set.WriteCompact(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), report, nil
}

// Rows sorted by bytes are those sorted by bits and by comparing, of every length, with duplicates and without.
func TestByBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, items := range []int{1, 40, 256, 257, 3706, 17770, 1 << 16} {
		var rows [][]int
		for _, n := range []int{1, 2, 60, 64, 65, 66, 67, 68, 81, 82, 300, 5000, items} {
			rows = append(rows, r.Perm(items)[:min(n, items)])
		}
		for _, twice := range []bool{false, true} {
			if twice { // at the ends and elsewhere
				for k, row := range rows {
					rows[k] = append(slices.Clone(row), row[r.IntN(len(row))], slices.Min(row))
				}
			}
			for _, timed := range []bool{false, true} {
				for _, policy := range []Duplicates{Refuse, KeepFirst, KeepLast, KeepMean} {
					got, report, err := built(t, rows, timed, true, policy)
					want, wanted, wantErr := built(t, rows, timed, false, policy)
					if fmt.Sprint(err) != fmt.Sprint(wantErr) || (err != nil) != (twice && policy == Refuse) || report != wanted || !bytes.Equal(got, want) {
						t.Fatalf("%d items, times %t, twice %t: %v, %+v, want %v, %+v", items, timed, twice, err, report, wantErr, wanted)
					}
				}
			}
		}
	}
}
