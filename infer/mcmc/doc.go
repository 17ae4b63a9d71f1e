// Package mcmc samples ordered partitions by Markov chains.
//
// A [Kernel] moves a state one step and leaves its target distribution
// unchanged; loops, burn-in and thinning belong to the caller. Three kernels
// move partitions: [SplitMerge], the paper's Metropolis-Hastings with its
// proposal corrected; [Reinsertion], a Gibbs sampler that removes one item and draws
// its slot from the exact conditional distribution, and mixes far better; and
// [NewMixed], both in turn. [Cycle] and [Repeat] combine kernels of any state.
//
// A target distribution is given by the methods that a kernel calls: the change in
// log weight by a split and a merge ([SplitTarget]), or the weights of slots ([SlotTarget]).
//
//	kernel, err := mcmc.NewReinsertion(model, partition.Space{})
//	...
//	for range sweeps {
//		kernel.Step(r, x, nil) // one sweep over all items
//	}
//
// The maths is in docs/maths.md, from #split-proposal to #spaces.
package mcmc
