// Package maps looks at latent vectors from above: which are near each other
// ([Nearest]), which go together ([KMeans], [Groups]), and where they lie on a flat map,
// by principal components ([NewPCA]) or by t-SNE ([TSNE]).
//
// Items are vectors by their rows of W, people by the posterior means of their units.
// [NewItemMap] puts both on one map. Every result is the same for any number of
// workers. The maths is in docs/maths.md#maps.
package maps
