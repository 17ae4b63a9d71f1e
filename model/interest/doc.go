// Package interest has the model of what people pick: the score of an item for a person is linear in their list,
//
//	s_j = sum over listed i of x_i [B_ij + a(n) Q_i·R_j],  a(n) = smooth (1 + short / n),
//
// where x_i is the weight of a placement, B a sparse matrix of weights between items, Q and R are factors of low rank, and
// n is the length of the list. The low-rank part counts for more in a short list, which says little about single
// neighbours. An item does not predict itself, so that the score of a listed item is the one given the others. Folding
// in a list is adding up rows; no person is stored. Package fubini/learn/interest fits the weights. See docs/interest.md.
package interest
