package plackettluce

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"fubini/data/ratings"
)

// BenchmarkTieSizes fits the distribution of tie sizes to 2,000 users of 40 ratings in five levels, and weighs a list.
func BenchmarkTieSizes(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	builder := ratings.NewBuilder()
	for u := range 2000 {
		for i := range 40 {
			if err := builder.Add(fmt.Append(nil, u), fmt.Append(nil, i*7%100+u%3), float32(1+r.IntN(5)), ratings.NoTime); err != nil {
				b.Fatal(err)
			}
		}
	}
	set, _, err := builder.Build(ratings.KeepLast)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		s := tieSizes{Rule: SizesFitted}
		s.fit(set)
	}
}
