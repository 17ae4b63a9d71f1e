// Package tune chooses the settings of a model by cross-validation within the training part of
// a split. It reads a [ratings.Training] only, so that test ratings cannot influence the
// choice.
package tune
