// Package rank orders items for a person by a latent model.
//
// [Fold] computes the embedding of a person's tier list, the posterior means of the hidden units: nothing is trained
// and nothing stored. [Complete] scores any items by it, the paper's rank completion (docs/maths.md#completion). Applied to the items of the list
// itself it is the paper's rank reconstruction ([Reconstruct]); [Rebuild] adds ties, and [Compress] starts from fewer
// bits.
//
// An [Index] finds the best items of a whole catalogue, for one person or many at once. The scores of a [Folded]
// person are explained by their placements ([Folded.Explain]).
package rank
