package mcmc_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"fubini/core/rng"
	"fubini/infer/mcmc"
	"fubini/infer/stattest"
)

// autoregressive returns stationary chains x ← memory·x + √(1−memory²)·noise.
// They have mean 0, variance 1, autocorrelation memory^t at lag t and so an
// autocorrelation time of (1+memory)/(1−memory).
func autoregressive(seed uint64, replication, count, draws int, memory float64) [][]float64 {
	chains := make([][]float64, count)
	fresh := math.Sqrt(1 - memory*memory)
	for c := range chains {
		r := rng.Stream(seed, "autoregressive", uint64(replication), uint64(c))
		x := r.NormFloat64()
		chains[c] = make([]float64, draws)
		for i := range chains[c] {
			chains[c][i] = x
			x = memory*x + fresh*r.NormFloat64()
		}
	}
	return chains
}

// The effective size and the standard error against the known truth, over 200
// replications of 4 chains of 2000 draws.
//
// share = ESS·(1+ρ)/(1−ρ)/draws should be 1. Its bias and standard deviation
// in the table were measured by the same loop over 1000 replications of seed 99;
// the bias is what Geyer's rule costs at this length and shrinks with more
// draws. The average of 200 may lie 6 of its standard errors from 1 + bias.
//
// Scores (mean − truth)/StandardError should be standard normal, and their sum
// of squares chi-square, in both tails. The same scores with the error of
// independent draws are the twin that must fail.
func TestEffectiveSizeAndStandardErrorOfAutoregression(t *testing.T) {
	const replications, count, draws = 200, 4, 2000
	for _, c := range []struct{ memory, bias, deviation float64 }{
		{0, -0.014, 0.031},
		{0.5, -0.006, 0.054},
		{0.9, -0.005, 0.125},
		{0.98, -0.005, 0.294},
		{-0.5, 0.021, 0.073},
	} {
		t.Run(fmt.Sprint(c.memory), func(t *testing.T) {
			t.Parallel()
			time := (1 + c.memory) / (1 - c.memory)
			var share, squares, naive float64
			for replication := range replications {
				chains := autoregressive(1, replication, count, draws, c.memory)
				share += mcmc.EffectiveSize(chains) * time / (count * draws) / replications
				mean := stattest.Mean(chains)
				score := stattest.ZScore(mean, mcmc.StandardError(chains), 0)
				squares += score * score
				naive += mean * mean * count * draws // the variance is 1
			}
			band := 6 * c.deviation / math.Sqrt(replications)
			if !(math.Abs(share-1-c.bias) <= band) {
				t.Errorf("effective size is %.3f of the truth, want %.3f ± %.3f", share, 1+c.bias, band)
			}
			if p := twoTails(squares, replications); !(p >= 1e-6) {
				t.Errorf("squared scores average %.3f, p = %g", squares/replications, p)
			}
			if p := twoTails(naive, replications); c.memory != 0 && !(p < 1e-6) {
				t.Errorf("the test cannot see that memory %g is left out: p = %g", c.memory, p)
			}
		})
	}
}

// twoTails is the probability of a chi-square variable further out than x on its side.
func twoTails(x float64, degrees int) float64 {
	upper := stattest.ChiSquareTail(x, degrees)
	return 2 * math.Min(upper, 1-upper)
}

func TestSplitRHat(t *testing.T) {
	const draws = 1000
	// Over 1000 such replications of seed 99 it went from 0.9992 to 1.0087.
	for replication := range 20 {
		if r := mcmc.SplitRHat(autoregressive(2, replication, 4, draws, 0.5)); !(r >= 0.999 && r <= 1.01) {
			t.Errorf("replication %d: R-hat of chains that agree is %g", replication, r)
		}
	}
	shifted := autoregressive(3, 0, 4, draws, 0.5)
	trend := autoregressive(4, 0, 4, draws, 0.5)
	for i := range draws {
		shifted[0][i] += 2 // var⁺ ≈ 1 + 4·2/7·3/4, R-hat ≈ 1.36
		for c := range trend {
			trend[c][i] += 2 * float64(i) / draws // halves 1 apart: var⁺ ≈ W + 2/7, W ≈ 1 + 1/12, R-hat ≈ 1.12
		}
	}
	for name, chains := range map[string][][]float64{"a shifted chain": shifted, "a trend": trend} {
		if r := mcmc.SplitRHat(chains); !(r > 1.1) {
			t.Errorf("R-hat does not see %s: %g", name, r)
		}
	}
}

// goldenCase is one case of testdata/diagnostics.json, made by peers/diagnostics.py.
type goldenCase struct {
	Name     string
	Chains   int
	Draws    int
	Memory   float64
	Offset   float64
	Apart    float64
	Trend    float64
	Noise    float64
	Seed     uint32
	SHA256   string
	Mean     float64
	VarPlus  float64  `json:"var_plus"`
	Variance float64  // of all draws about their mean
	ESS      float64  // arviz.ess(method="mean")
	RHat     *float64 // arviz.rhat(method="split")
	MCSE     float64  // arviz.mcse(method="mean"): √(Variance/ESS)
}

// draws repeats draws() of peers/diagnostics.py. The conversions keep compilers
// from fusing a product with a sum, which would change the last bit.
func (c goldenCase) draws() (chains [][]float64, checksum string) {
	state := c.Seed
	digest := sha256.New()
	for k := range c.Chains {
		var x float64
		chain := make([]float64, c.Draws)
		for i := range chain {
			state = 1664525*state + 1013904223
			x = float64(c.Memory*x) + (float64(state)/(1<<32) - 0.5)
			place := c.Offset + float64(float64(k)*c.Apart) + float64(float64(i)*c.Trend)
			chain[i] = place + float64(c.Noise*x)
			var bytes [8]byte
			binary.LittleEndian.PutUint64(bytes[:], math.Float64bits(chain[i]))
			digest.Write(bytes[:])
		}
		chains = append(chains, chain)
	}
	return chains, fmt.Sprintf("%x", digest.Sum(nil))
}

// Both sides compute in float64 by different routes (ArviZ's autocovariances
// come from a Fourier transform), so the last digits may differ: 1e-10 of the
// value, and for the mean 1e-10 of its standard error. The offset case stays
// small because ArviZ loses digits to a large one.
func TestAgainstArviZ(t *testing.T) {
	text, err := os.ReadFile("testdata/diagnostics.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct{ Cases []goldenCase }
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Cases) < 10 {
		t.Fatalf("only %d cases", len(golden.Cases))
	}
	for _, c := range golden.Cases {
		t.Run(c.Name, func(t *testing.T) {
			chains, checksum := c.draws()
			if checksum != c.SHA256 {
				t.Fatalf("these are not the draws that ArviZ saw: checksum %s, want %s", checksum, c.SHA256)
			}
			near := func(what string, got, want, scale float64) {
				t.Helper()
				if !(math.Abs(got-want) <= 1e-10*scale) {
					t.Errorf("%s is %.15g, want %.15g", what, got, want)
				}
			}
			near("the mean", stattest.Mean(chains), c.Mean, c.MCSE+1e-5*math.Abs(c.Mean))
			near("the effective size", mcmc.EffectiveSize(chains), c.ESS, c.ESS)
			standardError := mcmc.StandardError(chains)
			near("the standard error", standardError, math.Sqrt(c.VarPlus/c.ESS), c.MCSE)
			if c.Variance > 0 { // ArviZ's error has Variance in the place of var⁺
				near("ArviZ's standard error", standardError*math.Sqrt(c.Variance/c.VarPlus), c.MCSE, c.MCSE)
			}
			if c.RHat != nil {
				near("R-hat", mcmc.SplitRHat(chains), *c.RHat, *c.RHat)
			}
		})
	}
}

func TestDiagnosticsOfOddCases(t *testing.T) {
	repeat := func(x float64, draws int) []float64 { return slices.Repeat([]float64{x}, draws) }
	with := func(x float64, place int) [][]float64 {
		chain := []float64{1, 2, 4, 3, 5, 2, 1}
		chain[place] = x
		return [][]float64{chain}
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name                      string
		chains                    [][]float64
		size, rHat, standardError float64
	}{
		// 0.1 is not a binary fraction: a mean that rounds would leave a variance.
		{"one constant", [][]float64{repeat(0.1, 10), repeat(0.1, 10), repeat(0.1, 10)}, 30, 1, 0},
		{"an odd constant", [][]float64{repeat(0.1, 7)}, 6, 1, 0},
		// Halves at 1, 1, 2, 2, 3, 3: V = 4/5.
		{"stuck chains", [][]float64{repeat(1, 10), repeat(2, 10), repeat(3, 10)}, 3, inf, math.Sqrt(0.8 / 3)},
		// Halves at 0, 1: V = 1/2.
		{"one jump", [][]float64{{0, 0, 0, 1, 1, 1}}, 1, inf, math.Sqrt(0.5)},
		// W = 5/3, V = 8, var⁺ = 37/4, γ_1 = 5/16, and P_0 is all there is:
		// τ = 1 + 2·(1 − (5/3 − 5/16)/(37/4)) = 601/222. ArviZ: 8·log₁₀ 8.
		{"eight draws", [][]float64{{0, 1, 2, 3, 4, 5, 6, 7}}, 8 / (601. / 222), math.Sqrt(9.25 * 3 / 5), math.Sqrt(9.25 * 601 / 222 / 8)},
		// ρ_1 = 1 − (2 + 1/2)/1 < −1 with W = 2 and var⁺ = 1: the cap.
		{"antithetic", [][]float64{{1, -1, 1, -1}}, 4 * math.Log10(4), math.Sqrt(0.5), math.Sqrt(1 / (4 * math.Log10(4)))},
		{"NaN", with(nan, 0), nan, nan, nan},
		{"NaN in the unused middle", with(nan, 3), nan, nan, nan},
		{"infinity", with(inf, 5), nan, nan, nan},
		{"minus infinity in all", [][]float64{repeat(-inf, 4), repeat(-inf, 4)}, nan, nan, nan},
		{"squares overflow", with(1e200, 1), nan, nan, nan},
	} {
		for what, pair := range map[string][2]float64{
			"effective size": {mcmc.EffectiveSize(c.chains), c.size},
			"R-hat":          {mcmc.SplitRHat(c.chains), c.rHat},
			"standard error": {mcmc.StandardError(c.chains), c.standardError},
		} {
			got, want := pair[0], pair[1]
			same := got == want || math.IsNaN(got) && math.IsNaN(want)
			if !same && !(math.Abs(got-want) <= 1e-14*want) { // a few roundings
				t.Errorf("%s: %s is %g, want %g", c.name, what, got, want)
			}
		}
	}
}

// Chains that are almost stuck have almost the effective size of stuck ones.
// All lags but the last pair or two count in full, so S/τ = count·n/(n − c),
// c at most 4, for halves of n draws.
func TestStuckIsALimit(t *testing.T) {
	const count, draws = 5, 1000
	chains := autoregressive(5, 0, count, draws, 0)
	for c, chain := range chains {
		for i := range chain {
			chain[i] = float64(c*c) + 1e-6*chain[i]
		}
	}
	if size := mcmc.EffectiveSize(chains); !(size >= count && size <= count*(1+10./draws)) {
		t.Errorf("effective size of %d nearly stuck chains is %g", count, size)
	}
}

// Unit, order of chains and direction of time must not matter.
func TestDiagnosticsKeepTheirSymmetries(t *testing.T) {
	plain := symmetryChains()
	size, rHat, standardError := mcmc.EffectiveSize(plain), mcmc.SplitRHat(plain), mcmc.StandardError(plain)
	for name, change := range map[string]struct {
		unit  float64
		apply func(chains [][]float64)
	}{
		"unit 1e-30": {1e-30, func(chains [][]float64) { scale(chains, 1e-30, 0) }},
		"unit 1e30":  {1e30, func(chains [][]float64) { scale(chains, -1e30, 0) }},
		"offset":     {1, func(chains [][]float64) { scale(chains, 1, 1<<30) }},
		"order":      {1, slices.Reverse[[][]float64]},
		"time": {1, func(chains [][]float64) {
			for _, chain := range chains {
				slices.Reverse(chain)
			}
		}},
	} {
		changed := symmetryChains()
		change.apply(changed)
		for what, ratio := range map[string]float64{
			"effective size": mcmc.EffectiveSize(changed) / size,
			"R-hat":          mcmc.SplitRHat(changed) / rHat,
			"standard error": mcmc.StandardError(changed) / standardError / change.unit,
		} {
			if !(math.Abs(ratio-1) <= 1e-12) { // rounding in sums of 1500 terms
				t.Errorf("%s changes the %s by a factor of %.15g", name, what, ratio)
			}
		}
	}
}

// symmetryChains have draws with 20 binary digits after the point, which leaves
// room to add 2³⁰ without rounding.
func symmetryChains() [][]float64 {
	chains := autoregressive(6, 0, 3, 501, 0.7)
	for _, chain := range chains {
		for i := range chain {
			chain[i] = math.Round(chain[i]*(1<<20)) / (1 << 20)
		}
	}
	return chains
}

func scale(chains [][]float64, unit, offset float64) {
	for _, chain := range chains {
		for i := range chain {
			chain[i] = offset + unit*chain[i]
		}
	}
}

func TestDiagnosticsPanicOnWrongShapes(t *testing.T) {
	for name, chains := range map[string][][]float64{
		"no chains":       nil,
		"unequal lengths": {make([]float64, 8), make([]float64, 9)},
		"three draws":     {{1, 2, 3}, {4, 5, 6}},
		"empty chains":    {{}, {}},
	} {
		for what, diagnose := range map[string]func([][]float64) float64{
			"EffectiveSize": mcmc.EffectiveSize, "SplitRHat": mcmc.SplitRHat,
			"StandardError": mcmc.StandardError,
		} {
			func() {
				defer func() {
					if message, _ := recover().(string); !strings.HasPrefix(message, "mcmc:") {
						t.Errorf("%s of %s: panic %q", what, name, message)
					}
				}()
				diagnose(chains)
			}()
		}
	}
}

func ExampleSplitRHat() {
	agree := [][]float64{{1, 3, 2, 4, 3, 4, 1, 3}, {4, 1, 3, 2, 2, 1, 4, 2}}
	apart := [][]float64{{1, 3, 2, 4, 3, 4, 1, 3}, {9, 6, 8, 7, 7, 6, 9, 7}}
	for _, chains := range [][][]float64{agree, apart} {
		fmt.Printf("R-hat %.2f\n", mcmc.SplitRHat(chains))
	}
	// Output:
	// R-hat 0.88
	// R-hat 2.32
}

// The cost is draws times lags: few for chains that mix, all for chains apart.
func BenchmarkEffectiveSize(b *testing.B) {
	apart := autoregressive(7, 0, 4, 2000, 0)
	for c, chain := range apart {
		for i := range chain {
			chain[i] += 10 * float64(c)
		}
	}
	for _, c := range []struct {
		name   string
		chains [][]float64
	}{
		{"memory=0/draws=4x10000", autoregressive(7, 0, 4, 10000, 0)},
		{"memory=0.9/draws=4x10000", autoregressive(7, 0, 4, 10000, 0.9)},
		{"memory=0.99/draws=4x10000", autoregressive(7, 0, 4, 10000, 0.99)},
		{"apart/draws=4x2000", apart},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				mcmc.EffectiveSize(c.chains)
			}
		})
	}
}
