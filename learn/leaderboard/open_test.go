package leaderboard

import (
	"reflect"
	"testing"

	"fubini/learn/ballot"
	"fubini/learn/likelihood"
	"fubini/use/board"
)

// What votes leave to the prior is named: groups that no vote joins, and groups between which one side always won.
func TestOpen(t *testing.T) {
	pairs := func(outcomes ...[3]int32) ballot.Votes { // winner, loser; or tied
		v := ballot.Votes{Start: []int32{0}}
		for _, o := range outcomes {
			v.Item, v.Tier = append(v.Item, o[0], o[1]), append(v.Tier, 0, 1-o[2])
			v.Start, v.Weight = append(v.Start, int32(len(v.Item))), append(v.Weight, 1)
		}
		return v
	}
	ids := []string{"a", "b", "c", "d", "e"}
	for name, c := range map[string]struct {
		votes ballot.Votes
		want  *board.Undecided
	}{
		"joined":     {pairs([3]int32{0, 1}, [3]int32{1, 2}, [3]int32{2, 3}, [3]int32{3, 4}, [3]int32{4, 0}), nil},
		"never met":  {pairs([3]int32{0, 1, 1}, [3]int32{2, 3, 1}), &board.Undecided{Apart: [][]string{{"a", "b"}, {"c", "d"}, {"e"}}, OneSided: [][]string{}}},
		"always won": {pairs([3]int32{4, 0}, [3]int32{0, 1, 1}, [3]int32{1, 2, 1}, [3]int32{2, 3, 1}), &board.Undecided{Apart: [][]string{}, OneSided: [][]string{{"a", "b", "c", "d"}, {"e"}}}},
		"both":       {pairs([3]int32{0, 1}, [3]int32{2, 3, 1}, [3]int32{3, 4, 1}), &board.Undecided{Apart: [][]string{{"c", "d", "e"}, {"a", "b"}}, OneSided: [][]string{{"c", "d", "e"}, {"a"}, {"b"}}}},
	} {
		d, err := likelihood.Group(ballot.Design{Items: 5}, c.votes)
		if err != nil {
			t.Fatal(name, err)
		}
		if got := open(d, ids); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		if err := d.Exists(ids); (err == nil) != (c.want == nil) && c.want != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
