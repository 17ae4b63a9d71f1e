// Package group puts the tier lists of several people together: one list for all with its uncertainty, and what would please
// all of them.
package group

import (
	"cmp"
	"context"
	"slices"

	"fubini"
	"fubini/app/recommend"
	"fubini/model"
	"fubini/use/board"
	"fubini/use/odds"
)

// mostCompared is the number of items of a common list: those that most people placed.
const mostCompared = 40

// Row is one item of the common list. Places are from 0, the best tier, to 1, the worst.
type Row struct {
	Item          string
	At, Low, High float64 // where the lists agree best, with an interval
	Said          []int   // tier of each person, from 0; -1 where they did not place it
}

// Common fits worths to the lists pair by pair, as `fubini fit` does with a prior of precision 1, and puts them on the scale of tiers: the
// line that predicts best, by least squares, where people put items by their worths. Items that most people placed come in,
// the best first. level is the probability of the intervals, of which a few lists leave wide ones.
func Common(ctx context.Context, lists [][][]string, level float64) ([]Row, error) {
	rows, tiers := gather(lists)
	if len(rows) < 2 {
		return rows, nil
	}
	kept := map[string]*Row{}
	for k := range rows {
		kept[rows[k].Item] = &rows[k]
	}
	ballots, weights := pairs(lists, func(item string) bool { return kept[item] != nil })
	if len(ballots) == 0 {
		return nil, nil // nobody placed two of the items: there is no order
	}
	votes, err := fubini.NewVotes(ballots)
	if err != nil {
		return nil, err
	}
	copy(votes.Weight, weights)
	fit, err := fubini.Fit(ctx, votes, fubini.Prior(1), fubini.Level(level))
	if err != nil {
		return nil, err
	}
	fitted, worths := map[string]board.Item{}, map[string]float64{}
	for _, item := range fit.Items {
		fitted[item.ID], worths[item.ID] = item, item.Worth
	}
	mean, slope := line(rows, tiers, worths)
	place := func(worth float64) float64 { return min(1, max(0, mean+slope*worth)) }
	rows = slices.DeleteFunc(rows, func(r Row) bool { _, there := worths[r.Item]; return !there })
	for k := range rows {
		item := fitted[rows[k].Item]
		rows[k].At, rows[k].Low, rows[k].High = place(item.Worth), place(item.High), place(item.Low)
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(worths[b.Item], worths[a.Item]), cmp.Compare(a.Item, b.Item))
	})
	return rows, nil
}

// pairs are the lists as votes on two items each. The n(n-1)/2 pairs of a list of n items count as n-1 votes, as many as
// it takes to order them: whole lists of a dozen items would take seconds.
func pairs(lists [][][]string, wanted func(item string) bool) (ballots [][][]string, weights []float64) {
	for _, list := range lists {
		var items []string
		var tiers []int
		for t, tier := range list {
			for _, item := range tier {
				if wanted(item) {
					items, tiers = append(items, item), append(tiers, t)
				}
			}
		}
		for j := range items {
			for i := range j {
				ballot := [][]string{{items[i]}, {items[j]}} // tiers come best first
				if tiers[i] == tiers[j] {
					ballot = [][]string{{items[i], items[j]}}
				}
				ballots, weights = append(ballots, ballot), append(weights, 2/float64(len(items)))
			}
		}
	}
	return ballots, weights
}

// gather are the items of the lists with what each person said, those of most people first, and the number of tiers of each.
func gather(lists [][][]string) (rows []Row, tiers []int) {
	at := map[string]int{}
	for u, list := range lists {
		tiers = append(tiers, len(list))
		for t, tier := range list {
			for _, item := range tier {
				k, there := at[item]
				if !there {
					k = len(rows)
					at[item] = k
					rows = append(rows, Row{Item: item, Said: slices.Repeat([]int{-1}, len(lists))})
				}
				rows[k].Said[u] = t
			}
		}
	}
	by := func(r Row) (n int) {
		for _, t := range r.Said {
			if t >= 0 {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(by(b), by(a)) })
	return rows[:min(len(rows), mostCompared)], tiers
}

// line is the mean and the slope of places by worths. A slope above 0 would put better items lower: then worths say nothing.
func line(rows []Row, tiers []int, worths map[string]float64) (mean, slope float64) {
	var n, x, y, xx, xy float64
	for _, r := range rows {
		for u, t := range r.Said {
			if t < 0 {
				continue
			}
			place := 0.5
			if tiers[u] > 1 {
				place = float64(t) / float64(tiers[u]-1)
			}
			w := worths[r.Item]
			n, x, y, xx, xy = n+1, x+w, y+place, xx+w*w, xy+w*place
		}
	}
	if spread := n*xx - x*x; spread > 1e-12 {
		slope = min(0, (n*xy-x*y)/spread)
	}
	return (y - slope*x) / n, slope
}

// Member is one of a group, with the tiers that hold something of the model, counted from 0 in their list.
type Member struct {
	Person model.Person
	Used   []int
}

// Pleasing is an item that nobody placed.
type Pleasing struct {
	Item int
	Each []float64 // probability that each of them would put it in their second tier or higher
	All  float64   // that all of them would
}

// candidates is the number of best-known items that are looked at.
const candidates = 300

// Please returns the n items that would most probably please all: those with the highest probability that everybody would
// put them in the second tier or higher. People are independent given the model, so that it is the product of theirs.
func Please(m *fubini.Model, members []Member, away []int, n int) ([]Pleasing, error) {
	gone := map[int]bool{}
	for _, i := range away {
		gone[i] = true
	}
	placers := make([]*odds.Placer, len(members))
	for u, member := range members {
		for _, i := range member.Person.Known.Items {
			gone[int(i)] = true
		}
		var err error
		if placers[u], err = m.Placer(member.Person); err != nil {
			return nil, err
		}
	}
	var found []Pleasing
	for _, i := range m.MostRated(recommend.DefaultSupport) {
		if len(found) == candidates {
			break
		}
		if gone[i] {
			continue
		}
		p := Pleasing{Item: i, All: 1}
		for u, member := range members {
			each := high(placers[u].Place(i), member.Used)
			p.Each, p.All = append(p.Each, each), p.All*each
		}
		found = append(found, p)
	}
	slices.SortStableFunc(found, func(a, b Pleasing) int { return cmp.Compare(b.All, a.All) })
	return found[:min(n, len(found))], nil
}

// high is the probability of the second tier of a list or higher: of the used ones among the first two, and of what lies above.
func high(o odds.Odds, used []int) float64 {
	sum := o.Gaps[0]
	for t, tier := range used {
		if tier > 1 {
			break
		}
		sum += o.Tiers[t]
		if t+1 < len(used) && used[t+1] <= 1 {
			sum += o.Gaps[t+1]
		}
	}
	return min(1, sum)
}
