// Package modelstore trains models for use and keeps them. [Train] fits a recipe of package
// registry to ratings, with validation, checkpoints and calibrated tier probabilities. [Saved]
// is the result: a fitted model with its items, in memory or in a file. [Extend] adds new users
// and items to it.
package modelstore
