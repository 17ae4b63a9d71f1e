package odds

import (
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/model/latent"
)

func fiveLevels() *Calibration {
	same := Correction{Power: 1, Share: 1}
	return &Calibration{Levels: []float64{1, 2, 3, 4, 5}, Shares: []float64{0.06, 0.1, 0.26, 0.35, 0.23}, Rated: same, Plain: same}
}

// raters draws people by how they guess: those sets that the parameters make likely.
func raters(c *Calibration, n int) []rater {
	r := rng.Stream(1, "raters")
	people := make([]rater, n)
	for u := range people {
		one := rater{worth: 0.5 * r.NormFloat64(), sizes: make([]int, 2+r.IntN(3))}
		for t := range one.sizes {
			one.sizes[t] = 1 + r.IntN(6)
		}
		guess := c.guesses(one.sizes, one.worth)
		one.ratings = guess.Ratings[r.Pick(guess.Odds)]
		people[u] = one
	}
	return people
}

// What people do comes back from what they did, and a guess by it is better than one
// by how often sets are used alone.
func TestGuessRecovered(t *testing.T) {
	c := fiveLevels()
	c.Guess = &Guess{People: make([]float64, 32), Parameters: [guessSize]float64{1, 0.3, -0.4, -0.6, 1.5}}
	for s := range c.Guess.People {
		c.Guess.People[s] = float64(1 + s%7)
	}
	people := raters(c, 6000)
	found, err := fitGuess(c, people)
	if err != nil {
		t.Fatal(err)
	}
	loss := func(g *Guess) (sum float64) {
		with := *c
		with.Guess = g
		for _, each := range people {
			guess := with.guesses(each.sizes, each.worth)
			odds := 1e-3
			for s, values := range guess.Ratings {
				if slices.Equal(values, each.ratings) {
					odds = guess.Odds[s]
				}
			}
			sum -= math.Log(odds) / float64(len(people))
		}
		return sum
	}
	counts := &Guess{People: found.People, Parameters: [guessSize]float64{1}}
	// How often sets are used in the sample is not how often they would be by
	// themselves, so that a little is lost; far less than without the rest.
	if best, got, without := loss(c.Guess), loss(found), loss(counts); !(got-best <= 0.05) || !(without-best > 4*(got-best)) {
		t.Errorf("log loss %.4f, of the guess that people were drawn by %.4f, by counts alone %.4f", got, best, without)
	}
	if few, err := fitGuess(c, people[:fewestRaters-1]); few != nil || err != nil {
		t.Errorf("guessed by too few people: %v, %v", few, err)
	}
	c.Levels, c.Shares = make([]float64, mostGuessed+1), make([]float64, mostGuessed+1)
	if many, err := fitGuess(c, people); many != nil || err != nil {
		t.Errorf("guessed among too many levels: %v, %v", many, err)
	}
}

// Tiers without ratings have the odds of each set of ratings they may stand for, mixed; all
// levels taken, there is one set and nothing to guess.
func TestOddsOfGuessedRatings(t *testing.T) {
	c := full(latent.Gaussian, 12, 2)
	calibration := fiveLevels()
	calibration.Guess = &Guess{People: make([]float64, 32), Parameters: [guessSize]float64{1}}
	calibration.Guess.People[0b11110], calibration.Guess.People[0b01111] = 299.5, 99.5 // with the half more of each: 3 to 1 to 0.005
	place := func(ratings []float64, text string, items ...int) Odds {
		return placer(t, c, calibration, person(list(t, text, items...), ratings)).Place(11)
	}
	const four = "0 > 1~2 > 3 > 4"
	high, low := place([]float64{5, 4, 3, 2}, four, 0, 1, 2, 3, 4).Slots(), place([]float64{4, 3, 2, 1}, four, 0, 1, 2, 3, 4).Slots()
	for s, got := range place(nil, four, 0, 1, 2, 3, 4).Slots() {
		want := 300./401.5*high[s] + 100./401.5*low[s]
		if !(math.Abs(got-want) <= 0.004) { // the sets that nobody used have 1.5 in 401.5
			t.Errorf("slot %d: %g, mixed by hand %g", s, got, want)
		}
	}
	const five = "0 > 1~2 > 3 > 4 > 5"
	known := place([]float64{5, 4, 3, 2, 1}, five, 0, 1, 2, 3, 4, 5).Slots()
	for s, got := range place(nil, five, 0, 1, 2, 3, 4, 5).Slots() {
		if !(math.Abs(got-known[s]) <= 1e-12) {
			t.Errorf("five tiers of five levels, slot %d: %g, with the ratings known %g", s, got, known[s])
		}
	}
}
