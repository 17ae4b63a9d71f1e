// Package distributed fits an Ordered Set Model to users that are divided into parts (shards),
// for data that one machine does not hold.
//
// In every round each part starts from the same parameters and trains on its own users for some
// epochs, as packages slots and chains do. Then the parameters are averaged: those of an item
// with weights in proportion to its ratings in each part. The learning rate decays over all
// rounds, the result is the mean over the second half of all epochs, and persistent chains stay
// with their lists, as on one machine.
//
// In the first round each part has a share of the prior of each item, in proportion to its
// share of the item's ratings. For a quadratic objective the average is then the joint maximum:
// with n ratings in all and s in a part, curvature h, prior precision A and the part's own
// estimate e, a part finds s h e / (s/n A + s h), and the average with weights s/n is the sum
// of s h e over A + n h.
//
// The objective is not quadratic, and parts would drift apart. So with the slot likelihood two
// things are added. First, a warm start: one part trains alone for a round, so that the hidden
// units have the same meaning in all parts; the first round, half as long as the others, starts
// from there. Second, a correction term: from the second round on the gradients of all parts at
// the common parameters are summed first, and each part trains on its own lists with the full
// prior and the gradient of all other parts ([ascent.Correction]). See
// docs/maths.md#distributed.
//
// Co-occurrence features ([cooccurrence.Features]) are computed from all lists too: the largest
// part computes initial features, and two passes over all parts improve them. Their
// coefficients are estimated in the warm start and in the first round.
//
// Sums are of integers ([Sum]), so that the result does not depend on the order of parts or on
// partial sums, to the bit.
package distributed
