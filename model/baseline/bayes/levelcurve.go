package bayes

import "math"

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
