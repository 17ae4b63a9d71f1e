// Package logprob is arithmetic on log probabilities.
//
// Weights of ordered partitions span hundreds of orders of magnitude, so the
// project adds and averages them by their logarithms. Negative infinity stands
// for probability zero and is an ordinary value here; NaN never appears unless
// it was passed in.
package logprob
