package grade

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Values are what the names of the tiers of some lists stand for together.
type Values struct {
	Of    [][]float32 // by list, then by tier
	Names []string    // of the values 1, 2, ...; nil for none
	Own   bool        // each list has tiers of its own
	Plain bool        // the names are numbers, and the values these
}

// Together finds out what the names of the tiers of all lists, the worst first, mean together: numbers, grades of one kind, names that all
// have in one order, or nothing from one list to the next.
func Together(lists [][]string) Values {
	for _, common := range []func([][]string) (Values, bool){numbered, graded, alike} {
		if v, ok := common(lists); ok {
			return v
		}
	}
	v := Values{Own: true}
	for _, names := range lists {
		levels := make([]float32, len(names))
		for k := range levels {
			levels[k] = float32(k + 1)
		}
		v.Of = append(v.Of, levels)
	}
	return v
}

// numbered takes names that are ascending numbers.
func numbered(lists [][]string) (v Values, ok bool) {
	v.Plain = true
	for _, names := range lists {
		values := make([]float32, len(names))
		for k, name := range names {
			value, err := strconv.ParseFloat(name, 32)
			if err != nil || math.IsNaN(value) || math.IsInf(value, 0) || k > 0 && float32(value) <= values[k-1] {
				return v, false
			}
			values[k] = float32(value)
		}
		v.Of = append(v.Of, values)
	}
	return v, true
}

// graded takes names that are grades of one kind, in their order.
func graded(lists [][]string) (v Values, ok bool) {
	kind := Kind(-1)
	at := map[Grade]float32{}
	for _, names := range lists {
		last := Grade{Order: math.MinInt}
		for _, name := range names {
			g, ok := Of(name)
			if !ok || kind >= 0 && g.Kind != kind || g.Order <= last.Order {
				return v, false
			}
			at[g], kind, last = 0, g.Kind, g
		}
	}
	var all []Grade
	for g := range at {
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b Grade) int { return a.Order - b.Order })
	for k, g := range all {
		at[g] = float32(k + 1)
		v.Names = append(v.Names, g.Name)
	}
	for _, names := range lists {
		values := make([]float32, len(names))
		for k, name := range names {
			g, _ := Of(name)
			values[k] = at[g]
		}
		v.Of = append(v.Of, values)
	}
	if v.Own = kind == Ranks; v.Own { // the third of ten and the third of a hundred
		v.Names = nil
	}
	return v, true
}

// alike takes names of which the longest list has all, in the same order as every other.
func alike(lists [][]string) (v Values, ok bool) {
	for _, names := range lists {
		if len(names) > len(v.Names) {
			v.Names = names
		}
	}
	at := map[string]int{}
	for k, name := range v.Names {
		if at[name] > 0 || strings.TrimSpace(name) == "" {
			return v, false
		}
		at[name] = k + 1
	}
	for _, names := range lists {
		values := make([]float32, len(names))
		for k, name := range names {
			values[k] = float32(at[name])
			if at[name] == 0 || k > 0 && values[k] <= values[k-1] {
				return v, false
			}
		}
		v.Of = append(v.Of, values)
	}
	v.Names = slices.Clone(v.Names)
	return v, true
}
