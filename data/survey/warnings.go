package survey

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"fubini/data/ratings"
	"fubini/data/text"
	"fubini/data/titles"
)

// warnings are sentences on what looks wrong, with the remedy.
func warnings(s *ratings.Set, v *Survey, values []float32, counts map[float32]int) (all []string) {
	for _, found := range []string{zeros(values, counts), twoScales(s, values), twins(s), times(v)} {
		if found != "" {
			all = append(all, found)
		}
	}
	users := s.Users().Len()
	if n := v.OneLevelUsers - v.OneRatingUsers; n > 0 {
		all = append(all, fmt.Sprintf("users who rate all of their items the same: %d of %d; nothing is learned of their taste", n, users))
	}
	if n := v.OneRatingUsers; n > 0 {
		all = append(all, fmt.Sprintf("users with a single rating: %d of %d; nothing is learned of their taste", n, users))
	}
	return all
}

// zeros suspects that 0 stands for no rating: it is the lowest of several values, and more than twice as frequent as the next.
func zeros(values []float32, counts map[float32]int) string {
	if len(values) < 3 || values[0] != 0 || counts[0] <= 2*counts[values[1]] {
		return ""
	}
	return fmt.Sprintf("%s 0 and %s %s, the next value: if 0 stands for unrated, take it out", text.Count(counts[0], "rating is", "ratings are"), text.Count(counts[values[1]], "is", "are"), short(values[1]))
}

// twoScales suspects that ratings of two scales are mixed: among people with many ratings some never pass half of what
// others reach. On one scale hardly anybody does.
func twoScales(s *ratings.Set, values []float32) string {
	const many, few, most = 10, 0.1, 101 // ratings of a user; least share of users on each side; values of a scale
	if s.Own() || len(values) < 2 || len(values) > most || values[0] < 0 {
		return ""
	}
	highest := values[len(values)-1]
	var below, above int
	var reach float32 // of those below
	for u := range s.Users().Len() {
		row := s.Row(u)
		if row.Len() < many {
			continue
		}
		if own := slices.Max(row.Values); own <= highest/2 {
			below++
			reach = max(reach, own)
		} else {
			above++
		}
	}
	if total := float64(below + above); below < 3 || above < 3 || float64(below) < few*total || float64(above) < few*total {
		return ""
	}
	return fmt.Sprintf("%d of %d users with %d ratings or more never rate above %s, the others up to %s: if these are two scales, bring them to one, or write each user's ratings as a tier list",
		below, below+above, many, short(reach), short(highest))
}

// twins suspects that two items are one: their names are the same up to case, accents, punctuation and the place of an article.
func twins(s *ratings.Set) string {
	first := map[string]uint32{}
	var pairs []string
	count := 0
	for i := range uint32(s.Items().Len()) {
		name := s.Items().Name(i)
		if !strings.ContainsFunc(name, unicode.IsLetter) {
			continue
		}
		folded := titles.Fold(titles.Plain(name))
		if folded == "" {
			continue
		}
		other, known := first[folded]
		if !known {
			first[folded] = i
			continue
		}
		if count++; len(pairs) < 3 {
			pairs = append(pairs, fmt.Sprintf("%q and %q", called(s, other), called(s, i)))
		}
	}
	if count == 0 {
		return ""
	}
	more := ""
	if count > len(pairs) {
		more = ", …"
	}
	return fmt.Sprintf("%s the name of another up to its spelling, such as %s%s: if they are the same, give them one id", text.Count(count, "item has", "items have"), strings.Join(pairs, ", "), more)
}

// called is the name of an item, and its id where that is another.
func called(s *ratings.Set, i uint32) string {
	id, name := s.Items().ID(i), s.Items().Name(i)
	if id == name {
		return id
	}
	return name + " [" + id + "]"
}

// times suspects that times are of another unit: they lie before computers, or far ahead.
func times(v *Survey) string {
	if v.First == ratings.NoTime || v.First >= date(1980) && v.Last < date(2100) {
		return ""
	}
	return fmt.Sprintf("times go from %s to %s: if they are no seconds since 1970, write dates like 2000-07-30", Day(v.First), Day(v.Last))
}

func date(year int) int64 { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Unix() }

// Day is the date of a time.
func Day(seconds int64) string { return time.Unix(seconds, 0).UTC().Format(time.DateOnly) }
