package rounds_test

import (
	"testing"

	"fubini/data/ratings"
	"fubini/learn/zoo"
	"fubini/model/latent"
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

// numbered is a model with its items as a set has them; those it does not know are at
// the prior mean.
func numbered(t testing.TB, saved *zoo.Saved, set *ratings.Set) *zoo.Latent {
	t.Helper()
	from, err := saved.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	c := latent.NewCatalogue(set.Items().Len(), from.K, from.Units, from.Options)
	c.Nu, c.NuK, c.B = from.Nu, from.NuK, from.B
	if from.V != nil {
		c.V = make([]float64, len(c.W))
	}
	for i := range c.U {
		at, known := saved.Find(set.Items().ID(uint32(i)))
		if !known {
			continue
		}
		c.U[i] = from.U[at]
		copy(c.W[i*c.K:(i+1)*c.K], from.W[at*c.K:(at+1)*c.K])
		if c.V != nil {
			copy(c.V[i*c.K:(i+1)*c.K], from.V[at*c.K:(at+1)*c.K])
		}
	}
	return &zoo.Latent{Catalogue: c}
}
