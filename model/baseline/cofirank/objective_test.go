package cofirank

import (
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// shortLists has lists of five, for which all orders can be listed often.
func shortLists(t testing.TB) *ratings.Set { return planted(t, 24, 12, 5, same, same) }

func learnerOf(t testing.TB, s *ratings.Set, loss Loss) *learner {
	t.Helper()
	r := *with(New(loss), func(o *Recipe) { o.Hidden, o.Lambda = 2, 0.4 })
	l, err := newLearner(r, s, fitting.Run{Run: model.Run{Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// objectiveOf is what docs/baselines-cofirank.md says is minimised, with lambda as given.
func objectiveOf(l *learner, s *ratings.Set, lambda float64) float64 {
	square := func(v []float64) float64 { return fitting.Dot(v, v) }
	users, items, adapt := float64(s.Users().Len()), float64(s.Items().Len()), l.Adapt
	counts := make([]float64, s.Items().Len())
	var total, hinges, costs, lists float64
	for u := range s.Users().Len() {
		row := s.Row(u)
		user := l.user[l.userRow[u]*l.stride():][:l.stride()]
		var list []uint32 // items sorted by rating
		var values, scores []float64
		for level := 5.0; level >= 1; level-- {
			for k, i := range row.Items {
				if float64(row.Values[k]) == level {
					list, values = append(list, i), append(values, level)
					counts[i]++
				}
			}
		}
		for _, i := range list {
			item := l.itemVector(l.itemRow[i])
			scores = append(scores, l.Mean+user[l.Hidden]+item[l.Hidden]+fitting.Dot(user[:l.Hidden], item))
		}
		weight := lambda
		switch l.loss {
		case Squared:
			for k, v := range values {
				total += 0.5 * (v - scores[k]) * (v - scores[k])
			}
			weight *= math.Pow(float64(len(list))*users/float64(s.Len()), adapt)
			total += 0.5 * l.Offset * user[l.Hidden] * user[l.Hidden]
		case Ordinal:
			for a := range list {
				for b := range list {
					if cost := values[a] - values[b]; cost > 0 {
						hinges += cost * max(0, 1-scores[a]+scores[b])
						costs += cost
					}
				}
			}
			if values[0] > values[len(values)-1] {
				lists++
			}
		case NDCG:
			if values[0] > values[len(values)-1] {
				total += ndcgLossByDefinition(values, scores, l.Top)
			}
		}
		total += 0.5 * weight * square(user[:l.Hidden])
	}
	if l.loss == Ordinal {
		total += hinges / (costs / lists)
	}
	for i, row := range l.itemRow {
		item := l.item[row*l.stride():][:l.stride()]
		total += 0.5*lambda*math.Pow(counts[i]*items/float64(s.Len()), adapt)*square(item[:l.Hidden]) + 0.5*l.itemOffset*item[l.Hidden]*item[l.Hidden]
	}
	return total
}

// An epoch returns the objective by its definition, and neither half of one raises
// it. Users fitted under a tenth of the prior do raise it, which the check must see.
func TestCoFiObjectiveNeverRises(t *testing.T) {
	s := shortLists(t)
	for _, loss := range allLosses {
		l := learnerOf(t, s, loss)
		lambda := l.Lambda
		now := objectiveOf(l, s, lambda)
		first := now
		half := func(work func()) (rose bool) {
			work()
			before := now
			now = objectiveOf(l, s, lambda)
			return !(now <= before*(1+1e-9)) // rounding: sums of a few hundred terms
		}
		for round := range 4 {
			if half(l.fitItems) {
				t.Errorf("%v: items of round %d raise the objective to %g", loss, round+1, now)
			}
			if half(func() { l.fitUsers() }) {
				t.Errorf("%v: users of round %d raise the objective to %g", loss, round+1, now)
			}
		}
		if !(now < 0.99*first) {
			t.Errorf("%v: from %g to %g, it does not fall either", loss, first, now)
		}
		got := l.Epoch()
		if want := objectiveOf(l, s, lambda); !(math.Abs(got-want) <= 1e-9*want) {
			t.Errorf("%v: the objective is %g, by definition %g", loss, got, want)
		}
		now = got
		l.Lambda = lambda / 10
		if !half(func() { l.fitUsers() }) {
			t.Errorf("%v: under another prior the objective went to %g, and nobody noticed", loss, now)
		}
	}
}

// differences are those of a function to both sides of x, over the step. Where they
// differ there is a kink between.
func differences(x *float64, step float64, f func() float64) (slope float64, smooth bool) {
	at := *x
	here := f()
	*x = at + step
	up := f()
	*x = at - step
	down := f()
	*x = at
	return (up - down) / (2 * step), math.Abs(up+down-2*here) <= 1e-4*step*max(1, math.Abs(up-down)/step)
}

// Slopes of the list losses by score, wherever there are any.
func TestListLossSlopesByDifferences(t *testing.T) {
	for name, l := range map[string]listLoss{
		"ndcg": newNDCGLoss(10, 0.25, exp2Gain), "ordinal": &ordinalLoss{usual: 2}, "even": &ordinalLoss{even: true, usual: 30},
	} {
		r := rng.Stream(4, "slopes")
		checked := 0
		for range 100 {
			n := 2 + r.IntN(20)
			values, scores := drawnList(r, n)
			for j := range scores {
				scores[j] += 0.1 * r.NormFloat64() // equal scores have kinks
			}
			one := prepared(l, values)
			if !one.ordered {
				continue
			}
			l.measure(one, scores)
			slope := slices.Clone(one.slope)
			for j := range scores {
				want, smooth := differences(&scores[j], 1e-6, func() float64 { return l.measure(one, scores) })
				if !smooth {
					continue
				}
				checked++
				if !(math.Abs(slope[j]-want) <= 1e-6) { // the loss is linear here: rounding over the step
					t.Fatalf("%s: slope %g, by differences %g", name, slope[j], want)
				}
			}
		}
		if checked < 500 {
			t.Errorf("%s: %d slopes checked only", name, checked)
		}
	}
}

// Slopes of the whole objective by factors and offsets of items, at a point that is
// drawn: a minimum lies on kinks. For the squared loss users are at the minimum, and
// slopes by them are zero.
func TestCoFiSlopesByDifferences(t *testing.T) {
	skipIfShort(t)
	s := shortLists(t)
	for _, loss := range allLosses {
		l := learnerOf(t, s, loss)
		objective := func() float64 { return objectiveOf(l, s, l.Lambda) }
		r := rng.Stream(1, "point")
		for u := range l.lists {
			for k := range l.user[u*l.stride():][:l.Hidden] {
				l.user[u*l.stride()+k] = r.NormFloat64()
			}
		}
		for at := range l.item {
			l.item[at] = r.NormFloat64()
		}
		slope := make([]float64, len(l.item))
		l.measure(l.item)
		l.gather(slope)
		checked := 0
		for at := range l.item {
			prior := l.itemPriors[at/l.stride()]
			if at%l.stride() == l.Hidden {
				prior = l.itemOffset
			}
			want, smooth := differences(&l.item[at], 1e-6, objective)
			if !smooth {
				continue
			}
			checked++
			if got := slope[at] + prior*l.item[at]; !(math.Abs(got-want) <= 1e-6*(1+math.Abs(want))) {
				t.Errorf("%v: slope %d of items is %g, by differences %g", loss, at, got, want)
			}
		}
		if checked < len(l.item)*2/3 {
			t.Errorf("%v: %d slopes of %d checked only", loss, checked, len(l.item))
		}
		if loss != Squared {
			continue
		}
		l.fitUsers()
		for at := range l.user {
			// The objective is some hundreds: rounding over the step is a few times 1e-9.
			if got, _ := differences(&l.user[at], 1e-4, objective); !(math.Abs(got) <= 1e-7) {
				t.Errorf("%v: slope %d of users is %g at their minimum", loss, at, got)
			}
		}
	}
}
