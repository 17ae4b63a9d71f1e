// Package mcmc samples ordered partitions by Markov chains.
//
// A [Kernel] moves a state one step and leaves its target distribution
// unchanged; loops, burn-in and thinning belong to the caller. Three kernels
// know partitions: [SplitMerge], the paper's Metropolis-Hastings with its
// proposal corrected; [Reinsertion], which lifts one item and draws its place
// exactly from all slots, and mixes far better; and [NewMixed], both in turn.
// [Cycle], [Repeat] and [Mixture] combine kernels of any state.
//
// A target is known only by what a kernel asks of it: gains of a split and a
// merge ([SplitTarget]), or weights of slots ([SlotTarget]). Any model that can
// weigh a whole partition becomes both through [Slow].
//
//	kernel, err := mcmc.NewReinsertion(model, partition.Space{})
//	...
//	for range sweeps {
//		kernel.Step(r, x, nil) // one sweep over all items
//	}
//
// The maths is in docs/maths.md, from #split-proposal to #spaces.
package mcmc
