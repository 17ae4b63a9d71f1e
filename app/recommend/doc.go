// Package recommend answers for one person or for millions: a model under rules of what
// may come, a tier list or ratings in, rows of items with their odds out, in several
// forms. The command fubini and the pipelines in beam/ give the same bytes because they
// both answer here.
package recommend
