package likelihood

import (
	"context"
	"math"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/learn/ballot"
	"fubini/learn/saturated"
)

// everyOrder is a vote for each weak order of items 0 to n-1, the items of each listed from the last.
func everyOrder(n int) ballot.Votes {
	votes := ballot.Votes{Start: []int32{0}}
	for x := range partition.All(n) {
		levels := x.Levels()
		for k := n - 1; k >= 0; k-- {
			votes.Item, votes.Tier = append(votes.Item, int32(k)), append(votes.Tier, int32(levels[k]))
		}
		votes.Start, votes.Weight = append(votes.Start, int32(len(votes.Item))), append(votes.Weight, 1)
	}
	return votes
}

// some is votes drawn from all, by weights.
func some(all ballot.Votes, weight func(v int) float64, count int, seed uint64) ballot.Votes {
	r := rng.Stream(seed, "some")
	var total float64
	for v := range all.Weight {
		total += weight(v)
	}
	votes := ballot.Votes{Start: []int32{0}}
	for n := range int32(count) {
		left := r.Float64() * total
		v := 0
		for ; v < len(all.Weight)-1 && left >= weight(v); v++ {
			left -= weight(v)
		}
		votes.Item = append(votes.Item, all.Item[all.Start[v]:all.Start[v+1]]...)
		votes.Tier = append(votes.Tier, all.Tier[all.Start[v]:all.Start[v+1]]...)
		votes.Start, votes.Weight, votes.Rater = append(votes.Start, int32(len(votes.Item))), append(votes.Weight, 1), append(votes.Rater, n)
	}
	return votes
}

// Whatever was fitted, the probabilities of all weak orders sum to one; those of the fitted votes multiply to the
// likelihood.
func TestPredictionsAreADistribution(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: not with -short")
	}
	ctx, all := context.Background(), everyOrder(4)
	votes := some(all, func(v int) float64 { return float64(1 + v%5) }, 400, 1)
	sum := func(logs []float64, exp bool) (sum float64) {
		for _, log := range logs {
			if exp {
				log = math.Exp(log)
			}
			sum += log
		}
		return sum
	}
	for name, d := range map[string]ballot.Design{
		"worths": {Items: 4}, "sizes": {Items: 4, Sizes: 4}, "choices": {Items: 4, Choices: true}, "tastes": {Items: 4, Sizes: 4, Units: 2, Cluster: true},
	} {
		data, err := Group(d, votes)
		if err != nil {
			t.Fatal(name, err)
		}
		o := Defaults()
		o.Prior = ballot.Precision{Worth: 0.1, Unit: 1, Size: 0.1}
		var model interface {
			Predict(context.Context, ballot.Votes) ([]float64, error)
		}
		var value float64
		if d.Units > 0 {
			tastes, err := data.Tastes(ctx, o)
			if err != nil {
				t.Fatal(name, err)
			}
			model, value = tastes, tastes.LogLikelihood
		} else {
			fit, err := data.Maximise(ctx, o)
			if err != nil {
				t.Fatal(name, err)
			}
			model, value = fit, fit.LogLikelihood
		}
		logs, err := model.Predict(ctx, all)
		if err != nil {
			t.Fatal(name, err)
		}
		if total := sum(logs, true); !(math.Abs(total-1) <= 1e-9) {
			t.Errorf("%s: the probabilities of all orders sum to %g", name, total)
		}
		own, err := model.Predict(ctx, votes)
		if total := sum(own, false); err != nil || !(math.Abs(total-value) <= 1e-8) {
			t.Errorf("%s: the fitted votes have log probability %g, and the likelihood %g (%v)", name, total, value, err)
		}
		shrunk := saturated.Learn(votes, own)
		shrunk.Alpha = 7
		if total := sum(shrunk.Predict(all, logs), true); !(math.Abs(total-1) <= 1e-9) {
			t.Errorf("%s: between it and the saturated model, the probabilities sum to %g", name, total)
		}
	}
}

// Votes drawn from the model leave it alone, or nearly so; votes of a distribution that it does not have make it worth less
// than they are, and are then predicted better.
func TestAlphaIsLearned(t *testing.T) {
	ctx, all := context.Background(), everyOrder(3)
	data, err := Group(ballot.Design{Items: 3}, everyOrder(3))
	if err != nil {
		t.Fatal(err)
	}
	fit, err := data.Maximise(ctx, Defaults())
	if err != nil {
		t.Fatal(err)
	}
	fit.Theta = []float64{1, 0, -1, 0.2}
	logs, err := fit.Predict(ctx, all)
	if err != nil {
		t.Fatal(err)
	}
	model := func(v int) float64 { return math.Exp(logs[v]) }
	other := func(v int) float64 { return []float64{8, 1, 1}[v%3] }
	for name, c := range map[string]struct {
		weight func(v int) float64
		holds  bool
	}{"the model": {model, true}, "another distribution": {other, false}} {
		votes := some(all, c.weight, 2000, 2)
		own, err := fit.Predict(ctx, votes)
		if err != nil {
			t.Fatal(err)
		}
		s := saturated.Learn(votes, own)
		// 12 free shares of 2000 votes: where the model holds, alpha is about 2000 x 12 / chance or more.
		if holds := s.Alpha > 500; holds != c.holds {
			t.Errorf("votes from %s: alpha %g", name, s.Alpha)
		}
		shares := s.Predict(all, logs)
		var before, after, total float64
		for v := range shares {
			total += c.weight(v)
			before += c.weight(v) * logs[v]
			after += c.weight(v) * shares[v]
		}
		if gain := (after - before) / total; c.holds && !(gain > -0.003) || !c.holds && !(gain > 0.1) {
			t.Errorf("votes from %s: %g nats gained", name, gain)
		}
	}
}
