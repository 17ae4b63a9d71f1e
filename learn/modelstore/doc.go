// Package modelstore trains models for use and keeps them: [Train] fits a recipe of package registry to ratings, with
// validation, checkpoints and calibrated odds; [Saved] is the result, a model with its items, in memory or in a file.
package modelstore
