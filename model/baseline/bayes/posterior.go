package bayes

import (
	"math"
	"sync"

	"fubini/model"
)

// posterior has draws of all parameters from their posterior distribution.
type posterior struct {
	response    Response
	scale       ratingScale
	width, kept int // numbers of a vector (bias, factors); draws

	items []float32 // item by item, draw by draw, a vector
	rated []bool    // items with ratings; the vectors of others are prior means
	users []float32 // the same for users
	known []bool    // users of the training set with ratings

	// Draw by draw.
	noise                     []float64 // precision
	allCuts                   []float64 // cut points; midpoints between the levels where the rating itself is normal
	userMeans, userPrecisions []float64 // prior of users
	itemRoots                 []float64 // Cholesky factor of the prior precision of items

	curves  []levelCurve // of an ordered probit, draw by draw
	persons sync.Pool    // of *person
}

// normalPrior is a normal prior: a mean, and the lower triangle of the precision.
type normalPrior struct{ mean, precision []float64 }

func (f *posterior) cuts(draw int) []float64     { return part(f.allCuts, draw, len(f.scale.levels)-1) }
func (f *posterior) itemRoot(draw int) []float64 { return part(f.itemRoots, draw, f.width*f.width) }

func (f *posterior) userPrior(draw int) normalPrior {
	return normalPrior{part(f.userMeans, draw, f.width), part(f.userPrecisions, draw, f.width*f.width)}
}

// part is one of the parts of this size.
func part(all []float64, draw, size int) []float64 { return all[draw*size : (draw+1)*size] }

const (
	mostKept    = 100     // draws; neighbours are much alike
	mostNumbers = 1 << 26 // of all draws together, 256 MB
	leastKept   = 10
)

func newPosterior(m Recipe, scale ratingScale, c *chain) *posterior {
	users, items := len(c.users.bias), len(c.items.bias)
	width := m.Hidden + 1
	kept := min(m.Sweeps-m.Burn, mostKept, max(leastKept, mostNumbers/(width*(users+items))))
	numbers := func(each int) []float64 { return make([]float64, kept*each) }
	return &posterior{
		response: m.Response, scale: scale, width: width, kept: kept,
		items: make([]float32, items*kept*width), rated: c.items.has,
		users: make([]float32, users*kept*width), known: c.users.has,
		noise: numbers(1), allCuts: numbers(len(scale.levels) - 1),
		userMeans: numbers(width), userPrecisions: numbers(width * width), itemRoots: numbers(width * width),
	}
}

// keep copies the state of the chain.
func (f *posterior) keep(draw int, c *chain) {
	for s, to := range map[*side][]float32{c.users: f.users, c.items: f.items} {
		for e, has := range s.has {
			if has {
				put(f.vector(to, e, draw), s.bias[e], s.row(e))
			} else {
				put(f.vector(to, e, draw), s.prior.mean[0], s.prior.mean)
			}
		}
	}
	f.noise[draw] = c.noise
	if c.cuts != nil {
		copy(f.cuts(draw), c.cuts.at)
	}
	copy(f.userPrior(draw).mean, c.users.prior.mean)
	copy(f.userPrior(draw).precision, c.users.prior.precision)
	copy(f.itemRoot(draw), c.items.prior.root)
}

func put(to []float32, bias float64, factors []float64) {
	to[0] = float32(bias)
	for k := 1; k < len(to); k++ {
		to[k] = float32(factors[k])
	}
}

// oneAnd appends (1, factors) of a vector.
func oneAnd(to []float64, vector []float32) []float64 {
	to = append(to, 1)
	for _, x := range vector[1:] {
		to = append(to, float64(x))
	}
	return to
}

// vector is that of a user or item in a draw.
func (f *posterior) vector(of []float32, e, draw int) []float32 {
	at := (e*f.kept + draw) * f.width
	return of[at : at+f.width : at+f.width]
}

// midpoints between the levels, standardised as ratings are.
func (s ratingScale) midpoints() []float64 {
	cuts := make([]float64, len(s.levels)-1)
	for k := range cuts {
		cuts[k] = ((s.levels[k]+s.levels[k+1])/2 - s.mean) / s.deviation
	}
	return cuts
}

// Levels are the ratings there are, ascending.
func (f *posterior) Levels() []float64 { return f.scale.levels }

// Score implements [model.Model]: the expected rating, averaged over draws.
func (f *posterior) Score(p model.Person, items []uint32, scores []float64) {
	t := f.enter(p)
	defer f.persons.Put(t)
	for k, i := range items {
		var sum float64
		for draw := range f.kept {
			mean := t.mean(f, draw, i)
			switch {
			case f.response == Gaussian:
				sum += mean
			case t.roots == nil && f.rated[i]:
				sum += f.curves[draw].at(mean)
			default:
				sum += f.scale.expected(f.cuts(draw), mean, math.Sqrt(1+t.variance(f, draw, i)))
			}
		}
		scores[k] = sum / float64(f.kept)
		if f.response == Gaussian {
			scores[k] = f.scale.mean + f.scale.deviation*scores[k]
		}
	}
}

// LevelProbs writes, for each of the items, the probability of each level. Where the rating itself is normal, a level
// has the interval that is nearer to it than to others.
func (f *posterior) LevelProbs(p model.Person, items []uint32, probs [][]float64) {
	t := f.enter(p)
	defer f.persons.Put(t)
	for k, item := range items {
		clear(probs[k])
		for draw := range f.kept {
			mean := t.mean(f, draw, item)
			deviation := math.Sqrt(1/f.noise[draw] + t.variance(f, draw, item))
			for l := range f.scale.levels {
				low, high := interval(f.cuts(draw), l)
				probs[k][l] += normalBetween((low-mean)/deviation, (high-mean)/deviation) / float64(f.kept)
			}
		}
	}
}

// expected is the expected rating of an ordered probit with this mean and standard deviation of the latent value: the
// lowest level, and each step up with the probability of having taken it.
func (s ratingScale) expected(cuts []float64, mean, deviation float64) float64 {
	sum := s.levels[0]
	for l, cut := range cuts {
		sum += (s.levels[l+1] - s.levels[l]) * normalBelow((mean-cut)/deviation)
	}
	return sum
}

// levelCurve is a table of the expected rating by the mean, at a deviation of 1. Between its entries it is linear,
// which is right to a part in 10,000 of a step between levels, and keeps the order of means.
type levelCurve struct {
	first float64
	value []float32
}

const (
	curveStep  = 1.0 / 32
	curveReach = 5.0 // beyond the outer cuts
)

func newLevelCurve(s ratingScale, cuts []float64) levelCurve {
	if len(cuts) == 0 {
		return levelCurve{value: []float32{float32(s.levels[0]), float32(s.levels[0])}}
	}
	first, last := cuts[0]-curveReach, cuts[len(cuts)-1]+curveReach
	c := levelCurve{first: first, value: make([]float32, 2+int((last-first)/curveStep))}
	for k := range c.value {
		c.value[k] = float32(s.expected(cuts, first+float64(k)*curveStep, 1))
	}
	return c
}

func (c *levelCurve) at(mean float64) float64 {
	place := (mean - c.first) / curveStep
	if !(place > 0) {
		return float64(c.value[0])
	}
	whole := int(math.Min(place, float64(len(c.value)-2)))
	share := min(place-float64(whole), 1)
	return float64(c.value[whole])*(1-share) + float64(c.value[whole+1])*share
}
