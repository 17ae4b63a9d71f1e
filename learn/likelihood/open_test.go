package likelihood

import (
	"math"
	"reflect"
	"testing"

	"fubini/core/rng"
	"fubini/learn/ballot"
	"fubini/use/board"
)

// What votes leave to the prior is named: groups that no vote joins, and groups between which one side always won.
func TestOpen(t *testing.T) {
	pairs := func(outcomes ...[3]int32) ballot.Votes { // winner, loser; or tied
		v := ballot.Votes{Start: []int32{0}}
		for _, o := range outcomes {
			v.Item, v.Tier = append(v.Item, o[0], o[1]), append(v.Tier, 0, 1-o[2])
			v.Start, v.Weight = append(v.Start, int32(len(v.Item))), append(v.Weight, 1)
		}
		return v
	}
	ids := []string{"a", "b", "c", "d", "e"}
	for name, c := range map[string]struct {
		votes ballot.Votes
		want  *board.Open
	}{
		"joined":     {pairs([3]int32{0, 1}, [3]int32{1, 2}, [3]int32{2, 3}, [3]int32{3, 4}, [3]int32{4, 0}), nil},
		"never met":  {pairs([3]int32{0, 1, 1}, [3]int32{2, 3, 1}), &board.Open{Apart: [][]string{{"a", "b"}, {"c", "d"}, {"e"}}, OneSided: [][]string{}}},
		"always won": {pairs([3]int32{4, 0}, [3]int32{0, 1, 1}, [3]int32{1, 2, 1}, [3]int32{2, 3, 1}), &board.Open{Apart: [][]string{}, OneSided: [][]string{{"a", "b", "c", "d"}, {"e"}}}},
		"both":       {pairs([3]int32{0, 1}, [3]int32{2, 3, 1}, [3]int32{3, 4, 1}), &board.Open{Apart: [][]string{{"c", "d", "e"}, {"a", "b"}}, OneSided: [][]string{{"c", "d", "e"}, {"a"}, {"b"}}}},
	} {
		d := must[*Data](t)(Group(ballot.Design{Items: 5}, c.votes))
		if got := d.open(ids); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		if err := d.Exists(ids); (err == nil) != (c.want == nil) && c.want != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Expectations of pairs are those of the lists in which they met, not of votes on the two alone, and are what counts come to.
func TestExpectedInLists(t *testing.T) {
	for _, choices := range []bool{false, true} {
		design := ballot.Design{Items: 6, Choices: choices}
		votes := planted(t, ballot.Design{Items: 6}, []float64{1, 0.5, 0, 0, -0.5, -1, 0.2}, 4000, 4, rng.Stream(1, "expected"))
		fit := must[*Fit](t)(must[*Data](t)(Group(design, votes)).Maximise(t.Context(), Defaults()))
		g := must[*Goodness](t)(fit.Goodness(t.Context()))
		var square, alone float64
		for _, p := range g.Pairs {
			n := p.Observed[0] + p.Observed[1] + p.Observed[2]
			if got := p.Expected[0] + p.Expected[1] + p.Expected[2]; !(math.Abs(got-n) <= 1e-9*n) {
				t.Errorf("choices %v: %g expected of %g votes", choices, got, n)
			}
			square += p.Square
			win, tie, loss := fit.Pair(p.I, p.J)
			for k, chance := range []float64{win, tie, loss} {
				alone += (p.Observed[k] - n*chance) * (p.Observed[k] - n*chance) / (n * chance)
			}
		}
		if !choices && !(square < 3*float64(len(g.Pairs))) {
			t.Errorf("residuals of the true model sum to %.1f for %d pairs", square, len(g.Pairs))
		}
		if !choices && !(alone > 5*square) {
			t.Errorf("the test cannot tell lists from votes on two: %.1f and %.1f", square, alone)
		}
	}
}

// Tie weights of items have standard errors on the board, which hold the truth as often as they should.
func TestErrorsOfTieWeights(t *testing.T) {
	design := ballot.Design{Items: 5, Ties: ballot.ItemTies}
	theta := []float64{1, 0.5, 0, -0.5, -1, 0.2, 0.8, -0.8, 0.3, -0.3, 0}
	held, all := 0, 0
	for seed := range uint64(60) {
		fit := must[*Fit](t)(must[*Data](t)(Group(design, planted(t, design, theta, 600, 2, rng.Stream(seed, "tie errors")))).Maximise(t.Context(), Defaults()))
		c := must[Covariance](t)(fit.Covariance())
		for i, v := range fit.TieErrors(c) {
			all++
			if math.Abs(fit.TieDeviations()[i]-theta[6+i]) <= 1.96*v {
				held++
			}
		}
	}
	if share := float64(held) / float64(all); !(share > 0.90 && share < 0.99) { // 300 intervals, of which those of one data set hang together
		t.Errorf("%d of %d intervals hold the tie weight", held, all)
	}
}
