// Package odds gives the probability of every place that an item may take among a person's tiers, and checks that
// these probabilities hold.
//
// T tiers leave 2T+1 places, called slots: each tier, and the gaps above, between and below them. A [Placer] computes
// the odds of the slots from a latent model. A model of orders does not know how people use a rating scale, so a
// [Calibration] corrects its log weights; [Fit] estimates one from held-back ratings. Where tiers come without
// ratings, a [Guess] estimates which ratings they stand for. [Placer.Chances] chooses sets of items.
//
// [Judge] compares the odds of any [Forecaster] with held-out ratings: reliability in bins of equal mass, the expected
// calibration error, and the log loss. See docs/maths.md#calibration.
package odds
