// Package interest fits the model of picks of package fubini/model/interest, in closed form but for a few leading
// singular vectors. Ratings weigh the placements; a set of picks alone will do.
//
// Near: every item is regressed on the others by ridge regression. With G the co-occurrence counts, each list weighted
// by a power of its length, and P the inverse of G + κ diag(G) + λ, the weight of item i for item j is -P_ij / P_jj.
// κ = (1 - share) / share makes it, in expectation, the regression of a list on a random share of itself.
//
// Smooth: with X the lists, each divided by the root of its length, and D a power of the items' sums of squares, V has
// the leading right singular vectors of X / D, and the low-rank part projects a list on them: Q = V / D, R = V D.
//
// What was tried, and the measurements behind the defaults: docs/ideas-interest.md and docs/ideas-interest-lists.md.
package interest
