// Package rank turns a learned latent model and what a person said into an order
// of items for them.
//
// [Fold] reads a person's tier list into a taste, the posterior means of the
// hidden units: no training, nothing stored. [Complete] scores any items by it,
// the paper's rank completion; applied to the items of the list itself, from the
// taste alone, it is the paper's rank reconstruction ([Reconstruct]), with ties
// [Rebuild], and from fewer bits [Compress].
//
// A [Shelf] finds the best of a whole catalogue, a [Crowd] does so for many people
// at once. A [Person] places items among the tiers with odds, read as [FitReading]
// found on held-back ratings that they hold, takes scores apart by placements
// ([Person.Explain]) and is given whole sets ([Person.Chances]).
package rank
