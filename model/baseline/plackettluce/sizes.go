package plackettluce

import (
	"fmt"
	"math"

	"fubini/core/cholesky"
	"fubini/data/ratings"
)

// SizeRule is the distribution of the sizes of ties in a list. Plackett-Luce, summed over the orders of ties, is the
// probability of the items given the sizes; there are 2^(N-1) vectors of sizes of N items.
type SizeRule int

// The distributions of the sizes of ties.
const (
	SizesFitted  SizeRule = iota // fitted to the training lists
	SizesUniform                 // uniform over the 2^(N-1) vectors
)

// tieSizes is a distribution over the sizes of ties, for lists of any length. It walks down the list; after each place
// but the last, the tie ends with a probability that depends on the way so far. Every vector of sizes is one way
// through these N-1 choices, so the probabilities sum to 1 for every N.
//
// That probability is 1 - e^-m with log m linear in the features and minus log N: ties then end at some rate for each
// share of the list walked, and take the same shares of a long list as of a short one (the complementary log-log model
// of grouped durations, Prentice and Gloeckler 1978).
type tieSizes struct {
	Rule    SizeRule  `json:"rule"`
	Weights []float64 `json:"weights,omitempty"`
}

const (
	countedTies  = 8 // the first, second, ... and last tie of a list have weights of their own
	sizeFeatures = countedTies + 4
	// sizePrior is the ridge on the weights, which keeps unseen sizes possible: a sixth tie in lists of five levels.
	sizePrior = 0.1
)

// place is where a choice is made: after `at` places of n, in tie t, from 0, that began after `from` of them.
type place struct{ t, from, at, n int }

// common are the features of a choice that are the same for all ties. The others are an indicator of the tie.
type common [sizeFeatures - countedTies]float64

// features writes the common features, and returns the place of the indicator that is 1.
func (p place) features(x *common) (tie int) {
	logN := math.Log(float64(p.n))
	x[0] = math.Log(float64(p.at-p.from)) - logN
	x[1] = float64(p.at) / float64(p.n)
	x[2] = math.Log(float64(p.n-p.at)) - logN
	x[3] = logN
	return min(p.t, countedTies-1)
}

// check finds what is wrong with one from a file.
func (s *tieSizes) check() error {
	if want := map[SizeRule]int{SizesFitted: sizeFeatures}[s.Rule]; len(s.Weights) != want {
		return fmt.Errorf("a file with %d weights for sizes of ties by rule %d makes no sense", len(s.Weights), s.Rule)
	}
	return nil
}

// logProb is the log probability of the sizes of a list.
func (s *tieSizes) logProb(list *tiers) float64 {
	if s.Rule == SizesUniform {
		return -float64(max(0, len(list.order)-1)) * math.Ln2
	}
	var total float64
	var x common
	choices(list.start, func(p place, ends bool) {
		tie := p.features(&x)
		total += logEnds(ends, s.logRate(tie, &x))
	})
	return total
}

// logRate is log m.
func (s *tieSizes) logRate(tie int, x *common) float64 {
	sum := s.Weights[tie] - x[3]
	for d, w := range s.Weights[countedTies:] {
		sum += w * x[d]
	}
	return sum
}

// choices goes through those that a list made, by where its ties start.
func choices(start []int, each func(p place, ends bool)) {
	n := start[len(start)-1]
	for t := range len(start) - 1 {
		for at := start[t] + 1; at <= start[t+1] && at < n; at++ {
			each(place{t, start[t], at, n}, at == start[t+1])
		}
	}
}

// logEnds is log(1 - e^-m) where a tie ends and -m where it goes on.
func logEnds(ends bool, logRate float64) float64 {
	m := math.Exp(logRate)
	switch {
	case !ends:
		return -m
	case logRate < -30:
		return logRate
	}
	return math.Log(-math.Expm1(-m))
}

// fit finds the weights that make the lists of a set most likely, by Newton's method with the expected curvature. The
// log likelihood is concave, and a step that does not raise it is halved.
func (s *tieSizes) fit(set *ratings.Set) {
	if s.Rule != SizesFitted {
		return
	}
	s.Weights = make([]float64, sizeFeatures)
	var starts [][]int
	for u := range set.Users().Len() {
		values := set.Row(u).Values
		starts = append(starts, rank(values, places(values)).start)
	}
	slope, curvature := make([]float64, sizeFeatures), make([]float64, sizeFeatures*sizeFeatures)
	start, ahead := make([]float64, sizeFeatures), make([]float64, sizeFeatures)
	best := math.Inf(-1)
	for range 100 {
		total := s.derivatives(starts, slope, curvature)
		if total > best { // never so for NaN
			gain := total - best
			best = total
			copy(start, s.Weights)
			copy(ahead, slope)
			if gain < 1e-9*math.Abs(best) || !cholesky.Solve(curvature, ahead) {
				return
			}
		} else {
			for d := range ahead {
				ahead[d] /= 2
			}
		}
		for d, v := range start {
			s.Weights[d] = v + ahead[d]
		}
	}
	copy(s.Weights, start)
}

// derivatives returns the log likelihood with its prior, and writes its slope and the lower triangle of its curvature.
func (s *tieSizes) derivatives(starts [][]int, slope, curvature []float64) float64 {
	clear(curvature)
	var total float64
	for d, w := range s.Weights {
		total -= sizePrior / 2 * w * w
		slope[d] = -sizePrior * w
		curvature[d*sizeFeatures+d] = sizePrior
	}
	var x common
	each := func(p place, ends bool) {
		tie := p.features(&x)
		logRate := s.logRate(tie, &x)
		total += logEnds(ends, logRate)
		m := math.Exp(logRate)
		by, bend := -m, 0.0
		if m < 500 { // beyond, the probability of going on is 0 to the precision of float64
			odds := 1 / math.Expm1(m) // of going on
			bend = m * m * odds
			if ends {
				by = m * odds
			}
		} else if ends {
			by = 0
		}
		slope[tie] += by
		curvature[tie*sizeFeatures+tie] += bend
		for d, v := range x {
			row := curvature[(countedTies+d)*sizeFeatures:]
			slope[countedTies+d] += by * v
			row[tie] += bend * v
			for e, w := range x[:d+1] {
				row[countedTies+e] += bend * v * w
			}
		}
	}
	for _, start := range starts {
		choices(start, each)
	}
	return total
}
