// Package rounds trains a model of the Ordered Set family on users that are divided into
// parts, as they are when there are more of them than one machine holds.
//
// In every round each part starts from the same point and trains on its own users for
// some epochs, as [train.FitLatent] does; then the points are averaged, an item's
// parameters in proportion to how often each part saw it. Everything else goes on as if
// nobody had been divided: the rate falls over all rounds, the result is the mean over
// the second half of all epochs, and persistent chains stay with their lists.
//
// In the first round a part bears the share of an item's prior that it has of its
// sightings. Where the objective is quadratic the average is then the point that all
// users together have: with n sightings in all, s in a part, curvature h and its own
// estimate e, a part finds s h e / (s/n A + s h), which does not depend on s but through
// e, and the average over parts with weights s/n is the sum of s h e over A + n h.
//
// It is not quadratic, and parts would drift apart. So with the slot likelihood two
// things are added. A pilot, one part alone for a round, makes the point that the first round,
// half as long as the others, starts from, so that units stand for the same thing everywhere. And from the
// second round on all parts tell their slope at the common point first; then each trains for
// all: on its own lists, the prior in full, and for everybody else the parabola that
// [ascent.Correction] describes. See docs/maths.md#distributed.
//
// What training knows of items by who placed them ([cooccurrence.Features]) must come from all
// lists, too. So before the pilot the largest part guesses it, and two passes over all parts
// mend the guess; its coefficients are learned by the pilot and in the first round.
//
// Sums are of whole numbers (see [Sum]), so that neither the order of parts nor how
// they were added up before changes a bit of the result.
package distributed
