// Package maps has exploratory views of latent vectors: neighbours ([Nearest]), clusters
// ([KMeans], [Groups]), and maps in two dimensions by principal components ([NewPCA]) or t-SNE
// ([TSNE]).
//
// The vector of an item is its row of W, that of a person the posterior means of the hidden
// units. [NewItemMap] has both on one map. Every result is the same for any number of workers.
// The maths is in docs/maths.md#maps.
package maps
