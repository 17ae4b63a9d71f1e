package likelihood

import (
	"flag"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/learn/ballot"
	"fubini/use/board"
)

// planted draws votes from a design at theta: count votes of n items each, with normal covariates.
func planted(t testing.TB, design ballot.Design, theta []float64, count, n int, r *rng.Rand) ballot.Votes {
	t.Helper()
	votes := ballot.Votes{Start: []int32{0}}
	all := make([]int, design.Items)
	x := partition.OneBlock(n)
	for v := range count {
		rng.Permutation(r, all)
		for k := range n {
			votes.Item = append(votes.Item, int32(all[k]))
			votes.Tier = append(votes.Tier, int32(k*min(1, int(design.Space)))) // allowed in the space
			for range design.Places {
				votes.Place = append(votes.Place, r.NormFloat64())
			}
		}
		if design.Space == ballot.TwoTiers {
			for k := range n {
				votes.Tier[v*n+k] = int32(min(k, 1))
			}
		}
		votes.Start = append(votes.Start, int32((v+1)*n))
		votes.Weight = append(votes.Weight, 1)
		for range design.Votes {
			votes.Vote = append(votes.Vote, r.NormFloat64())
		}
		if design.Raters > 0 {
			votes.Rater = append(votes.Rater, int32(r.IntN(design.Raters)))
		}
	}
	d := must[*Data](t)(Group(design, votes)) // items of a vote ascend in it
	m := d.NewLocal()
	for v := range int32(count) {
		m.Load(theta, v)
		tiers := d.TiersOf(v)
		if design.Choices { // without ties: the largest worth first, with noise of Gumbel's law
			noisy := make([]float64, n)
			for k := range noisy {
				noisy[k] = 2*m.LogAbove(k, 0) - math.Log(-math.Log(r.Float64())) // the worth, less that of place 0
			}
			for k := range n {
				tiers[k] = 0
				for _, other := range noisy {
					if other > noisy[k] {
						tiers[k]++
					}
				}
			}
			continue
		}
		if n > 12 { // a chain in place of a table
			w := ballot.NewWalk(m)
			w.Start(r)
			for range 40 {
				w.Step(r, 1)
			}
			for k := range n {
				tiers[k] = int32(w.X.BlockOf(k))
			}
			continue
		}
		table := must[*exact.Table](t)(exact.NewTable(m, design.Space.Of(n)))
		table.Draw(r, x)
		for b := range x.Len() {
			for _, k := range x.Block(b) {
				tiers[k] = int32(b)
			}
		}
	}
	votes.Item, votes.Tier, votes.Place = nil, nil, nil
	for v := range int32(count) {
		votes.Item, votes.Tier, votes.Place = append(votes.Item, d.ItemsOf(v)...), append(votes.Tier, d.TiersOf(v)...), append(votes.Place, d.PlaceOf(v)...)
	}
	return votes
}

var setsFlag = flag.Int("sets", 0, "planted data sets of every test of coverage; 0 is 80, or 1,000 with FUBINI_LONG")

// sets is the number of planted data sets of a test of coverage. A test that takes cost times as long as the others has the
// fewer by default.
func sets(cost int) int {
	switch {
	case *setsFlag > 0:
		return *setsFlag
	case os.Getenv("FUBINI_LONG") != "":
		return 1000
	}
	return 80 / cost
}

// chance is how far the share of intervals that hold the truth may be from 95 % in so many independent data sets: 2.6 standard
// errors of a binomial share. Intervals of a data set are not independent, and so count as one. One share in a hundred is farther off.
func chance(sets int) float64 { return 2.6 * math.Sqrt(0.95*0.05/float64(sets)) }

// covered fails where the share of intervals that hold the truth is not 95 %, by more than chance.
func covered(t *testing.T, what string, hits, of float64, sets int) {
	t.Helper()
	coveredBut(t, what, hits, of, sets, 0)
}

// coveredBut is covered, but for a lack that is known.
func coveredBut(t *testing.T, what string, hits, of float64, sets int, lack float64) {
	t.Helper()
	if share := hits / of; !(share-0.95 <= chance(sets) && 0.95-lack-share <= chance(sets)) {
		t.Errorf("%s: %.1f %% of the intervals hold the truth", what, 100*share)
	} else {
		t.Logf("%s: %.1f %%", what, 100*share)
	}
}

var z95 = distuv.UnitNormal.Quantile(0.975)

// planned is a design with its planted parameters and the size of its data sets.
type planned struct {
	name, votes string // votes: what a data set is, in words
	ballot.Design
	rest     []float64 // parameters after the worths
	count, n int
	lack     float64 // how far intervals are known to fall short of 95 %
}

// plannedSets are the designs whose intervals are tested. Covariates of items have a test of their own.
func plannedSets() []planned {
	covariates := ballot.Design{Items: 7, Places: []string{"home", "length"}, Votes: []string{"hurry"}}
	return []planned{
		{"pairs", "400 pairs with ties", ballot.Design{Items: 7}, []float64{0.3}, 400, 2, 0},
		{"pairs, a tie weight an item", "1,500 pairs with ties", ballot.Design{Items: 7, Ties: ballot.ItemTies}, []float64{0.3, 0.5, -0.5, 0.2, -0.2, 0.4, -0.4, 0}, 1500, 2, 0},
		{"pairs, ties by distance", "2,400 pairs with ties", ballot.Design{Items: 7, Ties: ballot.DistanceTies}, []float64{0.3, -0.8}, 2400, 2, 0},
		{"pairs, covariates of places and votes", "400 pairs with ties", covariates, []float64{0.3, 0.5, -0.4, 0.3}, 400, 2, 0},
		{"five-way tiers", "60 tier lists of 5", ballot.Design{Items: 7}, []float64{0.1}, 60, 5, 0},
		{"four-way orders", "120 orders of 4 without ties", ballot.Design{Items: 7, Space: ballot.WithoutTies}, nil, 120, 4, 0},
		{"two tiers", "200 lists of 4 in two tiers", ballot.Design{Items: 7, Space: ballot.TwoTiers}, []float64{0.1}, 200, 4, 0},
		{"plackett-luce, five-way orders", "80 orders of 5 without ties", ballot.Design{Items: 7, Space: ballot.WithoutTies, Choices: true}, nil, 80, 5, 0},
		{"pairs, ties by distance, few votes", "600 pairs with ties", ballot.Design{Items: 7, Ties: ballot.DistanceTies}, []float64{0.3, -0.8}, 600, 2, 0.03},
	}
}

// counted is how many intervals of one kind hold the truth.
type counted struct{ held, all float64 }

func (c *counted) add(held bool) {
	c.all++
	if held {
		c.held++
	}
}

// board counts the intervals of a board that hold the true worths, differences by the covariance and by
// quasi-variances, and ranks.
func (c *coverage) board(t *testing.T, fit *Fit, covariance Covariance, truth []float64) {
	t.Helper()
	b, err := board.New(fit.Worths(), fit.OfWorths(covariance), board.Options{Level: 0.95, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	var mean float64
	for _, v := range truth {
		mean += v / float64(len(truth))
	}
	for k, row := range b.Rows {
		rank := 1
		for _, v := range truth {
			if v > truth[row.Item] {
				rank++
			}
		}
		c.worths.add(math.Abs(row.Worth-truth[row.Item]+mean) <= z95*row.StdError)
		c.ranks.add(row.RankLow <= rank && rank <= row.RankHigh)
		for _, other := range b.Rows[:k] {
			d, e := b.Difference(row.Item, other.Item)
			gap := math.Abs(d - truth[row.Item] + truth[other.Item])
			c.differences.add(gap <= z95*e)
			c.quasi.add(gap <= z95*math.Hypot(row.Quasi, other.Quasi))
		}
	}
}

// coverage is a row of the table of docs/votes-coverage.md.
type coverage struct {
	name, votes                       string
	worths, differences, quasi, ranks counted
	others                            []named
	lack                              float64 // as planned
}

type named struct {
	name string
	counted
}

// check fails where intervals do not hold as they claim: for ranks, at least as often.
func (c *coverage) check(t *testing.T, sets int) {
	t.Helper()
	coveredBut(t, "worths", c.worths.held, c.worths.all, sets, c.lack)
	coveredBut(t, "differences", c.differences.held, c.differences.all, sets, c.lack)
	coveredBut(t, "differences by quasi-variances", c.quasi.held, c.quasi.all, sets, c.lack)
	if share := c.ranks.held / c.ranks.all; !(share >= 0.95-3*math.Sqrt(0.95*0.05/float64(sets))) {
		t.Errorf("ranks: %.1f %% of the intervals hold the truth", 100*share)
	}
	for _, each := range c.others {
		coveredBut(t, each.name, each.held, each.all, sets, c.lack)
	}
}

// Intervals by the information hold the truth as often as they claim.
func TestIntervalsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	worths := []float64{1, 0.6, 0.2, 0, -0.3, -0.5, -1}
	for k, c := range plannedSets() {
		t.Run(c.name, func(t *testing.T) {
			theta := append(append([]float64{}, worths...), c.rest...)
			row := coverage{name: c.name, votes: c.votes, lack: c.lack}
			for k := 7; k < len(theta) && (k < 8 || c.Ties != ballot.ItemTies); k++ {
				row.others = append(row.others, named{name: c.Name(k)})
			}
			for set := range sets(1) {
				r := rng.Stream(uint64(set), "coverage", uint64(k))
				d := must[*Data](t)(Group(c.Design, planted(t, c.Design, theta, c.count, c.n, r)))
				fit, err := d.Maximise(t.Context(), Options{Steps: 100, Jobs: 1})
				if err != nil {
					t.Fatalf("set %d: %v", set, err)
				}
				covariance := must[Covariance](t)(fit.Covariance())
				row.board(t, fit, covariance, worths)
				for j := range row.others {
					row.others[j].add(math.Abs(fit.Theta[7+j]-theta[7+j]) <= z95*math.Sqrt(covariance[(7+j)*(d.Global+1)]))
				}
			}
			row.check(t, sets(1))
			keepCoverage(t, row)
		})
	}
}

// Covariates of items: worths are drawn around their regression anew for each data set, as the prior has it, and the
// strength of the prior is learned.
func TestIntervalsCoverUnderARegression(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	const items, slope, spread = 20, 0.8, 0.5
	row := coverage{name: "pairs, covariates of items", votes: "800 pairs with ties of 20 items", others: []named{{name: "price"}}}
	design := ballot.Design{Items: items, Item: ballot.Columns{Names: []string{"price"}, Values: make([]float64, items)}}
	for i := range items {
		design.Item.Values[i] = math.Sin(float64(5 * i)) // no order, mean near 0
	}
	for set := range sets(1) {
		r := rng.Stream(uint64(set), "coverage of a regression")
		theta := make([]float64, items+2)
		truth := make([]float64, items)
		for i := range items {
			theta[i] = spread * r.NormFloat64()
			truth[i] = theta[i] + slope*design.Item.Values[i]
		}
		theta[items+1] = slope
		d := must[*Data](t)(Group(design, planted(t, design, theta, 800, 2, r)))
		fit := must[*Fit](t)(d.Learn(t.Context(), Options{Steps: 100, Jobs: 1, Prior: ballot.Precision{Worth: 1}}))
		covariance := must[Covariance](t)(fit.Covariance())
		row.board(t, fit, covariance, truth)
		row.others[0].add(math.Abs(fit.Theta[d.Beta]-slope) <= z95*math.Sqrt(covariance[d.Beta*(d.Global+1)]))
	}
	row.check(t, sets(1))
	keepCoverage(t, row)
}

// Where raters differ and the model has no word for it, errors by the information are too small; those by sandwich
// and bootstrap over raters hold.
func TestErrorsUnderAWrongModel(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	worths := []float64{0.8, 0.3, 0, -0.4, -0.7}
	const raters, each = 40, 15
	n, resamples := sets(1), sets(4)
	plain := coverage{name: "raters differ, by the information", votes: "40 raters of 15 pairs"}
	robust := coverage{name: "raters differ, sandwich", votes: plain.votes}
	resampled := coverage{name: "raters differ, bootstrap", votes: plain.votes}
	for set := range n {
		r := rng.Stream(uint64(set), "wrong model")
		all := ballot.Votes{Start: []int32{0}}
		for rater := range int32(raters) {
			theta := append([]float64{}, worths...)
			for i := range theta {
				theta[i] += r.NormFloat64() // a taste of their own
			}
			v := planted(t, ballot.Design{Items: 5}, append(theta, 0), each, 2, r)
			all.Item, all.Tier, all.Weight = append(all.Item, v.Item...), append(all.Tier, v.Tier...), append(all.Weight, v.Weight...)
			for range each {
				all.Rater = append(all.Rater, rater)
				all.Start = append(all.Start, all.Start[len(all.Start)-1]+2)
			}
		}
		d := must[*Data](t)(Group(ballot.Design{Items: 5, Cluster: true}, all))
		fit := must[*Fit](t)(d.Maximise(t.Context(), Options{Steps: 100, Jobs: 1}))
		truth := truthOfTastes(t)
		plain.board(t, fit, must[Covariance](t)(fit.Covariance()), truth)
		robust.board(t, fit, must[Covariance](t)(fit.Sandwich(t.Context())), truth)
		if set < resamples {
			draws, _, err := fit.Bootstrap(t.Context(), 200, uint64(set))
			if err != nil {
				t.Fatal(err)
			}
			resampled.board(t, fit, fit.OfDraws(draws), truth)
		}
	}
	robust.check(t, n)
	resampled.check(t, resamples)
	if share := plain.worths.held / plain.worths.all; !(share < 0.9) {
		t.Errorf("errors by the information hold %.1f %%: the test sees nothing", 100*share)
	}
	keepCoverage(t, plain, robust, resampled)
}

// truthOfTastes is what the estimates of a model without tastes tend to: its fit to very many raters of one vote each.
func truthOfTastes(t *testing.T) []float64 {
	t.Helper()
	if tastes != nil {
		return tastes
	}
	worths := []float64{0.8, 0.3, 0, -0.4, -0.7}
	r := rng.Stream(1, "truth")
	votes := ballot.Votes{Start: []int32{0}}
	for i := range int32(5) {
		for j := range i {
			var p [3]float64
			const draws = 200000
			for range draws {
				d := worths[i] - worths[j] + math.Sqrt2*r.NormFloat64()
				win, loss := math.Exp(d/2), math.Exp(-d/2)
				z := win + loss + 1
				p[0] += win / z / draws
				p[1] += loss / z / draws
				p[2] += 1 / z / draws
			}
			for o, tiers := range [][]int32{{0, 1}, {1, 0}, {0, 0}} {
				votes.Item = append(votes.Item, i, j)
				votes.Tier = append(votes.Tier, tiers...)
				votes.Weight = append(votes.Weight, p[o])
				votes.Start = append(votes.Start, int32(len(votes.Item)))
			}
		}
	}
	fit := must[*Fit](t)(must[*Data](t)(Group(ballot.Design{Items: 5}, votes)).Maximise(t.Context(), Defaults()))
	tastes = fit.Worths()
	return tastes
}

var tastes []float64
