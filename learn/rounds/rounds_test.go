package rounds_test

import (
	"testing"

	"fubini/data/ratings"
)

// divided deals the users of a set out to some parts, each with a vocabulary of its own.
func divided(t testing.TB, set *ratings.Set, parts int) []*ratings.Set {
	t.Helper()
	sets := make([]*ratings.Set, parts)
	for k := range sets {
		b := ratings.NewBuilder()
		for u := k; u < set.Users().Len(); u += parts {
			row := set.Row(u)
			for n, i := range row.Items {
				if err := b.Add([]byte(set.Users().ID(uint32(u))), []byte(set.Items().ID(i)), row.Values[n], ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
		var err error
		if sets[k], _, err = b.Build(ratings.Refuse); err != nil {
			t.Fatal(err)
		}
	}
	return sets
}
