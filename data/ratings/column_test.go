package ratings

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fubini/core/rng"

	"pgregory.net/rapid"
)

// A packed column is a list, whatever numbers it has, and over the ends of chunks.
func TestPacked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p packed[uint8, uint32]
		var want []uint32
		number := rapid.Uint32Range(0, 255)
		if rapid.Bool().Draw(t, "large") {
			number = rapid.OneOf(number, rapid.SampledFrom([]uint32{256, 1 << 16, math.MaxUint32}))
		}
		if ahead := rapid.SampledFrom([]int{0, 60, chunkSize - 3}).Draw(t, "ahead"); ahead > 0 {
			want = slices.Repeat([]uint32{7}, ahead)
			p.append(want)
		}
		for range rapid.IntRange(1, 10).Draw(t, "steps") {
			switch rapid.IntRange(0, 2).Draw(t, "step") {
			case 0:
				list := rapid.SliceOfN(number, 0, 40).Draw(t, "numbers")
				p.append(list)
				want = append(want, list...)
			case 1:
				want = append(want, number.Draw(t, "number"))
				p.add(want[len(want)-1])
			default:
				if n := len(want) - 1 - rapid.IntRange(0, 20).Draw(t, "back"); n >= 0 {
					want[n] = number.Draw(t, "number")
					p.set(n, want[n])
				}
			}
		}
		if p.len() != len(want) {
			t.Fatalf("%d numbers, want %d", p.len(), len(want))
		}
		from := rapid.IntRange(0, len(want)).Draw(t, "from")
		if p.widened {
			var room []uint32
			if got := p.large.span(from, len(want), &room); !slices.Equal(got, want[from:]) {
				t.Fatalf("from %d there are %v, want %v", from, got, want[from:])
			}
		}
		for n := from; n < min(len(want), from+30); n++ {
			if p.at(n) != want[n] {
				t.Fatalf("number %d is %d, want %d", n, p.at(n), want[n])
			}
		}
	})
	var p packed[uint16, uint32]
	p.add(1<<16 - 1)
	if p.widened {
		t.Error("the largest small number takes the memory of a large one")
	}
	p.add(1 << 16)
	if !p.widened || p.at(0) != 1<<16-1 || p.at(1) != 1<<16 {
		t.Errorf("%d and %d", p.at(0), p.at(1))
	}
}

// one is a rating of TestBuilder.
type one struct {
	user, item string
	value      float32
	when       int64
}

// Build makes the set that sorting all ratings makes, in whatever order they come, for every policy.
func TestBuilder(t *testing.T) {
	scattered, together := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var all []one
		times := rapid.SampledFrom([]*rapid.Generator[int64]{rapid.Just(int64(NoTime)), rapid.Int64Range(0, math.MaxUint32), rapid.OneOf(rapid.Just(int64(NoTime)), rapid.Int64Range(-5, 1<<40))}).Draw(t, "times")
		most := rapid.SampledFrom([]int{5, 500}).Draw(t, "levels")
		twice := rapid.Bool().Draw(t, "twice")
		for user := range rapid.IntRange(1, 6).Draw(t, "users") {
			items := rapid.SliceOfN(rapid.IntRange(0, 300), 1, 90)
			if !twice {
				items = rapid.SliceOfNDistinct(rapid.IntRange(0, 300), 1, 90, rapid.ID)
			}
			for _, item := range items.Draw(t, "items") {
				all = append(all, one{fmt.Sprint(7 * user), fmt.Sprint(item), float32(rapid.IntRange(1, most).Draw(t, "value")) / 2, times.Draw(t, "time")})
			}
		}
		if rapid.Bool().Draw(t, "shuffled") {
			all = rapid.Permutation(all).Draw(t, "order")
		}
		policy := rapid.SampledFrom([]Duplicates{Refuse, KeepFirst, KeepLast, KeepMean}).Draw(t, "policy")
		b := NewBuilder()
		aside := rapid.Bool().Draw(t, "aside")
		for _, r := range all {
			if aside {
				b.Aside([]byte(r.user), []byte("not placed"))
			}
			if rapid.Bool().Draw(t, "short") {
				addPlain(t, b, []one{r}, r.when != NoTime)
			} else if err := b.Add([]byte(r.user), []byte(r.item), r.value, r.when); err != nil {
				t.Fatal(err)
			}
		}
		if b.owners.scattered {
			scattered++
		} else {
			together++
		}
		set, report, err := b.Build(policy)
		want, refused := sorted(all, policy)
		if refused != "" {
			if err == nil || !strings.Contains(err.Error(), refused) {
				t.Fatalf("%v, want %s", err, refused)
			}
			return
		}
		if err != nil || report.Duplicates != len(all)-len(want) || set.Len() != len(want) {
			t.Fatalf("%v, %+v, want %d ratings", err, report, len(want))
		}
		var got bytes.Buffer
		for u := range set.Users().Len() {
			row := set.Row(u)
			for k, item := range row.Items {
				when := int64(NoTime)
				if row.Times != nil {
					when = row.Times[k]
				}
				fmt.Fprintln(&got, one{set.Users().ID(uint32(u)), set.Items().ID(item), row.Values[k], when})
			}
		}
		if text := lines(want); got.String() != text {
			t.Fatalf("%s\nwant\n%s", &got, text)
		}
	})
	if scattered == 0 || together == 0 {
		t.Errorf("%d scattered sets and %d others", scattered, together)
	}
}

// More different values than have numbers of their own.
func TestManyValues(t *testing.T) {
	const n = mostLevels + 5000
	v, random := newValues(), rng.Stream(1, "values")
	var want []float32
	for len(want) < n {
		want = append(want, float32(len(want))/3)
		v.add(want[len(want)-1])
		if at := random.IntN(len(want)); at%100 == 0 {
			want[at] = float32(-at)
			v.set(at, want[at])
		}
	}
	if !v.bits || v.known != nil {
		t.Fatal("values still have numbers of their own")
	}
	for k, value := range want {
		if got := v.at(k); got != value {
			t.Fatalf("value %d is %g, want %g", k, got, value)
		}
	}
}

func lines(all []one) string {
	var text strings.Builder
	for _, r := range all {
		fmt.Fprintln(&text, r)
	}
	return text.String()
}

// sorted is what TestBuilder wants: the ratings by user and item under a policy, or the records of one of the pairs that are refused.
func sorted(all []one, policy Duplicates) (kept []one, refused string) {
	order := make([]int, len(all))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(strings.Compare(all[a].user, all[b].user), strings.Compare(all[a].item, all[b].item))
	})
	for k := 0; k < len(order); {
		first, same := all[order[k]], k+1
		total := float64(first.value)
		for same < len(order) && all[order[same]].user == first.user && all[order[same]].item == first.item {
			total += float64(all[order[same]].value)
			same++
		}
		if same > k+1 && policy == Refuse {
			return nil, fmt.Sprintf("user %q and item %q: rated twice, in records %d and %d", first.user, first.item, order[k]+1, order[k+1]+1)
		}
		switch policy {
		case KeepLast:
			first = all[order[same-1]]
		case KeepMean:
			first.value = float32(total / float64(same-k))
		}
		kept = append(kept, first)
		k = same
	}
	return kept, ""
}

// Ids that are numbers in decimal are found again, whatever their size, before and after their list has grown, and are no others.
func TestDecimalIDs(t *testing.T) {
	for id, want := range map[string]int{"1": 1, "9": 9, "10": 10, "3952": 3952, "12345678": 12345678, "99999999": 99999999, "0": -1, "01": -1, "1a": -1, "a1": -1, "1:": -1, "/1": -1, "1 ": -1, "-1": -1, "1.5": -1, "1\x001": -1} {
		if n, ok := decimalOf(ShortID([]byte(id)), len(id)); ok != (want >= 0) || ok && n != uint64(want) {
			t.Errorf("%q is %d, %t, want %d", id, n, ok, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		v := newVocabulary()
		numbers := map[string]uint32{}
		id := rapid.OneOf(rapid.StringMatching(`[0-9]{1,3}`), rapid.StringMatching(`[0-9]{1,8}`), rapid.StringMatching(`[0-9a:]{1,4}`))
		for _, text := range rapid.SliceOfN(id, 1, 300).Draw(t, "ids") {
			want, known := numbers[text]
			if !known {
				want = uint32(len(numbers))
				numbers[text] = want
			}
			if got := v.add([]byte(text)); got != want {
				t.Fatalf("%q is %d, want %d", text, got, want)
			}
			if most := max(firstDecimal, decimalEach*v.Len()); len(v.short.decimal) > most {
				t.Fatalf("a list of %d for %d ids", len(v.short.decimal), v.Len())
			}
		}
		for text, want := range numbers {
			if got := v.add([]byte(text)); got != want {
				t.Fatalf("%q has become %d, want %d", text, got, want)
			}
		}
	})
	v := newVocabulary()
	for n := range 5000 {
		v.add(fmt.Append(nil, n+1))
	}
	if v.short.used > firstDecimal {
		t.Errorf("%d of 5000 numbers in a row are in the hash table", v.short.used)
	}
}
