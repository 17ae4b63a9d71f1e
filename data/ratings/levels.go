package ratings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"fubini/core/partition"
)

// Scale divides a range of ratings into levels of equal width, 1 for the lowest:
//
//	level = min(Levels, 1 + floor(Levels (r - Min)/(Max - Min)))
//
// With five levels half-stars from 0.5 to 5 fall in pairs (4.5 and 5 are level
// 5) and stars from 1 to 5 stay what they are. See docs/protocol.md#levels.
type Scale struct {
	Min, Max float64
	Levels   int // 0 means 5
}

// Check returns an error for a scale without width or with a single level.
func (s Scale) Check() error {
	if !(s.Min < s.Max) || math.IsInf(s.Min, 0) || math.IsInf(s.Max, 0) {
		return fmt.Errorf("ratings: a scale from %g to %g; the first must be below the second", s.Min, s.Max)
	}
	if s.Levels < 0 || s.Levels == 1 {
		return fmt.Errorf("ratings: a scale of %d levels; at least two are needed", s.Levels)
	}
	return nil
}

// Level returns the level of a rating.
func (s Scale) Level(rating float64) int {
	levels := cmp.Or(s.Levels, 5)
	steps := float64(levels) * (rating - s.Min) / (s.Max - s.Min)
	// A rating on a boundary belongs above it, also when tenths do not come out
	// even in binary.
	if nearest := math.Round(steps); math.Abs(steps-nearest) < 1e-9 {
		steps = nearest
	}
	return min(levels, 1+int(math.Floor(steps)))
}

// decimal is the number that a rating was written as: 0.7, and not the float32
// next to it.
func decimal(value float32) float64 {
	exact, err := strconv.ParseFloat(strconv.FormatFloat(float64(value), 'g', -1, 32), 64)
	if err != nil {
		return float64(value) // not finite, which a rating never is
	}
	return exact
}

// Levelled returns the set with levels in place of values. A value outside the scale is an error.
func (s *Set) Levelled(scale Scale) (*Set, error) {
	if err := scale.Check(); err != nil {
		return nil, err
	}
	out := *s
	out.names = nil
	out.value = make([]float32, len(s.value))
	known := map[float32]float32{} // few values, many ratings
	for u := range s.users.Len() {
		for k := s.start[u]; k < s.start[u+1]; k++ {
			level, seen := known[s.value[k]]
			if !seen {
				v := decimal(s.value[k])
				if !(v >= scale.Min && v <= scale.Max) {
					return nil, fmt.Errorf("ratings: user %q rates item %q %g, outside the scale from %g to %g",
						s.users.ID(uint32(u)), s.items.ID(s.item[k]), v, scale.Min, scale.Max)
				}
				level = float32(scale.Level(v))
				known[s.value[k]] = level
			}
			out.value[k] = level
		}
	}
	return &out, nil
}

// DropAgreed is the paper's entropy filter: it removes the half of the items, rounded down, whose values have the lowest
// entropy, and users who are left without ratings. Items of equal entropy are taken in the order of their ids.
func (s *Set) DropAgreed() *Set {
	entropy := s.entropies()
	order := make([]int, s.items.Len())
	for i := range order {
		order[i] = i // vocabularies are sorted by id, and the sort is stable
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(entropy[a], entropy[b]) })
	agreed := make([]bool, len(order))
	for _, i := range order[:len(order)/2] {
		agreed[i] = true
	}
	return s.filter(func(_, k int) bool { return !agreed[s.item[k]] })
}

// entropies are those of the values of each item, in nats. Terms are added in
// the order of their size, so that histograms which are the same but for the
// names of the levels tie exactly.
func (s *Set) entropies() []float64 {
	histograms := make([]map[float32]int, s.items.Len())
	for k, i := range s.item {
		if histograms[i] == nil {
			histograms[i] = map[float32]int{}
		}
		histograms[i][s.value[k]]++
	}
	out := make([]float64, len(histograms))
	var counts []int
	for i, histogram := range histograms {
		counts = counts[:0]
		total := 0
		for _, n := range histogram {
			counts = append(counts, n)
			total += n
		}
		slices.Sort(counts)
		for _, n := range counts {
			p := float64(n) / float64(total)
			out[i] -= p * math.Log(p)
		}
	}
	return out
}

// Order returns the tier list of a row of ratings, the largest value first; equal values are tied. Item k of the
// partition is row.Items[k].
func Order(row Row) (*partition.Partition, error) {
	scores := make([]float64, row.Len())
	for k, v := range row.Values {
		scores[k] = float64(v)
	}
	return partition.FromScores(scores)
}
