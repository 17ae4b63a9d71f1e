package ratings

import (
	"slices"
	"testing"
)

func TestRenamedKeepsUsersValuesAndTimes(t *testing.T) {
	b := NewBuilder()
	b.Title("9", "Nine")
	for _, each := range []struct {
		user, item string
		value      float32
		when       int64
	}{{"ann", "Alien", 5, 10}, {"ann", "3", 1, 11}, {"ann", "9", 2, NoTime}, {"bob", "alien", 4, 12}, {"bob", "Sabrina", 3, 13}, {"cat", "Sabrina", 3, 14}} {
		if err := b.Add([]byte(each.user), []byte(each.item), each.value, each.when); err != nil {
			t.Fatal(err)
		}
	}
	b.Aside([]byte("bob"), []byte("3"))
	b.Aside([]byte("bob"), []byte("9"))
	set, _, err := b.Build(Refuse)
	if err != nil {
		t.Fatal(err)
	}
	to := map[string]string{"Alien": "3", "alien": "3", "Sabrina": ""}
	got, twice := set.Renamed(func(i uint32) string {
		if id, changed := to[set.Items().ID(i)]; changed {
			return id
		}
		return set.Items().ID(i)
	})
	if !slices.Equal(got.Items().IDs(), []string{"3", "9"}) || !slices.Equal(got.Users().IDs(), []string{"ann", "bob"}) || got.Items().Name(1) != "Nine" {
		t.Errorf("items %v, users %v, title %q", got.Items().IDs(), got.Users().IDs(), got.Items().Name(1))
	}
	// By id, "3" comes before "Alien": it counts.
	if row := got.Row(0); twice != 1 || !slices.Equal(row.Values, []float32{1, 2}) || !slices.Equal(row.Times, []int64{11, NoTime}) {
		t.Errorf("ann has %v, %d left out", row, twice)
	}
	if row := got.Row(1); !slices.Equal(row.Values, []float32{4}) || !slices.Equal(row.Times, []int64{12}) || !slices.Equal(got.Unplaced("bob"), []string{"9"}) {
		t.Errorf("bob has %v, unplaced %v", row, got.Unplaced("bob"))
	}
	same, twice := set.Renamed(set.Items().ID)
	if same.Fingerprint() != set.Fingerprint() || twice != 0 {
		t.Errorf("the same ids make other ratings: %s, %s", same.Fingerprint(), set.Fingerprint())
	}
}
