package latent

import "fubini/core/partition"

// SlotLikelihood is a composite likelihood of one list: the sum, over its items, of the log
// conditional probability of the item's slot given the order of all other items. With T tiers
// left there are 2T+1 slots, and the probability of slot s is
//
//	p_s = exp(F_s) / sum over r of exp(F_r),
//
// where F_s is [Model.LogWeight] of the list with the item in slot s: the hidden units are
// summed out. So each item adds to the gradient
//
//	sum over s of ([s is observed] - p_s) dF_s/dtheta,
//	dF/du_i = s_i, dF/dW_ik = s_i E[h_k], dF/db_k = E[h_k], dF/dnu = C,
//
// with scaled scores s_i, posterior means E[h_k] and C scaled tied pairs, all at slot s. The
// bracket is called the residual. Recommendations use the same probabilities. See
// docs/maths.md#slot-likelihood.
//
// It holds scratch space: use one for each goroutine.
type SlotLikelihood struct {
	Gradient // of the last list, without that of the units' tie weights, which is left zero

	gaussian gaussianSlots // for Gaussian units without tie weights: those of the default
	general  generalSlots  // for any units: the reference
	slow     bool          // tests only: always the general pass
}

// Set computes the log slot likelihood of a list and its gradient, in O(N T K).
func (l *SlotLikelihood) Set(m *Model, x *partition.Partition) (logLikelihood float64) {
	l.Gradient.reset(m)
	if m.units == Gaussian && !m.unitTies && !l.slow {
		return l.gaussian.set(&l.Gradient, m, x)
	}
	return l.general.set(&l.Gradient, m, x)
}
