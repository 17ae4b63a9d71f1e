// Package interest has the model of what people pick, whatever order they put it in: the score of an item for a person
// is linear in which items are in their list,
//
//	s_j = base_j + sum over listed i of [ω(n) L_ij + (1 - ω(n)) S_ij],  ω(n) = n / (n + half),
//
// with two sparse matrices of weights: L is fitted for long lists, S for short ones, of which most is still to come. A
// list of n items lies between the two. No item predicts itself, so that the score of a listed item is the one given the others. Folding in a new
// list is adding up rows; no person is stored. Package fubini/learn/interest fits the weights. See docs/interest.md.
package interest
