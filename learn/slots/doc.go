// Package slots fits the latent model by the slot likelihood, a composite likelihood: the
// product, over the items of a list, of the conditional probability of the item's slot given
// the order of all other items. A slot is a tier or a gap between tiers. The gradient is exact,
// without Markov chains, and recommendations use the same conditional probability.
//
// [Options.Fit] runs the loop of package ascent on this objective. Everything else is part of
// the prior. Rating levels ([Levels]) are a regressor in the prior mean of worths.
// Co-occurrence features (package cooccurrence) are regressors in the prior mean of all
// parameters of an item. See docs/maths.md#slot-likelihood.
package slots
