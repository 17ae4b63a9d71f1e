// Package osm is the Ordered Set Model: a log-linear distribution over ordered partitions, with
// a potential for every tied pair of items and one for every ordered pair.
//
// [Worths] is the model that the paper uses: every item has a worth u_i, all ties have the
// weight nu, and
//
//	log weight = sum of u_i s_i + nu C
//
// with mid-rank scores s_i and C tied pairs. The change by a split or merge costs O(n), the
// weight of a slot O(1). [SizeWeights] add a weight by block size. [Features] is the general model:
// log potentials of pairs are weighted sums of feature functions.
//
// [Worths] and [Visible.Model] implement the interfaces of infer/exact and infer/mcmc. Packages
// learn/likelihood and learn/chains estimate the parameters that all lists share; [Connected]
// decides whether estimates exist. See docs/maths.md#osm.
package osm
