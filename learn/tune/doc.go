// Package tune chooses a model's settings by what they do for held-back ratings of the training part. It is given a
// [ratings.Training] and nothing else, so that no test rating can reach it.
package tune
