// Package planted is support for tests of baselines: a small world of ratings with known tastes.
package planted

import (
	"cmp"
	"fmt"
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
)

// World is a small world of three groups of people, each of which loves one
// block of items. Items also differ a little in how good everybody finds them.
type World struct {
	Split                    ratings.Split
	UserNumbers, ItemNumbers []int // number of what was drawn as user or item n
	Quality                  []float64
	ColdUser                 int // a user without training ratings
	ColdItem                 int // an item without any
	KnowsFewItems            int // a user with a single rating
}

// Numbers of the world.
const (
	Users, Items = 120, 36
	Groups       = 3
	Known        = 24 // ratings of a user to learn from
)

// New makes the world with users and items named so that user u gets number
// users[u], or u without such a list; items likewise. Everything else is the same
// whatever the numbers.
func New(t testing.TB, users, items []int) World {
	t.Helper()
	random := rng.Stream(1, "planted")
	p := World{UserNumbers: users, ItemNumbers: items, Quality: make([]float64, Items)}
	if users == nil {
		p.UserNumbers, p.ItemNumbers = numbersUpTo(Users), numbersUpTo(Items)
	}
	for i := range p.Quality {
		p.Quality[p.ItemNumbers[i]] = 0.4 * random.NormFloat64()
	}
	train, test := ratings.NewBuilder(), ratings.NewBuilder()
	for u := range Users {
		for at, i := range random.Perm(Items) {
			taste := p.Quality[p.ItemNumbers[i]] + 0.4*random.NormFloat64() - 0.5
			if i%Groups == u%Groups {
				taste += 1.8
			}
			b := test
			switch {
			case u == Users-1 || i == Items-1: // the cold ones
			case u == Users-2 && at > 0 && i != 0: // knows item 0 only
			case at < Known:
				b = train
			}
			if u == Users-2 && i == 0 {
				b = train
			}
			value := float32(min(5, max(1, math.Round(3+taste))))
			if err := b.Add(fmt.Appendf(nil, "user %03d", p.UserNumbers[u]), fmt.Appendf(nil, "item %02d", p.ItemNumbers[i]), value, ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	var sets [2]*ratings.Set
	for k, b := range []*ratings.Builder{train, test} {
		s, _, err := b.Build(ratings.Refuse)
		if err != nil {
			t.Fatal(err)
		}
		sets[k] = s
	}
	var err error
	if p.Split, err = ratings.Divided(sets[0], nil, sets[1]); err != nil {
		t.Fatal(err)
	}
	set := p.Split.Training.Set()
	if set.Users().Len() != Users || set.Items().Len() != Items {
		t.Fatalf("World %d users and %d items", set.Users().Len(), set.Items().Len())
	}
	p.ColdUser, p.KnowsFewItems, p.ColdItem = p.UserNumbers[Users-1], p.UserNumbers[Users-2], p.ItemNumbers[Items-1]
	return p
}

func numbersUpTo(n int) []int {
	numbers := make([]int, n)
	for k := range numbers {
		numbers[k] = k
	}
	return numbers
}

// RankCorrelation is Spearman's, ties at their mean rank; 0 where one has only ties.
func RankCorrelation(a, b []float64) float64 {
	x, y := meanRanks(a), meanRanks(b)
	var xy, xx, yy float64
	middle := float64(len(a)-1) / 2
	for k := range x {
		xy += (x[k] - middle) * (y[k] - middle)
		xx += (x[k] - middle) * (x[k] - middle)
		yy += (y[k] - middle) * (y[k] - middle)
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}

func meanRanks(values []float64) []float64 {
	out := make([]float64, len(values))
	for k, v := range values {
		for _, w := range values {
			out[k] += float64(1+cmp.Compare(v, w)) / 2 // below counts 1, equal a half
		}
		out[k] -= 0.5 // equal to itself
	}
	return out
}
