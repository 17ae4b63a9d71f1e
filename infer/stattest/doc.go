// Package stattest holds tools for tests of samplers that can fail.
//
// A sampler that leaves its choices to [rng.Dice] can be played out in full:
// [Outcomes] runs the same code once for every way the dice may fall and gives
// the probability of each. [Transitions] does so from every state of a small
// space, which gives the exact transition matrix of the code itself, and
// [InvarianceGap] is how far one step moves the distribution that the
// sampler is meant to leave alone. No randomness, no tolerance to haggle over.
//
// Where spaces are too large to list, [ChiSquare] compares counts with
// probabilities and [ZScore] a Monte Carlo mean with the truth.
package stattest
