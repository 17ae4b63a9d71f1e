// Package ascent maximises an objective that is a sum over lists, plus a normal log prior,
// in the parameters of a catalogue: stochastic gradient ascent over blocks of lists.
//
// [Run] is the loop: epochs over all lists in a new random order, blocks of lists, one
// update of the parameters per block. An [Objective] computes the gradient of one list:
// package slots has the slot likelihood, package chains the likelihood by persistent Markov
// chains. The prior acts on all items at every block, in proportion to its size; a [Prior]
// has a mean, a precision and a slope for every parameter of an item. [Newton] scales steps
// by an estimate of the curvature; [Absolute] does not, as in the paper.
// See docs/maths.md#stochastic-approximation.
//
// Results depend on the seed and not on the number of workers.
package ascent
