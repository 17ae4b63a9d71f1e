package interest

import (
	"cmp"
	"context"
	"math"
	"slices"

	"fubini/core/vec"
	"fubini/data/kinds"
)

// alike are the lists of what is known of the items beside who picked them, where the set has it (fubini/data/kinds): one list for each group
// and one for each year. They count as lists of people do, so that items of a kind are together more often than
// people put them together: the prior of the regressions.
type alike struct {
	rows     []sparse    // inputs of each list, by place, ascending, and their weights
	of       [][]kind    // of each item: the lists that it is in, and its weights in them
	products [][]float32 // P times each list, for items that do not predict
}

// kind is a place in a list.
type kind struct {
	row    int
	weight float32
}

const (
	// mostKinds is the largest number of lists of kinds: those of years, and of the groups with most items. P times all of them is 40 MB with 10,000 inputs.
	mostKinds = 1000
	// Two items of years that are d apart have exp(-d / nearYears) (1 + d tanh(1 / nearYears)) of what two of one year have in common, which is
	// what comes of a list for every year whose weights fall by exp(-d / nearYears); none if d is more than lastYears.
	nearYears, lastYears = 2., 20
)

// alikeOf makes the lists of the kinds of items, where strength is the sum of the squares of an item's weights in the lists of its groups,
// and in those of years; nil where nothing is known or the strength is 0.
func alikeOf(known *kinds.Kinds, inputs []uint32, strength float64) *alike {
	if known == nil || strength == 0 {
		return nil
	}
	items := known.Len()
	k := &alike{of: make([][]kind, items)}
	members, sizes, dated := make([][]uint32, known.Groups), make([]int, known.Groups), map[int]int{}
	place := 0
	for i := range uint32(items) {
		groups, year := known.Of(i)
		input := place < len(inputs) && inputs[place] == i
		for _, g := range groups {
			if sizes[g]++; input {
				members[g] = append(members[g], uint32(place))
			}
		}
		if year != 0 {
			dated[year]++
		}
		if input {
			place++
		}
	}
	if len(dated) > mostKinds { // with some years left out the counts would not be symmetric
		clear(dated)
	}
	// Years, those before our era too, then the groups with most items.
	type list struct{ size, group, year int }
	var all []list
	for g, size := range sizes {
		all = append(all, list{size, g, 0})
	}
	for year, size := range dated {
		all = append(all, list{size, known.Groups, year})
	}
	slices.SortFunc(all, func(a, b list) int {
		return cmp.Or(cmp.Compare(b.year*b.year, a.year*a.year), cmp.Compare(b.year, a.year), cmp.Compare(b.size, a.size), cmp.Compare(a.group, b.group))
	})
	all = all[:min(mostKinds, len(all))]
	ofGroup, ofYear := make([]int, known.Groups), map[int]int{} // 1 + the list, 0 for none
	for n, l := range all {
		if l.year == 0 {
			ofGroup[l.group] = n + 1
		} else {
			ofYear[l.year] = n + 1
		}
	}
	// weight is that of an item in the list of each of its groups.
	weight := func(groups []uint32) float64 { return 1 / math.Sqrt(float64(max(1, len(groups)))) }
	k.rows = make([]sparse, len(all))
	for n, l := range all {
		row := &k.rows[n]
		if l.year == 0 {
			for _, place := range members[l.group] {
				groups, _ := known.Of(inputs[place])
				row.places, row.weights = append(row.places, place), append(row.weights, float32(weight(groups)))
			}
			continue
		}
		for place, i := range inputs {
			_, year := known.Of(i)
			if gap := math.Abs(float64(year - l.year)); year != 0 && gap <= lastYears {
				row.places = append(row.places, uint32(place))
				row.weights = append(row.weights, float32(math.Exp(-gap/nearYears)*(1+gap*math.Tanh(1/nearYears))))
			}
		}
	}
	for i := range uint32(items) {
		groups, year := known.Of(i)
		for _, g := range groups {
			if n := ofGroup[g]; n > 0 {
				k.of[i] = append(k.of[i], kind{n - 1, float32(strength * weight(groups))})
			}
		}
		if n := ofYear[year]; year != 0 && n > 0 {
			k.of[i] = append(k.of[i], kind{n - 1, float32(strength)})
		}
	}
	return k
}

// together adds to counts, by place among the inputs, what an item has in common with the first of them, by its kinds.
func (k *alike) together(item uint32, first int, counts []float64) {
	if k == nil {
		return
	}
	for _, each := range k.of[item] {
		row := k.rows[each.row]
		end, _ := slices.BinarySearch(row.places, uint32(first))
		vec.AddAt(counts, row.places[:end], row.weights[:end], float64(each.weight), 0)
	}
}

// project computes P times the list of each kind.
func (k *alike) project(ctx context.Context, l *lists, p []float32, jobs int) {
	if k != nil && k.products == nil {
		k.products = l.times(ctx, p, k.rows, jobs)
	}
}

// add adds to weights P times what an item has in common with the inputs by its kinds.
func (k *alike) add(weights []float64, item int) {
	if k == nil {
		return
	}
	for _, each := range k.of[item] {
		vec.AddTimesSingle(weights, k.products[each.row], float64(each.weight))
	}
}
