// Package survey describes a set of ratings before anything is learned from it: its scale, a histogram, the times, what
// training and the paper's protocol leave out, and what looks wrong.
package survey

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fubini/data/ratings"
)

// Survey describes a set of ratings.
type Survey struct {
	Scale       string // in words
	Histogram   []Bar  // by value, the lowest first
	First, Last int64  // times in seconds since 1970, or ratings.NoTime

	OneLevelUsers  int // users whose ratings are all equal: they say nothing of taste
	OneRatingUsers int // those of them with a single rating
	OneRatingItems int // items that a single user rated

	// Paper has what the paper's protocol keeps, for each of [Given]; nil where all ratings are equal, or one user's: it compares people.
	Paper []Kept

	Warnings []string
}

// Bar is a value, or a range of them from a value on, and the number of its ratings.
type Bar struct {
	Value float64
	Name  string
	Count int
}

// Given are the numbers of given ratings that Survey.Paper is of, those of the paper, and minTest the smallest number of
// test ratings.
var Given = []int{10, 20, 50}

const minTest = 10

// Kept has the numbers of users and items that the paper's protocol keeps with a number of given ratings.
type Kept struct{ Given, Users, Items int }

// Of describes a set.
func Of(s *ratings.Set) Survey {
	counts := map[float32]int{}
	perItem := make([]int, s.Items().Len())
	v := Survey{First: ratings.NoTime, Last: ratings.NoTime}
	for u := range s.Users().Len() {
		row := s.Row(u)
		same := true
		for k, value := range row.Values {
			counts[value]++
			perItem[row.Items[k]]++
			same = same && value == row.Values[0]
			if row.Times != nil && row.Times[k] != ratings.NoTime {
				if v.First == ratings.NoTime || row.Times[k] < v.First {
					v.First = row.Times[k]
				}
				v.Last = max(v.Last, row.Times[k])
			}
		}
		if same && row.Len() > 0 {
			v.OneLevelUsers++
		}
		if row.Len() == 1 {
			v.OneRatingUsers++
		}
	}
	for _, n := range perItem {
		if n == 1 {
			v.OneRatingItems++
		}
	}
	values := make([]float32, 0, len(counts))
	for value := range counts {
		values = append(values, value)
	}
	slices.Sort(values)
	v.Scale = scaleOf(s, values)
	v.Histogram = bars(s, values, counts)
	v.Paper = paper(s)
	v.Warnings = warnings(s, &v, values, counts)
	return v
}

// scaleOf describes the values.
func scaleOf(s *ratings.Set, values []float32) string {
	names := slices.Clone(s.LevelNames())
	slices.Reverse(names)
	switch {
	case len(values) == 0:
		return "empty"
	case s.Own():
		return "tiers of each user's own, the highest number the best"
	case len(names) > 20:
		return fmt.Sprintf("tiers %s to %s, %d in all", names[0], names[len(names)-1], len(names))
	case len(names) > 0:
		return "tiers " + strings.Join(names, ", ")
	case len(values) == 1:
		return "one value, " + short(values[0])
	}
	low, high := decimal(values[0]), decimal(values[len(values)-1])
	text := short(values[0]) + " to " + short(values[len(values)-1])
	for _, step := range []float64{1, 0.5, 0.25, 0.1} {
		onGrid := func(value float32) bool {
			steps := (decimal(value) - low) / step
			return math.Abs(steps-math.Round(steps)) < 1e-6
		}
		if !slices.ContainsFunc(values, func(v float32) bool { return !onGrid(v) }) && (high-low)/step <= 100 {
			return text + " in steps of " + strconv.FormatFloat(step, 'g', -1, 64)
		}
	}
	return text
}

// mostBars is the number of values up to which each has a bar; more of them share some of equal width.
const mostBars = 25

func bars(s *ratings.Set, values []float32, counts map[float32]int) []Bar {
	if len(values) <= mostBars {
		all := make([]Bar, len(values))
		for k, value := range values {
			all[k] = Bar{decimal(value), short(value), counts[value]}
			if level := int(value); float32(level) == value && level >= 1 && level <= len(s.LevelNames()) {
				all[k].Name = s.LevelNames()[level-1]
			}
		}
		return all
	}
	const wanted = 20
	low, high := decimal(values[0]), decimal(values[len(values)-1])
	all := make([]Bar, wanted)
	for k := range all {
		all[k].Value = low + float64(k)/wanted*(high-low)
		all[k].Name = "from " + strconv.FormatFloat(all[k].Value, 'g', 4, 64)
	}
	for value, n := range counts {
		k := int(wanted * ((decimal(value) - low) / (high - low)))
		all[min(max(k, 0), wanted-1)].Count += n
	}
	return all
}

// paper counts what the paper's protocol keeps: it drops the half of the items on which people agree most, and then users
// with too few ratings.
func paper(s *ratings.Set) (all []Kept) {
	if s.Users().Len() < 2 {
		return nil
	}
	s = s.Spread()
	low, high := s.Range()
	levels, err := s.Levelled(ratings.Scale{Min: low, Max: high})
	if err != nil { // one value alone
		return nil
	}
	kept := levels.DropAgreed()
	for _, n := range Given {
		count := Kept{Given: n}
		items := map[uint32]bool{}
		for u := range kept.Users().Len() {
			if row := kept.Row(u); row.Len() >= n+minTest {
				count.Users++
				for _, i := range row.Items {
					items[i] = true
				}
			}
		}
		count.Items = len(items)
		all = append(all, count)
	}
	return all
}

// decimal is the number that a value was written as.
func decimal(value float32) float64 {
	exact, err := strconv.ParseFloat(short(value), 64)
	if err != nil {
		return float64(value)
	}
	return exact
}

func short(value float32) string { return strconv.FormatFloat(float64(value), 'g', -1, 32) }
