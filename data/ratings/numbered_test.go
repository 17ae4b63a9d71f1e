package ratings

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"fubini/core/rng"
)

// addNumbered adds ratings by the numbers of their ids.
func addNumbered(b *Builder, rows []one) {
	var users, items []uint32
	var values []float32
	var when []int64
	timed := false
	for _, r := range rows {
		users, items = append(users, b.UserIDs().Number([]byte(r.user))), append(items, b.ItemIDs().Number([]byte(r.item)))
		values, when = append(values, r.value), append(when, r.when)
		timed = timed || r.when != NoTime
	}
	if !timed {
		when = nil
	}
	b.AddNumbered(users, items, values, when)
}

// AddNumbered adds what Add adds, alone or in turn with the others, with times, without and with some.
func TestAddNumbered(t *testing.T) {
	scattered := 0
	rapid.Check(t, func(t *rapid.T) {
		alone, both := NewBuilder(), NewBuilder()
		user := 0
		for range rapid.IntRange(1, 6).Draw(t, "batches") {
			var rows []one
			timed := rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "times")
			together := rapid.IntRange(0, 3).Draw(t, "together") > 0
			for range rapid.IntRange(0, 80).Draw(t, "rows") {
				if together && rapid.IntRange(0, 3).Draw(t, "next") == 0 {
					user++
				} else if !together {
					user = rapid.IntRange(0, 20).Draw(t, "user")
				}
				r := one{fmt.Sprint("u", user), fmt.Sprint(alone.Len()), float32(rapid.IntRange(-1, 3).Draw(t, "value")) / 2, NoTime}
				if timed == 2 || timed == 1 && rapid.Bool().Draw(t, "timed") {
					r.when = rapid.Int64Range(-9, 1e12).Draw(t, "when")
				}
				rows = append(rows, r)
				if err := alone.Add([]byte(r.user), []byte(r.item), r.value, r.when); err != nil {
					t.Fatal(err)
				}
			}
			switch rapid.IntRange(0, 3).Draw(t, "how") {
			case 0:
				for _, r := range rows {
					if err := both.Add([]byte(r.user), []byte(r.item), r.value, r.when); err != nil {
						t.Fatal(err)
					}
				}
			case 1:
				for _, r := range rows {
					addPlain(t, both, []one{r}, r.when != NoTime)
				}
			default:
				addNumbered(both, rows)
			}
		}
		if both.owners.scattered {
			scattered++
		}
		wantSameSet(t, both, alone)
	})
	if scattered == 0 {
		t.Error("no set was scattered")
	}
}

// The number of a whole number is that of its text.
func TestDecimalNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBuilder()
		for _, id := range rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(-3, 300), rapid.Int64Range(0, 5000), rapid.Int64(), rapid.Just(int64(math.MinInt64))), 0, 400).Draw(t, "ids") {
			text := strconv.AppendInt(nil, id, 10)
			if rapid.Bool().Draw(t, "text first") {
				b.ItemIDs().Number(text)
			}
			if n := b.ItemIDs().Decimal(id); n != b.ItemIDs().Number(text) || b.items.ID(n) != string(text) {
				t.Fatalf("%d has the number %d of %q", id, n, b.items.ID(n))
			}
		}
	})
}

// Lists of values reach the most that have numbers of their own anywhere.
func TestManyValuesAtOnce(t *testing.T) {
	v, random := newValues(), rng.Stream(1, "lists of values")
	var want []float32
	for len(want) < mostLevels*5/4 {
		list := make([]float32, 1+random.IntN(1500))
		for k := range list {
			if list[k] = float32(len(want)+k) / 3; random.IntN(10) == 0 {
				list[k] = float32(random.IntN(100))
			}
		}
		v.append(list)
		want = append(want, list...)
	}
	if !v.bits {
		t.Fatal("values still have numbers of their own")
	}
	for k, value := range want {
		if got := v.at(k); got != value {
			t.Fatalf("value %d is %g, want %g", k, got, value)
		}
	}
}

func BenchmarkAddNumbered(b *testing.B) {
	const each = 512
	var users, items [each]uint32
	var values [each]float32
	random := rng.Stream(1, "benchmark")
	for k := range each {
		items[k], values[k] = uint32(random.IntN(10_000)), float32(1+random.IntN(10))/2
	}
	builder := NewBuilder()
	for n := range 10_000 {
		builder.ItemIDs().Decimal(int64(n))
	}
	for n := 0; b.Loop(); n++ {
		if n%10_000 == 0 { // five million ratings
			items := builder.items
			builder = NewBuilder()
			builder.items = items
		}
		user := builder.UserIDs().Decimal(int64(n % 10_000))
		for k := range users {
			users[k] = user
		}
		builder.AddNumbered(users[:], items[:], values[:], nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/each, "ns/rating")
}
