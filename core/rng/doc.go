// Package rng gives every chain, user and epoch a random stream of its own,
// all derived from one seed, so that results do not depend on how work was
// divided among workers.
//
//	r := rng.Stream(seed, "chain", user)
//
// Algorithms do not ask for raw numbers but for choices, through the interface
// [Dice]: one of n, some fair coins, accept with a given probability, pick by
// weight. [Rand] rolls them. A second implementation, in infer/stattest, plays
// every outcome in turn with its probability, which turns the very code that
// samples into its own exact transition matrix.
package rng
