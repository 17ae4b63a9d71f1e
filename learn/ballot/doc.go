// Package ballot is the model of one vote, and votes put together by their distribution.
//
// A vote is an ordered partition of a few items, with a weight. [Design] names the parameters:
// a worth for each item, the weights of ties, coefficients of covariates of items, of places
// and of votes, features of pairs as in the paper, and a reliability for each rater. [Gather]
// puts votes that have the same distribution together once; what is left costs no more
// however often each of them was cast. [Local] is the model of such a vote in hand: the log weight
// of an outcome, its statistics, and their mean and covariance. Expectations are exact, by
// listing the outcomes of up to five items or of two tiers, and by the subset table of
// infer/exact beyond, up to 16 items. Where a vote is longer, the slot likelihood takes the place
// of the likelihood: the probability of the place of each item given all others. With Choices a
// vote is a sequence of choices instead, of any length. See docs/maths.md#votes.
//
// Package learn/likelihood sums up over votes, and fits.
package ballot
