package cofirank

import (
	"math"

	"fubini/model/baseline/fitting"
)

// begin finds offsets as if there were no factors and turns lambda, a share of the least prior that would keep it so,
// into a prior. Then it draws factors of items and fits users to them. Items without ratings stay at zero.
func (l *learner) begin(name string, lambda float64) {
	items, users, hidden := len(l.mentions), len(l.lists), l.Hidden
	l.itemPriors = make([]float64, items)
	for i := range l.itemPriors {
		l.itemPriors[i] = math.Pow(math.Max(1, float64(len(l.mentions[i])))*float64(items)/float64(len(l.slope)), l.Adapt)
	}
	l.Hidden, l.Lambda = 0, 1
	l.item, l.user = make([]float64, items), make([]float64, users)
	l.fitItems()
	if l.loss == Squared {
		for range 3 {
			l.fitUsers()
			l.fitItems()
		}
	}
	l.Lambda = lambda * l.noise(name)
	for i := range l.itemPriors {
		l.itemPriors[i] *= l.Lambda
	}
	offsets := l.item
	l.Hidden = hidden
	l.item, l.user = make([]float64, items*l.stride()), make([]float64, users*l.stride())
	for i, row := range l.itemRow {
		if len(l.mentions[row]) == 0 {
			continue
		}
		r, out := l.run.ItemStream(name, i), l.itemVector(row)
		for k := range hidden {
			out[k] = r.NormFloat64() / math.Sqrt(float64(hidden))
		}
		out[hidden] = offsets[row]
	}
	l.fitUsers()
}

// noise is how large lambda would have to be for factors not to be worth their prior, if slopes of the loss were of
// their size but of random signs: the largest singular value of such slopes by user and item, each over the root of its
// prior. A lambda of this size keeps what is chance from being learned (Negahban and Wainwright 2011). It is found by
// power iteration.
func (l *learner) noise(name string) float64 {
	l.measure(l.item)
	for u, row := range l.userRow {
		if row < 0 {
			continue
		}
		r, slope := l.run.UserStream(name+" noise", u), l.lists[row].slope
		for at := range slope {
			if r.Coins(1) == 0 {
				slope[at] = -slope[at]
			}
		}
	}
	item, user := make([]float64, len(l.mentions)), make([]float64, len(l.lists))
	for i, row := range l.itemRow {
		item[row] = l.run.ItemStream(name+" noise", i).NormFloat64()
	}
	var value float64
	for k := 0; k < 50 && !l.run.Over(); k++ {
		norm := math.Sqrt(fitting.Dot(item, item))
		if !(norm > 0) {
			return 1 // nothing to learn: any prior will do
		}
		for row := range item {
			item[row] /= norm * math.Sqrt(l.itemPriors[row])
		}
		for u := range user {
			user[u] = 0
			for at, s := range l.lists[u].slope {
				user[u] += s * item[l.lists[u].rows[at]]
			}
			user[u] /= l.userPrior(len(l.lists[u].rows))
		}
		for row := range item {
			item[row] = 0
			for _, m := range l.mentions[row] {
				item[row] += l.lists[m.list].slope[m.at] * user[m.list]
			}
			item[row] /= math.Sqrt(l.itemPriors[row])
		}
		value = math.Sqrt(math.Sqrt(fitting.Dot(item, item)))
	}
	return value
}
