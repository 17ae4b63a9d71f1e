// Package evaluate judges models by how they rank held-out ratings.
//
// A [Model] is fitted on a ratings.Training, which leads to no held-out rating,
// and becomes a [Ranker]: something that scores items for a user of whom some
// ratings are known. [Run] does both over a split and keeps every user's value
// of every metric, so that means come with intervals ([Result.Mean]) and two
// models can be compared user by user ([Compare]).
//
// Work is spread over cores; results depend on the seed alone.
package evaluate
