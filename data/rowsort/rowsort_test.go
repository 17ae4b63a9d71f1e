package rowsort

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Rows come out in order with their values and times, spread and by bytes; nothing is written to what lies further behind than room, and a row with an item twice is
// told.
func TestRows(t *testing.T) {
	const untouched = 99
	r := rand.New(rand.NewPCG(1, 2))
	spread := 0
	for _, items := range []int{1, 63, 64, 65, 700, 17770, 1 << 16} {
		for _, known := range []int{1, 5, mostValues, mostValues + 1, 256} {
			renumbered, values := make([]uint32, items), make([]float32, known)
			for old, n := range r.Perm(items) {
				renumbered[old] = uint32(n)
			}
			for k := range values {
				values[k] = r.Float32()
			}
			sorters := []*Sorter{New(renumbered, values), New(renumbered, values)}
			sorters[1].spread = nil
			for _, n := range []int{1, 16, 17, 64, 65, 300, 5000, items} {
				n = min(n, items)
				for _, twice := range []bool{false, true} {
					row, numbers, times := make([]uint16, n), make([]uint8, n), make([]uint32, n)
					first := r.IntN(items - n + 1) // without gaps, or with some
					for k, at := range r.Perm(n) {
						row[k], numbers[k], times[k] = uint16(first+at), uint8(r.IntN(known)), r.Uint32()
					}
					if n < items && r.IntN(2) == 0 {
						for k, old := range r.Perm(items)[:n] {
							row[k] = uint16(old)
						}
					}
					if twice {
						if n == 1 {
							continue
						}
						row[n-1] = row[r.IntN(n-1)]
					}
					order := make([]int, n)
					for k := range order {
						order[k] = k
					}
					slices.SortFunc(order, func(a, b int) int { return int(renumbered[row[a]]) - int(renumbered[row[b]]) })
					for way, s := range sorters {
						for _, places := range []int{n, n + room, n + room + 3} {
							item, value, when := make([]uint32, places), make([]float32, places), make([]int64, places)
							for k := range item {
								item[k], value[k], when[k] = untouched, untouched, untouched
							}
							if s.spread.takes(n, places) {
								spread++
							} else if way == 0 && fastSpread && known <= mostValues && items <= 64*fewSpread*n && places >= n+room {
								t.Fatalf("%d of %d items with %d values are not spread", n, items, known)
							}
							ok := s.Untimed(row, numbers, item, value)
							timedItem, timedValue := slices.Clone(item), slices.Clone(value)
							timed := s.Timed(row, numbers, times, timedItem, timedValue, when)
							if ok == twice || timed == twice {
								t.Fatalf("%d of %d items, twice %t: %t and, with times, %t", n, items, twice, ok, timed)
							}
							if twice {
								continue
							}
							if !slices.Equal(item[:n], timedItem[:n]) || !slices.Equal(value[:n], timedValue[:n]) {
								t.Fatalf("%d of %d items: others with times", n, items)
							}
							for k, at := range order {
								if item[k] != renumbered[row[at]] || value[k] != values[numbers[at]] || when[k] != int64(times[at]) {
									t.Fatalf("%d of %d items, way %d: rating %d is %d, %g, %d", n, items, way, k, item[k], value[k], when[k])
								}
							}
							for k := n + room; k < places; k++ {
								if item[k] != untouched || value[k] != untouched || when[k] != untouched {
									t.Fatalf("%d of %d items, way %d: place %d behind them is written", n, items, way, k-n)
								}
							}
						}
					}
				}
			}
		}
	}
	if fastSpread && spread < 200 {
		t.Errorf("%d rows were spread", spread)
	}
}

// BenchmarkRows sorts rows of a catalogue like that of Netflix.
func BenchmarkRows(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	const items = 17770
	renumbered := make([]uint32, items)
	for old, n := range r.Perm(items) {
		renumbered[old] = uint32(n)
	}
	for _, n := range []int{50, 100, 200, 500, 2000} {
		for _, way := range []string{"bytes", "spread"} {
			b.Run(fmt.Sprintf("%s/%d", way, n), func(b *testing.B) {
				s := New(renumbered, []float32{1, 2, 3, 4, 5})
				if way == "bytes" {
					s.spread = nil
				} else if s.spread == nil {
					b.Skip("this processor spreads no rows")
				}
				rows := make([][]uint16, 100)
				for k := range rows {
					for _, i := range r.Perm(items)[:n] {
						rows[k] = append(rows[k], uint16(i))
					}
				}
				numbers, item, value := make([]uint8, n), make([]uint32, n+room), make([]float32, n+room)
				k := 0
				for b.Loop() {
					if k++; !s.Untimed(rows[k%len(rows)], numbers, item, value) {
						b.Fatal("an item twice")
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*b.N), "ns/rating")
			})
		}
	}
}

func TestAscend(t *testing.T) {
	for n := range 14 {
		for at := range n {
			items := make([]uint32, n)
			for k := range items {
				items[k] = uint32(k) * 4000
			}
			if !ascend(items) {
				t.Fatal(items)
			}
			if at == 0 {
				continue
			}
			for _, wrong := range []uint32{items[at-1], 0} {
				items[at] = wrong
				if ascend(items) {
					t.Error(items)
				}
			}
		}
	}
	if !ascend([]uint32{0, 65535}) || ascend([]uint32{65535, 0}) {
		t.Error("the ends")
	}
}
