// Package interest fits the model of picks of package fubini/model/interest. For every item the presence of the other
// items in a list predicts its own by ridge regression, in closed form: with G the co-occurrence counts, each list
// weighted by a power of its length, and P the inverse of G + κ diag(G) + λ, the weight of item i for item j is
// -P_ij / P_jj. κ = (1 - share) / share makes it the regression on a random share of each list in expectation
// (dropout): a share near one for long lists, a small one for short ones. The derivation is in docs/interest.md.
package interest
