// Package odds computes the probability of every place that an item may take among a person's
// tiers, and measures whether these probabilities are calibrated.
//
// T tiers have 2T+1 places, called slots: each tier, and the gaps above, between and below
// them. A [Placer] computes the odds of the slots from a latent model. A model of orders has no
// parameters for the use of a rating scale, so a [Calibration] corrects its log weights; [Fit]
// estimates one from held-back ratings. For tiers without ratings, a [Guess] is a distribution
// over the ratings that they stand for. [Placer.Chances] chooses sets of items.
//
// [Judge] compares the odds of any [Forecaster] with held-out ratings: reliability in bins of
// equal mass, the expected calibration error, and the log loss. See docs/maths.md#calibration.
package odds
