// Package ascent maximises an objective that is a sum over lists, plus a normal log prior, over
// the parameters of a catalogue of items: stochastic gradient ascent by batches of lists.
//
// [Run] is the loop: epochs over all lists in a new random order, and one update of the
// parameters for each batch. An [Objective] computes the gradient of one list: package slots
// has the slot likelihood, package chains the likelihood by persistent Markov chains. The
// gradient of the [Prior] is divided over the batches of an epoch in proportion to their sizes,
// and acts on all items. [Newton] divides steps by an estimate of the curvature; [Absolute]
// does not, as in the paper. See docs/maths.md#stochastic-approximation.
//
// Results depend on the seed and not on the number of workers.
package ascent
