package likelihood

import (
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/learn/ballot"
)

// The effect of a lost vote is what a refit without it finds, up to the second order, with covariates and reliabilities too.
func TestInfluenceIsThatOfARefit(t *testing.T) {
	for name, design := range map[string]ballot.Design{
		"pairs":         {Items: 5},
		"reliabilities": {Items: 5, Raters: 6},
		"covariates":    {Items: 5, Places: []string{"home"}, Item: ballot.Columns{Names: []string{"price"}, Values: []float64{1, 3, -2, 0.5, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			theta := make([]float64, design.Layout().All)
			copy(theta, []float64{0.5, 0.4, 0, -0.3, -0.6, 0.1})
			for k := design.Layout().All - design.Raters; k < design.Layout().All; k++ {
				theta[k] = 1
			}
			d := must[*Data](t)(Group(design, planted(t, design, theta, 400, 2, rng.Stream(2, "influence"))))
			o, tolerance := Defaults(), 0.1
			if design.Raters > 0 {
				tolerance = 0.2
			}
			if design.Raters > 0 || len(design.Item.Names) > 0 {
				o.Prior = ballot.Precision{Worth: 1, Spread: 1}
			}
			fit := must[*Fit](t)(d.Maximise(t.Context(), o))
			in := must[*Influence](t)(fit.Influence(t.Context(), must[Covariance](t)(fit.Inverse()), 3, 0.01, 3))
			order := fit.order(fit.Worths())
			gap := func(f *Fit) float64 { return f.Worths()[order[0]] - f.Worths()[order[1]] }
			if len(in.Top) != 3 {
				t.Fatalf("%d outcomes, not 3", len(in.Top))
			}
			for _, tell := range in.Top {
				weights := make([]float64, len(d.Orders))
				for o := range weights {
					weights[o] = d.Orders[o].Weight
					if &d.ItemsOf(d.Orders[o].Vote)[0] == &tell.Items[0] {
						weights[o]--
					}
				}
				change := gap(must[*Fit](t)(d.reweighted(weights).Maximise(t.Context(), o))) - gap(fit)
				// A vote is 1/400 of the information; with reliabilities the information expected is not that observed.
				if !(math.Abs(change-tell.Effect) <= tolerance*math.Abs(tell.Effect)) {
					t.Errorf("a lost vote changes the difference by %.5f, not %.5f", change, tell.Effect)
				}
			}
		})
	}
}

// One vote in a hundred, taken out where it tells most, changes ranks that are near and none that are far apart; the votes counted
// for the first two are about as many as it takes.
func TestVotesThatMoveTheTop(t *testing.T) {
	design := ballot.Design{Items: 6}
	for _, c := range []struct {
		worths []float64
		moved  [2]int
	}{
		{[]float64{3, 2, 1, 0, -1, -2, 0}, [2]int{0, 0}},
		{[]float64{0.04, 0.02, 0, -0.02, -0.04, -1, 0}, [2]int{2, 4}},
	} {
		d := must[*Data](t)(Group(design, planted(t, design, c.worths, 4000, 2, rng.Stream(3, "moved"))))
		fit := must[*Fit](t)(d.Maximise(t.Context(), Defaults()))
		covariance := must[Covariance](t)(fit.Inverse())
		in := must[*Influence](t)(fit.Influence(t.Context(), covariance, 4, 0.01, 1))
		if in.Ranks != 4 || in.Moved < c.moved[0] || in.Moved > c.moved[1] || in.Taken > 40 {
			t.Errorf("worths %v: %d of %d ranks change without %g votes", c.worths, in.Moved, in.Ranks, in.Taken)
		}
		if c.moved[0] == 0 {
			continue
		}
		// Without a vote less than counted the order holds, with a few more it does not.
		all := must[*Influence](t)(fit.Influence(t.Context(), covariance, 1, in.Votes*1.2/d.Weight, 1))
		less := must[*Influence](t)(fit.Influence(t.Context(), covariance, 1, in.Votes*0.8/d.Weight, 1))
		if all.Moved != 1 || less.Moved != 0 {
			t.Errorf("%g votes turn the first two round: %d do, and so %d", in.Votes, int(in.Votes*1.2), int(in.Votes*0.8))
		}
	}
}

// The votes counted for the first two are those at which refits turn, when they are lost one by one in the order of their influence;
// and no fewer votes of any kind turn them, but at most one.
func TestVotesThatTurnTheFirstTwo(t *testing.T) {
	design := ballot.Design{Items: 3}
	for seed := range uint64(6) {
		d := must[*Data](t)(Group(design, planted(t, design, []float64{0.3, 0.1, -0.4, 0}, 45, 2, rng.Stream(seed, "turning"))))
		o := Options{Steps: 100, Jobs: 1}
		fit := must[*Fit](t)(d.Maximise(t.Context(), o))
		covariance := must[Covariance](t)(fit.Inverse())
		in := must[*Influence](t)(fit.Influence(t.Context(), covariance, 1, 0.01, len(d.Orders)))
		if math.IsInf(in.Votes, 1) {
			t.Fatalf("seed %d: all votes are not enough", seed)
		}
		weights := func() []float64 {
			all := make([]float64, len(d.Orders))
			for k := range all {
				all[k] = d.Orders[k].Weight
			}
			return all
		}
		turned := func(weight []float64) bool {
			refit, err := d.reweighted(weight).Maximise(t.Context(), o)
			return err == nil && refit.Worths()[in.Order[0]] < refit.Worths()[in.Order[1]]
		}
		left, first := weights(), 0.0
		for !turned(left) {
			if first++; first > 45 {
				t.Fatalf("seed %d: one by one the first two are not turned", seed)
			}
			for _, tell := range in.Top {
				k := 0
				for ; &d.ItemsOf(d.Orders[k].Vote)[0] != &tell.Items[0]; k++ {
				}
				if left[k] > 0 {
					left[k]--
					break
				}
			}
		}
		if !in.Fewest || in.Votes != first {
			t.Errorf("seed %d: %g votes, fewest %v; one by one %g", seed, in.Votes, in.Fewest, first)
		}
		// Every way to lose two votes less.
		var lose func(at int, left []float64, more int) bool
		lose = func(at int, left []float64, more int) bool {
			if more == 0 || at == len(left) {
				return more == 0 && turned(left)
			}
			for n := 0; n <= more && float64(n) <= d.Orders[at].Weight; n++ {
				left[at] = d.Orders[at].Weight - float64(n)
				if lose(at+1, left, more-n) {
					return true
				}
			}
			left[at] = d.Orders[at].Weight
			return false
		}
		if more := int(in.Votes) - 2; more > 0 && more < 5 && lose(0, weights(), more) {
			t.Errorf("seed %d: %d votes do it, not %g", seed, more, in.Votes)
		}
	}
}

// Where the first won nearly always, a straight line through the first lost votes ends before their order turns; refits go on until it does.
// An order that no vote speaks against does not turn.
func TestVotesThatTurnAFarLead(t *testing.T) {
	design := ballot.Design{Items: 2, Space: ballot.WithoutTies}
	for _, c := range []struct{ wins, losses, votes float64 }{{9, 1, 9}, {40, 2, 39}, {500, 3, 498}, {5, 0, math.Inf(1)}} {
		votes := ballot.Votes{Start: []int32{0, 2, 4}, Item: []int32{0, 1, 0, 1}, Tier: []int32{0, 1, 1, 0}, Weight: []float64{c.wins, c.losses}}
		o := Options{Steps: 100, Jobs: 1}
		if c.losses == 0 {
			votes = ballot.Votes{Start: votes.Start[:2], Item: votes.Item[:2], Tier: votes.Tier[:2], Weight: votes.Weight[:1]}
			o.Prior.Worth = 1
		}
		fit := must[*Fit](t)(must[*Data](t)(Group(design, votes)).Maximise(t.Context(), o))
		in := must[*Influence](t)(fit.Influence(t.Context(), must[Covariance](t)(fit.Inverse()), 1, 0.01, 1))
		if in.Votes != c.votes || in.Fewest != (c.losses > 0) {
			t.Errorf("%g wins, %g losses: %g votes, fewest %v; by counting %g", c.wins, c.losses, in.Votes, in.Fewest, c.votes)
		}
	}
}

// Resamples that leave an item without a win or a loss have no estimate: they are drawn anew and counted, the same by any number
// of workers; where all votes are many none is.
func TestResamplesDrawnAnew(t *testing.T) {
	design := ballot.Design{Items: 4}
	for _, c := range []struct {
		count int
		some  bool
	}{{20, true}, {2000, false}} {
		d := must[*Data](t)(Group(design, planted(t, design, []float64{1.5, 0.5, -0.5, -1.5, 0}, c.count, 2, rng.Stream(4, "anew"))))
		var counts [2]int
		for k, jobs := range []int{1, 3} {
			fit := must[*Fit](t)(d.Maximise(t.Context(), Options{Steps: 100, Jobs: jobs}))
			draws, redrawn, err := fit.Bootstrap(t.Context(), 50, 1)
			if err != nil || len(draws) != 50 {
				t.Fatalf("%d draws: %v", len(draws), err)
			}
			counts[k] = redrawn
		}
		if counts[0] != counts[1] || counts[0] > 0 != c.some {
			t.Errorf("%d votes: %v drawn anew", c.count, counts)
		}
	}
}
