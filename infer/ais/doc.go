// Package ais estimates normalisers by annealed importance sampling.
//
// A [Problem] is a path of distributions P*(x | tau)/Z(tau), from one whose
// normaliser is known and which can be drawn from exactly, at tau = 0, to the
// one in question, at tau = 1. [Run] anneals along the path many times; each run
// ends with a weight whose mean is Z(1)/Z(0) whatever the kernel and however few
// the steps. The runs are spread over cores; the result depends on the seed alone. See
// docs/maths.md#annealing.
package ais
