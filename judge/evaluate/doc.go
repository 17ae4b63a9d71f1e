// Package evaluate judges models by how they rank held-out ratings.
//
// A [Model] is fitted to a ratings.Training, which has no held-out ratings. The fitted model is a
// [Ranker]: it scores items for a user of whom some ratings are known. [Run] does both over a split. Its [Result] has
// every user's value of every metric, for means with intervals ([Result.Mean]) and paired comparisons ([Compare]).
//
// Work is spread over cores; results depend on the seed alone.
package evaluate
