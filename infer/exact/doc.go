// Package exact computes the truth for small numbers of items, against which
// every sampler and estimator of the project is held.
//
// Two independent methods compute the same quantities:
//
//   - [List] visits all Fubini(N) ordered partitions, for any model at all, to
//     N = [MaxListed];
//   - [NewTable] sums over subsets in O(3^N) time and O(2^N) memory, for models
//     whose order potentials are pairwise (block potentials may be anything), to
//     N = [MaxItems]. N = 10 takes well under a millisecond.
//
// Both give the normaliser log Z, the pair probabilities P(i above j) and
// P(i ~ j), the expected mid-rank scores and tie count, and exact independent
// draws; both can be confined to partitions with a limited number of blocks.
// The recursion is derived in docs/maths.md#subset-table.
package exact
