// Package distributed trains a model of the Ordered Set family on users that are divided into
// parts, as they are when there are more of them than one machine holds.
//
// In every round each part starts from the same point and trains on its own users for
// some epochs, as packages slots and chains do; then the points are averaged, an item's
// parameters in proportion to how often each part saw it. Everything else is as on one
// machine: the rate falls over all rounds, the result is the mean over
// the second half of all epochs, and persistent chains stay with their lists.
//
// In the first round a part has the share of an item's prior that it has of its
// ratings. Where the objective is quadratic the average is then the point that all
// users together have: with n ratings in all, s in a part, curvature h and its own
// estimate e, a part finds s h e / (s/n A + s h), which depends on s only through
// e, and the average over parts with weights s/n is the sum of s h e over A + n h.
//
// It is not quadratic, and parts would drift apart. So with the slot likelihood two
// things are added. A warm start, one part alone for a round, makes the point that the first
// round, half as long as the others, starts from, so that units have the same meaning
// everywhere. And from the second round on the gradients of all parts at the common point are
// added up first; each part then trains on its own lists with the prior in full and the
// gradient of all others as a correction term ([ascent.Correction]).
// See docs/maths.md#distributed.
//
// Co-occurrence features ([cooccurrence.Features]) must come from all lists, too. So before
// the warm start the largest part computes some, and two passes over all parts improve them;
// their coefficients are learned in the warm start and in the first round.
//
// Sums are of whole numbers (see [Sum]), so that neither the order of parts nor how
// they were added up before changes a bit of the result.
package distributed
