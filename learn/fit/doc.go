// Package fit estimates the parameters of the visible model, by maximum likelihood or with
// a normal prior.
//
// [Fit] takes any family of ordered set models, with worths or with features. Short lists
// have exact expectations; each longer list has a persistent Markov chain over its own
// items. At each visit the chain moves under the current parameters, and the parameters
// move by the observed statistics minus those of the chain: the paper's stochastic
// approximation. Two things are added. Steps are scaled by a running estimate of the Fisher
// information, so that features of any scale are learned at one rate. The result is the
// average over the second half of the run. See docs/maths.md#stochastic-approximation.
//
// [FitUnits] does the same for hidden units on any family, by the alternating chain of package latent.
//
// Results depend on the seed and not on the number of workers.
package fit
