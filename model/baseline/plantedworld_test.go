package baseline_test

import (
	"cmp"
	"fmt"
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
)

// plantedWorld is a small world of three groups of people, each of which loves one
// block of items. Items also differ a little in how good everybody finds them.
type plantedWorld struct {
	split         ratings.Split
	users, items  []int // number of what was drawn as user or item n
	quality       []float64
	coldUser      int // a user without training ratings
	coldItem      int // an item without any
	knowsFewItems int // a user with a single rating
}

const (
	plantedUsers, plantedItems = 120, 36
	plantedGroups              = 3
	plantedKnown               = 24 // ratings of a user to learn from
)

// plantWorld makes the world with users and items named so that user u gets number
// users[u], or u without such a list; items likewise. Everything else is the same
// whatever the numbers.
func plantWorld(t testing.TB, users, items []int) plantedWorld {
	t.Helper()
	random := rng.Stream(1, "planted")
	p := plantedWorld{users: users, items: items, quality: make([]float64, plantedItems)}
	if users == nil {
		p.users, p.items = numbersUpTo(plantedUsers), numbersUpTo(plantedItems)
	}
	for i := range p.quality {
		p.quality[p.items[i]] = 0.4 * random.NormFloat64()
	}
	train, test := ratings.NewBuilder(), ratings.NewBuilder()
	for u := range plantedUsers {
		for at, i := range random.Perm(plantedItems) {
			taste := p.quality[p.items[i]] + 0.4*random.NormFloat64() - 0.5
			if i%plantedGroups == u%plantedGroups {
				taste += 1.8
			}
			b := test
			switch {
			case u == plantedUsers-1 || i == plantedItems-1: // the cold ones
			case u == plantedUsers-2 && at > 0 && i != 0: // knows item 0 only
			case at < plantedKnown:
				b = train
			}
			if u == plantedUsers-2 && i == 0 {
				b = train
			}
			value := float32(min(5, max(1, math.Round(3+taste))))
			if err := b.Add(fmt.Appendf(nil, "user %03d", p.users[u]), fmt.Appendf(nil, "item %02d", p.items[i]), value, ratings.NoTime); err != nil {
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
	if p.split, err = ratings.Divided(sets[0], nil, sets[1]); err != nil {
		t.Fatal(err)
	}
	set := p.split.Training.Set()
	if set.Users().Len() != plantedUsers || set.Items().Len() != plantedItems {
		t.Fatalf("plantedWorld %d users and %d items", set.Users().Len(), set.Items().Len())
	}
	p.coldUser, p.knowsFewItems, p.coldItem = p.users[plantedUsers-1], p.users[plantedUsers-2], p.items[plantedItems-1]
	return p
}

func numbersUpTo(n int) []int {
	numbers := make([]int, n)
	for k := range numbers {
		numbers[k] = k
	}
	return numbers
}

// rankCorrelation is Spearman's, ties at their mean rank; 0 where one has only ties.
func rankCorrelation(a, b []float64) float64 {
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
