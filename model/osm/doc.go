// Package osm is the Ordered Set Model: a log-linear distribution over ordered
// partitions, with a potential for every pair of items that share a block and
// one for every pair of which one stands above the other.
//
// Two forms of one model:
//
//   - [Features]: any potentials of pairs, as weighted sums of feature functions, whose
//     weights can be learned.
//
//   - [Worths]: the paper's own choice, in which every item has a worth u_i and
//     ties a common weight nu, so that
//
//     log weight = sum of u_i s_i + nu C
//
//     with mid-rank scores s_i and C tied pairs. Gains cost O(n), a slot O(1). With
//     [Sizes] every block has a weight by its number of items too.
//
// Both satisfy the interfaces of infer/exact and infer/mcmc. A [Family]
// ties parameters to models and statistics; package learn/fit fits it. [Information] and [StandardErrors]
// give the precision of a fit, [Connectivity] whether a maximum of the likelihood exists. See docs/maths.md#osm.
package osm
