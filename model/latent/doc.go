// Package latent is the Latent Ordered Set Model: hidden units on top of an
// ordered set model, which stand for tastes.
//
// Every unit k is an ordered set model of its own, with worths W_ik and perhaps
// a tie weight and a bias, that counts as much as the unit is active. With the
// activations a_k(X) = b_k + sum of W_ik s_i + nu_k C of a tier list X, the units
// are independent given X:
//
//   - [Binary] units, the paper's, are on with probability logistic(a_k);
//   - [Gaussian] units are normal with mean a_k and variance 1. They do not
//     saturate, and can be summed out in closed form.
//
// Given the units, X follows a worth model again ([Model.Conditional]); with the
// units summed out it has the log weight [Model.LogWeight]. Both ways lead to
// samplers: [Alternating] is the paper's Algorithm 2, and the model itself is a
// target for the kernels of infer/mcmc. See docs/maths.md#latent.
package latent
