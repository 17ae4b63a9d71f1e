// Package likelihood fits the visible model to votes by maximum likelihood, with or without a
// normal prior, and gives the covariance of the estimates.
//
// A vote is an ordered partition of a few items, with a weight. [Design] names the parameters:
// a worth for each item, the weights of ties, coefficients of covariates of items, of places
// and of votes, features of pairs as in the paper, and a reliability for each rater. Votes
// that have the same distribution are put together once ([Group]); what is left costs no more
// however often each of them was cast. [Data.Maximise] is Fisher scoring: Newton steps with the
// expected information, halved where the likelihood falls. Expectations are exact, by the
// three outcomes of a pair, by listing up to five items or two tiers, and by the subset table of
// infer/exact beyond, up to 16 items. Where a vote is longer, the slot likelihood takes the place
// of the likelihood: the probability of the place of each item given all others. Its errors are
// those of [Fit.Sandwich], and [Fit.Anneal] estimates the likelihood. With Choices a vote is a
// sequence of choices instead, of any length. See docs/maths.md#votes.
//
// Results do not depend on the number of workers.
package likelihood
