// Package chains fits the latent model by maximum likelihood with persistent Markov chains:
// the paper's stochastic approximation.
//
// Every list keeps a chain over its own items. At each visit the hidden units are drawn
// given the chain's order (the paper's Algorithm 2), the order moves by splits and merges given
// the units, and the parameters follow the statistics of the observed list minus those of
// the chain. [Paper] has the paper's settings: steps of a fixed rate, one tie weight for
// base and units, no prior, the last point. [Defaults] scale steps by the curvature,
// add priors and average the second half of the epochs. The loop is that of package ascent.
// See docs/maths.md#stochastic-approximation.
package chains
