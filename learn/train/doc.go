// Package train fits families of ordered set models to observed lists.
//
// [Fit] is stochastic approximation with persistent chains, the paper's way of
// learning: every list keeps a chain over its own items; at each visit the
// chain makes a short move under the current parameters, and the parameters
// move towards the observed statistics and away from the chain's. Two things
// are added: steps are scaled by a running estimate of the Fisher information,
// so that features of any scale can be learned at one rate, and the result is
// the average over the second half of the run. See
// docs/maths.md#stochastic-approximation.
//
// Results depend on the seed and not on the number of workers.
package train
