package slots

import (
	"math"

	"fubini/core/vec"
	"fubini/learn/ascent"
	"fubini/model/latent"
)

// Discounted returns a copy of the parameters in which the worth and the unit weights of every item have a factor that falls with
// the posterior variance of its score, so that items in few lists are ranked nearer to the middle. Prior and curvature are those
// of the fit, times is the number of lists that each item is in. The mean of the factors over all places of lists is 1, and
// worths move towards their mean over places. See docs/maths.md#discount.
func Discounted(c *latent.Catalogue, prior *ascent.Prior, h ascent.Curvature, times []float64) *latent.Catalogue {
	factors := make([]float64, c.Items)
	var places, factor, worth float64
	for i, n := range times {
		variance := scoreVariance(c.K, prior, h, n)
		if math.IsInf(variance, 1) { // without a prior nothing is known of an item in no list: there is no posterior
			variance = 0
		}
		factors[i] = flattened(c.Size, variance)
		places += n
		factor += n * factors[i]
		worth += n * c.U[i]
	}
	if places == 0 {
		return c
	}
	factor, worth = factor/places, worth/places
	discounted := c.Clone()
	for i, f := range factors {
		f /= factor
		discounted.U[i] = worth + f*(c.U[i]-worth)
		vec.Scale(discounted.W[i*c.K:(i+1)*c.K], f)
	}
	return discounted
}

// scoreVariance is the posterior variance, by Laplace's method, of the score u + w·a of an item that is in n lists, with its worth
// u and its weights w independent. The gradient of w in a list is that of u times the activations a of the units, so that the
// ratio of the two curvatures stands for the square of a; the units share the curvature of w.
func scoreVariance(k int, prior *ascent.Prior, h ascent.Curvature, n float64) float64 {
	variance := 1 / (prior.U + n*h.U)
	if k > 0 && h.U > 0 {
		variance += h.W / h.U / (prior.W + n*h.W/float64(k))
	}
	return variance
}

// flattened is the factor by which the log odds of two outcomes are lower when they are averaged over a normal score (MacKay 1992). Of the
// top and the bottom slot of a list they are size times the score; and because every comparison enters the slot likelihood twice,
// once for either item, the variance is twice that by the curvature.
func flattened(size, variance float64) float64 {
	return 1 / math.Sqrt(1+math.Pi/8*size*size*2*variance)
}
