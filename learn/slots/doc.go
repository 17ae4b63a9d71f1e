// Package slots fits the latent model by the slot likelihood: the product of the
// probabilities that each item of a list stands in the slot it has, given where all others
// stand. It needs no Markov chains, and it is the probability that recommendations use.
//
// Three things are added to the loop of package ascent, all by way of its prior. Rating
// levels ([Levels]) are a regressor in the prior mean of worths. Co-occurrence
// features (package cooccurrence) are regressors in the prior mean of all parameters of
// an item. For users divided into shards, [Options.GradientAt] and [ascent.Correction]
// put the lists of other shards into the prior. See docs/maths.md#slot-likelihood.
package slots
