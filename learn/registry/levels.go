package registry

import (
	"fubini/data/ratings"
	"fubini/learn/slots"
)

// levelsUse is when rating levels, and not the order of ratings alone, are evidence of
// worths.
type levelsUse int

const (
	levelsFew levelsUse = iota // where items have few ratings that tell much of them
	levelsAlways
	levelsNever
)

// Levels are used where items have few ratings on average, and a rating tells much of the item: its variance within items is
// no more than telling times that between them. docs/ideas-ranking.md has the figures.
const (
	few     = 11
	telling = 3.5
)

// of returns the levels of a set to learn from, nil where they are not used.
func (use levelsUse) of(set *ratings.Set) *slots.Levels {
	if use == levelsNever || set == nil || set.Len() == 0 {
		return nil
	}
	m := momentsOf(set)
	if use == levelsFew && (m.all >= few*m.items || m.shrinkage > telling) {
		return nil
	}
	return m.levels(set)
}

// moments are sums over the ratings of each item, and what all have in common.
type moments struct {
	sum, count []float64
	all        float64 // ratings
	items      float64 // that have any
	mean       float64
	shrinkage  float64 // variance within items over that between them
}

// The least and the largest number of ratings at the mean of all that are added to an item's own.
const (
	leastShrinkage   = 1
	largestShrinkage = 100
)

// momentsOf takes sums, and estimates by them the variance of ratings within items
// and that between the items' own levels (analysis of variance, one way).
func momentsOf(set *ratings.Set) *moments {
	m := &moments{sum: make([]float64, set.Items().Len()), count: make([]float64, set.Items().Len())}
	var squares, total float64
	for u := range set.Users().Len() {
		row := set.Row(u)
		for k, i := range row.Items {
			v := float64(row.Values[k])
			m.sum[i] += v
			m.count[i]++
			squares += v * v
			total += v
			m.all++
		}
	}
	m.mean = total / m.all
	var means, counts float64 // sums of n times the squared mean, and of n squared
	for i, n := range m.count {
		if n > 0 {
			m.items++
			means += m.sum[i] * m.sum[i] / n
			counts += n * n
		}
	}
	m.shrinkage = largestShrinkage
	if m.all > m.items && m.items > 1 {
		within := (squares - means) / (m.all - m.items)
		between := (means - m.all*m.mean*m.mean - (m.items-1)*within) / (m.all - counts/m.all)
		if between > within/largestShrinkage {
			m.shrinkage = max(leastShrinkage, within/between)
		}
	}
	return m
}

// level is the shrunken estimate of an item's level, less the mean of all.
func (m *moments) level(sum, count float64) float64 {
	return (sum - count*m.mean) / (count + m.shrinkage)
}

// levels are those of all items and, for the lists that TierLists makes, those by
// all others.
func (m *moments) levels(set *ratings.Set) *slots.Levels {
	v := &slots.Levels{Items: make([]float64, len(m.sum))}
	for i := range m.sum {
		v.Items[i] = m.level(m.sum[i], m.count[i])
	}
	for u := range set.Users().Len() {
		row := set.Row(u)
		if row.Len() < 2 {
			continue
		}
		others := make([]float64, row.Len())
		for k, i := range row.Items {
			others[k] = m.level(m.sum[i]-float64(row.Values[k]), m.count[i]-1)
		}
		v.Others = append(v.Others, others)
	}
	return v
}
