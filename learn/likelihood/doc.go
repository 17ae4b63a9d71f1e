// Package likelihood fits the visible model to votes by maximum likelihood, with or without a
// normal prior, and gives the covariance of the estimates.
//
// The model of one vote, and votes put together by their distribution, are package learn/ballot.
// [Data.Maximise] is Fisher scoring: Newton steps with the expected information, halved where the
// likelihood falls. Expectations are exact up to 16 items. Where a vote is longer, the slot
// likelihood takes the place of the likelihood: its errors are those of [Fit.Sandwich], and
// [Fit.Anneal] estimates the likelihood. See docs/maths.md#votes.
//
// Results do not depend on the number of workers.
package likelihood
