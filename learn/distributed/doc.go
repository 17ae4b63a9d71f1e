// Package distributed fits an Ordered Set Model to users that are divided into parts (shards),
// for data that one machine does not hold.
//
// Training is a sequence of steps. In each, all parts start from the same state, every part
// computes its contribution alone ([Plan.Map]), and the sum of all contributions gives the next
// state ([Plan.Reduce]). The first steps are passes that find co-occurrence features
// ([cooccurrence.Features]) of all lists. The others are rounds: a part trains on its own users
// for one epoch or a few, as packages slots and chains do, and parameters are averaged, those of an
// item with weights in proportion to the number of its lists in each part. The learning rate
// decays over all rounds, the result is the mean over the second half of all epochs, and
// persistent chains stay with their lists, as on one machine. See docs/maths.md#distributed.
//
// Sums are of integers ([Sum]), so that the result does not depend on the order of parts or on
// partial sums, to the bit.
package distributed
