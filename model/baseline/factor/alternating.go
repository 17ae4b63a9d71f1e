package factor

import (
	"math"

	"fubini/data/ratings"
	"fubini/model/baseline/fitting"
)

// alternating minimises half the sum of squared errors of mean + b_i + c_u + P_u . Q_i plus the priors of [Learner], by
// exact least squares for all items, then for all users: the objective never rises. There is no rate to choose, and a
// user of the training set ends where folding them in would put them.
//
// With learned centres, the priors of user and item vectors have learned means instead of zero. The best mean for given
// vectors is their average, all but, so that this is one more exact step.
type alternating struct {
	*Learner
	least      leastSquares
	itemCentre []float64
	columns    []ratings.Row // ratings of each item
	ratedItems []int
	ridges     []ridge // of each goroutine
	userLoss   []float64
}

func newAlternating(set *ratings.Set, run fitting.Run, o Options, has Biases, centred bool) (*alternating, error) {
	mean, spread := meanAndSpread(set)
	// Twice the ratings come with twice the errors and √2 times the factors: for the same balance the prior doubles.
	o.UserPrior *= spread
	o.ItemPrior *= spread
	if centred {
		// Strong priors would hold a start around zero there. With a user vector of length one, items begin as biases.
		o.Start, o.Scale = StartNonNegative, 1/math.Sqrt(float64(o.factors()))
	}
	start, err := New(set, run, o, has, &squares{Mean: mean, Centred: centred})
	if err != nil {
		return nil, err
	}
	a := &alternating{
		Learner: start, least: newLeastSquares(&start.Scorer), itemCentre: make([]float64, start.width),
		columns: fitting.Columns(set), ridges: make([]ridge, run.Workers()), userLoss: make([]float64, set.Users().Len()),
	}
	for i, c := range a.columns {
		if c.Len() > 0 {
			a.ratedItems = append(a.ratedItems, i)
		}
	}
	a.centre(a.least.userCentre, a.users, a.userPrior, a.order)
	return a, nil
}

// meanAndSpread returns the mean of all ratings and their standard deviation.
func meanAndSpread(set *ratings.Set) (mean, spread float64) {
	for u := range set.Users().Len() {
		for _, v := range set.Row(u).Values {
			mean += float64(v) / float64(set.Len())
		}
	}
	for u := range set.Users().Len() {
		for _, v := range set.Row(u).Values {
			spread += (float64(v) - mean) * (float64(v) - mean) / float64(set.Len())
		}
	}
	return mean, math.Sqrt(spread)
}

// Epoch implements [fitting.Learner].
func (a *alternating) Epoch() float64 {
	mean := a.least.fit.Mean
	a.run.Do(len(a.ratedItems), func(w, k int) {
		i := a.ratedItems[k]
		a.ridges[w].solve(a.itemVector(i), a.itemCentre, a.itemPrior, a.users, a.columns[i].Items, a.columns[i].Values, mean)
	})
	a.centre(a.itemCentre, a.items, a.itemPrior, a.ratedItems)
	a.run.Do(len(a.order), func(w, k int) {
		u := a.order[k]
		row, x := a.set.Row(u), a.userVector(u)
		a.ridges[w].solve(x, a.least.userCentre, a.userPrior, a.items, row.Items, row.Values, mean)
		a.userLoss[u] = 0
		for k, i := range row.Items {
			d := float64(row.Values[k]) - mean - fitting.Dot(x, a.itemVector(int(i)))
			a.userLoss[u] += d * d / 2
		}
	})
	a.centre(a.least.userCentre, a.users, a.userPrior, a.order)
	a.average(a.users, a.order)
	if a.least.fit.Centred {
		copy(a.mean[:a.hidden], a.least.userCentre) // the most probable user, and all that a file keeps of the two
		for i, c := range a.columns {
			if c.Len() == 0 { // the best guess
				copy(a.itemVector(i)[:a.hidden], a.itemCentre)
			}
		}
	}
	return a.objective()
}

// centre moves a centre to its best place, if centres are learned. It has the prior of one vector: with none, larger
// centres and smaller vectors would make the same scores at ever less cost.
func (a *alternating) centre(centre, vectors, prior []float64, rated []int) {
	if !a.least.fit.Centred {
		return
	}
	clear(centre)
	for _, e := range rated {
		fitting.Add(centre, 1/float64(len(rated)+1), vectors[e*a.width:])
	}
	for d := range centre {
		if prior[d] < 0 {
			centre[d] = 0
		}
	}
}

func (a *alternating) objective() float64 {
	nowhere := make([]float64, a.width)
	total := distance(a.least.userCentre, nowhere, a.userPrior) + distance(a.itemCentre, nowhere, a.itemPrior)
	for _, u := range a.order {
		total += a.userLoss[u] + distance(a.userVector(u), a.least.userCentre, a.userPrior)
	}
	for _, i := range a.ratedItems {
		total += distance(a.itemVector(i), a.itemCentre, a.itemPrior)
	}
	return total
}

// distance is what a prior costs.
func distance(x, centre, prior []float64) float64 {
	var total float64
	for d, p := range prior {
		if p > 0 {
			total += p / 2 * (x[d] - centre[d]) * (x[d] - centre[d])
		}
	}
	return total
}

// Explain has the parts of ratings in a score; see [leastSquares.Explain].
func (a *alternating) Explain(known ratings.Row, item uint32, parts []float64) (base float64, exact, ok bool) {
	return a.least.Explain(known, item, parts)
}
