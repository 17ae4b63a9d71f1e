package ratings

import (
	"slices"
	"testing"
)

// kindsOf are the groups and years of the items of a small set.
func kindsOf(item string) (groups []string, year int) {
	switch item {
	case "a":
		return []string{"war", "drama", "war"}, 1999
	case "b":
		return nil, 2001
	case "c":
		return []string{"drama"}, 0
	}
	return nil, 0
}

func TestDescribed(t *testing.T) {
	b := NewBuilder()
	for _, each := range []struct{ user, item string }{{"u", "a"}, {"u", "b"}, {"v", "b"}, {"v", "c"}, {"v", "d"}} {
		if err := b.Add([]byte(each.user), []byte(each.item), 1, NoTime); err != nil {
			t.Fatal(err)
		}
	}
	plain, _, err := b.Build(Refuse)
	if err != nil {
		t.Fatal(err)
	}
	set := plain.Described(kindsOf)
	if plain.Items().Kinds() != nil {
		t.Error("the set that was described has changed")
	}
	check := func(what string, set *Set) {
		t.Helper()
		k := set.Items().Kinds()
		if k == nil || k.Len() != set.Items().Len() {
			t.Fatalf("%s: kinds are lost", what)
		}
		numbers := map[string]uint32{"drama": 0, "war": 1}
		for i := range uint32(k.Len()) {
			names, want := kindsOf(set.Items().ID(i))
			var groups []uint32
			for _, name := range names {
				groups = append(groups, numbers[name])
			}
			slices.Sort(groups)
			got, year := k.Of(i)
			if !slices.Equal(got, slices.Compact(groups)) || year != want {
				t.Errorf("%s: %s has groups %v and year %d", what, set.Items().ID(i), got, year)
			}
		}
	}
	check("described", set)
	check("some users", set.OfUsers(func(u int) bool { return u == 0 }))
	check("filtered", set.filter(func(u, _ int) bool { return u == 1 }))
	split, err := plain.LeaveOut(1, true, 1)
	if err != nil {
		t.Fatal(err)
	}
	split = split.Described(kindsOf)
	check("split", split.Training.Set())
	if split.Training.Set().Items() != split.Holdout.Set().Items() {
		t.Error("the parts of a split have items of their own")
	}
	if plain.Described(func(string) ([]string, int) { return nil, 0 }).Items().Kinds() != nil {
		t.Error("where nothing is known there are kinds")
	}
	if plain.Items().Kinds().Fingerprint() != "" || set.Items().Kinds().Fingerprint() != plain.Described(kindsOf).Items().Kinds().Fingerprint() {
		t.Error("fingerprints of the same kinds differ")
	}
	other := plain.Described(func(item string) ([]string, int) { groups, _ := kindsOf(item); return groups, 1999 })
	if set.Items().Kinds().Fingerprint() == other.Items().Kinds().Fingerprint() {
		t.Error("other years have the same fingerprint")
	}
}
