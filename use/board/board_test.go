package board_test

import (
	"fmt"
	_ "image/png"
	"math"
	"testing"

	"fubini/core/cholesky"
	"fubini/core/rng"
	"fubini/use/board"
)

// world is worths and the covariance of their estimates: a random one of n items.
func world(n int, seed uint64) (worths, covariance []float64) {
	r := rng.Stream(seed, "board")
	worths, covariance = make([]float64, n), make([]float64, n*n)
	for i := range n {
		worths[i] = r.NormFloat64()
		x := make([]float64, n)
		for range 3 {
			for j := range x {
				x[j] = 0.1 * r.NormFloat64()
			}
			cholesky.AddOuter(covariance, 1, x)
		}
		covariance[i*n+i] += 0.01 * float64(1+i)
	}
	for i := range n {
		for j := range i {
			covariance[j*n+i] = covariance[i*n+j]
		}
	}
	return worths, covariance
}

// No two items of a tier are told apart, tiers follow worths, and a rank is inside its interval, which leaves out just
// the items told apart.
func TestRulesOfTheBoard(t *testing.T) {
	for seed := range uint64(20) {
		worths, covariance := world(15, seed)
		b, err := board.New(worths, covariance, board.Defaults())
		if err != nil {
			t.Fatal(err)
		}
		for r, row := range b.Rows {
			above, below := 0, 0
			for s, other := range b.Rows {
				apart := b.Apart(row.Item, other.Item)
				if apart && s < r {
					above++
				} else if apart {
					below++
				}
				if apart && row.Tier == other.Tier {
					t.Errorf("items %d and %d are told apart and share tier %d", row.Item, other.Item, row.Tier)
				}
			}
			if row.RankLow != 1+above || row.RankHigh != 15-below || row.Rank < row.RankLow || row.Rank > row.RankHigh {
				t.Errorf("rank %d, interval %d to %d, with %d told apart above and %d below", row.Rank, row.RankLow, row.RankHigh, above, below)
			}
			if r > 0 && (b.Rows[r-1].Worth < row.Worth || b.Rows[r-1].Tier > row.Tier || b.Rows[r-1].Tier < row.Tier-1) {
				t.Errorf("row %d: worth %g and tier %d after %g and %d", r, row.Worth, row.Tier, b.Rows[r-1].Worth, b.Rows[r-1].Tier)
			}
		}
	}
}

// Intervals of ranks hold the true rank at least as often as they claim; those that compare pair by pair do not.
func TestRankIntervalsCover(t *testing.T) {
	const n, sets = 12, 200
	_, covariance := world(n, 1)
	factor := append([]float64{}, covariance...)
	if !cholesky.Factorise(factor, n) {
		t.Fatal("not positive definite")
	}
	truth := make([]float64, n) // close to one another, where ranks are hard
	for i := range truth {
		truth[i] = -0.02 * float64(i)
	}
	held, careless := make([]float64, n), make([]float64, n)
	for set := range sets {
		r := rng.Stream(uint64(set), "ranks covered")
		worths, z := make([]float64, n), make([]float64, n)
		for i := range n {
			z[i] = r.NormFloat64()
			worths[i] = truth[i]
			for j, f := range factor[i*n : i*n+i+1] {
				worths[i] += f * z[j]
			}
		}
		b, err := board.New(worths, covariance, board.Defaults())
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range b.Rows {
			if row.RankLow <= row.Item+1 && row.Item+1 <= row.RankHigh {
				held[row.Item]++
			}
			low, high := 1, n
			for j := range n {
				if d, e := b.Difference(row.Item, j); d < -1.96*e {
					low++
				} else if d > 1.96*e {
					high--
				}
			}
			if low <= row.Item+1 && row.Item+1 <= high {
				careless[row.Item]++
			}
		}
	}
	least := 1.0
	for i := range n {
		if share := held[i] / sets; !(share >= 0.95-3*math.Sqrt(0.95*0.05/sets)) {
			t.Errorf("item %d: %.1f %% of the intervals hold the rank", i, 100*share)
		}
		least = min(least, careless[i]/sets)
	}
	if !(least < 0.9) {
		t.Errorf("pair by pair at least %.1f %% hold: the test sees nothing", 100*least)
	}
}

// Where variances of differences are sums, quasi-variances are their parts; in general they are near.
func TestQuasiVariances(t *testing.T) {
	const n = 6
	covariance := make([]float64, n*n)
	for i := range n {
		for j := range n {
			covariance[i*n+j] = 0.7
		}
		covariance[i*n+i] += 0.1 * float64(i+1)
	}
	b, err := board.New([]float64{6, 5, 4, 3, 2, 1}, covariance, board.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range b.Rows {
		if want := 0.1 * float64(row.Item+1); !(math.Abs(row.Quasi*row.Quasi-want) <= 1e-5) {
			t.Errorf("item %d: quasi-variance %g, want %g", row.Item, row.Quasi*row.Quasi, want)
		}
	}
}

func TestBadBoards(t *testing.T) {
	for want, c := range map[string]struct {
		worths, covariance []float64
		level              float64
	}{
		"board: 1 worths, and 1 elements of their covariance":   {[]float64{1}, []float64{1}, 0.95},
		"board: level 95; it must be between 0 and 1":           {[]float64{1, 2}, []float64{1, 0, 0, 1}, 95},
		"board: worth 0 is 1 with variance or covariance NaN":   {[]float64{1, 2}, []float64{math.NaN(), 0, 0, 1}, 0.95},
		"board: the covariance matrix is not positive definite": {[]float64{1, 2}, []float64{0, 0, 0, 0}, 0.95},
	} {
		if _, err := board.New(c.worths, c.covariance, board.Options{Level: c.level}); fmt.Sprint(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Sentences say which way a test went.
func TestWords(t *testing.T) {
	two := board.Tastes{Groups: make([]board.Taste, 2), Gain: 0.00412, StdError: 0.001}
	enough := board.Tastes{Groups: make([]board.Taste, 2), Gain: -0.0001, StdError: 0.001, Enough: true}
	votes, one := 12.0, 1.0
	for got, want := range map[string]string{
		two.Words():    "Two tastes explain the votes better than one board: 0.0041 nats a vote (standard error 0.0010), held out.",
		enough.Words(): "One board is enough: tastes gain -0.0001 nats a vote (standard error 0.0010), held out.",
		(&board.Influence{Top: 8, Moved: 3, Votes: &votes}).Words("a", "b"):               "a and b change places if about 12 votes for a are removed. Without the most influential votes (1 %, at least one), 3 of the first 8 ranks change.",
		(&board.Influence{Top: 8, Moved: 1, Votes: &votes, Fewest: true}).Words("a", "b"): "a and b change places if the 12 most influential votes for a are removed, and not if one fewer is. Without the most influential votes (1 %, at least one), one of the first 8 ranks changes.",
		(&board.Influence{Top: 8, Votes: &one, Fewest: true}).Words("a", "b"):             "a and b change places if the most influential vote for a is removed. Without the most influential votes (1 %, at least one), none of the first 8 ranks changes.",
		(&board.Influence{Top: 8, Votes: &one}).Words("a", "b"):                           "a and b change places if about one vote for a is removed. Without the most influential votes (1 %, at least one), none of the first 8 ranks changes.",
		(&board.Influence{Top: 8}).Words("a", "b"):                                        "No number of votes for a was found whose removal makes a and b change places. Without the most influential votes (1 %, at least one), none of the first 8 ranks changes.",
	} {
		if got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	elo := board.Tastes{Groups: []board.Taste{{Worths: []board.Worth{{Worth: 0.5, StdError: 0.1, Apart: true}}}}}.On(100, 1000).Groups[0].Worths[0]
	if elo != (board.Worth{Worth: 1050, StdError: 10, Apart: true}) {
		t.Errorf("%v", elo)
	}
}

// Worths that differ by rounding share a rank and stand in the order of their numbers; those that differ by more do not.
func TestEqualWorthsShareARank(t *testing.T) {
	covariance := make([]float64, 25)
	for i := range 5 {
		covariance[i*5+i] = 0.01
	}
	for _, c := range []struct {
		worths      []float64
		items, rank []int
	}{
		{[]float64{0, 1e-16, 1, -1e-16, -1}, []int{2, 0, 1, 3, 4}, []int{1, 2, 2, 2, 5}},
		{[]float64{1, 1 + 1e-12, 1 + 2e-12, 0, 1e-12}, []int{0, 1, 2, 3, 4}, []int{1, 1, 1, 4, 4}},
		{[]float64{0, 1e-5, 1, -1e-5, -1}, []int{2, 1, 0, 3, 4}, []int{1, 2, 3, 4, 5}},
	} {
		b, err := board.New(c.worths, covariance, board.Defaults())
		if err != nil {
			t.Fatal(err)
		}
		for k, row := range b.Rows {
			if row.Item != c.items[k] || row.Rank != c.rank[k] || row.RankLow > row.Rank || row.RankHigh < row.Rank {
				t.Errorf("worths %v: place %d has item %d of rank %d (%d to %d), want item %d of rank %d", c.worths, k, row.Item, row.Rank, row.RankLow, row.RankHigh, c.items[k], c.rank[k])
			}
		}
	}
}
