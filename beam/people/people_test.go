package people_test

import (
	"fmt"
	"testing"

	"fubini/beam/people"
	"fubini/core/rng"
	"fubini/data/format"
)

func one(input int, user string, first int, items ...string) people.Fragment {
	f := people.Fragment{Input: input, Rated: input%2 == 1}
	f.ID, f.First = user, first
	for k, id := range items {
		f.Items = append(f.Items, []byte(id))
		f.Values = append(f.Values, float32(k)-0.5)
		f.Lines = append(f.Lines, first+3*k)
	}
	return f
}

// A fragment comes back from its bytes as it was; bytes that are cut short, or too many, are
// refused and do not bring the worker down.
func TestFragmentsSurviveTheWay(t *testing.T) {
	for _, f := range []people.Fragment{one(0, "", 0), one(1, "ann", 7, "a"), one(300, "böb", 1<<40, "x", "", "yy")} {
		packed := people.Append(nil, &f)
		back, err := people.Parse(packed)
		if err != nil || back.ID != f.ID || back.Input != f.Input || back.Rated != f.Rated || back.First != f.First ||
			fmt.Sprint(back.Items, back.Values, back.Lines) != fmt.Sprint(f.Items, f.Values, f.Lines) {
			t.Errorf("%+v came back as %+v, %v", f, back, err)
		}
		for n := range packed {
			if _, err := people.Parse(packed[:n]); err == nil {
				t.Errorf("%d of %d bytes are a fragment", n, len(packed))
			}
		}
		if _, err := people.Parse(append(packed, 0)); err == nil {
			t.Error("a byte too many is part of a fragment")
		}
	}
}

func FuzzParse(f *testing.F) {
	seed := one(1, "ann", 7, "a", "b")
	f.Add(people.Append(nil, &seed))
	f.Fuzz(func(t *testing.T, packed []byte) {
		_, _ = people.Parse(packed) // an error or a fragment, never a panic
	})
}

// Whatever order fragments come in, everybody is there once, with what they said in the
// order of inputs and lines.
func TestGatherDoesNotDependOnOrder(t *testing.T) {
	all := []people.Fragment{one(0, "ann", 1, "a"), one(0, "bob", 2, "a"), one(0, "ann", 3, "b", "c"), one(2, "ann", 1, "d"), one(2, "cy", 9)}
	var want string
	r := rng.Stream(1, "gather")
	order := make([]int, len(all))
	for range 20 {
		rng.Permutation(r, order)
		mixed := make([]people.Fragment, len(all))
		for k, at := range order {
			mixed[k] = one(all[at].Input, all[at].ID, all[at].First, texts(all[at].User)...)
		}
		got := ""
		for _, f := range people.Gather(mixed) {
			got += fmt.Sprintf("%s%s ", f.ID, texts(f.User))
		}
		if want == "" {
			want = got
		}
		if got != want || got != "ann[a b c d] bob[a] cy[] " {
			t.Fatalf("%s, then %s", want, got)
		}
	}
}

func texts(u format.User) (ids []string) {
	for _, id := range u.Items {
		ids = append(ids, string(id))
	}
	return ids
}

// Shards have about as many people each, for ids as they come.
func TestShardsAreEven(t *testing.T) {
	for name, id := range map[string]func(n int) string{
		"numbers": func(n int) string { return fmt.Sprint(n) },
		"padded":  func(n int) string { return fmt.Sprintf("user-%08d", n) },
	} {
		const number, shards = 32_000, 16
		counts := make([]int, shards)
		for n := range number {
			counts[people.Shard(id(n), shards)]++
		}
		var chi float64
		for _, c := range counts {
			chi += (float64(c) - number/shards) * (float64(c) - number/shards) / (number / shards)
		}
		if !(chi < 56) { // of 15 degrees of freedom: p about 1e-6
			t.Errorf("%s: chi-square %g: %v", name, chi, counts)
		}
	}
	if people.Shard("ann", 1000) == people.Shard("bob", 1000) {
		t.Error("two people share one of a thousand shards")
	}
}
