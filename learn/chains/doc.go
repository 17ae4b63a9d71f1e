// Package chains fits the latent model by maximum likelihood with persistent Markov chains: the
// paper's stochastic approximation.
//
// Every list has a chain over the orders of its items. At each visit the hidden units are drawn
// given the order of the chain, the order moves by splits and merges given the units (the
// paper's Algorithm 2), and the gradient is the statistics of the observed list minus those of
// the chain. [Paper] has the paper's settings: a constant step size, one tie weight for model
// and units, no prior, the last point. [Defaults] divide steps by the curvature, add priors,
// and average the second half of the epochs. The loop is that of package ascent. See
// docs/maths.md#stochastic-approximation.
package chains
