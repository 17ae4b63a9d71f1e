// Package interest has the model of what people pick: the score of an item for a person is linear in their list,
//
//	s_j = f_j sum over listed i of x_i [B_ij + c(n) r sum over k of a_k(n) Q_ik R_jk] / (1 + c(n)),
//	a_k(n) = e_k / (e_k + noise / n),    c(n) = smooth (20 / n)^short,
//
// where x_i is the weight of a placement, B a sparse matrix of weights between items, Q and R are factors of low rank
// with eigenvalues e, n is the length of the list, f_j a power of the item's popularity, and r makes both parts equally
// long vectors. A short list says little about single neighbours, so that the low-rank part counts for more in it, and
// of that the units in which people differ most. An item does not predict itself: the score of a listed item is the one
// given the others. Folding in a list is adding up rows; no person is stored. Package fubini/learn/interest fits the
// weights. See docs/interest.md.
package interest
