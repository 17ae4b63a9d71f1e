package zoo

import (
	"fubini/data/ratings"
	"fubini/learn/train"
)

// levelsUse is when the values of ratings, and not their order alone, inform the worths.
type levelsUse int

const (
	levelsFew levelsUse = iota // where items have few ratings
	levelsAlways
	levelsNever
)

// few is the mean number of ratings of an item below which levels are used. With 3 to
// 10 they help, with 15 and more they do harm; see docs/quality.md.
const few = 11

// levelsOf is when a recipe of ours uses levels.
func levelsOf(r Recipe) levelsUse {
	if recipe, ours := r.(*hidden); ours {
		return recipe.use
	}
	return levelsNever
}

// of returns the levels of a set to learn from, nil where they are not to be used.
func (use levelsUse) of(set *ratings.Set, o train.LatentOptions) *train.Levels {
	if use == levelsNever || o.Absolute || set.Len() == 0 {
		return nil
	}
	m := momentsOf(set)
	if use == levelsFew && m.all >= few*m.items {
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

// The least and the largest number of ratings that the mean of all counts for.
const (
	leastShrinkage = 1
	mostShrinkage  = 100
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
	m.shrinkage = mostShrinkage
	if m.all > m.items && m.items > 1 {
		within := (squares - means) / (m.all - m.items)
		between := (means - m.all*m.mean*m.mean - (m.items-1)*within) / (m.all - counts/m.all)
		if between > within/mostShrinkage {
			m.shrinkage = max(leastShrinkage, within/between)
		}
	}
	return m
}

// level is how far an item's own level is thought to lie from the mean of all.
func (m *moments) level(sum, count float64) float64 {
	return (sum - count*m.mean) / (count + m.shrinkage)
}

// levels are those of all items and, for the lists that TierLists makes, those by
// all others.
func (m *moments) levels(set *ratings.Set) *train.Levels {
	v := &train.Levels{Items: make([]float64, len(m.sum))}
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
