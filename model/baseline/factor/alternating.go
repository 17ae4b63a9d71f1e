package factor

import (
	"math"

	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// alternating minimises half the sum of squared errors of mean + b_i + c_u + P_u . Q_i plus the priors of [Learner], by
// exact least squares for all items, then for all users: the objective never rises. There is no rate to choose, and a
// user of the training set ends where folding them in would put them.
//
// With learned centres, the priors of user and item vectors have learned means instead of zero. The best mean for given
// vectors is their average, all but, so that this is one more exact step.
type alternating struct {
	leastSquares
	itemCentre []float64
	users      []float64 // vector of user u
	set        *ratings.Set
	columns    []column // by item
	ratedUsers []int
	ratedItems []int
	run        fitting.Run
	workers    []ridge
	userLoss   []float64
}

// column has the ratings of one item, users ascending.
type column struct {
	users  []uint32
	values []float32
}

func newAlternating(set *ratings.Set, run fitting.Run, o Options, has Biases, centred bool) (*alternating, error) {
	mean, spread := meanAndSpread(set)
	// Ratings of twice the size come with factors of 1.4 times the size and errors of twice: for the same balance the
	// prior must be twice as large.
	o.UserPrior *= spread
	o.ItemPrior *= spread
	if centred {
		// From around zero, strong priors would draw users and items there before anything is learned. A vector of
		// length one makes items begin as biases.
		o.Start, o.Scale = StartNonNegative, 1/math.Sqrt(float64(o.Hidden))
	}
	start, err := New(set, run, o, has, &squares{Mean: mean, Centred: centred})
	if err != nil {
		return nil, err
	}
	a := &alternating{
		leastSquares: newLeastSquares(&start.Scorer), itemCentre: make([]float64, start.width),
		users: start.users, set: set, ratedUsers: start.order, columns: make([]column, set.Items().Len()),
		run: run, workers: make([]ridge, run.Workers()), userLoss: make([]float64, set.Users().Len()),
	}
	for _, u := range a.ratedUsers {
		row := set.Row(u)
		for k, i := range row.Items {
			a.columns[i].users = append(a.columns[i].users, uint32(u))
			a.columns[i].values = append(a.columns[i].values, row.Values[k])
		}
	}
	for i, c := range a.columns {
		if len(c.users) > 0 {
			a.ratedItems = append(a.ratedItems, i)
		}
	}
	a.centre(a.userCentre, a.users, a.userPrior, a.ratedUsers)
	return a, nil
}

// Epoch implements [fitting.Learner].
func (a *alternating) Epoch() float64 {
	mean := a.fit.Mean
	a.run.Do(len(a.ratedItems), func(w, k int) {
		i := a.ratedItems[k]
		a.workers[w].solve(a.itemVector(i), a.itemCentre, a.itemPrior, a.users, a.columns[i].users, a.columns[i].values, mean)
	})
	a.centre(a.itemCentre, a.items, a.itemPrior, a.ratedItems)
	a.run.Do(len(a.ratedUsers), func(w, k int) {
		u := a.ratedUsers[k]
		row, x := a.set.Row(u), a.userVector(u)
		a.workers[w].solve(x, a.userCentre, a.userPrior, a.items, row.Items, row.Values, mean)
		a.userLoss[u] = 0
		for k, i := range row.Items {
			d := float64(row.Values[k]) - mean - fitting.Dot(x, a.itemVector(int(i)))
			a.userLoss[u] += d * d / 2
		}
	})
	a.centre(a.userCentre, a.users, a.userPrior, a.ratedUsers)
	a.average(a.users, a.ratedUsers)
	if a.fit.Centred {
		copy(a.mean[:a.hidden], a.userCentre) // the most probable user, and all that a file keeps of the two
		for i, c := range a.columns {
			if len(c.users) == 0 { // the best guess
				copy(a.itemVector(i)[:a.hidden], a.itemCentre)
			}
		}
	}
	return a.objective()
}

// centre moves a centre to its best place, if centres are learned. It has the prior of one vector: with none, larger
// centres and smaller vectors would make the same scores at ever less cost.
func (a *alternating) centre(centre, vectors, prior []float64, rated []int) {
	if !a.fit.Centred {
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
	total := distance(a.userCentre, nowhere, a.userPrior) + distance(a.itemCentre, nowhere, a.itemPrior)
	for _, u := range a.ratedUsers {
		total += a.userLoss[u] + distance(a.userVector(u), a.userCentre, a.userPrior)
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

func (a *alternating) userVector(u int) []float64 { return a.users[u*a.width : (u+1)*a.width] }

// Score implements [model.Model].
func (a *alternating) Score(p model.Person, items []uint32, scores []float64) {
	if p.Index >= 0 && p.Index < a.set.Users().Len() && a.set.Row(p.Index).Len() > 0 {
		a.score(a.userVector(p.Index), items, scores)
		return
	}
	a.leastSquares.Score(p, items, scores)
}
