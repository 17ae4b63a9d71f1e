// Package osm is the Ordered Set Model: a log-linear distribution over ordered
// partitions, with a potential for every pair of items that share a block and
// one for every pair of which one stands above the other.
//
// Three forms of one model, from general to fast:
//
//   - [Subsets]: any potential of a block and of two ordered blocks, as in the
//     paper's definition. It can only be weighed whole.
//
//   - [Pairs]: any potentials of pairs, usually from [Features], the log-linear
//     form with feature functions and weights that can be learned.
//
//   - [Worths]: the paper's own choice, in which every item has a worth u_i and
//     ties a common weight nu, so that
//
//     log weight = sum of u_i s_i + nu C
//
//     with mid-rank scores s_i and C tied pairs. Gains cost O(n), a slot O(1). With
//     [Sizes] every block has a weight by its number of items too.
//
// All three satisfy the interfaces of infer/exact and infer/mcmc. A [Family]
// ties parameters to models and statistics, for learning: package learn/fit
// fits it, [Information] and [StandardErrors] say how far to trust the fit, and
// [Connectivity] whether there is one. See docs/maths.md#osm.
package osm
