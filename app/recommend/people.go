package recommend

import (
	"fmt"
	"slices"

	"fubini/data/codec"
	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/learn/modelstore"
	"fubini/model"
	"fubini/model/interest"
)

// AreRatings reports whether the values that were read are ratings, and not only places in tier lists or picks.
func AreRatings(read *format.Report) bool {
	return read.Format != codec.Picks.Name && (read.Placed == 0 || read.Placed < read.Kept)
}

// person is a user of the data with the items that the model knows.
func (b *Batch) person(user *format.User, met *Counts) (model.Person, error) {
	p := model.Person{Index: -1, TiersOnly: !b.Rated}
	number := make([]uint32, len(user.Items)) // of each item in the model
	known := make([]int, 0, len(user.Items))  // positions of those that it knows
	for k, id := range user.Items {
		i, there := b.Saved.Find(string(id))
		if number[k] = uint32(i); there {
			known = append(known, k)
			continue
		}
		if b.Refuse {
			return p, fmt.Errorf("%s: user %.40q: the model has no item %.40q", b.where(user, k), user.ID, id)
		}
		if len(met.Examples) < mostExamples {
			met.Examples = append(met.Examples, string(id))
		}
	}
	met.Users++
	met.Placed += len(user.Items)
	if missing := len(user.Items) - len(known); missing > 0 {
		met.Missing += missing
		met.Affected++
	}
	if len(known) == 0 {
		met.Strangers++
	}
	// By the ids of items, as a whole data set is sorted, so that sums come out the same.
	slices.SortFunc(known, func(x, y int) int {
		if byPlace := b.place[number[x]] - b.place[number[y]]; byPlace != 0 {
			return byPlace
		}
		return x - y // of one item, as they came
	})
	timed := slices.ContainsFunc(user.Times, func(when int64) bool { return when != ratings.NoTime })
	if !timed && len(known) > 0 && b.Aim == modelstore.AimNext {
		return p, fmt.Errorf("%s: user %.40q: %w", b.where(user, known[0]), user.ID, interest.ErrNoOrder)
	}
	for from, to := 0, 0; from < len(known); from = to {
		kept := from
		item, value, sum := number[known[from]], user.Values[known[from]], 0.0
		for to = from; to < len(known) && number[known[to]] == item; to++ {
			sum += float64(user.Values[known[to]])
		}
		if to > from+1 {
			switch b.Duplicates {
			case ratings.Refuse:
				first := 0
				if user.Lines != nil {
					first = user.Lines[known[from]]
				}
				return p, fmt.Errorf("%s: user %.40q: item %.40q is %w, here and in line %d; choose which to keep: first, last or mean (--duplicates)",
					b.where(user, known[from+1]), user.ID, b.Saved.ItemIDs[item], ratings.ErrDuplicate, first)
			case ratings.KeepLast:
				kept = to - 1
				value = user.Values[known[kept]]
			case ratings.KeepMean:
				value = float32(sum / float64(to-from))
			}
		}
		p.Known.Items, p.Known.Values = append(p.Known.Items, item), append(p.Known.Values, value)
		if timed {
			p.Known.Times = append(p.Known.Times, user.Times[known[kept]])
		}
	}
	return p, nil
}

// where is the line of the k-th item of a user, where it is known.
func (b *Batch) where(user *format.User, k int) string {
	if user.Lines == nil || user.Lines[k] == 0 {
		return b.Name
	}
	return fmt.Sprintf("%s:%d", b.Name, user.Lines[k])
}
