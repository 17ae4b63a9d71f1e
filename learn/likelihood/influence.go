package likelihood

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"fubini/core/parallel"
)

// Influence measures how many votes decide the first ranks of a board.
type Influence struct {
	Order []int // items by worth, best first
	// Votes is the weight of votes, chosen for their influence, without which a refit has the first two items the other way
	// round. Fewest is whether without one of them less it has not; with very many votes too few refits are made to know. +Inf if
	// a refit without any vote that supports the first against the second does not have them the other way round.
	Votes  float64
	Fewest bool
	Top    []InfluentialVote // outcomes of most influence on these two, those that support their order most first
	// Moved is how many of the first ranks have another item in a refit without the votes that were taken out: no more than a
	// given share of all, those whose loss turns the most neighbours among the first ranks round.
	Ranks, Moved int
	Taken        float64 // their weight
}

// InfluentialVote is a tier list that was cast as a vote, with its influence on the first two ranks.
type InfluentialVote struct {
	Items, Tiers []int32
	Weight       float64
	Effect       float64 // change of the difference of the first two worths if one such vote were lost
}

// Influence of votes on the first ranks, where c is [Fit.Inverse]: which votes hold the first two apart, and
// how many ranks change when a share of the votes is taken out, checked by a refit. Without a refit, the loss of a vote with
// score s moves the estimates by -c s.
func (f *Fit) Influence(ctx context.Context, c Covariance, ranks int, share float64, top int) (*Influence, error) {
	order := f.order(f.Worths())
	pairs := min(ranks, f.Items-1)
	effects, err := f.effects(ctx, c, order[:pairs+1])
	if err != nil {
		return nil, err
	}
	worths, gaps := f.Worths(), make([]float64, pairs)
	sorted := make([][]int32, pairs) // orders that support a pair, most first
	parallel.Do(pairs, f.jobs, func(_, k int) {
		gaps[k] = worths[order[k]] - worths[order[k+1]]
		for o := range f.Orders {
			if effects[o*pairs+k] < 0 {
				sorted[k] = append(sorted[k], int32(o))
			}
		}
		slices.SortFunc(sorted[k], func(a, b int32) int {
			return cmp.Or(cmp.Compare(effects[int(a)*pairs+k], effects[int(b)*pairs+k]), cmp.Compare(a, b))
		})
	})
	left := make([]float64, len(f.Orders))
	for o := range left {
		left[o] = f.Orders[o].Weight
	}
	// spend is the weight of the fewest votes that turn pair k round, no more than most; they are taken out if asked for.
	spend := func(k int, most float64, take bool) (spent float64, turned bool) {
		gap := gaps[k]
		for _, o := range sorted[k] {
			if gap < 0 || spent >= most {
				break
			}
			effect := effects[int(o)*pairs+k]
			n := math.Min(left[o], math.Min(most-spent, math.Floor(gap/-effect)+1)) // the last one carries it past zero
			spent += n
			gap += n * effect
			if take {
				left[o] -= n
				for j := range gaps {
					gaps[j] += n * effects[int(o)*pairs+j]
				}
			}
		}
		return spent, gap < 0
	}
	in := &Influence{Order: order, Votes: math.Inf(1), Ranks: min(ranks, f.Items)}
	if guess, _ := spend(0, math.Inf(1), false); guess > 0 { // all votes for the first where the first order says that even these do not do it
		if in.Votes, in.Fewest, err = f.turning(ctx, c, order, sorted[0], guess); err != nil {
			return nil, err
		}
	}
	for _, o := range sorted[0][:min(top, len(sorted[0]))] {
		vote := f.Orders[o].Vote
		in.Top = append(in.Top, InfluentialVote{f.ItemsOf(vote), f.TiersOf(vote), f.Orders[o].Weight, effects[int(o)*pairs]})
	}
	budget := math.Max(1, math.Floor(share*f.Weight))
	for in.Taken < budget {
		best, fewest := -1, math.Inf(1)
		for k := range pairs {
			if votes, turned := spend(k, budget-in.Taken, false); turned && votes > 0 && votes < fewest {
				best, fewest = k, votes
			}
		}
		if best < 0 {
			break
		}
		votes, _ := spend(best, budget-in.Taken, true)
		in.Taken += votes
	}
	if in.Taken == 0 { // no pair can be turned: what comes nearest
		in.Taken, _ = spend(0, budget, true)
	}
	after, err := f.without(ctx, c, left)
	if err != nil {
		return nil, err
	}
	for k, i := range f.order(after)[:in.Ranks] {
		if i != order[k] {
			in.Moved++
		}
	}
	return in, nil
}

// without are the worths of a refit to other weights of the orders, where c is the covariance by the information.
func (f *Fit) without(ctx context.Context, c Covariance, weight []float64) ([]float64, error) {
	data, g := f.reweighted(weight), f.Global
	refit := *f
	refit.Theta = slices.Clone(f.Theta)
	before := math.Inf(1)
	for steps := range 10 { // by the information of the fit, which the loss of a few votes hardly changes
		p, err := data.evaluate(ctx, refit.Theta, f.jobs, false)
		if err != nil {
			return nil, err
		}
		for k := range g {
			precision, mean := f.prior(k, f.Prior)
			p.gradient[k] -= precision * (refit.Theta[k] - mean)
		}
		var decrement float64
		for i := range g {
			var step float64
			for j, v := range p.gradient {
				step += c[i*g+j] * v
			}
			refit.Theta[i] += step
			decrement += step * p.gradient[i]
		}
		// Where reliabilities make each step take longer, one of less than a thousandth of a standard error is the last, and of very
		// many votes the second.
		if math.Abs(decrement) < 1e-10 || f.Raters > 0 && (math.Abs(decrement) < 1e-6 || steps == 1 && len(f.Orders) > 1e5) {
			return refit.Worths(), nil
		}
		if !(decrement < before/4) {
			break // many votes were lost
		}
		before = decrement
	}
	prior := f.Prior // weak ones where there are none: what is left may separate an item
	prior.Worth, prior.Tie = math.Max(prior.Worth, 0.01), math.Max(prior.Tie, 0.01)
	steps := 20 // are enough for ranks; a parameter that the votes left hardly determine goes on for long
	if f.Raters > 0 {
		steps = 5 // each takes longer
	}
	after, err := data.maximise(ctx, f.Theta, Options{Prior: prior, Steps: steps, Jobs: f.jobs})
	if err != nil && !errors.Is(err, ErrNotConverged) {
		return nil, err
	}
	return after.Worths(), nil
}

// turning finds how many votes must be lost, in the order given, until a refit has the first two items the other way round,
// by the secant from what the first order of the influence says. Fewest is whether one less would not do.
func (f *Fit) turning(ctx context.Context, c Covariance, order []int, sorted []int32, guess float64) (votes float64, fewest bool, err error) {
	gap := func(worths []float64) float64 { return worths[order[0]] - worths[order[1]] }
	refits := 20
	if f.Raters > 0 && len(f.Orders) > 1e5 {
		refits = 2
	}
	var all float64
	for _, o := range sorted {
		all += f.Orders[o].Weight
	}
	exact := 1.0
	if guess >= all && f.Tabled() { // refits without many votes, each of many long sums: to a fiftieth
		exact = math.Max(1, all/50)
	}
	low, above := 0.0, gap(f.Worths()) // not turned
	high, below := math.Inf(1), 0.0    // turned
	for n := guess; refits > 0 && low < all; refits-- {
		left, rest := make([]float64, len(f.Orders)), n
		for o := range left {
			left[o] = f.Orders[o].Weight
		}
		for _, o := range sorted {
			lost := math.Min(left[o], rest)
			left[o], rest = left[o]-lost, rest-lost
		}
		worths, err := f.without(ctx, c, left)
		if err != nil {
			return 0, false, err
		}
		if d := gap(worths); d < -1e-4*gap(f.Worths()) { // level is not turned
			high, below = n, d
		} else {
			low, above = n, d
		}
		if high-low <= exact {
			return high, high-low <= 1, nil
		}
		if n = math.Ceil(2 * n); !math.IsInf(high, 1) {
			n = math.Min(high-1, math.Max(low+1, math.Ceil(low+(high-low)*above/(above-below))))
		} else if low > 0 && above < gap(f.Worths()) { // the line through the start
			n = math.Ceil(low * gap(f.Worths()) / (gap(f.Worths()) - above))
			n = math.Max(n, low+1)
		}
		n = math.Min(n, all)
	}
	return high, false, nil
}

// order is the items by worth, best first.
func (f *Fit) order(worths []float64) []int {
	order := make([]int, f.Items)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(worths[b], worths[a]) })
	return order
}

// effects are, for each order, the changes of the differences of neighbours if one such vote were lost, to first order.
func (f *Fit) effects(ctx context.Context, c Covariance, items []int) ([]float64, error) {
	pairs, columns, g := len(items)-1, len(f.Item.Names), f.Global
	directions := make([]float64, g*pairs) // by parameter, those of all pairs together
	for k := range pairs {
		i, j := items[k], items[k+1]
		for a := range g {
			v := c[i*g+a] - c[j*g+a]
			for b := range columns {
				v += (f.Item.Values[i*columns+b] - f.Item.Values[j*columns+b]) * c[(f.Beta+b)*g+a]
			}
			directions[a*pairs+k] = v
		}
	}
	if f.Raters > 0 {
		effects, err := f.raters.Effects(ctx, f.Theta, directions, pairs, f.jobs)
		for k := range effects {
			effects[k] = -effects[k]
		}
		return effects, err
	}
	effects := make([]float64, len(f.Orders)*pairs)
	err := parallel.Each(ctx, len(f.Parts)-1, f.jobs, func(_, part int) error {
		m := f.Data.NewLocal()
		for each := f.Parts[part]; each < f.Parts[part+1]; each++ {
			m.Load(f.Theta, f.Groups[each].Vote)
			if err := m.Expect(false); err != nil {
				return err
			}
			for o := f.Groups[each].First; o < f.Groups[each+1].First; o++ {
				m.Residual(f.TiersOf(f.Orders[o].Vote))
				out := effects[int(o)*pairs : int(o+1)*pairs]
				for a, v := range m.Statistic[:m.Dim] {
					for _, e := range m.Rows[a] {
						for k, d := range directions[e.At*pairs : (e.At+1)*pairs] {
							out[k] -= v * e.By * d
						}
					}
				}
			}
		}
		return nil
	})
	return effects, err
}
