// Package reliability computes the likelihood of votes whose raters differ in reliability: a factor on all worths, drawn for each
// rater from a log-normal distribution of mean 1 and integrated out.
//
// The integral over the log reliability of a rater is a sum over equidistant points around its posterior mean, with its gradient,
// and the observed information by Louis' formula. The distribution of a vote depends on its rater through the reliability alone.
// Where several raters voted on the same items, the points of all of them are on one grid, what costs time is done once for each
// outcome and point of the grid, and a rater's part is a sum of numbers looked up. See docs/maths.md#raters.
//
// Results do not depend on the number of workers.
package reliability
