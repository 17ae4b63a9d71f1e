package ratings

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fubini/data/grade"
)

// Place adds the place of an item in a tier list. Names are those of the list's tiers, the worst first, empty for a tier
// without a name; level is the item's tier, 1 for the worst. The names must not change afterwards.
//
// [Builder.Build] makes values of the places:
//
//   - names that are ascending numbers are the values themselves;
//   - grades (see [grade.Of]), or names that all lists have in the same order, are common to all: the values are 1 for
//     the worst name, one more for each better one, and [Set.LevelNames] has the names;
//   - otherwise the tiers are each user's own ([Set.Own]), and the value is the level in the list.
//
// Where the set also has ratings, tiers are spread evenly over the range of these, unless their names are numbers.
func (b *Builder) Place(user, item []byte, names []string, level int, when int64) error {
	if level < 1 || level > len(names) {
		panic(fmt.Sprintf("ratings: level %d of %d tiers", level, len(names)))
	}
	bounded := b.bounded
	b.bounded = false // a level is no rating
	err := b.Add(user, item, float32(level), when)
	b.bounded = bounded
	if err != nil {
		return err
	}
	for b.tiers.len() < b.Len()-1 { // no memory for them before the first
		b.tiers.add(0)
	}
	if b.lists == nil || len(names) != len(b.lastNames) || &names[0] != &b.lastNames[0] {
		b.lastNames, b.lastList = names, b.list(names)
	}
	b.tiers.add(b.lastList)
	return nil
}

// list is the number, from 1, of lists with these names.
func (b *Builder) list(names []string) uint32 {
	key := strings.Join(names, "\x00")
	if b.lists == nil {
		b.lists = map[string]uint32{}
	}
	n, known := b.lists[key]
	if !known {
		b.named = append(b.named, slices.Clone(names))
		n = uint32(len(b.named))
		b.lists[key] = n
	}
	return n
}

// resolve gives the places their values.
func (b *Builder) resolve(report *Report) grade.Values {
	if b.tiers.len() == 0 {
		return grade.Values{}
	}
	for b.tiers.len() < b.Len() {
		b.tiers.add(0)
	}
	v := grade.Together(b.named)
	low, high := math.Inf(1), math.Inf(-1) // of ratings
	for n := range b.Len() {
		if b.tiers.at(n) > 0 {
			report.Placed++
		} else {
			value := float64(b.value.at(n))
			low, high = min(low, value), max(high, value)
		}
	}
	if low <= high && !v.Plain {
		report.Spread = true
		most := float64(len(v.Names))
		for n, values := range v.Of {
			if v.Names == nil {
				most = float64(len(values))
			}
			for k, value := range values {
				v.Of[n][k] = evenly(float64(value), most, low, high)
			}
		}
		v.Names = nil
	}
	for n := range b.Len() {
		if list := b.tiers.at(n); list > 0 {
			b.value.set(n, v.Of[list-1][int(b.value.at(n))-1])
		}
	}
	b.tiers = packed[uint16, uint32]{}
	return v
}

// evenly is the value of a level when 1 to most are spread evenly from low to high: the middle if there is one level.
func evenly(level, most, low, high float64) float32 {
	if most == 1 {
		return float32((low + high) / 2)
	}
	return float32(low + (level-1)/(most-1)*(high-low))
}

// LevelNames returns the names of the values 1, 2, ..., the worst first, in a set of tier lists with names that are common
// to all; nil in any other.
func (s *Set) LevelNames() []string { return s.names }

// Own reports whether the values are tiers of each user's own: their order means something within a user, and nothing
// between two.
func (s *Set) Own() bool { return s.own }

// Spread returns the set on a common scale. Where tiers are each user's own, it spreads them evenly from 1 to L, the largest
// number of tiers that a user has; the only tier of a user is in the middle. The order and the ties of every user stay.
func (s *Set) Spread() *Set {
	if !s.own {
		return s
	}
	levels := make([][]float32, s.users.Len())
	most := 1
	for u := range levels {
		levels[u] = slices.Compact(slices.Sorted(slices.Values(s.Row(u).Values)))
		most = max(most, len(levels[u]))
	}
	out := *s
	out.own = false
	out.value = make([]float32, len(s.value))
	for u, of := range levels {
		for k := s.start[u]; k < s.start[u+1]; k++ {
			level, _ := slices.BinarySearch(of, s.value[k])
			out.value[k] = evenly(float64(level+1), float64(len(of)), 1, float64(most))
		}
	}
	return &out
}
