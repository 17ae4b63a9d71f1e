package main

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"fubini/core/rng"
	"fubini/data/ratings"
)

// Size is that of an expanded set.
type Size struct {
	Users, Items, Ratings int // Ratings is a goal: lists have whole numbers of them
	Seed                  uint64
}

// How an expanded user differs from the real one that they begin as.
const (
	otherTaste = 0.2  // share of items that come from another user
	otherValue = 0.15 // share of values that are somebody else's of the same item
)

// Of each of the first judgedUsers with lists at least twice as long, heldEach ratings are held back.
const (
	judgedUsers = 5000
	heldEach    = 10
)

// held is a rating that was held back.
type held struct {
	user, item int     // from 1
	value      float32 // as it would have been written
	own        float32 // of the real user whose item it is: what the taste of the expanded one says, without noise
}

// made is what expand has written: the number of ratings, that of each item and the sum of their values; and what it held back.
type made struct {
	ratings     int
	counts, sum []float64
	back        []held
}

// expand writes a set of more users and items, as CSV, user by user. Ratings held back from some users are not written. A user has most items of
// one real user and some of others, so that stars, tastes, popularity and the lengths of lists stay about what they are. Real
// item i stands for items i, i+M, i+2M, ..., M the number of real ones: the n-th of them is 1/n as frequent.
func expand(w io.Writer, real *ratings.Set, size Size) (*made, error) {
	have, items := real.Users().Len(), real.Items().Len()
	if size.Users < 1 || size.Items < items || size.Ratings < size.Users {
		return nil, fmt.Errorf("%d users, %d items and %d ratings cannot be made of %d items: at least as many items, and a rating each", size.Users, size.Items, size.Ratings, items)
	}
	values := make([][]float32, items) // of each item
	for u := range have {
		row := real.Row(u)
		for k, i := range row.Items {
			values[i] = append(values[i], row.Values[k])
		}
	}
	longer := float64(size.Ratings) / float64(size.Users) / (float64(real.Len()) / float64(have))
	if _, err := io.WriteString(w, "user,item,rating\n"); err != nil {
		return nil, err
	}
	out := &made{counts: make([]float64, size.Items), sum: make([]float64, size.Items)}
	given := make([]int, size.Items) // the last user, from 1, who has the item
	var text []byte
	for u := range size.Users {
		r := rng.Stream(size.Seed, "expanded", uint64(u))
		first := real.Row(r.IntN(have))
		want := float64(first.Len()) * longer
		n := max(1, int(want))
		if r.Float64() < want-math.Floor(want) {
			n++
		}
		n = min(n, size.Items/2)
		text = text[:0]
		order, at := r.Perm(first.Len()), 0
		var away map[int]bool // numbers of ratings
		if u < judgedUsers && n >= 2*heldEach {
			away = map[int]bool{}
			for _, k := range r.Perm(n)[:heldEach] {
				away[k] = true
			}
		}
		for left := n; left > 0; {
			row, k := first, 0
			if at < len(order) && r.Float64() >= otherTaste {
				k = order[at]
				at++
			} else {
				row = real.Row(r.IntN(have))
				k = r.IntN(row.Len())
			}
			i := int(row.Items[k])
			clone := i + items*copyOf(r, (size.Items-i+items-1)/items)
			if given[clone] == u+1 {
				continue
			}
			given[clone] = u + 1
			left--
			value := row.Values[k]
			if r.Float64() < otherValue {
				value = values[i][r.IntN(len(values[i]))]
			}
			if away[left] {
				out.back = append(out.back, held{user: u + 1, item: clone + 1, value: value, own: row.Values[k]})
				continue
			}
			text = strconv.AppendInt(text, int64(u+1), 10)
			text = append(text, ',')
			text = strconv.AppendInt(text, int64(clone+1), 10)
			text = append(text, ',')
			text = strconv.AppendFloat(text, float64(value), 'g', -1, 32)
			text = append(text, '\n')
			out.ratings++
			out.counts[clone]++
			out.sum[clone] += float64(value)
		}
		if _, err := w.Write(text); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// copyOf draws one of n copies of an item, the k-th with a weight of 1/k.
func copyOf(r *rng.Rand, n int) int {
	var all float64
	for k := range n {
		all += 1 / float64(k+1)
	}
	at := r.Float64() * all
	for k := range n - 1 {
		if at -= 1 / float64(k+1); at < 0 {
			return k
		}
	}
	return n - 1
}
