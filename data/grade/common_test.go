package grade

import (
	"slices"
	"testing"
)

// What names of tiers mean: by themselves, or by what all lists have in common.
func TestTogether(t *testing.T) {
	for name, c := range map[string]struct {
		lists [][]string
		of    [][]float32
		names []string
		own   bool
		plain bool
	}{
		"numbers":           {[][]string{{"1", "2.5"}, {"3"}}, [][]float32{{1, 2.5}, {3}}, nil, false, true},
		"numbers descend":   {[][]string{{"2", "1"}}, [][]float32{{1, 2}}, []string{"2", "1"}, false, false},
		"grades":            {[][]string{{"B", "S"}, {"A", "S"}}, [][]float32{{1, 3}, {2, 3}}, []string{"B", "A", "S"}, false, false},
		"ranks":             {[][]string{{"rank 3", "rank 1"}, {"rank 2"}}, [][]float32{{1, 3}, {2}}, nil, true, false},
		"one order for all": {[][]string{{"bad", "fine", "great"}, {"bad", "great"}}, [][]float32{{1, 2, 3}, {1, 3}}, []string{"bad", "fine", "great"}, false, false},
		"two orders":        {[][]string{{"bad", "great"}, {"great", "bad"}}, [][]float32{{1, 2}, {1, 2}}, nil, true, false},
		"no names":          {[][]string{{"", ""}, {""}}, [][]float32{{1, 2}, {1}}, nil, true, false},
	} {
		v := Together(c.lists)
		if !slices.EqualFunc(v.Of, c.of, slices.Equal) || !slices.Equal(v.Names, c.names) || v.Own != c.own || v.Plain != c.plain {
			t.Errorf("%s: %+v", name, v)
		}
	}
}
