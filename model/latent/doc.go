// Package latent is the Latent Ordered Set Model: an ordered set model with hidden
// units h, the tastes of a person.
//
// Unit k has a worth W_ik for every item, and may have a tie weight nu_k and a bias b_k. Its
// log weight of a tier list X, the activation a_k(X) = b_k + sum of W_ik s_i + nu_k C, is
// multiplied by h_k and added to that of the model without units, called the base. The
// units are independent given X:
//
//   - [Binary] units, the paper's, are on with probability logistic(a_k);
//   - [Gaussian] units are normal with mean a_k and variance 1. They do not
//     saturate, and can be summed out in closed form.
//
// Given the units, X follows a worth model again ([Model.Conditional]); with the
// units summed out it has the log weight [Model.LogWeight]. Both ways lead to
// samplers: [Alternating] is the paper's Algorithm 2, and [Marginal] is a target for
// the kernels of infer/mcmc. [Catalogue] has the parameters of all items, [Model] those
// of one list. [SlotLikelihood] and [Contrast] are the gradients for the two ways of
// training. See docs/maths.md#latent.
package latent
