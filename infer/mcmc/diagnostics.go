package mcmc

import (
	"fmt"
	"iter"
	"math"

	"fubini/core/vec"
)

// EffectiveSize is the number of independent draws that would estimate the mean of
// a statistic as well as these chains do: the split-chain estimate of Vehtari,
// Gelman, Simpson, Carpenter and Bürkner (2021), without rank normalisation.
// Its formulas, with the letters used here, are in docs/maths.md#diagnostics.
//
// chains[c][i] is the statistic at draw i of chain c. The middle draw of an odd number
// belongs to neither half and is not used. The result is that of ArviZ's ess(method="mean"), but for chains of
// fewer than ten draws, which ArviZ always gives the cap, and for lags that run out at a positive pair
// with a negative even term, which ArviZ adds.
//
// A statistic that never changes gives S: there is nothing to estimate. Halves
// that are each constant, but not all at one value, give len(chains), the limit as
// W goes to 0 in long chains. A draw that is NaN or infinite, or whose squared deviation
// overflows, gives NaN. EffectiveSize panics unless there is at least one chain, all of one length, of at
// least four draws.
//
// The cost is S times the lags needed: a few times τ for chains that mix, but S·n/2 for
// chains so far apart that ρ_t never falls to 0.
func EffectiveSize(chains [][]float64) float64 {
	within, plus := splitVariances(chains)
	return effectiveSize(chains, within, plus)
}

// SplitRHat is the factor by which the scale of a statistic might still shrink
// if the chains ran on, √(var⁺/W), with var⁺ and W over half chains (docs/maths.md#diagnostics). Chains that
// agree give about 1, sometimes a little less; above 1.01 they have not been run for long enough. It is
// ArviZ's rhat(method="split"), but takes a single chain too.
//
// A statistic that never changes gives 1; halves that are each constant, but
// not all at one value, give +Inf. NaN and panics are those of [EffectiveSize].
func SplitRHat(chains [][]float64) float64 {
	within, plus := splitVariances(chains)
	if within == 0 && plus == 0 {
		return 1
	}
	return math.Sqrt(plus / within)
}

// StandardError is the Monte Carlo standard error of the mean of all draws, √(var⁺/ESS), with
// both as in [EffectiveSize]. ArviZ's mcse has the variance of all draws about their common mean in the
// place of var⁺: the same for long chains that mix, less for chains that disagree.
//
// A statistic that never changes gives 0; halves that are each constant, but
// not all at one value, give √(V/len(chains)), V the variance of those values. NaN and panics are those of [EffectiveSize].
func StandardError(chains [][]float64) float64 {
	within, plus := splitVariances(chains)
	return math.Sqrt(plus / effectiveSize(chains, within, plus))
}

// effectiveSize is [EffectiveSize] for chains whose W and var⁺ are known.
func effectiveSize(chains [][]float64, within, plus float64) float64 {
	n := len(chains[0]) / 2
	size := float64(2 * len(chains) * n) // S
	switch {
	case math.IsNaN(plus):
		return math.NaN()
	case plus == 0:
		return size
	case within == 0:
		return float64(len(chains))
	}

	deviations := make([]float64, 0, 2*len(chains)*n) // half after half
	for half := range halves(chains) {
		step := meanStep(half)
		for _, x := range half {
			deviations = append(deviations, x-half[0]-step)
		}
	}
	rho := func(lag int) float64 {
		var products float64
		for start := 0; start < len(deviations); start += n {
			half := deviations[start : start+n]
			products += vec.Dot(half[:n-lag], half[lag:])
		}
		return 1 - (within-products/size)/plus // γ_lag = products/(m·n)
	}

	var tau float64 // stays 0, which means the cap, if P_0 is not positive
	if lowest := 1 + rho(1); lowest > 0 {
		tau = -1 + 2*lowest
		for lag := 2; lag+1 <= n-2; lag += 2 {
			even, odd := rho(lag), rho(lag+1)
			if lag+3 > n-2 || !(even+odd > 0) {
				tau += max(even, 0)
				break
			}
			lowest = min(lowest, even+odd)
			tau += 2 * lowest
		}
	}
	return size / max(tau, 1/math.Log10(size))
}

// splitVariances returns W and var⁺ of [EffectiveSize], both NaN if a draw is
// not finite or a square overflows. It panics on the wrong shape. Halves that
// are constant have exactly no variance.
func splitVariances(chains [][]float64) (within, plus float64) {
	if !finiteDraws(chains) {
		return math.NaN(), math.NaN()
	}
	n := float64(len(chains[0]) / 2)
	var m, centre, between float64 // halves so far; the mean and summed squared deviations of their means
	for half := range halves(chains) {
		step := meanStep(half)
		for _, x := range half {
			deviation := x - half[0] - step
			within += deviation * deviation
		}
		mean := half[0] - chains[0][0] + step // every mean as distance from one draw, which takes an offset away
		m++
		change := mean - centre
		centre += change / m
		between += change * (mean - centre)
	}
	within /= m * (n - 1)
	plus = within*(n-1)/n + between/(m-1)
	if math.IsInf(plus, 0) || math.IsNaN(plus) {
		return math.NaN(), math.NaN()
	}
	return within, plus
}

// finiteDraws reports whether every draw is finite. It panics on the wrong shape.
func finiteDraws(chains [][]float64) bool {
	if len(chains) == 0 {
		panic("mcmc: diagnostics of no chains")
	}
	finite := true
	for c, chain := range chains {
		if len(chain) != len(chains[0]) {
			panic(fmt.Sprintf("mcmc: chain %d has %d draws, chain 0 has %d", c, len(chain), len(chains[0])))
		}
		if len(chain) < 4 {
			panic(fmt.Sprintf("mcmc: %d draws in a chain, diagnostics need 4", len(chain)))
		}
		for _, x := range chain {
			finite = finite && !math.IsNaN(x) && !math.IsInf(x, 0)
		}
	}
	return finite
}

// halves yields the first and the last half of every chain.
func halves(chains [][]float64) iter.Seq[[]float64] {
	return func(yield func([]float64) bool) {
		for _, chain := range chains {
			n := len(chain) / 2
			if !yield(chain[:n]) || !yield(chain[len(chain)-n:]) {
				return
			}
		}
	}
}

// meanStep is the mean of the draws less the first of them: exactly 0 for equal
// draws, and as precise for draws far from 0 as for draws around it.
func meanStep(draws []float64) float64 {
	var sum float64
	for _, x := range draws {
		sum += x - draws[0]
	}
	return sum / float64(len(draws))
}
